"""Forecast the memory, disk space and time of a build, and, before it starts, reject a build that cannot fit.

Pages, words and positions are counted. The speed of this machine and the compression of pages are measured, by building
a part of the game in memory. For an opening table, some positions of its last ply are searched instead.
"""

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import islice
from math import comb
from pathlib import Path
from time import monotonic, process_time, thread_time
from typing import NamedTuple

import numpy as np

from solver.count import count_or_bound_positions, count_positions
from solver.count.shapes import sweep
from solver.drawing.diagram import HOLE
from solver.errors import DoesNotFit
from solver.game.makers.variants import remove_squares
from solver.game.rules import Rules
from solver.kernels.orbits import make_group
from solver.search.gravity import Search
from solver.solve.gravity_solver import prepare_gravity
from solver.solve.last_ply import BLOCK, LEAST_MEMORY, LISTED_BYTES, MEMORY, LastPly, search_memory
from solver.solve.levels import Prepared, SolvedPages, solve_levels
from solver.solve.placement_solver import list_keys, list_larger, prepare_keys
from solver.solve.plan import BASE_BYTES, BuildPlan, plan_build, plan_memory
from solver.solve.shard_plan import estimate_memory
from solver.solve.solvers import make_solver
from solver.store.schema import Metric, storage_for
from solver.store.writer import SQLITE_PAGE_BYTES
from solver.support.english import format_size
from solver.support.memory import available_memory
from solver.support.threads import ThreadPool, available_cores

_SAMPLE_WORK = 1_600_000_000  # the most work of the part of a game that is solved: about five seconds of a thread
_LEAST_SECONDS = 2.0  # the least time of the measurement, in seconds of a thread
_ROOTS = 6  # X-sets whose supersets are solved
_LEAST_PAGES = 64  # the fewest pages from which the compression of a level is estimated
_MOST_SHARE = 0.55  # compressed bytes per raw byte where nothing is measured: more than in any known table
_FILE_BYTE = 5e-9  # seconds to write a byte, put it in order, and flush it to the disk
_KEPT_BYTE = 1.4e-9  # seconds for the first use of a byte of memory for kept pages
_ON_DISK = 0.55  # compressed bytes of the kept pages of three levels, at most, per byte of the two largest levels
_START = 1.3  # seconds to start the program and to load the compiled kernels
_EMPTY_FILE = 65_536  # bytes of a file without rows
_ROW_BYTES = 14  # bytes of a row besides the page: the key, and SQLite's lengths and pointer
_POSITION = 38.5  # bytes of a row in a table of positions
_CHILD_BYTES = 16  # a move, while the pages of a level are listed and sorted: the child, twice
_SEARCH_SECONDS = 5.0  # the time of the searches for an opening table
_SAMPLED = 128  # adjacent positions of the last ply that are searched together
_LISTED = 1 << 20  # colourings of the shapes from which the sample is drawn
_POSITION_BYTES = 0.8  # bytes of the file per position up to mirror images, measured for 6,7,4,gravity with 12 plies
_BLOCK_BYTES = 4096  # disk space for the results of a block of positions


class Costs(NamedTuple):
    """The costs of a build. Times are given for one thread while all threads are busy."""

    word: float  # seconds for a unit of the work of solving
    byte: float  # seconds to compress a byte for the file
    shares: list[float]  # by level, compressed bytes for each byte of a page


def measure_costs(plan: BuildPlan, threads: int | None = None) -> Costs:
    """Return the costs of a build on this machine, measured by solving and compressing a part of the game."""
    choose = _choose_board if plan.rules.has_supports else _choose_cone
    with ThreadPool(threads) as pool:
        _measure_part(plan, choose(plan, pool, 0), pool)  # compiles
        prepare, until = choose(plan, pool, _SAMPLE_WORK), process_time() + _LEAST_SECONDS
        costs = _measure_part(plan, prepare, pool)
        while process_time() < until:  # a small part is measured several times
            costs = min(costs, _measure_part(plan, prepare, pool))
    return costs


def _choose_cone(plan: BuildPlan, pool: ThreadPool, most_work: int) -> Callable[[], Prepared]:
    """Return a function that prepares the pages of all supersets of random X-sets. Solving them reads no others."""
    rules, random = plan.rules, np.random.default_rng(0)
    group, roots = make_group(rules.symmetries.steps), [[0]]
    while len(roots) <= rules.plies // 2 and (larger := list_larger(rules, group, np.array(roots[-1]))).size:
        roots.append(random.permutation(larger)[:_ROOTS].tolist())

    def prepare(chosen: Sequence[int]) -> Prepared:
        return prepare_keys(rules, plan.metric, list_keys(rules, pool, chosen), Future())

    chosen = roots.pop()
    while roots and prepare(roots[-1]).shards.build.work <= most_work:
        chosen = roots.pop()
    return lambda: prepare(chosen)


def _choose_board(plan: BuildPlan, pool: ThreadPool, most_work: int) -> Callable[[], Prepared]:
    """Return a function that prepares a game with gravity on a part of its board, with the lines that fit there.

    At the same ply, pages of boards of different sizes compress equally well, except at the last plies.
    """
    rules, part = plan.rules, plan
    rows, columns = rules.squares // rules.stride, rules.stride
    while rows * columns > 2 and part.work > most_work // 2:
        rows, columns = (rows, columns - 1) if columns >= rows else (rows - 1, columns)
        left = [row * rules.stride + column for row in range(rows) for column in range(columns)]
        smaller = remove_squares(replace(rules, stride=0), dict.fromkeys({*range(rules.squares)} - {*left}, HOLE))
        part = plan_build(replace(smaller, stride=columns, flips=(tuple(range(len(left))),)), plan.metric)
    return lambda: prepare_gravity(part.rules, plan.metric, pool)


def _measure_part(plan: BuildPlan, prepare: Callable[[], Prepared], pool: ThreadPool) -> Costs:
    def compress(solved: SolvedPages) -> tuple[float, float, float]:
        begun = thread_time()
        packed = solved.pack()
        return solved.pages.size, len(packed.data), thread_time() - begun

    begun = process_time()
    game = prepare()
    part, inputs = game.shards.build, dict(game.inputs(None))
    first = len(plan.levels) - len(part.levels)
    sums, pages = np.zeros((len(plan.levels), 3)), np.zeros(len(plan.levels))
    pages[first:] = [level.stored for level in part.levels]
    for shard, costs, _ in solve_levels(game.shards, make_solver(part, inputs.__getitem__), pool, compress):
        sums[first + shard.level] += np.sum(costs, axis=0)
    raw, packed, compressing = sums.T
    word = (process_time() - begun - compressing.sum()) / part.work
    known = np.flatnonzero(pages >= (1 if part.pages == plan.pages else min(_LEAST_PAGES, pages.max())))
    shares = np.divide(packed, raw, out=np.ones_like(raw), where=raw > 0)
    for step, unknown in ((-1, range(known[-1] + 1, len(raw))), (1, range(known[0])[::-1])):
        for number in unknown if len(known) > 1 else ():  # continue the ratio of the two nearest shares
            shares[number] = min(shares[number + step] ** 2 / shares[number + 2 * step], 1.0)
    return Costs(word, compressing.sum() / raw.sum(), shares.tolist())


class Forecast(NamedTuple):
    """The resources needed to build one table; memory and disk space in bytes."""

    positions: int  # in the table; an upper bound unless `exact`
    exact: bool
    peak_memory: int  # of the process, without the files that it maps into memory
    least_memory: int  # the smallest budget
    file_bytes: int  # the finished table
    temporary_bytes: int  # what else is on the disk during the build
    seconds: float | None  # on this machine; None if no search ended in time
    pages: int | None = None  # of a whole table, up to symmetry; a table of positions has rows instead
    searched: int | None = None  # for an opening table, the unfinished positions of its last ply, up to mirror images


def forecast(
    rules: Rules, metric: Metric, memory: int | None = None, threads: int | None = None, costs: Costs | None = None
) -> Forecast:
    """Return the forecast for building a whole table.

    `memory` is a budget in bytes: if the levels exceed it, shards are read from the disk. `threads` is by default the
    number of cores. `costs` is by default measured with the same number of threads.
    """
    threads, plan = threads or available_cores(), plan_build(rules, metric)
    costs, begun = costs or measure_costs(plan, threads), process_time()
    positions, exact = count_or_bound_positions(rules)
    counting = 0.0 if rules.has_supports else process_time() - begun  # a build counts while it solves
    peak, least, table, temporary = _needs(plan, memory, threads, costs.shares)
    if storage_for(rules.squares) == "positions":
        table, temporary = _EMPTY_FILE + round(_POSITION * positions), 0
    solving = plan.work * costs.word + sum(level.stored * level.page_bytes for level in plan.levels) * costs.byte
    writing = sum(level.kept_bytes for level in plan.levels) * _KEPT_BYTE + table * _FILE_BYTE
    return Forecast(
        positions=positions,
        exact=exact,
        peak_memory=peak,
        least_memory=least,
        file_bytes=table,
        temporary_bytes=temporary,
        seconds=_START + (solving + counting) / threads + writing,
        pages=plan.pages,
    )


def _needs(
    plan: BuildPlan, memory: int | None, threads: int, shares: Sequence[float], elsewhere: bool = False
) -> tuple[int, int, int, int]:
    """Return the peak memory, the smallest budget, the size of the table, and the other files, in bytes."""
    table = file_bytes(plan, shares)
    moves = [level.pages * (plan.rules.squares - level.stones) for level in plan.levels]
    listing = 0 if plan.rules.has_supports else BASE_BYTES + _CHILD_BYTES * max(moves)  # one level at a time
    if elsewhere:
        return listing, listing, table, 0
    peak = max(plan_memory(plan, threads), listing)
    least = min(peak, max(estimate_memory(plan, threads), listing))
    if memory is None or peak <= memory:
        return peak, least, table, table + sum(plan.arenas)
    return least, least, table, table + round(_ON_DISK * sum(plan.arenas))


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


def forecast_opening(rules: Rules, plies: int, second_each: float | None = None, memory: int | None = None) -> Forecast:
    """Return the forecast for building an opening table, given the seconds per position from `sample_opening`.

    memory: the budget, as for the build.
    """
    counts = count_positions(rules, plies)
    last = counts[-1]
    searched = last.canonical - last.canonical_x_wins - last.canonical_o_wins - last.canonical_draws
    listed = BASE_BYTES + LISTED_BYTES * searched
    return Forecast(
        positions=sum(count.positions for count in counts),
        exact=True,
        peak_memory=listed + (MEMORY if memory is None else search_memory(memory, searched)),
        least_memory=listed + LEAST_MEMORY,
        file_bytes=_EMPTY_FILE + round(_POSITION_BYTES * sum(count.canonical for count in counts)),
        temporary_bytes=-(-searched // BLOCK) * _BLOCK_BYTES,
        seconds=None if second_each is None else _START + second_each * searched,
        searched=searched,
    )


def sample_opening(rules: Rules, plies: int, threads: int | None) -> float | None:
    """Return the seconds in which `threads` threads search a position of the last ply, or None if none ends in time."""
    random = np.random.default_rng(0)
    with ThreadPool(threads) as pool:
        *_, shapes = islice(sweep(rules, pool), plies + 1)
    # Shapes with the same stones in the central columns are drawn together, since their positions are adjacent.
    central = sorted(range(rules.stride), key=lambda column: abs(2 * column - rules.stride + 1))[: rules.stride // 2]
    inside = sum(1 << square for square in range(rules.squares) if square % rules.stride in central)
    groups, group = np.unique(shapes.masks & inside, return_inverse=True)
    order = np.argsort(random.permutation(len(groups))[group], kind="stable")
    chosen = np.sort(order[: max(1, _LISTED // comb(plies, plies // 2))])
    listed = LastPly(rules, plies, shapes._replace(masks=shapes.masks[chosen], lineless=shapes.lineless[chosen]))
    positions, search = listed.positions, Search(rules, memory=LEAST_MEMORY)
    search.plies_of(positions[:0])  # compiles
    begun, until, found = process_time(), monotonic() + _SEARCH_SECONDS, 0
    for first in random.permutation(np.arange(0, len(positions), _SAMPLED)):
        found += len(search.plies_of(positions[first : first + _SAMPLED], lambda: monotonic() > until))
        if monotonic() > until:
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
    plan, threads = plan_build(rules, metric), threads or available_cores()
    peak, _, table, temporary = _needs(plan, memory, threads, [_MOST_SHARE] * len(plan.levels), elsewhere)
    _require_memory(peak, memory)
    try:
        _require_disk(table + temporary, folder, held)
    except DoesNotFit:
        _, _, table, temporary = _needs(plan, memory, threads, measure_costs(plan, threads).shares, elsewhere)
        _require_disk(table + temporary, folder, held)


def require_opening_fits(rules: Rules, plies: int, memory: int | None, folder: Path) -> None:
    """Raise DoesNotFit if the build of an opening table exceeds its budget, the available memory or the disk."""
    found = forecast_opening(rules, plies)
    _require_memory(found.least_memory, memory)
    _require_disk(found.file_bytes + found.temporary_bytes, folder)


def _require_memory(needed: int, budget: int | None) -> None:
    free = min((size for size in (budget, available_memory()) if size is not None), default=needed)
    if needed > free:
        raise DoesNotFit(
            f"The build needs {format_size(needed)} of memory and can use {format_size(free)}; "
            f"choose another budget with --memory, a smaller game or fewer plies."
        )


def _require_disk(needed: int, folder: Path, held: int = 0) -> None:
    existing = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    free = shutil.disk_usage(existing).free + held
    if needed > free:
        raise DoesNotFit(
            f"The build needs {format_size(needed)} of disk and {folder} has "
            f"{format_size(free)} left; free some space there, or choose another folder with --data."
        )
