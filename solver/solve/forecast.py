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
from solver.solve.sample import Costs, measure_costs, usual_costs
from solver.solve.shard_plan import estimate_memory
from solver.store.schema import Metric, storage_for
from solver.store.writer import SQLITE_PAGE_BYTES
from solver.support.memory import available_memory, gigabytes
from solver.support.threads import available_cores

_FILE_BYTE = 3e-9  # seconds: to write a byte, put it in order, and bring it to the disk
_KEPT_BYTE = 1.4e-9  # seconds for a byte of kept pages: the memory is new to the process
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
    rules: Rules, metric: Metric, memory: int | None = None, threads: int | None = None, costs: Costs | None = None
) -> Forecast:
    """Forecast the build of a table.

    `memory` is a budget in bytes: a game whose levels exceed it is solved in shards that are read from the disk.
    `threads` is by default the number of cores. `costs` are those that `measure_costs` measured with as many threads.
    Without them, the time is unknown, and the bytes are those of pages that compress badly.
    """
    plan, counts = plan_build(rules, metric), count_pages(rules)
    found, exact = count_or_bound_positions(rules)
    threads = threads or available_cores()
    shares, kept_share = (costs or usual_costs(plan))[2:]
    is_paged = storage_for(rules.squares) == "pages"
    table = file_bytes(plan, shares) if is_paged else _EMPTY_FILE + round(_POSITION * found)
    kept = [level.kept_bytes for level in plan.levels]
    peak, on_disk = plan_memory(plan, threads), sum(plan.arenas)
    if is_paged and memory is not None and peak > memory:
        peak, on_disk = min(peak, estimate_memory(plan, threads)), round(sum(sorted(kept)[-_LEVELS_KEPT:]) * kept_share)
    seconds = None
    if costs:
        larger = 0 if rules.has_supports else sum(level.pages * (rules.squares - level.stones) for level in plan.levels)
        solving = plan.work * costs.word + sum(level.stored * level.page_bytes for level in plan.levels) * costs.byte
        solving += larger * len(rules.symmetries) * _IMAGE
        seconds = _START + solving / threads + sum(kept) * _KEPT_BYTE + table * _FILE_BYTE
    return Forecast(
        positions=found,
        exact=exact,
        pages=plan.pages,
        pages_exact=counts.exact,
        work=plan.work,
        peak_memory=max(peak, _listing(rules)),
        file_bytes=table,
        temporary_bytes=table + on_disk if is_paged else 0,
        seconds=seconds,
    )


def file_bytes(plan: BuildPlan, shares: Sequence[float]) -> int:
    """Estimate the bytes of a table of pages, given the compressed bytes for each byte of a page, by level.

    Rows of all levels are mixed in the leaves of the file, because keys are not ordered by level. If a leaf has no room
    for the rest of a long row, it goes to separate pages (see kernels.leaves).
    """
    key, room = (1 << min(plan.rules.squares, _MOST_BITS)) - 1, SQLITE_PAGE_BYTES - HEADER_BYTES
    stored = np.array([level.stored for level in plan.levels], np.float64)
    lengths = [round(level.page_bytes * share) for level, share in zip(plan.levels, shares, strict=True)]
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
    large for the disk.
    """

    def disk(costs: Costs | None = None) -> int:
        needed = forecast(rules, metric, 0 if elsewhere else memory, threads, costs)
        return needed.file_bytes + (0 if elsewhere else needed.temporary_bytes)

    require_memory(_listing(rules) if elsewhere else forecast(rules, metric, memory, threads).peak_memory, memory)
    try:
        require_disk(disk(), folder, held)
    except DoesNotFit:
        require_disk(disk(measure_costs(plan_build(rules, metric), threads)), folder, held)


def require_memory(needed: int, budget: int | None) -> None:
    """Raise DoesNotFit if this memory exceeds a budget or the memory that the system reports as available."""
    if budget is not None and needed > budget:
        raise DoesNotFit(
            f"The build needs at least {gigabytes(needed)} of memory, more than the budget of "
            f"{gigabytes(budget)}; raise it with --memory, or choose a smaller game or fewer plies."
        )
    available = available_memory()
    if available is not None and needed > available:
        raise DoesNotFit(
            f"The build needs {gigabytes(needed)} of memory and {gigabytes(available)} are available; "
            f"set a budget with --memory, or choose a smaller game or fewer plies."
        )


def require_disk(needed: int, folder: Path, held: int = 0) -> None:
    """Raise DoesNotFit if these bytes exceed the free space of a folder's disk, with the `held` bytes there."""
    existing = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    free = shutil.disk_usage(existing).free + held
    if needed > free:
        raise DoesNotFit(
            f"The build needs {gigabytes(needed)} of disk and {folder} has "
            f"{gigabytes(free)} left; free some space there, or choose another folder with --data."
        )


def _listing(rules: Rules) -> int:
    """Return the bytes of a process that lists the pages of a game."""
    return 0 if rules.has_supports else BASE_BYTES + listing_bytes(rules, count_pages(rules).solved)
