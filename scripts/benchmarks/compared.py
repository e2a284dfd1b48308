"""Compare a table with its alternatives: minimax with a dictionary, OpenSpiel's solver, plain rows."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks import openspiel
from benchmarks.figure import Figure, seconds, timed
from benchmarks.process import run_alone
from benchmarks.rows import probe_rows, write_rows
from benchmarks.sample import microseconds_each, on_different_pages, played
from solver import Position, build_table, parse_game
from solver.search.truth import open_tablebase

SOLVERS = {"minimax": "memoised bitboard minimax in Python", "openspiel": "OpenSpiel's MinimaxSolver"}


def figures(folder: Path, quick: bool) -> Iterator[Figure]:
    """Yield all figures of this module; tables are built in `folder`."""
    for game in ("3,3,3",) if quick else ("3,3,3", "4,4,4"):
        yield from solvers(game, folder)
    yield from plain_rows("3,5,3" if quick else "4,4,4", folder)


def solvers(game: str, folder: Path) -> Iterator[Figure]:
    """Compare solvers that keep all values in memory with a table that is built, stored and probed."""
    build = seconds(partial(build_table, game, folder, metric="distance", force=True), 3)
    memory = run_alone("building", game, folder)["megabytes"]
    probe, answer = _probe_seconds(game, folder), seconds(lambda: _first_answer(game, folder))
    yield Figure(f"{game} by this project: built and stored", build, "s")
    yield Figure(f"{game} by this project: one probe, once in memory", probe * 1e6, "µs")
    yield Figure(f"{game} by this project: table opened, one position answered", answer * 1e3, "ms")
    for module, name in SOLVERS.items():
        if module == "openspiel" and not openspiel.is_installed():
            continue
        facts = run_alone(module, game, folder)
        if facts["root"] != _root(game, folder):
            raise SystemExit(f"{name} disagrees about {game}; the comparison makes no sense.")
        solved = facts["seconds"]
        yield Figure(f"{game} by {name}: solved, nothing stored", solved, "s", "", solved / build, "ours, stored")
        yield Figure(
            f"{game} by {name}: peak memory", facts["megabytes"], "MB", "", facts["megabytes"] / memory, "ours"
        )
        yield Figure(
            f"{game} by {name}: one probe, once solved", facts["probe"] * 1e6, "µs", "", facts["probe"] / probe, "ours"
        )
        yield Figure(
            f"{game} by {name}: one position answered", solved * 1e3, "ms", "", solved / answer, "ours, from the file"
        )


def plain_rows(game: str, folder: Path) -> Iterator[Figure]:
    """Compare a table of pages with a table of one row per position."""
    path, plain = build_table(game, folder, metric="distance"), folder / "rows.sqlite"
    build = seconds(partial(build_table, game, folder, metric="distance", force=True), 3)
    with open_tablebase(path) as table:
        positions = on_different_pages(table.table, 500)
        writing, _ = timed(lambda: write_rows(table.table, plain))
    with open_tablebase(path) as table:
        table.probe(Position.start(table.rules))
        paged = microseconds_each(table.probe, positions)
    hashes = [position.hash for position in positions]
    rowed = seconds(lambda: probe_rows(plain, hashes)) / len(hashes) * 1e6
    sizes = [file.stat().st_size / 1e6 for file in (plain, path)]
    yield Figure(f"{game} as plain rows: written", writing, "s", "", writing / build, "ours, solved and stored")
    yield Figure(f"{game} as plain rows: size", sizes[0], "MB", "", sizes[0] / sizes[1], "ours, pages")
    yield Figure(f"{game} as plain rows: one look-up", rowed, "µs", "", rowed / paged, "ours, a page not cached")
    yield Figure(f"{game} as pages: one probe, not cached", paged, "µs")


def _probe_seconds(game: str, folder: Path) -> float:
    """Return the mean time of a probe of random positions that were probed before."""
    with open_tablebase(build_table(game, folder)) as table:
        positions = [*islice(played(table.rules), 2000)]
        return seconds(lambda: [table.probe(position) for position in positions]) / len(positions)


def _first_answer(game: str, folder: Path) -> None:
    with open_tablebase(build_table(game, folder)) as table:
        table.probe(Position.start(table.rules))


def _root(game: str, folder: Path) -> int:
    with open_tablebase(build_table(game, folder)) as table:
        return table.probe(Position.start(parse_game(game))).wdl
