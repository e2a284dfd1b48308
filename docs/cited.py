"""The figures that texts cite, from the results of benchmarks, of large games and of the atlas."""

import csv
import json
from pathlib import Path

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


def figures(root: Path) -> dict[str, str]:
    """Return the figures by name."""
    benchmarks = root / "data" / "benchmarks"
    parts = json.loads((benchmarks / "results.json").read_bytes())["parts"]
    measured = {row["what"]: row["value"] for part in parts.values() for row in part}
    found = {name: form.format(measured[what]) for name, (what, form) in CITED.items()}
    found |= {row["name"]: row["measured"] for row in json.loads((benchmarks / "by_hand.json").read_bytes())}
    game, clique, clique4 = (
        json.loads((root / "data" / "solved" / f"{name}-wdl.json").read_bytes())
        for name in ("5-5-4", "clique-9-3", "clique-9-4")
    )
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
        "positions_clique": f"{clique['positions']:,}",
        "positions_clique4": f"{clique4['positions']:,}",
        "canonical_clique4": f"{clique4['canonical']:,}",
        "time_clique": f"{clique['built']['processor_seconds']:.0f} s",
        "memory_clique": f"{clique['built']['peak_memory_bytes'] / 1e9:.1f} GB",
        "built_games": str(len([*(root / "data" / "solved").glob("*.json")])),
    }


def _graphs(root: Path, points: int) -> dict[str, str]:
    """Return the numbers of graphs and of wins on a board, and the graphs that only Maker completes."""
    rows = _atlas(root, f"graph-{points}")
    maker = [f"G{row['atlas']}" for row in rows if row["value"] != "X" and row["maker"] == "X"]
    return {
        f"graphs_{points}": str(len(rows)),
        f"x_wins_{points}": str(sum(row["value"] == "X" for row in rows)),
        f"maker_only_{points}": f"{', '.join(maker[:-1])} and {maker[-1]}",
    }


def _progressions(root: Path, k: int) -> dict[str, str]:
    """Return the smallest n at which Maker wins, and at which X wins the strong game if there is one."""
    rows = _atlas(root, f"progression-{k}")
    least = {name: [row["n"] for row in rows if row[name] == "X"] for name in ("maker", "value")}
    return {f"least_{name}_{k}": found[0] for name, found in least.items() if found}


def _atlas(root: Path, name: str) -> list[dict[str, str]]:
    return [*csv.DictReader((root / "data" / "atlas" / f"{name}.csv").read_text(encoding="utf-8").splitlines())]
