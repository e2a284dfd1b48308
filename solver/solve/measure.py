"""Solve a small game whole, to measure what its pages take."""

from __future__ import annotations

from time import process_time, thread_time
from typing import NamedTuple

import numpy as np

from solver.game.rules import Rules
from solver.solve.level_loop import SolvedPages, ThreadBackend, solve_levels
from solver.solve.level_store import TwoLevels
from solver.solve.pages_table import pack
from solver.solve.solvers import make_solver
from solver.store.schema import Metric
from solver.support.threads import ThreadPool


class LevelSize(NamedTuple):
    """The size of the pages of a level that go into the file."""

    pages: int
    raw_bytes: int
    packed_bytes: int
    positions: int
    """Where play goes on, up to symmetry."""


class MeasuredGame(NamedTuple):
    """What solving and packing a game has taken."""

    word: float
    """Seconds of a thread for a unit of work, see solve.cost."""
    raw_byte: float
    """Seconds of a thread to compress a byte."""
    levels: tuple[LevelSize, ...]
    """The sizes of the levels of the plan."""


def measure_game(rules: Rules, metric: Metric, pool: ThreadPool) -> MeasuredGame:
    """Solve a game and compress its pages."""
    packing: list[float] = []  # seconds of one thread

    def measure_packing(solved: SolvedPages) -> LevelSize:
        begun = thread_time()
        packed = pack(solved)
        packing.append(thread_time() - begun)
        positions = sum(int(tally.holds[-1]) for tally in solved.tallies)
        return LevelSize(len(packed.entries), solved.pages.size, len(packed.data), positions)

    begun = process_time()  # which counts all threads, and no waiting
    solver, _ = make_solver(rules, metric, pool)
    plan = solver.plan
    sizes = np.zeros((len(plan.levels), len(LevelSize._fields)), np.int64)
    for partition, size, _ in solve_levels(plan, ThreadBackend(solver, pool, measure_packing), TwoLevels(plan)):
        sizes[partition.level.number] += size
    elapsed = process_time() - begun
    levels = tuple(
        LevelSize(pages, raw_bytes, packed_bytes, positions * level.stored // max(level.pages, 1))
        for level, (pages, raw_bytes, packed_bytes, positions) in zip(plan.levels, sizes.tolist(), strict=True)
    )
    packing_seconds = sum(packing)
    return MeasuredGame((elapsed - packing_seconds) / plan.work, packing_seconds / sum(sizes[:, 1]), levels)
