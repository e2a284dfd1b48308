"""Divide the levels of a build into shards. The pages of a shard are solved as one task, on any machine.

Without gravity, a shard contains pages of one level whose X-sets have the same class on the block of the board (see
solve.block). Large classes are split, and small classes share a shard. The previous level has one more stone. A shard
reads the shards of that level that contain one of its own classes or a class with one more block square. With gravity,
a shard is a range of shapes, ordered by the heights of their columns. It reads the shards that contain the shapes after
one more move.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.solve.block import block_of, class_ranges
from solver.solve.plan import BASE_BYTES, LEVEL_SHARES, BuildPlan, LevelPlan, Partition

LEAST_BYTES = 1 << 22  # the least bytes of a shard's uncompressed pages, unless its level has fewer

MOST_BYTES = 1 << 30
"""The most bytes of a shard's pages, so that a task fits into memory; all shards of a class read the same shards."""

_LARGEST_SHARD = 0.4  # memory to solve the largest shard per byte of two levels: 0.28 for 5,5,4 and 0.48 for 5,5,3

_GRAVITY_SHARDS = 32  # the shards of a level with gravity; each reads about an eighth of the level before

_KEY_BYTES = 20  # a page's key, twice, and the size of its class


class Shard(NamedTuple):
    """A shard: pages first..last-1 of a level."""

    level: int  # the number of the level in the plan
    number: int  # its place among the shards of the level
    first: int
    last: int
    reads: tuple[int, ...]  # the numbers, ascending, of the shards that it reads from the level solved before

    @property
    def pages(self) -> int:
        """The number of pages."""
        return self.last - self.first

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The fields that identify the shard and its pages, without what it reads."""
        return self.level, self.number, self.first, self.last

    def name(self, kind: str) -> str:
        """Return the name of one of this shard's objects, such as `kept` or `pages`; see build_objects.py."""
        return f"{self.level:02}/{self.number:05}.{kind}"

    def partitions(self, level: LevelPlan, alone: bool = True) -> list[Partition]:
        """Return the shard's partitions. Each needs scratch memory, so a shard not solved `alone` has fewer."""
        whole = level.pages if not alone and level.scratch else self.pages
        return [*level.partitions(self.first, self.last, max(1, LEVEL_SHARES * self.pages // max(whole, 1)))]


@dataclass(frozen=True)
class ShardPlan:
    """The shards of every level of a build."""

    build: BuildPlan
    levels: tuple[tuple[Shard, ...], ...]

    def __iter__(self) -> Iterator[Shard]:
        """Iterate over all shards in an order in which they can be solved."""
        for shards in self.levels:
            yield from shards

    def inputs(self, shard: Shard) -> list[Shard]:
        """Return the shards that a shard reads."""
        return [self.levels[shard.level - 1][number] for number in shard.reads]

    def read_last(self, shard: Shard) -> list[Shard]:
        """Return the shards of the previous level that no shard after `shard` reads."""
        last = {number: reader.number for reader in self.levels[shard.level] for number in reader.reads}
        before = self.levels[shard.level - 1] if shard.level else ()
        return [given for given in before if last.get(given.number, -1) <= shard.number]

    def memory(self, shard: Shard, threads: int) -> int:
        """Return an estimate of the memory in bytes that a process needs to solve a shard."""
        level = self.build.levels[shard.level]
        kept = level.page_kept_bytes * shard.pages
        read = sum(self.build.levels[given.level].page_kept_bytes * given.pages for given in self.inputs(shard))
        keys = _KEY_BYTES * (level.pages + level.read_pages)
        return BASE_BYTES + keys + threads * level.scratch + read + 2 * kept + shard.pages * level.page_bytes


def estimate_memory(plan: BuildPlan, threads: int) -> int:
    """Return an estimate of the memory in bytes that a process needs to solve shards, before these are planned."""
    arenas, block = plan.arenas, block_of(plan.rules)
    if block.squares or plan.rules.has_supports:
        shard = round(_LARGEST_SHARD * sum(arenas)) + 4 * LEAST_BYTES
    else:  # each shard reads a whole level
        shard = max(arenas) + 3 * min(max(arenas), MOST_BYTES)
    keys = 0 if plan.rules.has_supports else _KEY_BYTES * 2 * max(level.pages for level in plan.levels)
    return BASE_BYTES + keys + threads * plan.scratch + shard


def plan_shards(plan: BuildPlan, keys: Sequence[npt.NDArray[np.int64]]) -> ShardPlan:
    """Return the shards of a build, given the keys of each level's pages (int64[C], grouped by class)."""
    block = block_of(plan.rules)
    levels: list[tuple[Shard, ...]] = []
    before: dict[int, set[int]] = {}  # the shards of each class in the level before
    for level, level_keys in zip(plan.levels, keys, strict=True):
        classes = block.classes_of(level_keys)
        shards: list[Shard] = []
        found: defaultdict[int, set[int]] = defaultdict(set)
        for first, last in pairwise(_cuts(classes, level.page_kept_bytes + level.page_bytes)):
            own = [int(classes[first + start]) for start, _ in class_ranges(classes[first:last])]
            larger = {pattern for smaller in own for pattern in block.children(smaller)}
            reads = {number for pattern in larger for number in before.get(pattern, ())}
            for pattern in own:
                found[pattern].add(len(shards))
            shards.append(Shard(level.number, len(shards), first, last, tuple(sorted(reads))))
        levels.append(tuple(shards))
        before = found
    return ShardPlan(plan, tuple(levels))


def plan_columns(plan: BuildPlan, moves: Sequence[npt.NDArray[np.int64]]) -> ShardPlan:
    """Return the shards of a build with gravity.

    For each level, `moves` (int64[C, columns]) contains, for each shape and column, the shape after a move in that
    column: its index among the shapes of the previous level, or -1 if the column is full.
    """
    levels: list[tuple[Shard, ...]] = []
    cuts: list[int] = []
    for level, children in zip(plan.levels, moves, strict=True):
        before, page_bytes = cuts, level.page_kept_bytes + level.page_bytes
        least, most = (max(1, size // page_bytes) for size in (LEAST_BYTES, MOST_BYTES))
        pages = min(max(least, -(-level.pages // _GRAVITY_SHARDS)), most)
        cuts = [*range(0, level.pages, pages), level.pages]
        read = np.searchsorted(before, children, side="right") - 1
        shards = [
            Shard(level.number, number, first, last, tuple(int(n) for n in np.unique(read[first:last]) if n >= 0))
            for number, (first, last) in enumerate(pairwise(cuts))
        ]
        levels.append(tuple(shards))
    return ShardPlan(plan, tuple(levels))


def _cuts(classes: npt.NDArray[np.int64], page_bytes: int) -> list[int]:
    """Return the indexes at which to split the list of pages: between classes, or within a class that is too large."""
    least, most = max(1, LEAST_BYTES // page_bytes), max(1, MOST_BYTES // page_bytes)
    cuts = [0]
    for _, end in class_ranges(classes):
        while end - cuts[-1] > most:
            cuts.append(cuts[-1] + most)
        if end - cuts[-1] >= least or end == classes.size:
            cuts.append(end)
    return cuts
