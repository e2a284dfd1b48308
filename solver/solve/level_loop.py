"""Solve the levels of a plan: the loop over levels, the solvers it asks, and the threads of this machine.

A *solver* solves one partition from its inputs: a deterministic function, whichever process or machine runs it. A
*backend* runs a solver for many partitions, here on threads. A *level store* says where kept pages lie. The loop knows
neither kernels, nor threads, nor where bytes lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from solver.solve.level_store import KeptPages, LevelStore
from solver.solve.plan import BuildPlan, LevelPlan, Partition
from solver.support.threads import ThreadPool

T = TypeVar("T")


class Tally(NamedTuple):
    """Count the positions of a ply where play goes on."""

    ply: int
    by_x: int  # planes ended by X's line
    holds: npt.NDArray[np.int64]  # int64[P + 1]: positions for which each plane holds, and last all of them


class SolvedPages(NamedTuple):
    """The pages of a partition as the file has them, before they are compressed."""

    keys: npt.NDArray[np.int64]  # int64[C]
    pages: npt.NDArray[np.uint8]  # uint8[C, bytes]
    tallies: tuple[Tally, ...]


class Solver(Protocol):
    """One game's kernels."""

    @property
    def plan(self) -> BuildPlan:
        """The levels and partitions to solve."""

    def solve(self, partition: Partition, inputs: KeptPages, kept: KeptPages) -> SolvedPages:
        """Solve a partition from the pages it reads, and fill `kept`. The result depends on the arguments alone."""


class Outcome(NamedTuple, Generic[T]):
    """A partition that has been solved."""

    partition: Partition
    result: T  # of `Finish`
    tallies: tuple[Tally, ...]


Finish = Callable[[SolvedPages], T]
"""Takes solved pages where they were solved, such as to compress them, and returns what the caller of the loop gets."""


class Backend(Protocol[T]):
    """Runs a solver wherever there is work done."""

    def run(self, level: LevelPlan, store: LevelStore) -> Iterator[Outcome[T]]:
        """Solve all partitions of a level, in their order, and yield each as it is done."""


class ThreadBackend(Generic[T]):
    """Solve partitions on threads of this process; the kernels run without the interpreter lock."""

    def __init__(self, solver: Solver, pool: ThreadPool, finish: Finish[T]) -> None:
        self._solver = solver
        self._pool = pool
        self._finish = finish

    def run(self, level: LevelPlan, store: LevelStore) -> Iterator[Outcome[T]]:
        """Solve all partitions of a level, in their order, and yield each as it is done."""
        return self._pool.map(partial(self._solve, store), level.partitions())

    def _solve(self, store: LevelStore, partition: Partition) -> Outcome[T]:
        solved = self._solver.solve(partition, store.inputs(partition), store.output(partition))
        return Outcome(partition, self._finish(solved), solved.tallies)


def solve_levels(
    plan: BuildPlan,
    backend: Backend[T],
    store: LevelStore,
    first: int = 0,
    level_done: Callable[[LevelPlan], None] | None = None,
) -> Iterator[Outcome[T]]:
    """Solve all levels from number `first` on, and yield every partition as it is done.

    `store` holds what the level before `first` has kept. `level_done` is called after each level.
    """
    for level in plan.levels[first:]:
        yield from backend.run(level, store)
        if level_done:
            level_done(level)
