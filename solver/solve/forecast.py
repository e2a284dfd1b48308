"""Forecast a build from its plan: positions, memory, disk and time; and refuse one that cannot fit, before it starts.

Any game that has a name has a forecast: boards too large for a table get bounds and orders of magnitude. How fast this
machine builds, and how small pages get, is found by solving some pages of the game (see `sample` and `sample_gravity`);
of one that is too large for that, by solving another game, which takes a second.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solver.count.pages import MOST_SQUARES, count_pages, positions
from solver.errors import DoesNotFit
from solver.game.games import parse_game
from solver.game.rules import MAX_SQUARES, Rules
from solver.kernels.leaves import HEADER_BYTES, POINTER_BYTES, cell_size
from solver.solve import cost
from solver.solve.measure import MeasuredGame, measure_game
from solver.solve.plan import BASE_BYTES, BuildPlan, plan_build, plan_memory
from solver.solve.sample import SECONDS, PageSample, sample_pages
from solver.solve.sample_gravity import sample_shapes
from solver.store.layout import layout_of
from solver.store.schema import Metric, storage_for
from solver.store.writer import SQLITE_PAGE_BYTES
from solver.support.memory import available_memory, gigabytes
from solver.support.threads import ThreadPool, available_cores

FILE_BYTE = 3e-9  # seconds: written, put in order, and brought to the disk
_KEPT_BYTE = 1.4e-9  # seconds: in memory that is new to the process, and written so that a build can go on
_IMAGE = 6e-9  # seconds of a thread to find one image of a larger set, while keys are listed
_MOST_LINES = 1000  # of a game whose pages are sampled: each takes memory while a page is solved
_UNMEASURED = MeasuredGame(0.0, 0.0, ())
_START = 0.05  # seconds that the smallest build takes

# The file: what pages (or rows) take, fitted to tables from 4,4,4 to 5,5,4; pages where they were not sampled.
_EMPTY_FILE = 65_536  # bytes
_COMPRESSED = 0.25  # of the raw bytes of a page, where threats settle many positions
_COMPRESSED_WHOLE = 0.55  # elsewhere
_ROWS = 20_000  # whose leaves are filled
_MOST_BITS = 56  # of a key, and of the length of a row
_POSITION = 38.5  # bytes of a row for each position, in a table of positions


def measure_pages(
    rules: Rules, metric: Metric, threads: int | None = None, seconds: float = SECONDS
) -> list[PageSample]:
    """Measure on this machine what the pages of each level of a game take; takes some ten seconds.

    The first solve of all on a machine compiles the kernels, which takes longer and is not counted.
    """
    plan = plan_build(rules, metric)
    with ThreadPool(threads) as pool:
        if rules.has_supports and rules.squares <= MOST_SQUARES:
            return sample_shapes(plan, pool, seconds)
        if not rules.has_supports and rules.squares <= MAX_SQUARES and len(rules.lines) <= _MOST_LINES:
            return sample_pages(plan, pool, seconds)
        return _estimate(plan, _measure_another(rules, metric, pool))


def _measure_another(rules: Rules, metric: Metric, pool: ThreadPool) -> MeasuredGame:
    """Measure a game that takes a second, in place of one that is too large."""
    misere = ",misere" if rules.misere else ""
    measure_game(parse_game(f"2,2,2{misere}"), metric, pool)  # compiles
    return measure_game(parse_game(f"4,5,4{misere}"), metric, pool)


def _estimate(plan: BuildPlan, game: MeasuredGame = _UNMEASURED) -> list[PageSample]:
    """Estimate what a page of each level takes from another game."""
    share = _COMPRESSED if layout_of(plan.rules, plan.metric).has_threats else _COMPRESSED_WHOLE
    sizes = [level.page_bytes * share for level in plan.levels]
    return [
        PageSample(level.page_work * game.word, level.page_bytes * game.raw_byte, size, 1.0)
        for level, size in zip(plan.levels, sizes, strict=True)
    ]


@dataclass(frozen=True)
class Forecast:
    """The needs of building one table."""

    positions: int
    """Positions that occur in play: exact if `exact`, else an upper bound."""
    exact: bool
    pages: int
    """Pages in the file, up to symmetry. A table of positions has rows in their place."""
    pages_exact: bool
    """False if `pages` is a bound."""
    work: int
    """The work of solving, in the unit of solve.cost."""
    peak_memory: int
    """Bytes of the process, without what it maps from files."""
    file_bytes: int
    """Bytes of the finished table."""
    temporary_bytes: int
    """Bytes on the disk besides the table while it is built."""
    seconds: float | None
    """Time on this machine; None if its speed was not measured."""


def forecast(
    rules: Rules,
    metric: Metric,
    memory: int | None = None,
    threads: int | None = None,
    samples: Sequence[PageSample] | None = None,
) -> Forecast:
    """Forecast the build of a table, in seconds.

    `memory` is a budget in bytes: levels that do not fit into it are on the disk meanwhile. `threads` is by default
    the number of cores; `samples` is what `measure_pages` found for the same metric and threads. Without it there is no
    time, and the bytes are those of a game whose pages compress badly.
    """
    plan = plan_build(rules, metric)
    found, exact = positions(rules)
    threads = threads or available_cores()
    solving = plan_memory(plan, memory, threads)
    known = samples or _estimate(plan)
    paged = storage_for(rules.squares) == "pages"
    table = file_bytes(plan, known) if paged else _EMPTY_FILE + round(_POSITION * found)
    # While a game is kept as pages, these stand beside the table in the order they were solved in, with what the last
    # level kept and the one before, so that a build can go on.
    beside = table + sum(plan.arenas) if paged else 0
    counts = count_pages(rules)
    listing = 0 if rules.has_supports else BASE_BYTES + cost.listing_bytes(rules, counts.solved)
    return Forecast(
        positions=found,
        exact=exact,
        pages=plan.pages,
        pages_exact=counts.exact,
        work=plan.work,
        peak_memory=max(solving.peak, listing),
        file_bytes=table,
        temporary_bytes=beside + solving.mapped,
        seconds=_seconds(plan, samples, threads) + table * FILE_BYTE if samples else None,
    )


def _seconds(plan: BuildPlan, samples: Sequence[PageSample], threads: int) -> float:
    """Estimate the time of a build until its file is written."""
    rules, kept = plan.rules, sum(level.kept_bytes for level in plan.levels)
    larger = 0 if rules.has_supports else sum(level.pages * (rules.squares - level.stones) for level in plan.levels)
    listing = larger * len(rules.symmetries) * _IMAGE
    return _START + (listing + processor_seconds(plan, samples)) / threads + kept * _KEPT_BYTE


def processor_seconds(plan: BuildPlan, samples: Sequence[PageSample]) -> float:
    """Add up what solving and packing all pages takes, on threads that are all busy."""
    both = zip(plan.levels, samples, strict=True)
    return sum(level.pages * sample.solving + level.stored * sample.packing for level, sample in both)


def require_build_fits(
    rules: Rules, metric: Metric, memory: int | None, threads: int | None, folder: Path, held: int
) -> None:
    """Raise DoesNotFit when a build cannot fit, see `require_fits`.

    Pages are sampled, which takes some ten seconds, only where the table might be too large for the disk.
    """
    found = forecast(rules, metric, memory, threads)
    _require_memory(found, memory)
    if found.file_bytes + found.temporary_bytes > shutil.disk_usage(_existing(folder)).free + held:
        found = forecast(rules, metric, memory, threads, measure_pages(rules, metric, threads))
    require_fits(found, folder, memory, held)


def require_fits(forecast: Forecast, folder: Path, budget: int | None = None, held: int = 0) -> None:
    """Raise DoesNotFit when a build needs more memory than there is, or than its budget, or more disk than is left.

    `held` is how many bytes of the disk it takes over from a build that was stopped.

    Where the system does not say how much memory is available (it is not Linux), only the disk is looked at.
    """
    _require_memory(forecast, budget)
    disk = shutil.disk_usage(_existing(folder)).free + held
    needed = forecast.file_bytes + forecast.temporary_bytes
    if needed > disk:
        raise DoesNotFit(
            f"The build needs {gigabytes(needed)} of disk and {folder} has {gigabytes(disk)} left; "
            f"free some space there, or choose another folder with --data."
        )


def _require_memory(forecast: Forecast, budget: int | None) -> None:
    if budget is not None and forecast.peak_memory > budget:
        raise DoesNotFit(
            f"The build needs at least {gigabytes(forecast.peak_memory)} of memory, more than the budget of "
            f"{gigabytes(budget)}; give it more with --memory, or choose a smaller game."
        )
    memory = available_memory()
    if memory is not None and forecast.peak_memory > memory:
        raise DoesNotFit(
            f"The build needs {gigabytes(forecast.peak_memory)} of memory and {gigabytes(memory)} are available; "
            f"give it less with --memory, or choose a smaller game."
        )


def file_bytes(plan: BuildPlan, samples: Sequence[PageSample]) -> int:
    """Estimate the bytes of a table of pages.

    Whole rows fill the leaves of the file, from all levels in turn, as keys do not tell the level. What a leaf has no
    room for of a long row goes to pages of its own (see kernels.leaves).
    """
    key, room = (1 << min(plan.rules.squares, _MOST_BITS)) - 1, SQLITE_PAGE_BYTES - HEADER_BYTES
    stored = np.array([level.stored for level in plan.levels], np.float64)
    lengths = [round(sample.packed_bytes) for sample in samples]
    cells = [cell_size(key, min(length, 1 << _MOST_BITS), SQLITE_PAGE_BYTES) + POINTER_BYTES for length in lengths]
    leaves, left = 1, room
    for cell in np.random.default_rng(0).choice(cells, _ROWS, p=stored / stored.sum()).tolist():
        if cell > left:
            leaves, left = leaves + 1, room
        left -= cell
    elsewhere = sum(
        level.stored * -(-(length - cell) // SQLITE_PAGE_BYTES)
        for level, length, cell in zip(plan.levels, lengths, cells, strict=True)
        if length > cell
    )
    return _EMPTY_FILE + SQLITE_PAGE_BYTES * (elsewhere - (-plan.pages * leaves // _ROWS))


def _existing(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists."""
    return next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
