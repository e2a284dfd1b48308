"""Forecast the memory, disk space and time of a build, and reject a build that cannot fit before it starts.

Pages and positions are counted; the speed of this machine and the compression of pages are measured (see `sample`). For
boards too large for a table, the figures are bounds and orders of magnitude. The time of an opening table is estimated
by a short search of positions that share their first moves, as in a build.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import NamedTuple

import numpy as np

from solver.count import count_or_bound_positions, count_pages, count_positions
from solver.errors import DoesNotFit
from solver.game.position import Position
from solver.game.rules import Rules, require_rectangle
from solver.search.gravity import Search
from solver.solve.opening import BLOCK, MEMORY
from solver.solve.opening_positions import list_positions
from solver.solve.plan import BASE_BYTES, BuildPlan, listing_bytes, plan_build, plan_memory
from solver.solve.sample import Costs, measure_costs, usual_costs
from solver.solve.shard_plan import estimate_memory
from solver.store.schema import Metric, storage_for
from solver.store.writer import SQLITE_PAGE_BYTES
from solver.support.memory import available_memory, gigabytes
from solver.support.progress import Progress
from solver.support.threads import available_cores

_FILE_BYTE = 3e-9  # seconds to write a byte, put it in order, and flush it to the disk
_KEPT_BYTE = 1.4e-9  # seconds for the first use of a byte of memory for kept pages
_IMAGE = 6e-9  # seconds of a thread to find one image of a larger set while keys are listed
_LEVELS_KEPT = 3  # levels whose kept pages are on the disk at a time if shards are read from there
_KEPT_SHARE = 0.37  # the most compressed bytes for each byte of kept pages, see `build_objects`
_START = 0.05  # seconds of the smallest build
_EMPTY_FILE = 65_536  # bytes of a file without rows
_ROW_BYTES = 14  # bytes of a row besides the page: the key, and SQLite's lengths and pointer
_POSITION = 38.5  # bytes of a row in a table of positions

# An opening table
_SECONDS = 5.0  # the time of the sample
_SHARED_PLIES = 4  # the number of last moves that positions of a sample do not share
_RANDOM_POSITIONS = 4  # random positions at each ply
_SETTLED_EMPTY = 24  # empty squares from which a search takes far less than a second
_LISTED_BYTES = 100  # memory for a position of the last ply while positions are listed
_POSITION_BYTES = 0.8  # bytes of the file per position up to mirror images, measured for 6,7,4,gravity with 12 plies
_BLOCK_BYTES = 4096  # disk space for the results of a block of positions
_LEAST_BYTES = 64 << 20  # bytes for the results of the searches


class Forecast(NamedTuple):
    """The resources needed to build one table."""

    positions: int  # positions that occur in play; an upper bound unless `exact`
    exact: bool
    pages: int  # pages of the file, up to symmetry; a table of positions has rows instead
    pages_exact: bool  # False if `pages` is a bound
    work: int  # the work of solving, see `BuildPlan.work`
    peak_memory: int  # bytes of the process, without the files that it maps into memory
    file_bytes: int  # bytes of the finished table
    temporary_bytes: int  # additional bytes on the disk during the build
    seconds: float | None  # the time on this machine; None if its speed was not measured


def forecast(
    rules: Rules, metric: Metric, memory: int | None = None, threads: int | None = None, costs: Costs | None = None
) -> Forecast:
    """Return the forecast for building a table.

    `memory` is a budget in bytes: if the levels exceed it, shards are read from the disk. `threads` is by default the
    number of cores. `costs` is the result of `measure_costs` with the same number of threads. Without `costs`, the time
    is None, and the bytes are those of pages that compress badly.
    """
    plan, counts = plan_build(rules, metric), count_pages(rules)
    found, exact = count_or_bound_positions(rules)
    threads = threads or available_cores()
    shares = (costs or usual_costs(plan)).shares
    is_paged = storage_for(rules.squares) == "pages"
    table = file_bytes(plan, shares) if is_paged else _EMPTY_FILE + round(_POSITION * found)
    kept = [level.kept_bytes for level in plan.levels]
    peak, on_disk = plan_memory(plan, threads), sum(plan.arenas)
    if is_paged and memory is not None and peak > memory:
        peak, on_disk = (
            min(peak, estimate_memory(plan, threads)),
            round(sum(sorted(kept)[-_LEVELS_KEPT:]) * _KEPT_SHARE),
        )
    seconds = None
    if costs:
        larger = 0 if rules.has_supports else sum(level.pages * (rules.squares - level.stones) for level in plan.levels)
        solving = plan.work * costs.word + sum(level.stored * level.page_bytes for level in plan.levels) * costs.byte
        solving += larger * rules.symmetries.order * _IMAGE
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
    """Return an estimate of the bytes of a table of pages; `shares` are the compressed bytes per byte, by level.

    Rows of all levels are mixed in the pages of the file, because keys are not ordered by level. A page ends where the
    next row does not fit, so on average it lacks half a row, weighted by size. Longer rows fill whole pages.
    """
    stored = np.array([level.stored for level in plan.levels], np.float64)
    lengths = [level.page_bytes * share + _ROW_BYTES for level, share in zip(plan.levels, shares, strict=True)]
    whole, rest = np.divmod(np.array(lengths, np.float64), SQLITE_PAGE_BYTES)
    unused = (stored @ rest**2) / (stored @ rest) / 2
    pages = stored @ whole + stored @ rest / (SQLITE_PAGE_BYTES - unused)
    return _EMPTY_FILE + SQLITE_PAGE_BYTES * int(pages)


class OpeningForecast(NamedTuple):
    """The resources needed to build an opening table."""

    plies: int
    positions: int  # positions that occur in play at plies 0 to `plies`
    searched: int  # unfinished positions of the last ply, up to mirror images
    peak_memory: int  # bytes, if the build gets its default memory
    least_memory: int  # bytes of the smallest budget
    file_bytes: int  # bytes of the finished table
    temporary_bytes: int  # additional bytes on the disk during the build
    seconds: float | None = None  # on this machine; None if its speed was not measured, or nothing was settled in time


def forecast_opening(rules: Rules, plies: int, second_each: float | None = None) -> OpeningForecast:
    """Return the forecast for building an opening table, given the seconds per position from `sample_opening`."""
    counts = count_positions(rules, plies)
    last = counts[-1]
    searched = last.canonical - last.canonical_x_wins - last.canonical_o_wins - last.canonical_draws
    listed = BASE_BYTES + _LISTED_BYTES * searched
    return OpeningForecast(
        plies=plies,
        positions=sum(count.positions for count in counts),
        searched=searched,
        peak_memory=listed + MEMORY,
        least_memory=listed + _LEAST_BYTES,
        file_bytes=_EMPTY_FILE + round(_POSITION_BYTES * sum(count.canonical for count in counts)),
        temporary_bytes=-(-searched // BLOCK) * _BLOCK_BYTES,
        seconds=None if second_each is None else second_each * searched,
    )


def sample_opening(rules: Rules, plies: int, threads: int | None) -> float | None:
    """Return the seconds per position of the last ply, with `threads` threads; None if no search ends in _SECONDS."""
    board, first = require_rectangle(rules, "An opening table"), max(plies - _SHARED_PLIES, 0)
    starts, random = list_positions(board, first).live, Random(0)
    if not len(starts):  # all games end earlier
        return 0.0
    search = Search(rules)
    search.plies_of(starts[:0])  # compiles
    begun, until, found = process_time(), monotonic() + _SECONDS, 0
    while monotonic() < until:
        at = random.randrange(len(starts))
        live = list_positions(board, plies - first, starts[at : at + 1]).live
        found += len(search.plies_of(live, lambda: monotonic() > until))
        if len(starts) == 1:
            break
    return (process_time() - begun) / found / (threads or available_cores()) if found else None


def first_settled_ply(rules: Rules, seconds: float, progress: Progress | None) -> int:
    """Return the least ply, in steps of two, from which a search solves random positions within `seconds` each."""
    search, random = Search(rules, seconds=seconds), Random(0)
    most = rules.squares - _SETTLED_EMPTY
    settled = most
    for ply in range(most, -1, -2):
        if progress:
            progress(most - ply, most)
        if any(search.solve(position) is None for position in _random_positions(rules, ply, random)):
            break
        settled = ply
    return settled


def _random_positions(rules: Rules, ply: int, random: Random) -> Iterator[Position]:
    """Yield up to _RANDOM_POSITIONS unfinished positions from random games at a ply."""
    for _ in range(_RANDOM_POSITIONS if ply else 1):
        position: Position | None = Position.start(rules)
        while position and position.ply < ply:
            moves = [after for move in position.legal_moves if not (after := position.play(move)).is_over]
            position = random.choice(moves) if moves else None
        if position:
            yield position


def require_build_fits(
    rules: Rules,
    metric: Metric,
    memory: int | None,
    threads: int | None,
    folder: Path,
    held: int = 0,
    elsewhere: bool = False,
) -> None:
    """Raise DoesNotFit if a build exceeds its budget of memory, the available memory, or the free space on the disk.

    `held` is the number of bytes that an interrupted build of this table has on the disk. If shards are solved or kept
    `elsewhere`, this machine only lists the pages and writes the table. Pages are sampled only if the table might not
    fit on the disk.
    """

    def disk(costs: Costs | None = None) -> int:
        needed = forecast(rules, metric, 0 if elsewhere else memory, threads, costs)
        return needed.file_bytes + (0 if elsewhere else needed.temporary_bytes)

    _require_memory(_listing(rules) if elsewhere else forecast(rules, metric, memory, threads).peak_memory, memory)
    try:
        _require_disk(disk(), folder, held)
    except DoesNotFit:
        _require_disk(disk(measure_costs(plan_build(rules, metric), threads)), folder, held)


def require_opening_fits(rules: Rules, plies: int, memory: int | None, folder: Path) -> int | None:
    """Return the bytes of memory for the results of a build's searches; None means the default.

    Raises DoesNotFit if the build exceeds its budget of memory, the available memory, or the free space on the disk.
    """
    found = forecast_opening(rules, plies)
    _require_memory(found.least_memory, memory)
    _require_disk(found.file_bytes + found.temporary_bytes, folder)
    return None if memory is None else memory - found.least_memory + _LEAST_BYTES


def _require_memory(needed: int, budget: int | None) -> None:
    """Raise DoesNotFit if the `needed` bytes of memory exceed the budget or the available memory."""
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


def _require_disk(needed: int, folder: Path, held: int = 0) -> None:
    """Raise DoesNotFit if the `needed` bytes exceed the free space of a folder's disk plus the `held` bytes."""
    existing = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    free = shutil.disk_usage(existing).free + held
    if needed > free:
        raise DoesNotFit(
            f"The build needs {gigabytes(needed)} of disk and {folder} has "
            f"{gigabytes(free)} left; free some space there, or choose another folder with --data."
        )


def _listing(rules: Rules) -> int:
    """Return the memory in bytes of a process that lists the pages of a game."""
    return 0 if rules.has_supports else BASE_BYTES + listing_bytes(rules, count_pages(rules).solved)
