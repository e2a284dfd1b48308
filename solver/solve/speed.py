"""Measure how fast this machine builds, by solving a game of a second."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from solver.game.rules import Rules
from solver.solve.backend import SolvedPages, ThreadBackend, solve_levels
from solver.solve.levels import TwoLevels
from solver.solve.pages_table import pack
from solver.solve.solvers import make_solver
from solver.store.schema import Metric
from solver.support.threads import ThreadPool

__all__ = ["Speed", "measure_speed"]

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

    solver, _ = make_solver(rules, metric)
    plan = solver.plan
    begun = perf_counter()
    with ThreadPool(threads) as pool:
        for _ in solve_levels(plan, ThreadBackend(solver, pool, time_packing), TwoLevels(plan)):
            pass
        packed = sum(seconds for seconds, _ in packing) / pool.threads
    elapsed = perf_counter() - begun
    return Speed(max(elapsed - packed, 0.0) / plan.work, packed / max(sum(size for _, size in packing), 1))
