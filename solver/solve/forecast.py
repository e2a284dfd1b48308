"""Forecast a build from its plan: positions, memory, disk and time; and refuse one that cannot fit, before it starts.

Any game that has a name has a forecast: boards too large for a table get bounds and orders of magnitude. How fast this
machine builds, and how small pages get, is found by solving some pages of the game (see `sample`); of a game with
gravity, and of one that is too large for that, by solving another game, which takes a second.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time, thread_time
from typing import NamedTuple

from solver.count.counts import boards
from solver.count.pages import count_pages, positions
from solver.errors import DoesNotFit
from solver.game.rules import MAX_SQUARES, Rules
from solver.solve import cost
from solver.solve.level_loop import SolvedPages, ThreadBackend, solve_levels
from solver.solve.level_store import TwoLevels
from solver.solve.pages_table import pack
from solver.solve.plan import BASE_BYTES, BuildPlan, plan_build, plan_memory
from solver.solve.sample import SECONDS, PageSample, sample_pages
from solver.solve.solvers import make_solver
from solver.store.layout import layout_of
from solver.store.schema import Metric, storage_for
from solver.store.writer import SQLITE_PAGE_BYTES
from solver.support.memory import available_memory, gigabytes
from solver.support.threads import ThreadPool, available_cores

FILE_BYTE = 3e-9  # seconds: written, put in order, and brought to the disk
_MOST_LINES = 1000  # of a game whose pages are sampled: each takes memory while a page is solved
_START = 0.05  # seconds that the smallest build takes

# The file: what pages (or rows) take, fitted to tables from 4,4,4 to 5,5,4; pages where they were not sampled.
_EMPTY_FILE = 65_536  # bytes
_COMPRESSED = 0.25  # of the raw bytes of a page, where threats settle many positions
_COMPRESSED_WHOLE = 0.55  # elsewhere
_ROW = 9  # bytes a page takes besides
_POSITION = 38.5  # bytes of a row for each position, in a table of positions


def measure_pages(
    rules: Rules, metric: Metric, threads: int | None = None, seconds: float = SECONDS
) -> list[PageSample]:
    """Measure on this machine what the pages of each level of a game take; takes some ten seconds.

    The first solve of all on a machine compiles the kernels, which takes longer and is not counted.
    """
    plan = plan_build(rules, metric)
    with ThreadPool(threads) as pool:
        if not rules.has_supports and rules.squares <= MAX_SQUARES and len(rules.lines) <= _MOST_LINES:
            return sample_pages(plan, pool, seconds)
        _measure_game(_resize(rules, 2, 2), metric, pool)
        return _estimate(plan, _measure_game(_resize(rules, 5 if rules.has_supports else 4, 5), metric, pool))


def _resize(rules: Rules, m: int, n: int) -> Rules:
    """Make a game on a rectangle of another size with the same variants."""
    known = rules.rectangle
    k = min(m, n) if known is None or known.full else min(known.k, m, n)
    variants = [variant for variant in rules.variants if known or variant in {"gravity", "misere"}]
    return Rules.parse(",".join([str(m), str(n), str(k), *variants]))


class Rates(NamedTuple):
    """What a game takes."""

    word: float  # seconds of a thread for a unit of work
    raw_byte: float  # seconds of a thread to compress a byte
    position: float  # bytes of the file for a position up to symmetry
    line: float  # what a line leaves of the placements, as those that arise in play


_SLOW_TO_SHRINK = Rates(0.0, 0.0, 0.5, 1.0)


def _measure_game(rules: Rules, metric: Metric, pool: ThreadPool) -> Rates:
    """Solve a game and compress its pages."""
    packing: list[tuple[float, int, int]] = []  # seconds of one thread, raw bytes, bytes

    def time_packing(solved: SolvedPages) -> None:
        begun = thread_time()
        packed = pack(solved)
        packing.append((thread_time() - begun, solved.pages.size, len(packed.data)))

    begun = process_time()  # which counts all threads, and no waiting
    solver, _ = make_solver(rules, metric, pool)
    plan = solver.plan
    for _ in solve_levels(plan, ThreadBackend(solver, pool, time_packing), TwoLevels(plan)):
        pass
    elapsed = process_time() - begun
    seconds, raw_bytes, packed_bytes = (sum(part) for part in zip(*packing, strict=True))
    found, _ = positions(rules)
    position, line = packed_bytes * len(rules.symmetries) / found, (found / boards(rules)) ** (1 / len(rules.lines))
    return Rates((elapsed - seconds) / plan.work, seconds / raw_bytes, position, line)


def _estimate(plan: BuildPlan, rates: Rates = _SLOW_TO_SHRINK) -> list[PageSample]:
    """Estimate what a page of each level takes from another game."""
    share = _COMPRESSED if layout_of(plan.rules, plan.metric).has_threats else _COMPRESSED_WHOLE
    if plan.rules.has_supports:  # most bits of the fullest boards are of positions that can't arise
        raw_bytes = sum(level.stored * level.page_bytes for level in plan.levels)
        found, exact = positions(plan.rules)
        arising = found if exact else found * rates.line ** len(plan.rules.lines)
        share = min(share, rates.position * arising / len(plan.rules.symmetries) / raw_bytes)
    sizes = [level.page_bytes * share for level in plan.levels]
    return [
        PageSample(level.page_work * rates.word, level.page_bytes * rates.raw_byte, size, size**2, 1.0)
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
        seconds=_START + processor_seconds(plan, samples) / threads + table * FILE_BYTE if samples else None,
    )


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
    """Estimate the bytes of a table of pages."""
    long, short, squares = 0.0, 1.0, 0.0
    for level, sample in zip(plan.levels, samples, strict=True):
        if sample.packed_bytes > SQLITE_PAGE_BYTES:  # pages of its own, of which the last is filled by half
            long += level.stored * (sample.packed_bytes + SQLITE_PAGE_BYTES / 2)
        else:
            short += level.stored * (sample.packed_bytes + _ROW)
            squares += level.stored * sample.packed_squares
    # SQLite fills its pages with whole rows: what stays free is half of the next row, which is likelier a long one.
    free = min(squares / short, SQLITE_PAGE_BYTES) / 2
    return _EMPTY_FILE + round(long + short * SQLITE_PAGE_BYTES / (SQLITE_PAGE_BYTES - free))


def _existing(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists."""
    return next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
