"""Forecast a build from its plan: positions, memory, disk and time; and refuse one that cannot fit, before it starts.

Any game that has a name has a forecast: boards too large for a table get bounds and orders of magnitude. How fast this
machine builds is measured by solving a game of a second.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from solver.count.pages import count_pages, positions
from solver.errors import DoesNotFit
from solver.game.rules import Rules
from solver.solve.backend import SolvedPages, ThreadBackend, solve_levels
from solver.solve.levels import TwoLevels
from solver.solve.pages_table import pack
from solver.solve.plan import BASE_BYTES, BuildPlan, plan_build, plan_memory
from solver.solve.solvers import make_solver
from solver.store.layout import layout_of
from solver.store.schema import Metric, storage_for
from solver.support.memory import available_memory, gigabytes
from solver.support.threads import ThreadPool, available_cores

_FILE_BYTE = 1e-8  # seconds: written, put in order, and brought to the disk
_START = 0.05  # seconds that the smallest build takes


@dataclass(frozen=True)
class Speed:
    """Seconds of all threads together."""

    word: float
    """For a unit of work, see solve.cost."""
    raw_byte: float
    """For a byte of a page that is compressed."""
    file_byte: float = _FILE_BYTE
    """For a byte of the file."""
    start: float = _START
    """For the smallest build."""


def measure_speed(rules: Rules, metric: Metric, threads: int | None = None) -> Speed:
    """Solve a small game of the same variants and compress its pages; takes a second or two.

    The first solve of all on a machine compiles the kernels, which takes longer and is not counted.
    """
    _time_solve(_sample(rules, 2, 2), metric, threads)
    runs = [_time_solve(_sample(rules, 4, 5), metric, threads) for _ in range(2)]
    return min(runs, key=lambda speed: speed.word)  # the other one was disturbed


def _sample(rules: Rules, m: int, n: int) -> Rules:
    """Make a game of another size with the same variants."""
    k = min(m, n) if rules.full else min(rules.k, m, n)
    return Rules.parse(",".join([str(m), str(n), str(k), *rules.variants]))


def _time_solve(rules: Rules, metric: Metric, threads: int | None) -> Speed:
    packing: list[tuple[float, int]] = []  # (seconds of one thread, bytes)

    def time_packing(solved: SolvedPages) -> None:
        begun = perf_counter()
        pack(solved)
        packing.append((perf_counter() - begun, solved.pages.size))

    with ThreadPool(threads) as pool:
        solver, _ = make_solver(rules, metric, pool)
        plan = solver.plan
        begun = perf_counter()
        for _ in solve_levels(plan, ThreadBackend(solver, pool, time_packing), TwoLevels(plan)):
            pass
        packed = sum(seconds for seconds, _ in packing) / pool.threads
    elapsed = perf_counter() - begun
    return Speed(max(elapsed - packed, 0.0) / plan.work, packed / max(sum(size for _, size in packing), 1))


_ENUMERATE = 16  # bytes for each set of squares while sets are classified

# The file: what pages (or rows) take, fitted to tables from 4,4,4 to 5,5,4.
_EMPTY_FILE = 65_536  # bytes
_COMPRESSED = 25  # bytes of a page for 100 raw ones, where threats settle many positions
_COMPRESSED_WHOLE = 55  # elsewhere
_ROW = 15  # bytes a page takes besides
_POSITION = 38.5  # bytes of a row for each position, in a table of positions


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
    rules: Rules, metric: Metric, memory: int | None = None, threads: int | None = None, speed: Speed | None = None
) -> Forecast:
    """Forecast the build of a table, in seconds.

    `memory` is a budget in bytes: levels that do not fit into it are on the disk meanwhile. `threads` is by default
    the number of cores; `speed` is what `measure_speed` found for the same metric and threads.
    """
    plan = plan_build(rules, metric)
    found, exact = positions(rules)
    solving = plan_memory(plan, memory, threads or available_cores())
    file_bytes = _file_bytes(plan, found)
    # While a game is kept as pages, these stand beside the table in the order they were solved in, with what the last
    # level kept and the one before, so that a build can go on.
    beside = file_bytes + sum(plan.arenas) if storage_for(rules.squares) == "pages" else 0
    return Forecast(
        positions=found,
        exact=exact,
        pages=plan.pages,
        pages_exact=count_pages(rules).exact,
        work=plan.work,
        peak_memory=max(solving.peak, BASE_BYTES + _counting_memory(rules)),
        file_bytes=file_bytes,
        temporary_bytes=beside + solving.mapped,
        seconds=None if speed is None else _seconds(plan, file_bytes, speed),
    )


def require_fits(forecast: Forecast, folder: Path, budget: int | None = None, held: int = 0) -> None:
    """Raise DoesNotFit when a build needs more memory than there is, or than its budget, or more disk than is left.

    `held` is how many bytes of the disk it takes over from a build that was stopped.

    Where the system does not say how much memory is available (it is not Linux), only the disk is looked at.
    """
    if budget is not None and forecast.peak_memory > budget:
        raise DoesNotFit(
            f"The build needs at least {gigabytes(forecast.peak_memory)} of memory, more than the budget of "
            f"{gigabytes(budget)}; give it more with --memory, or choose a smaller game."
        )
    memory, disk = available_memory(), shutil.disk_usage(_existing(folder)).free + held
    if memory is not None and forecast.peak_memory > memory:
        raise DoesNotFit(
            f"The build needs {gigabytes(forecast.peak_memory)} of memory and {gigabytes(memory)} are available; "
            f"give it less with --memory, or choose a smaller game."
        )
    needed = forecast.file_bytes + forecast.temporary_bytes
    if needed > disk:
        raise DoesNotFit(
            f"The build needs {gigabytes(needed)} of disk and {folder} has {gigabytes(disk)} left; "
            f"free some space there, or choose another folder with --data."
        )


def _counting_memory(rules: Rules) -> int:
    """Estimate the bytes for counting and classifying, which is over when solving begins."""
    return 0 if layout_of(rules, "wdl").has_gravity else _ENUMERATE << rules.squares


def _file_bytes(plan: BuildPlan, found: int) -> int:
    if storage_for(plan.rules.squares) == "positions":
        return _EMPTY_FILE + round(_POSITION * found)
    share = _COMPRESSED if layout_of(plan.rules, plan.metric).has_threats else _COMPRESSED_WHOLE
    return _EMPTY_FILE + sum(level.stored * _ROW + level.raw_bytes * share // 100 for level in plan.levels)


def _seconds(plan: BuildPlan, file_bytes: int, speed: Speed) -> float:
    raw = sum(level.raw_bytes for level in plan.levels)
    return speed.start + plan.work * speed.word + raw * speed.raw_byte + file_bytes * speed.file_byte


def _existing(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists."""
    return next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
