"""Solve the levels of a plan: the loop, the solvers and backends that it runs, and where kept pages lie.

A *solver* solves one partition; its result depends on its inputs alone, whichever process or machine runs it. A
*backend* runs a solver for many partitions, here on threads. A *level store* keeps what the next level reads, in memory
or in mapped files. The loop knows neither kernels, nor threads, nor where bytes lie.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from pathlib import Path
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from solver.solve.plan import WORD_BYTES, BuildPlan, LevelPlan, Partition
from solver.store.disk import disk_errors_reported
from solver.support.threads import ThreadPool

KeptPages = npt.NDArray[np.uint64]
"""uint64[pages, planes, words], see `LevelPlan.kept_shape`."""

KEPT_COMPRESSION: Final = 1
"""The level of Zstandard for kept pages in a store: a tenth of the time of solving, and 1 to 37 % of the bytes."""

_ZEROS = bytes(1 << 20)


class LevelStore(Protocol):
    """Where the kept pages of levels lie."""

    def inputs(self, partition: Partition) -> KeptPages:
        """Return the pages that a partition reads, those of the level one stone later."""

    def output(self, partition: Partition) -> KeptPages:
        """Return an array for the pages that a partition keeps, to be filled."""


class TwoLevels:
    """Two areas of memory that hold the levels by turns, taken once, because touching fresh memory is slow.

    The areas for which `fits` is False are mapped from files in `folder`, whose content the system keeps in memory only
    as long as nobody else needs that. Raises StorageError when these can't be written.
    """

    def __init__(self, plan: BuildPlan, fits: Sequence[bool] = (True, True), folder: Path = Path()) -> None:
        self._levels = plan.levels
        self._arenas = [
            np.empty(size // WORD_BYTES, dtype=np.uint64) if inside else _mapped(folder / f"level-{i}", size)
            for i, (size, inside) in enumerate(zip(plan.arenas, fits, strict=True))
        ]

    def pages(self, level: LevelPlan) -> KeptPages:
        """Return the kept pages of a level; they take the memory of the level before the last."""
        shape = (level.pages, *level.kept_shape)
        return self._arenas[level.number % 2][: prod(shape)].reshape(shape)

    def inputs(self, partition: Partition) -> KeptPages:
        """Return the whole level one stone later; it has no pages for the fullest board."""
        number = partition.level.number
        return self.pages(self._levels[number - 1]) if number else np.zeros((0, 1, 1), dtype=np.uint64)

    def output(self, partition: Partition) -> KeptPages:
        """Return the partition's place among the kept pages of its level."""
        return self.pages(partition.level)[partition.first : partition.last]


def _mapped(path: Path, size: int) -> KeptPages:
    """Map a new file of so many bytes."""
    with disk_errors_reported(path.parent.parent), path.open("w+b") as file:
        # Written, not only made this long: a disk that is full must say so now, not when the memory is touched.
        for first in range(0, size, len(_ZEROS)):
            file.write(_ZEROS[: size - first])
        file.flush()
        return np.frombuffer(mmap.mmap(file.fileno(), size), dtype=np.uint64)


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
