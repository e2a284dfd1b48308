"""Measure the figures that the project promises, each with its requirement."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.figure import Figure, seconds
from benchmarks.process import run_alone, run_python, user_environment
from benchmarks.sample import microseconds_each, on_different_pages, played
from benchmarks.solving import solve_only
from solver import build_table
from solver.search.truth import open_tablebase
from solver.store.schema import Metric

_BUILD = "import sys, solver; solver.build_table(sys.argv[1], sys.argv[2], force=True)"
_QUERY = "import sys; from solver.cli import main; main(sys.argv[1:], prog_name='mnk')"


def figures(folder: Path, quick: bool) -> Iterator[Figure]:
    """Yield all figures of this module; tables are built in `folder`."""
    yield Figure("3,3,3 built and stored", _build_seconds("3,3,3", folder), "s", "under 0.3 s")
    yield Figure("4,4,4 solved with distances", _solve_seconds("4,4,4", "distance"), "s", "under 0.5 s")
    yield from stored("4,4,4", folder)
    if not quick:
        yield Figure("4,5,4 solved, win/draw/loss", _solve_seconds("4,5,4", "wdl"), "s", "under 2 s")
        yield Figure("4,5,4 with distances, built and stored", _build_seconds("4,5,4", folder, 3), "s", "under 30 s")
    yield from small_probes("3,3,3", folder)
    yield page_probe("4,4,4" if quick else "4,5,4", folder)
    yield query("3,3,3", folder)
    if not quick:
        yield first_build("3,3,3", folder)


def stored(game: str, folder: Path) -> Iterator[Figure]:
    """Yield the time, disk space and memory for building and storing a table of pages."""
    yield Figure(f"{game} with distances, built and stored", _build_seconds(game, folder), "s", "under 2 s")
    size = build_table(game, folder).stat().st_size
    yield Figure(f"{game} with distances, size of the file", size / 1e6, "MB", "under 1.5 MB")
    peak = run_alone("building", game, folder)["megabytes"]
    yield Figure(f"{game} with distances, peak memory of the process that builds it", peak, "MB", "under 400 MB")


def small_probes(game: str, folder: Path) -> Iterator[Figure]:
    """Yield the speed of probes of a table that is held in memory."""
    with open_tablebase(build_table(game, folder)) as table:
        positions = [*islice(played(table.rules), 3000)]
        one = seconds(lambda: [table.probe(position) for position in positions]) / len(positions)
        hashes = np.array([position.hash for position in positions] * 1000)
        rate = hashes.size / seconds(lambda: table.table.probe_many(hashes))
    yield Figure(f"one probe in Python, table of {game}", one * 1e6, "µs", "under 1 µs")
    yield Figure(f"probe_many, table of {game}", rate / 1e6, "million/s", "over 20 million/s")


def page_probe(game: str, folder: Path) -> Figure:
    """Measure a probe that must read and decompress its page, with the file in the page cache."""
    path = build_table(game, folder)
    with open_tablebase(path) as table:
        positions = on_different_pages(table.table, 500)
    with open_tablebase(path) as table:
        table.probe(positions[0])
        elapsed = microseconds_each(table.probe, positions[1:])
    return Figure(f"one probe in Python, pages of {game}, none of them cached", elapsed, "µs", "under 50 µs")


def query(game: str, folder: Path, repeat: int = 15) -> Figure:
    """Measure `mnk query` from the shell, alternating with the smallest program that imports click."""
    build_table(game, folder)
    arguments = ["query", game, "start", "--data", str(folder)]
    commands = (["-c", "import click"], ["-c", _QUERY, *arguments])
    runs = [[run_python(command, folder, user_environment())[0] for command in commands] for _ in range(repeat)]
    click, whole = (median(times) for times in zip(*runs[1:], strict=True))
    return Figure(
        f"mnk query {game} from the shell",
        whole * 1e3,
        "ms",
        f"under {(click + 0.1) * 1e3:.0f} ms (100 ms more)",
        whole / click,
        f'python -c "import click" ({click * 1e3:.0f} ms)',
    )


def first_build(game: str, folder: Path) -> Figure:
    """Measure the first build on a machine, including the compilation of all kernels."""
    fresh = user_environment(NUMBA_CACHE_DIR=str(folder / "compiled"))
    elapsed, _ = run_python(["-c", _BUILD, game, str(folder)], folder, fresh)
    return Figure(f"{game}: the first build on a machine, compiling included", elapsed, "s", "under 30 s")


def _build_seconds(game: str, folder: Path, repeat: int = 5) -> float:
    return seconds(partial(build_table, game, folder, metric="distance", force=True), repeat)


def _solve_seconds(game: str, metric: Metric) -> float:
    return seconds(partial(solve_only, game, metric))
