"""The figures that the project promises, each beside what was asked for."""

import os
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.figure import Figure, process, seconds
from benchmarks.solving import solve_only
from solver import Position, Tablebase, build_table
from solver.store.schema import Metric
from solver.tablebase import open_table

_QUERY = "from solver.cli import main; main(['query', '3,3,3', 'XO./.X./...'], prog_name='mnk')"
_BUILD = "import solver; solver.build_table('{game}', '{folder}', force=True)"
_SAMPLE = 500  # positions probed on pages


def figures(folder: Path, quick: bool) -> Iterator[Figure]:
    """Measure them all; `folder` is empty and may be filled."""
    tables = folder / "tables"
    yield Figure("3,3,3 built and stored", _build_seconds("3,3,3", tables), "s", "under 0.3 s")
    yield Figure("4,4,4 solved with distances", _solve_seconds("4,4,4", "distance"), "s", "under 0.5 s")
    yield Figure("4,4,4 built and stored", _build_seconds("4,4,4", tables), "s", "under 2 s")
    size = build_table("4,4,4", tables).stat().st_size
    yield Figure("4,4,4, size of the file", size / 1e6, "MB", "under 1.5 MB")
    build = _BUILD.format(game="4,4,4", folder=tables)
    yield Figure(
        "4,4,4, peak memory of the process", process(["-c", build], folder, _environment())[1], "MB", "under 400 MB"
    )
    if not quick:
        yield Figure("4,5,4 solved, win/draw/loss", _solve_seconds("4,5,4", "wdl"), "s", "under 2 s")
        yield Figure("4,5,4 with distances, built and stored", _build_seconds("4,5,4", tables, 1), "s", "under 30 s")
    yield from _probes(tables, "4,4,4" if quick else "4,5,4")
    yield from _shell(folder, tables)
    if not quick:
        fresh = _environment() | {"NUMBA_CACHE_DIR": str(folder / "fresh")}
        elapsed, _ = process(["-c", _BUILD.format(game="3,3,3", folder=tables)], folder, fresh)
        yield Figure("first build of 3,3,3, compiling included", elapsed, "s", "under 30 s")


def _build_seconds(game: str, folder: Path, repeat: int = 5) -> float:
    return seconds(partial(build_table, game, folder, force=True), repeat)


def _solve_seconds(game: str, metric: Metric) -> float:
    return seconds(partial(solve_only, game, metric), 3)


def _probes(tables: Path, paged: str) -> Iterator[Figure]:
    with open_table(build_table("3,3,3", tables)) as small:
        known = _positions(small, 3000)
        small.probe(known[0])
        elapsed = seconds(lambda: [small.probe(position) for position in known]) / len(known)
        yield Figure("one probe in Python, small table", elapsed * 1e6, "microseconds", "under 1 microsecond")
        hashes = np.array([position.hash for position in known] * 1000)
        rate = hashes.size / seconds(lambda: small.probe_many(hashes))
        yield Figure("probe_many, small table", rate / 1e6, "million a second", "over 20 million a second")
    times = []
    with open_table(build_table(paged, tables)) as large:
        positions = _positions(large, _SAMPLE)
    with open_table(build_table(paged, tables)) as large:
        large.probe(Position.start(large.rules))
        for position in positions:
            start = perf_counter()
            large.probe(position)
            times.append(perf_counter() - start)
    figure = median(times) * 1e6
    yield Figure(f"one probe, pages of {paged}, not cached", figure, "microseconds", "under 50 microseconds")


def _positions(table: Tablebase, count: int) -> list[Position]:
    """Random positions where play goes on."""
    draw = random.Random(1)
    found: list[Position] = []
    while len(found) < count:
        position = Position.start(table.rules)
        for _ in range(draw.randrange(table.rules.squares)):
            if not position.is_over:
                position = position.play(draw.choice(position.legal_moves))
        if not position.is_over:
            found.append(position)
    return found


def _shell(folder: Path, tables: Path) -> Iterator[Figure]:
    environment = _environment() | {"MNK_DATA": str(tables)}
    runs = [
        (process(["-c", "import click"], folder, environment)[0], process(["-c", _QUERY], folder, environment)[0])
        for _ in range(11)
    ]
    click, query = (median(times) for times in zip(*runs, strict=True))
    yield Figure(
        "mnk query 3,3,3 from the shell, beyond `python -c 'import click'`",
        (query - click) * 1e3,
        "ms",
        "within 100 ms",
        query / click,
        "as long",
    )


def _environment() -> dict[str, str]:
    """The environment of a user, who lets Python keep its bytecode, and imports the package from here."""
    root = str(Path(__file__).resolve().parents[2])
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONDONTWRITEBYTECODE", "MNK_DATA")}
    return kept | {"PYTHONPATH": root}
