"""Solve the levels of a game in memory, one after another.

A *solver* solves partitions. The *kept pages* of a level contain the values that the next level reads. A result depends
only on the inputs, not on the process or machine.
"""

import mmap
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import prod
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from solver.count.records import PlyCount
from solver.solve.plan import WORD_BYTES, BuildPlan, LevelPlan, Partition
from solver.solve.shard_plan import Shard, ShardPlan
from solver.store.packing import Packed, pack_pages
from solver.support.threads import ThreadPool

KeptPages = npt.NDArray[np.uint64]  # uint64[pages, planes, words], see `LevelPlan.kept_shape`
T = TypeVar("T")


class Tally(NamedTuple):
    """The number of unfinished positions of a ply: for each plane, and in total."""

    ply: int
    by_x: int  # the number of planes for lines of X
    holds: list[int]  # the number of positions for which each plane holds, then the number of all positions


class SolvedPages(NamedTuple):
    """The uncompressed pages of a partition; the arrays are valid until the same thread solves another partition."""

    keys: npt.NDArray[np.int64]  # int64[C]
    pages: npt.NDArray[np.uint8]  # uint8[C, bytes]
    tallies: tuple[Tally, ...]

    def pack(self) -> Packed:
        """Return the compressed pages with the sum of their digests."""
        return pack_pages(self.keys, self.pages)


Solve = Callable[[Partition, KeptPages, KeptPages], SolvedPages]
"""A function (partition, inputs, kept) that returns the solved pages of a partition and fills the array `kept`."""


class Solver(Protocol):
    """A solver for the levels of one game."""

    def make_solve(self, own: Sequence[Shard], inputs: Sequence[Shard]) -> Solve:
        """Return a function that solves partitions of the `own` shards, which all belong to one level.

        The `inputs` are shards of the previous level. The function's second argument must contain the kept pages of
        the `inputs`, one shard after another.
        """


Plies = npt.NDArray[np.int8]
"""The plies to the end of positions: positive if the side to move wins, negative if it loses, 0 for a draw."""

Search: TypeAlias = Callable[[npt.NDArray[np.uint64]], Plies]
"""A function that returns the plies to the end of positions; see `solver.search.gravity.Search.plies_of`."""


class Prepared(NamedTuple):
    """A game that is ready to be solved."""

    shards: ShardPlan
    inputs: Callable[[Search | None], Iterator[tuple[str, bytearray]]]
    """A function that yields the solver's inputs besides kept pages, by name. Only an opening table needs a search."""
    counts: Callable[[], list[PlyCount]]
    """A function that returns the positions of each ply. Calling it before `inputs` may double the work."""
    require_counts: Callable[[], object] = lambda: None
    """A function that raises RulesError if it is known by now that the positions can't be counted."""


class TwoLevels:
    """Two areas of memory that are used alternately for the kept pages of the levels.

    They are allocated only once, because the first use of memory is slow.
    """

    def __init__(self, plan: BuildPlan) -> None:
        self._memory = [_reserve(size) for size in plan.arenas]
        self._arenas = [
            np.frombuffer(memory, dtype=np.uint64) if isinstance(memory, mmap.mmap) else memory
            for memory in self._memory
        ]

    def pages(self, level: LevelPlan) -> KeptPages:
        """Return the array for the kept pages of a level.

        It reuses the memory of the level that was solved two steps earlier.
        """
        shape = (level.pages, *level.kept_shape)
        return self._arenas[level.number % 2][: prod(shape)].reshape(shape)

    def release(self, level: LevelPlan, first: int, last: int) -> None:
        """Free the memory of pages first..last-1 of a level. These pages must not be read again."""
        memory = self._memory[level.number % 2]
        if isinstance(memory, mmap.mmap):
            start = -(-first * level.page_kept_bytes // mmap.PAGESIZE) * mmap.PAGESIZE
            size = last * level.page_kept_bytes // mmap.PAGESIZE * mmap.PAGESIZE - start
            if size > 0:
                memory.madvise(mmap.MADV_DONTNEED, start, size)


def _reserve(size: int) -> mmap.mmap | npt.NDArray[np.uint64]:
    """Return `size` bytes of memory: a `mmap` if possible, because parts of an array can't be freed later."""
    if not size or sys.platform not in {"linux", "darwin"}:
        return np.empty(size // WORD_BYTES, dtype=np.uint64)
    try:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"{size} bytes of memory are not available: {error}") from error
    if sys.platform == "linux":
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


class SolvedShard(NamedTuple, Generic[T]):
    """A solved shard, with the results of its partitions."""

    shard: Shard
    results: list[T]  # the results of `finish` of `solve_levels`, for each partition
    tallies: list[Tally]


def solve_levels(
    plan: ShardPlan,
    solver: Solver,
    pool: ThreadPool,
    finish: Callable[[SolvedPages], T],
    progress: Callable[[int], None] | None = None,
    arenas: TwoLevels | None = None,
    first: int = 0,
) -> Iterator[SolvedShard[T]]:
    """Solve all levels from number `first` on, and yield each solved shard, in order.

    The thread that solves a partition calls `finish` with its pages, for example to compress them. `progress` is called
    with the amount of work completed, in the unit of solve.plan. If `first` is not 0, `arenas` must contain the kept
    pages of level `first` - 1.
    """
    arenas = arenas or TwoLevels(plan.build)
    done = sum(level.work for level in plan.build.levels[:first])

    def solve(solving: Solve, read: KeptPages, kept: KeptPages, given: Partition) -> tuple[T, Sequence[Tally], int]:
        solved = solving(given, read, kept[given.first : given.last])
        return finish(solved), solved.tallies, given.work

    for level, shards in zip(plan.build.levels[first:], plan.levels[first:], strict=True):
        if not shards:
            continue
        before = plan.levels[level.number - 1] if level.number else ()
        read = arenas.pages(plan.build.levels[level.number - 1]) if level.number else np.zeros((0, 1, 1), np.uint64)
        work = partial(solve, solver.make_solve(shards, before), read, arenas.pages(level))
        cut = [shard.partitions(level, alone=False) for shard in shards]
        solved = iter(pool.map(work, [partition for partitions in cut for partition in partitions]))
        for shard, partitions in zip(shards, cut, strict=True):
            results: list[T] = []
            tallies: list[Tally] = []
            for result, some, work_done in islice(solved, len(partitions)):
                results.append(result)
                tallies += some
                done += work_done
                if progress:
                    progress(done)
            yield SolvedShard(shard, results, tallies)
