"""Forecast the memory, disk space and time of a build, and, before it starts, reject a build that cannot fit.

Pages and positions are counted. The speed of this machine and the compression of pages are measured, by building a part
of the game in memory. For boards too large for a table, the figures are bounds and orders of magnitude. The time of an
opening table is estimated by a short search of positions that share their first moves, as in a build.
"""

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from math import isnan
from pathlib import Path
from random import Random
from time import monotonic, process_time, thread_time
from typing import NamedTuple

import numpy as np

from solver.count import count_or_bound_positions, count_pages, count_positions
from solver.drawing.diagram import HOLE
from solver.errors import DoesNotFit
from solver.game.makers.variants import remove_squares
from solver.game.rules import MAX_SQUARES, Rules, require_rectangle
from solver.kernels.orbits import make_group
from solver.kernels.page_sums import LANES
from solver.search.gravity import Search
from solver.solve.gravity_solver import prepare_gravity
from solver.solve.levels import Prepared, SolvedPages, solve_levels
from solver.solve.opening import BLOCK, MEMORY, list_positions
from solver.solve.placement_solver import list_keys, list_larger, plan_keys, prepare_keys
from solver.solve.plan import BASE_BYTES, BuildPlan, plan_build, plan_memory
from solver.solve.shard_plan import estimate_memory
from solver.solve.solvers import make_solver
from solver.store.layout import layout_of
from solver.store.packing import pack_pages
from solver.store.schema import Metric, storage_for
from solver.store.writer import SQLITE_PAGE_BYTES
from solver.support.memory import available_memory, gigabytes
from solver.support.threads import ThreadPool, available_cores

_SAMPLE_WORK = 1_600_000_000  # the most work of the part of a game that is solved: about six seconds of a thread
_ROOTS = 6  # X-sets whose supersets are solved
_GRAVITY_WORD = 2  # the time for a unit of work with gravity, relative to that without
_LEAST_PAGES = 64  # the fewest pages from which the compression of a level is estimated
_MOST_LINES = 1000  # the most lines of a sampled game, because each line takes memory
_WORD, _BYTE = 1e-8, 1e-8  # assumed seconds of a thread for a unit of work, and to compress a byte
_SHARES = {True: 0.25, False: 0.55}  # assumed compressed bytes per raw byte, by whether threats decide positions
_FILE_BYTE = 5e-9  # seconds to write a byte, put it in order, and flush it to the disk
_KEPT_BYTE = 1.4e-9  # seconds for the first use of a byte of memory for kept pages
_LEVELS_KEPT = 3  # levels whose kept pages are on the disk at a time if shards are read from there
_KEPT_SHARE = 0.37  # the most compressed bytes for each byte of kept pages, see `build_objects`
_START = 0.05  # seconds of the smallest build
_EMPTY_FILE = 65_536  # bytes of a file without rows
_ROW_BYTES = 14  # bytes of a row besides the page: the key, and SQLite's lengths and pointer
_POSITION = 38.5  # bytes of a row in a table of positions
_CHILD_BYTES = 16  # a move, while the pages of a level are listed and sorted: the child, twice

# An opening table
_SECONDS = 5.0  # the time of the sample
_SHARED_PLIES = 4  # the number of last moves that positions of a sample do not share
_LISTED_BYTES = 100  # memory for a position of the last ply while positions are listed
_POSITION_BYTES = 0.8  # bytes of the file per position up to mirror images, measured for 6,7,4,gravity with 12 plies
_BLOCK_BYTES = 4096  # disk space for the results of a block of positions
_LEAST_BYTES = 64 << 20  # bytes for the results of the searches


class Costs(NamedTuple):
    """The costs of a build. Times are given for one thread while all threads are busy."""

    word: float  # seconds for a unit of the work of solving
    byte: float  # seconds to compress a byte for the file
    shares: list[float]  # by level, compressed bytes for each byte of a page


def usual_costs(plan: BuildPlan) -> Costs:
    """Return the costs on a slow machine, with pages that compress badly."""
    share = _SHARES[layout_of(plan.rules, plan.metric).has_threats]
    return Costs(_WORD, _BYTE, [share] * len(plan.levels))


def measure_costs(plan: BuildPlan, threads: int | None = None) -> Costs:
    """Return the measured costs of a build on this machine, or `usual_costs` if the game is too large to sample."""
    rules = plan.rules
    if len(rules.lines) > _MOST_LINES or (rules.squares > MAX_SQUARES and not rules.has_supports):
        return usual_costs(plan)
    pack_pages(np.arange(LANES), np.zeros((LANES, 1), np.uint8))  # compiles
    choose = _choose_board if rules.has_supports else _choose_cone
    with ThreadPool(threads) as pool:
        _measure_part(plan, choose(plan, pool, 0), pool)  # compiles
        return _measure_part(plan, choose(plan, pool, _SAMPLE_WORK), pool)


def _choose_cone(plan: BuildPlan, pool: ThreadPool, most_work: int) -> Callable[[], Prepared]:
    """Return a function that prepares the pages of all supersets of random X-sets. Solving them reads no others."""
    rules, random = plan.rules, np.random.default_rng(0)
    roots = [[0]]
    while plan.work > most_work and len(roots) <= rules.plies // 2:
        larger = list_larger(rules, make_group(rules.symmetries.steps), np.array(roots[-1]))
        if not larger.size:
            break
        roots.append(random.permutation(larger)[:_ROOTS].tolist())
    chosen = roots.pop()
    while roots and plan_keys(rules, plan.metric, list_keys(rules, pool, roots[-1])).work <= most_work:
        chosen = roots.pop()
    return lambda: prepare_keys(rules, plan.metric, list_keys(rules, pool, chosen), Future())


def _choose_board(plan: BuildPlan, pool: ThreadPool, most_work: int) -> Callable[[], Prepared]:
    """Return a function that prepares a game with gravity on a part of its board, with the lines that fit there.

    At the same ply, pages of boards of different sizes compress equally well, except at the last plies.
    """
    rules, part = plan.rules, plan
    rows, columns = rules.squares // rules.stride, rules.stride
    while part.rules.squares > MAX_SQUARES or (rows * columns > 2 and part.work > most_work // _GRAVITY_WORD):
        rows, columns = (rows, columns - 1) if columns >= rows else (rows - 1, columns)
        left = [row * rules.stride + column for row in range(rows) for column in range(columns)]
        smaller = remove_squares(replace(rules, stride=0), dict.fromkeys({*range(rules.squares)} - {*left}, HOLE))
        smaller = replace(smaller, stride=columns, flips=(tuple(range(len(left))),))
        part = plan_build(smaller, plan.metric)
    return partial(prepare_gravity, part.rules, plan.metric, pool)


def _measure_part(plan: BuildPlan, prepare: Callable[[], Prepared], pool: ThreadPool) -> Costs:
    def compress(solved: SolvedPages) -> tuple[float, float, float]:
        begun = thread_time()
        packed = solved.pack()
        return solved.pages.size, len(packed.data), thread_time() - begun

    begun = process_time()
    game = prepare()
    part, inputs = game.shards.build, dict(game.inputs)
    first = len(plan.levels) - len(part.levels)
    sums, pages = np.zeros((len(plan.levels), 3)), np.zeros(len(plan.levels))
    pages[first:] = [level.stored for level in part.levels]
    for shard, costs, _ in solve_levels(game.shards, make_solver(part, inputs.__getitem__), pool, compress):
        sums[first + shard.level] += np.sum(costs, axis=0)
    raw, packed, compressing = sums.T
    word = (process_time() - begun - compressing.sum()) / part.work
    known = pages >= (1 if part.pages == plan.pages else min(_LEAST_PAGES, pages.max()))
    shares = np.where(known, packed, np.nan) / np.where(known, raw, 1)
    return Costs(word, compressing.sum() / raw.sum(), _extend(shares.tolist()))


def _extend(shares: list[float]) -> list[float]:
    """Fill the unknown shares (NaN) at both ends of the list, and return it.

    Each new share continues the ratio of the two shares nearest to it, and is at most 1.
    """
    for _ in range(2):  # the last levels, then the first levels
        for number in range(2, len(shares)):
            if isnan(shares[number]) and shares[number - 2] > 0:
                shares[number] = min(shares[number - 1] ** 2 / shares[number - 2], 1.0)
        shares.reverse()
    return shares


class Forecast(NamedTuple):
    """The resources needed to build one table."""

    positions: int  # positions that occur in play; an upper bound unless `exact`
    exact: bool
    pages: int  # pages of the file, up to symmetry; a table of positions has rows instead
    pages_exact: bool  # False if `pages` is a bound
    peak_memory: int  # bytes of the process, without the files that it maps into memory
    file_bytes: int  # bytes of the finished table
    temporary_bytes: int  # additional bytes on the disk during the build
    seconds: float  # the time, on this machine if its speed was measured


def forecast(
    rules: Rules, metric: Metric, memory: int | None = None, threads: int | None = None, costs: Costs | None = None
) -> Forecast:
    """Return the forecast for building a table.

    `memory` is a budget in bytes: if the levels exceed it, shards are read from the disk. `threads` is by default the
    number of cores. `costs` is the result of `measure_costs` with the same number of threads, by default `usual_costs`.
    """
    plan, counts = plan_build(rules, metric), count_pages(rules)
    found, exact = count_or_bound_positions(rules)
    threads = threads or available_cores()
    costs = costs or usual_costs(plan)
    is_paged = storage_for(rules.squares) == "pages"
    table = file_bytes(plan, costs.shares) if is_paged else _EMPTY_FILE + round(_POSITION * found)
    kept = [level.kept_bytes for level in plan.levels]
    peak, on_disk = plan_memory(plan, threads), sum(plan.arenas)
    if is_paged and memory is not None and peak > memory:
        peak = min(peak, estimate_memory(plan, threads))
        on_disk = round(sum(sorted(kept)[-_LEVELS_KEPT:]) * _KEPT_SHARE)
    solving = plan.work * costs.word + sum(level.stored * level.page_bytes for level in plan.levels) * costs.byte
    return Forecast(
        positions=found,
        exact=exact,
        pages=plan.pages,
        pages_exact=counts.exact,
        peak_memory=max(peak, _listing(rules)),
        file_bytes=table,
        temporary_bytes=table + on_disk if is_paged else 0,
        seconds=_START + solving / threads + sum(kept) * _KEPT_BYTE + table * _FILE_BYTE,
    )


def file_bytes(plan: BuildPlan, shares: Sequence[float]) -> int:
    """Return the estimated size in bytes of a table of pages.

    `shares` contains, for each level, the compressed bytes per byte of a table's page. A database page of SQLite ends
    where the next row does not fit. Such pages mix rows of all levels, because keys are not ordered by level. So on
    average half a row of each database page stays unused, and longer rows contribute more to this average. A row longer
    than a database page fills whole database pages first.
    """
    stored = np.array([level.stored for level in plan.levels], np.float64)
    lengths = [level.page_bytes * share + _ROW_BYTES for level, share in zip(plan.levels, shares, strict=True)]
    whole, rest = np.divmod(np.array(lengths, np.float64), SQLITE_PAGE_BYTES)
    unused = (stored @ rest**2) / (stored @ rest) / 2
    pages = stored @ whole + stored @ rest / (SQLITE_PAGE_BYTES - unused)
    return _EMPTY_FILE + SQLITE_PAGE_BYTES * int(pages)


class OpeningForecast(NamedTuple):
    """The resources needed to build an opening table, with memory and disk space in bytes; see `Forecast`."""

    plies: int
    positions: int  # at plies 0 to `plies`
    searched: int  # unfinished positions of the last ply, up to mirror images
    peak_memory: int  # with the default memory
    least_memory: int  # of the smallest budget
    file_bytes: int
    temporary_bytes: int
    seconds: float | None  # None if no search ended in time


def forecast_opening(rules: Rules, plies: int, second_each: float | None = None) -> OpeningForecast:
    """Return the forecast for building an opening table, given the seconds per position from `sample_opening`."""
    counts = count_positions(rules, plies)
    last = counts[-1]
    searched = last.canonical - last.canonical_x_wins - last.canonical_o_wins - last.canonical_draws
    return OpeningForecast(
        plies=plies,
        positions=sum(count.positions for count in counts),
        searched=searched,
        peak_memory=BASE_BYTES + _LISTED_BYTES * searched + MEMORY,
        least_memory=BASE_BYTES + _LISTED_BYTES * searched + _LEAST_BYTES,
        file_bytes=_EMPTY_FILE + round(_POSITION_BYTES * sum(count.canonical for count in counts)),
        temporary_bytes=-(-searched // BLOCK) * _BLOCK_BYTES,
        seconds=None if second_each is None else second_each * searched,
    )


def sample_opening(rules: Rules, plies: int, threads: int | None) -> float | None:
    """Return the average time in seconds to search a position of the last ply, with `threads` threads.

    Returns None if no search ends within _SECONDS.
    """
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
    `elsewhere`, this machine only lists the pages and writes the table. The compression of pages is measured only if
    the table might not fit.
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
    """Return the memory in bytes for the search results of a build (None: the default). Raises DoesNotFit."""
    found = forecast_opening(rules, plies)
    _require_memory(found.least_memory, memory)
    _require_disk(found.file_bytes + found.temporary_bytes, folder)
    return None if memory is None else memory - found.least_memory + _LEAST_BYTES


def _require_memory(needed: int, budget: int | None) -> None:
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
    existing = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    free = shutil.disk_usage(existing).free + held
    if needed > free:
        raise DoesNotFit(
            f"The build needs {gigabytes(needed)} of disk and {folder} has "
            f"{gigabytes(free)} left; free some space there, or choose another folder with --data."
        )


def _listing(rules: Rules) -> int:
    """Return the memory in bytes that a process needs to list the pages of a game, one level at a time."""
    if rules.has_supports:
        return 0
    pages = enumerate(count_pages(rules).solved)
    return BASE_BYTES + max(_CHILD_BYTES * count * (rules.squares - stones) for stones, count in pages)
