"""Build and check large games with the commands that users run, and write a summary of each.

A summary (data/solved/<game>-<metric>.json) contains the table's statistics by ply, its digest and the value of the
empty board, for others to cite. It also contains the time and memory of the build, and the machine.

Tables of formats 1 and 2 had a digest by BLAKE2b, under the key `blake2b`. A summary without a newer digest gets one if
the same pages also have its BLAKE2b digest, so the values are those of the earlier table.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path
from resource import RUSAGE_SELF, getrusage, struct_rusage
from time import perf_counter
from typing import Any

from benchmarks.machine import describe_machine
from unwritten import UnwrittenTable

from solver.check.check_report import CheckReport
from solver.check.sample_check import NODES as USUAL_NODES
from solver.check.sample_check import check_sample, search_table
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.symmetry import Permutation, SymmetryGroup, compose
from solver.solve.cluster import Pool
from solver.solve.pages_build import solve_game
from solver.solve.workspace import open_workspace
from solver.store.paths import table_path
from solver.store.reader import TableReader
from solver.store.schema import Metric
from solver.store.sqlite import SqliteContent
from solver.tablebase import Tablebase

ROOT = Path(__file__).resolve().parent.parent
SOLVED = ROOT / "data" / "solved"

GAMES = (
    "5,5,3:wdl",
    "5,5,4:wdl",
    "5,5,5:wdl",
    "4,6,4:wdl",
    "4,7,3:wdl",
    "3,8,3:wdl",
    "2,13,3:wdl",
    "2,13,3,exact:wdl",
    "3,9,3:wdl",
    "3,9,4:wdl",
    "3,9,4,exact:wdl",
    "3x3x3,3:wdl",
    "5,5,4,gravity:distance",
    "4,7,4,gravity:wdl",
    "6,5,4,gravity:wdl",
    "7,5,4,gravity:wdl",
    "4,8,4,gravity:wdl",
    "5,5,4:distance",
    "5,5,4,misere:wdl",
    "5,5,4,torus:wdl",
    "clique,8,4:wdl",
    "clique,9,3:wdl",
    "clique,9,4:wdl",
)

SAMPLE = 100_000  # positions compared with the values one move later
# Look-ups take longest with so many symmetries.
SAMPLE_OF = dict.fromkeys(("clique,8,4", "clique,9,3", "clique,9,4"), 1_000)
SEARCHED = 1000  # positions solved by alpha-beta search
# For games whose first plies take long to search: the number of positions to draw, so that a thousand are settled, and
# the limit of nodes for each.
SEARCHED_OF = {"5,5,4,misere": 1300, "clique,9,4": 1400}
NODES = {"5,5,4,misere": 1_000_000, "clique,8,4": 400_000_000, "clique,9,4": 1_000_000}
REFLECTED = 1000  # positions that are probed with their images
ORIENTATIONS = 20  # the most images of a position that are probed
LASTING = ("game", "metric", "root_wdl", "root_distance", "positions", "canonical", "plies", "digest", "blake2b")
"""The keys of a summary that describe the game rather than the machine; they must never change."""


def main() -> int:
    """Build and check the games and write their summaries; return the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/large")
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME[:METRIC]")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--workspace", action="store_true")
    parser.add_argument("--no-table", action="store_true")
    given = parser.parse_args()
    if (given.keep or given.workspace or given.no_table) and not given.data:
        parser.error("--keep, --workspace and --no-table need a folder: add --data DIR")
    if given.no_table:
        return max([_without_table(game, given.data) for game in given.games])
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.data or Path(temporary)
        return max([_one(game, folder, given.keep, given.workspace) for game in given.games])


def _one(name: str, folder: Path, keep: bool, store: bool) -> int:
    """Build and check one game and write its summary; return the exit code."""
    game, metric = _parse(name)
    rules = parse_game(game)
    with tempfile.TemporaryDirectory(dir=folder) as building:
        path = table_path(Path(building), rules)
        built = _build(game, metric, path.parent, folder if store else None)
        with Tablebase.open(path) as table:
            said = _said(table) | _earlier_digest(path)
            checks = {
                "one move later": _check(game, path.parent),
                "alpha-beta search": _search(table),
                "symmetric positions": _reflect(table),
            }
        summary = said | {"file_bytes": path.stat().st_size, "built": built, "checks": checks}
        if keep:
            path.replace(folder / f"{path.stem}-{metric}{path.suffix}")
    return _keep(summary)


def _without_table(name: str, folder: Path) -> int:
    """Solve and check a game without writing its table, and write its summary; return the exit code.

    The table would not fit on the disk beside its shards. After an interruption, the next run resumes from the shards.
    """
    game, metric = _parse(name)
    rules, machine = parse_game(game), describe_machine()
    workspace = open_workspace(str(folder / f"{rules.file_name}.{metric}.parts"))
    with solve_game(table_path(folder, rules), rules, metric, workspace, _log("solved"), Pool()) as solved:
        built = {
            "command": f"mnk build {game} --metric {metric} --workspace FOLDER",
            "table": "not written: it was read from the store",
            # The time of all shards. Processor time is omitted: it would only cover the last run.
            "seconds": round(sum(record.seconds for record in solved.records), 1),
            **{kind: used for kind, used in _used(getrusage(RUSAGE_SELF)).items() if kind != "processor_seconds"},
            "machine": machine,
        }
        reader = TableReader(UnwrittenTable(Path(workspace.address), solved), rules)
        table = Tablebase(reader)
        said = _said(table)
        if "digest" not in _before(game, metric):
            said["blake2b"] = blake2b_digest(reader, solved.pages)
        report = CheckReport(game, metric)
        check_sample(reader, SAMPLE, 0, report, _log("checked"))
        if report.problems:
            raise SystemExit("\n".join(report.problems))
        compared = f"{report.positions:,} positions checked against {report.successors:,} one move later"
        checks = {
            "one move later": f"right, {compared} (a sample)",
            "alpha-beta search": _search(table),
            "symmetric positions": _reflect(table),
        }
        return _keep(said | {"file_bytes": solved.stored, "built": built, "checks": checks})


def _log(what: str) -> Callable[[int, int], None]:
    """Return a progress function that prints each percent."""
    printed = -1

    def log(done: int, total: int) -> None:
        nonlocal printed
        if done * 100 // total > printed:
            printed = done * 100 // total
            print(f"{datetime.now(UTC):%H:%M:%S} {printed} % {what}", flush=True)

    return log


def _used(usage: struct_rusage) -> dict[str, Any]:
    """Return the processor time and the memory that a process has used, and the date."""
    return {
        "processor_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_memory_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        "date": datetime.now(UTC).date().isoformat(),
    }


def _parse(name: str) -> tuple[str, Metric]:
    """Return the game and the metric of GAME[:METRIC]."""
    game, _, metric = name.partition(":")
    return game, "distance" if metric == "distance" else "wdl"


def _summary(game: str, metric: str) -> Path:
    """Return the path of a game's summary."""
    return SOLVED / f"{game.replace(',', '-')}-{metric}.json"


def _build(game: str, metric: str, folder: Path, store: Path | None) -> dict[str, Any]:
    """Build the table in its own process, in shards if `store` is a folder; return the time and memory."""
    command = ["mnk", "build", game, "--metric", metric, *(["--workspace", "FOLDER"] if store else [])]
    machine = describe_machine()
    begun = perf_counter()
    words = [str(store) if word == "FOLDER" else word for word in command[1:]]
    with subprocess.Popen(_python(*words, "--data", str(folder)), env=_environment()) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    return {
        "command": " ".join(command),
        "seconds": round(perf_counter() - begun, 1),
        **_used(usage),
        "machine": machine,
    }


def _said(table: Tablebase) -> dict[str, Any]:
    """Return the facts and statistics in the table."""
    meta = {key: table.meta[key] for key in ("game", "metric", "root_wdl", "root_distance", "positions", "canonical")}
    numbers = {key: value if key in ("game", "metric") else _number(value) for key, value in meta.items()}
    return numbers | {"digest": table.meta["digest"], "plies": table.plies()}


def _before(game: str, metric: str) -> dict[str, Any]:
    """Return the existing summary of a game, or an empty one."""
    path = _summary(game, metric)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _earlier_digest(path: Path) -> dict[str, str]:
    """Return the BLAKE2b digest of a table whose summary has no newer digest."""
    with closing(SqliteContent(path)) as source:
        reader = TableReader(source)
        before = _before(reader.rules.name, reader.metric)
        if not before or "digest" in before:
            return {}
        keys = source.keys()
        return {"blake2b": blake2b_digest(reader, ((key, reader.packed_page(key)) for key in keys))}


def blake2b_digest(reader: TableReader, pages: Iterable[tuple[int, bytes]]) -> str:
    """Return the digest of a table of formats 1 and 2: the sum of the BLAKE2b hashes of keys and pages."""
    total = 0
    for key, data in pages:
        page = hashlib.blake2b(key.to_bytes(8, "little") + reader.unpack(key, data), digest_size=32)
        total += int.from_bytes(page.digest(), "big")
    return f"{total % (1 << 256):064x}"


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _check(game: str, folder: Path) -> str:
    """Return the result of `mnk check --sample`. Raise SystemExit if the table is wrong."""
    command = _python("check", game, "--sample", str(SAMPLE_OF.get(game, SAMPLE)), "--data", str(folder))
    done = subprocess.run(command, env=_environment(), stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="", flush=True)
    if done.returncode:
        raise SystemExit(done.returncode)
    return done.stdout.splitlines()[-1].partition(": ")[2].rpartition(", ")[0]


def _search(table: Tablebase) -> dict[str, int]:
    """Return how many values a search confirms, contradicts and cannot settle. Raise SystemExit if one is wrong."""
    name = table.rules.name
    report = search_table(table, SEARCHED_OF.get(name, SEARCHED), nodes=NODES.get(name, USUAL_NODES))
    counts = report.counts
    found = {"positions": counts.total()} | {kind: counts[kind] for kind in ("agree", "wrong", "unsettled")}
    print(f"{name}: {found}", flush=True)
    if report.problems:
        raise SystemExit("\n".join(report.problems))
    return found


def _reflect(table: Tablebase) -> str:
    """Compare random positions with their images under the symmetries. Raise SystemExit if values differ."""
    chance = random.Random(0)
    rules = table.rules
    symmetries = orientations(rules.symmetries)
    for _ in range(REFLECTED):
        position = Position.start(rules)
        for _ in range(chance.randrange(rules.squares)):
            following = position.play(chance.choice(position.legal_moves))
            if following.is_over:
                break
            position = following
        values = {table.find(position.transform(symmetry)) for symmetry in symmetries}
        if len(values) != 1:
            raise SystemExit(f"{rules}: {position.board} and its images have different values: {values}.")
    return f"{REFLECTED:,} positions probe alike in {len(symmetries)} orientations"


def orientations(group: SymmetryGroup) -> Sequence[Permutation]:
    """Return all elements of a group, or ORIENTATIONS random ones of a larger group, the identity first."""
    if group.order <= ORIENTATIONS:
        return group.elements
    chance, same = random.Random(0), tuple(range(group.squares))
    return [same, *(reduce(compose, map(chance.choice, group.orbits)) for _ in range(ORIENTATIONS - 1))]


def _keep(summary: dict[str, Any]) -> int:
    """Write the summary and return 0, or return 1 if it contradicts the existing one."""
    path = _summary(summary["game"], summary["metric"])
    before = _before(summary["game"], summary["metric"])
    summary = {key: before[key] for key in ("blake2b",) if key in before} | summary
    differing = [key for key in LASTING if key in before and before[key] != summary[key]]
    if differing:
        print(f"{path} has different values for {', '.join(differing)}; it was not changed.", file=sys.stderr)
        return 1
    SOLVED.mkdir(exist_ok=True)
    agreed = "the digest and all counts agree with the file before" if before else "there was no such file before"
    path.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    print(f"Wrote {path.relative_to(ROOT)}; {agreed}", flush=True)
    return 0


def _python(*arguments: str) -> Sequence[str]:
    return [sys.executable, "-m", "solver", *arguments]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


if __name__ == "__main__":
    sys.exit(main())
