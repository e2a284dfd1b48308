"""Solve the levels of a plan: the loop, and the memory of kept pages.

A *solver* solves one partition; its result depends on its inputs alone, whichever process or machine runs it.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from solver.solve.plan import WORD_BYTES, BuildPlan, LevelPlan, Partition
from solver.store.disk import disk_errors_reported
from solver.support.threads import ThreadPool

KeptPages = npt.NDArray[np.uint64]  # uint64[pages, planes, words], see `LevelPlan.kept_shape`

KEPT_COMPRESSION: Final = 1
"""The Zstandard level for kept pages: it takes a tenth of the time of solving, and leaves 1 to 37 % of the bytes."""

_ZEROS = bytes(1 << 20)


class TwoLevels:
    """Two areas of memory that hold the levels by turns, allocated once because the first use of memory is slow.

    Areas for which `fits` is False are mapped from files in `folder`, whose content the system may move out of memory.
    Raises StorageError if these can't be written.
    """

    def __init__(self, plan: BuildPlan, fits: Sequence[bool] = (True, True), folder: Path = Path()) -> None:
        self._levels = plan.levels
        self._arenas = [
            np.empty(size // WORD_BYTES, dtype=np.uint64) if inside else _mapped(folder / f"level-{i}", size)
            for i, (size, inside) in enumerate(zip(plan.arenas, fits, strict=True))
        ]

    def pages(self, level: LevelPlan) -> KeptPages:
        """Return the kept pages of a level, in the memory of the level two before it."""
        shape = (level.pages, *level.kept_shape)
        return self._arenas[level.number % 2][: prod(shape)].reshape(shape)

    def inputs(self, partition: Partition) -> KeptPages:
        """Return the whole level with one stone more; there is none for the fullest board."""
        number = partition.level.number
        return self.pages(self._levels[number - 1]) if number else np.zeros((0, 1, 1), dtype=np.uint64)

    def output(self, partition: Partition) -> KeptPages:
        """Return the partition's place among the kept pages of its level."""
        return self.pages(partition.level)[partition.first : partition.last]


def _mapped(path: Path, size: int) -> KeptPages:
    """Map a new file of the given number of bytes."""
    with disk_errors_reported(path.parent.parent), path.open("w+b") as file:
        # Written, not only extended: a full disk must raise an error now, not when the memory is used.
        for first in range(0, size, len(_ZEROS)):
            file.write(_ZEROS[: size - first])
        file.flush()
        return np.frombuffer(mmap.mmap(file.fileno(), size), dtype=np.uint64)


T = TypeVar("T")


class Tally(NamedTuple):
    """The unfinished positions of a ply."""

    ply: int
    by_x: int  # planes of lines of X
    holds: npt.NDArray[np.int64]  # int64[P + 1]: positions for which each plane holds, and all of them at the end


class SolvedPages(NamedTuple):
    """The pages of a partition as in the file, uncompressed."""

    keys: npt.NDArray[np.int64]  # int64[C]
    pages: npt.NDArray[np.uint8]  # uint8[C, bytes]
    tallies: tuple[Tally, ...]


class Solver(Protocol):
    """One game's kernels."""

    @property
    def plan(self) -> BuildPlan:
        """The levels and partitions to solve."""

    def solve(self, partition: Partition, inputs: KeptPages, kept: KeptPages) -> SolvedPages:
        """Solve a partition from the pages that it reads, and fill `kept`; the arguments alone decide the result."""


class Outcome(NamedTuple, Generic[T]):
    """A solved partition."""

    partition: Partition
    result: T  # of the loop's `finish`
    tallies: tuple[Tally, ...]


def solve_levels(
    solver: Solver,
    pool: ThreadPool,
    finish: Callable[[SolvedPages], T],
    store: TwoLevels,
    first: int = 0,
    level_done: Callable[[LevelPlan], None] | None = None,
) -> Iterator[Outcome[T]]:
    """Solve all levels from number `first` on, and yield every partition as it is done, in order.

    The thread that solved some pages calls `finish` with them, such as to compress them. `store` has the kept pages of
    the level before `first`. `level_done` is called after each level.
    """

    def solve(partition: Partition) -> Outcome[T]:
        solved = solver.solve(partition, store.inputs(partition), store.output(partition))
        return Outcome(partition, finish(solved), solved.tallies)

    for level in solver.plan.levels[first:]:
        yield from pool.map(solve, level.partitions())
        if level_done:
            level_done(level)
