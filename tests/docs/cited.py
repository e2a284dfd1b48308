"""The figures that texts cite: results of benchmarks, of large games and of the atlas, and limits in the code."""

import csv
import json
from pathlib import Path

from solver.count import walking
from solver.engines import learner
from solver.export import table
from solver.game import base3, rules
from solver.kernels import playouts
from solver.search import sources, truth
from solver.solve import build, last_ply, proof
from solver.store import schema, strategy_file
from solver.support.processes import MOST_PROCESSES
from solver.support.sessions import MOST_FAILED, Limits
from solver.verification import positions, verify
from solver.web import live, requests
from solver.web.site import table_files, writing

_OVER_HTTP = "over HTTP, by the server's processor time"
CITED = {
    "build_444": ("4,4,4 with distances, built and stored", "{:.2f} s"),
    "first_build": ("3,3,3: the first build on a machine, compiling included", "{:.0f} s"),
    "minimax_444": ("4,4,4 by memoised bitboard minimax in Python: solved, nothing stored", "{:.0f} s"),
    "openspiel_444": ("4,4,4 by OpenSpiel's MinimaxSolver: solved, nothing stored", "{:.0f} s"),
    "empty_connect_four": ("the empty board by this project", "{:.0f} s"),
    "after_table": ("every move after 12 plies, 500 random positions: 95 % within", "{:.0f} ms"),
    "requests": (f"a position of 3,3,3 with every move {_OVER_HTTP}", "{:,.0f}"),
    "batched": ("positions of 3,3,3 in batches of 500, by the server's processor time", "{:,.0f}"),
}
"""The figures that texts cite: what was measured, as in `data/benchmarks/results.json`, and the form of the figure."""

LIMITS = {
    "most_squares": f"{rules.MAX_SQUARES}",
    "most_board": f"{rules.MAX_BOARD}",
    "distance_squares": f"{build.DISTANCE_SQUARES}",
    "opening_plies": f"{build.OPENING_PLIES}",
    "opening_memory": f"{last_ply.MEMORY >> 30} GB",
    "one_search": f"{proof.LARGE}",
    "proof_seconds": f"{proof.SECONDS:.0f}",
    "symmetries": f"{rules.MAX_SYMMETRIES:,}",
    "walked": f"{walking.MOST_POSITIONS // 10**6} million",
    "objects": f"{table.MOST_OBJECTS // 10**6} million",
    "playout_squares": f"{playouts.MAX_SQUARES}",
    "row_squares": f"{schema.POSITIONS_LIMIT}",
    "format": f"{schema.FORMAT}",
    "strategy_format": f"{strategy_file.FORMAT}",
    "hashed_squares": f"{base3.HASHED_SQUARES}",
    "small_squares": f"{sources.SMALL}",
    "threat_squares": f"{sources.LARGE}",
    "search_seconds": f"{truth.SECONDS:.0f}",
    "learner_squares": f"{learner.MAX_SQUARES}",
    "asked": f"{positions.MOST_POSITIONS:,}",
    "sample": f"{positions.SAMPLE:,}",
    "late_sample": f"{positions.LATE_SAMPLE}",
    "fewest": f"{verify.FEWEST}",
    "budget": f"{verify.BUDGET:.0f}",
    "move_seconds": f"{Limits.seconds_per_move:.0f}",
    "start_seconds": f"{Limits.seconds_to_start:.0f}",
    "processes": f"{MOST_PROCESSES}",
    "failed": f"{MOST_FAILED}",
    "engine_memory": f"{(Limits.memory or 0) / 1e9:.0f} GB",
    "batch": f"{requests.MOST_POSITIONS:,}",
    "client_games": f"{live.MOST_OF_CLIENT}",
    "site_small": f"{writing.MOST_SMALL / 1e6:.0f} MB",
    "site_whole": f"{writing.MOST_WHOLE >> 20} MB",
    "site_part": f"{table_files.PART_SIZE / 1e6:.0f} MB",
}
"""The limits of the code that texts name."""


def figures(root: Path) -> dict[str, str]:
    """Return the figures by name."""
    benchmarks = root / "data" / "benchmarks"
    parts = json.loads((benchmarks / "results.json").read_bytes())["parts"]
    measured = {row["what"]: row["value"] for part in parts.values() for row in part}
    found = {name: form.format(measured[what]) for name, (what, form) in CITED.items()}
    found |= {row["name"]: row["measured"] for row in json.loads((benchmarks / "by_hand.json").read_bytes())}
    game, clique4 = (
        json.loads((root / "data" / "solved" / f"{name}-wdl.json").read_bytes()) for name in ("5-5-4", "clique-9-4")
    )
    for record in _rows(root, "solved/strategies"):
        if name := {"15,15,5": "gomoku", "15,15,5,exact": "exact"}.get(record["game"]):
            found |= {f"{name}_rows": f"{int(record['moves']):,}", f"{name}_plies": record["within"]}
            found |= {f"{name}_replies": f"{int(record['replies']):,}"}
            found |= {f"{name}_checked": f"{float(record['seconds']) / 60:.0f} minutes"}
    for points in (7, 8):
        found |= _graphs(root, points)
    for k in (4, 5):
        found |= _progressions(root, k)
    return found | {
        "size_444": f"{measured['4,4,4 with distances, size of the file'] * 1e3:.0f} kB",
        "positions_554": f"{game['positions']:,}",
        "time_554": f"{game['built']['seconds']:.0f} s",
        "memory_554": f"{game['built']['peak_memory_bytes'] / 1e9:.1f} GB",
        "file_554": f"{game['file_bytes'] / 1e6:.0f} MB",
        "positions_clique4": f"{clique4['positions']:,}",
        "canonical_clique4": f"{clique4['canonical']:,}",
        **LIMITS,
        "built_games": str(len([*(root / "data" / "solved").glob("*.json")])),
    }


def _graphs(root: Path, points: int) -> dict[str, str]:
    """Return the numbers of graphs and of wins on a board, and the graphs that only Maker completes."""
    rows = _rows(root, f"atlas/graph-{points}")
    maker = [f"G{row['atlas']}" for row in rows if row["value"] != "X" and row["maker"] == "X"]
    return {
        f"graphs_{points}": str(len(rows)),
        f"x_wins_{points}": str(sum(row["value"] == "X" for row in rows)),
        f"maker_only_{points}": f"{', '.join(maker[:-1])} and {maker[-1]}",
    }


def _progressions(root: Path, k: int) -> dict[str, str]:
    """Return the smallest n at which Maker wins, and at which X wins the strong game if there is one."""
    rows = _rows(root, f"atlas/progression-{k}")
    least = {name: [row["n"] for row in rows if row[name] == "X"] for name in ("maker", "value")}
    return {f"least_{name}_{k}": found[0] for name, found in least.items() if found}


def _rows(root: Path, name: str) -> list[dict[str, str]]:
    return [*csv.DictReader((root / "data" / f"{name}.csv").read_text(encoding="utf-8").splitlines())]
