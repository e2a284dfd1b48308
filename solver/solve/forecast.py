"""Forecast the memory, disk and time of a build, and refuse one that cannot fit before it starts.

Pages and positions are counted; the speed of this machine and the compression of pages are measured (see `sample`).
Boards too large for a table get bounds and orders of magnitude.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.count import count_or_bound_positions, count_pages
from solver.errors import DoesNotFit
from solver.game.rules import Rules
from solver.kernels.leaves import HEADER_BYTES, POINTER_BYTES, cell_size
from solver.solve.plan import BASE_BYTES, BuildPlan, listing_bytes, plan_build, plan_memory
from solver.solve.sample import PageCost, sample_pages, usual_costs
from solver.solve.shard_plan import estimate_memory
from solver.store.schema import Metric, storage_for
from solver.store.writer import SQLITE_PAGE_BYTES
from solver.support.memory import available_memory, gigabytes
from solver.support.threads import available_cores

FILE_BYTE = 3e-9  # seconds: to write a byte, put it in order, and bring it to the disk
_KEPT_BYTE = 1.4e-9  # seconds: for memory that is new to the process, and for the checkpoint
_IMAGE = 6e-9  # seconds of a thread to find one image of a larger set while keys are listed
_LEVELS_KEPT = 3  # levels on the disk at a time, compressed, if shards are read from there
_START = 0.05  # seconds of the smallest build
_EMPTY_FILE = 65_536  # bytes
_ROWS = 20_000  # rows of a file that are laid out on its leaves
_MOST_BITS = 56  # bits of a key and of the length of a row
_POSITION = 38.5  # bytes of a row in a table of positions


class Forecast(NamedTuple):
    """The needs of building one table."""

    positions: int  # positions that occur in play; an upper bound unless `exact`
    exact: bool
    pages: int  # pages of the file, up to symmetry; a table of positions has rows instead
    pages_exact: bool  # False if `pages` is a bound
    work: int  # the work of solving, see `BuildPlan.work`
    peak_memory: int  # bytes of the process, without the files that it maps
    file_bytes: int  # bytes of the finished table
    temporary_bytes: int  # additional bytes on the disk during the build
    seconds: float | None  # the time on this machine; None if its speed was not measured


def forecast(
    rules: Rules,
    metric: Metric,
    memory: int | None = None,
    threads: int | None = None,
    costs: Sequence[PageCost] | None = None,
) -> Forecast:
    """Forecast the build of a table.

    `memory` is a budget in bytes: a game whose levels exceed it is solved in shards that are read from the disk.
    `threads` is by default the number of cores. `costs` are those that `sample_pages` measured with as many threads.
    Without them, the time is unknown, and the bytes are those of pages that compress badly.
    """
    plan, counts = plan_build(rules, metric), count_pages(rules)
    found, exact = count_or_bound_positions(rules)
    threads = threads or available_cores()
    costs_of_pages = costs or usual_costs(plan)
    is_paged = storage_for(rules.squares) == "pages"
    table = file_bytes(plan, costs_of_pages) if is_paged else _EMPTY_FILE + round(_POSITION * found)
    kept = [level.kept_bytes * page.kept_share for level, page in zip(plan.levels, costs_of_pages, strict=True)]
    peak, on_disk = plan_memory(plan, threads), sum(plan.arenas)
    if is_paged and memory is not None and peak > memory:
        peak, on_disk = min(peak, estimate_memory(plan, threads)), round(sum(sorted(kept)[-_LEVELS_KEPT:]))
    return Forecast(
        positions=found,
        exact=exact,
        pages=plan.pages,
        pages_exact=counts.exact,
        work=plan.work,
        peak_memory=max(peak, _listing(rules)),
        file_bytes=table,
        temporary_bytes=table + on_disk if is_paged else 0,
        seconds=_seconds(plan, costs, threads) + table * FILE_BYTE if costs else None,
    )


def _seconds(plan: BuildPlan, costs: Sequence[PageCost], threads: int) -> float:
    """Estimate the time of a build until its file is written."""
    rules, kept = plan.rules, sum(level.kept_bytes for level in plan.levels)
    larger = 0 if rules.has_supports else sum(level.pages * (rules.squares - level.stones) for level in plan.levels)
    listing = larger * len(rules.symmetries) * _IMAGE
    return _START + (listing + processor_seconds(plan, costs)) / threads + kept * _KEPT_BYTE


def processor_seconds(plan: BuildPlan, costs: Sequence[PageCost]) -> float:
    """Return the seconds of a thread to solve and compress all pages."""
    both = zip(plan.levels, costs, strict=True)
    return sum(level.pages * page.solving + level.stored * page.compressing for level, page in both)


def file_bytes(plan: BuildPlan, costs: Sequence[PageCost]) -> int:
    """Estimate the bytes of a table of pages.

    Rows of all levels are mixed in the leaves of the file, because keys are not ordered by level. If a leaf has no room
    for the rest of a long row, it goes to separate pages (see kernels.leaves).
    """
    key, room = (1 << min(plan.rules.squares, _MOST_BITS)) - 1, SQLITE_PAGE_BYTES - HEADER_BYTES
    stored = np.array([level.stored for level in plan.levels], np.float64)
    lengths = [round(page.packed_bytes) for page in costs]
    cells = [cell_size(key, min(length, 1 << _MOST_BITS), SQLITE_PAGE_BYTES) + POINTER_BYTES for length in lengths]
    leaves, left = 1, room
    for cell in np.random.default_rng(0).choice(cells, _ROWS, p=stored / stored.sum()).tolist():
        if cell > left:
            leaves, left = leaves + 1, room
        left -= cell
    overflow = sum(
        level.stored * -(-(length - cell) // SQLITE_PAGE_BYTES)
        for level, length, cell in zip(plan.levels, lengths, cells, strict=True)
        if length > cell
    )
    return _EMPTY_FILE + SQLITE_PAGE_BYTES * (overflow - (-plan.pages * leaves // _ROWS))


def require_build_fits(
    rules: Rules,
    metric: Metric,
    memory: int | None,
    threads: int | None,
    folder: Path,
    held: int = 0,
    elsewhere: bool = False,
) -> None:
    """Raise DoesNotFit if a build needs more memory than its budget or than is available, or more disk than is free.

    `held` are the bytes on the disk of a stopped build of this table. If shards are solved or kept `elsewhere`, this
    machine only lists the pages and writes the table. Pages are sampled only if the table might be too
    large for the disk. Where the system does not report the available memory, only the disk is checked.
    """

    def needs(costs: Sequence[PageCost] | None = None) -> tuple[int, int]:
        found = forecast(rules, metric, 0 if elsewhere else memory, threads, costs)
        memory_needed = _listing(rules) if elsewhere else found.peak_memory
        return memory_needed, found.file_bytes + (0 if elsewhere else found.temporary_bytes)

    (peak, needed), available = needs(), available_memory()
    if memory is not None and peak > memory:
        raise DoesNotFit(
            f"The build needs at least {gigabytes(peak)} of memory, more than the budget of "
            f"{gigabytes(memory)}; raise it with --memory, or choose a smaller game."
        )
    if available is not None and peak > available:
        raise DoesNotFit(
            f"The build needs {gigabytes(peak)} of memory and {gigabytes(available)} are available; "
            f"set a budget with --memory, or choose a smaller game."
        )
    existing = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    disk = shutil.disk_usage(existing).free + held
    if needed > disk:
        _, needed = needs(sample_pages(rules, metric, threads))
    if needed > disk:
        raise DoesNotFit(
            f"The build needs {gigabytes(needed)} of disk and {folder} has "
            f"{gigabytes(disk)} left; free some space there, or choose another folder with --data."
        )


def _listing(rules: Rules) -> int:
    """Return the bytes of a process that lists the pages of a game."""
    return 0 if rules.has_supports else BASE_BYTES + listing_bytes(rules, count_pages(rules).solved)
