"""Plan a build: its levels, their partitions, and what each of these reads, keeps, stores and costs.

A plan is plain data. It says how a game is cut into pieces of work, not who does them, with how many threads, or
where results lie. Forecasts, progress, memory budgets, checkpoints and solvers all read the same plan.

A *level* is the set of pages whose keys have the same number of stones. Levels are numbered in the order in which
they are solved, the fullest board first. A *partition* is a contiguous range of the pages of a level; it is solved from
pages of the level one stone later, which is the one solved before.

Turns of several stones have no plan. A level is keyed by X's stones because sides alternate: with x stones of X, the
positions with X to move have x stones of O, those with O to move one less (`horizons` counts odd and even plies), and
X's next stone leads to level x + 1. With two stones a turn, a page would hold numbers of O's stones that depend on the
turn, a level two sets of them (before a side's first stone and before its second), and who is to move would be
a function of the ply in positions, counts, kernels and the check, where it is now its parity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

from solver.count.pages import PageCounts, count_pages
from solver.game.rules import Rules
from solver.solve import cost
from solver.store.layout import layout_of
from solver.store.schema import Metric

BASE_BYTES = 200_000_000
"""The interpreter, the libraries, the compiled kernels, and pages on their way to the file."""

_LEVEL_SHARES = 64  # partitions of a small level, so that many threads can share it
_LEAST_WORK = 1 << 18  # of a partition: half a millisecond, so that calling the kernel costs little
_MOST_WORK = 1 << 24  # some hundredths of a second, so that no thread waits long for the last of a level


class Horizons(NamedTuple):
    """The number of planes of a level of either kind (see kernels.placement)."""

    by_x: int  # a plane for each ply at which X can still complete a line
    by_o: int  # the same for O

    @property
    def planes(self) -> int:
        """All planes."""
        return self.by_x + self.by_o


@dataclass(frozen=True)
class LevelPlan:
    """A level of a build."""

    number: int
    """The place in the order of solving, 0 for the fullest board."""
    stones: int
    """Stones of a page's key: X's, or with gravity those of both sides."""
    pages: int
    """Pages to solve."""
    stored: int
    """Pages that go into the file."""
    reads: int
    """Pages of the level one stone later, any of which a partition may read."""
    horizons: Horizons
    kept_shape: tuple[int, int]
    """(planes, words) that a page keeps for the next level, as uint64."""
    page_bytes: int
    """Bytes of a page in the file before it is compressed."""
    page_work: int
    """The work of a page, in the unit of solve.cost."""
    scratch: int
    """Bytes that a thread works in."""

    @property
    def work(self) -> int:
        """The work of all pages."""
        return self.pages * self.page_work

    @property
    def page_kept_bytes(self) -> int:
        """Bytes that a page keeps for the next level."""
        return prod(self.kept_shape) * cost.WORD_BYTES

    @property
    def kept_bytes(self) -> int:
        """Bytes that all pages keep for the next level."""
        return self.pages * self.page_kept_bytes

    @property
    def raw_bytes(self) -> int:
        """Bytes of the pages that go into the file, before they are compressed."""
        return self.stored * self.page_bytes

    def partitions(self, first: int = 0, last: int | None = None) -> Iterator[Partition]:
        """Cut the pages first..last-1, by default all, into partitions, the first pages first."""
        last = self.pages if last is None else last
        shared = -(-(last - first) // _LEVEL_SHARES)
        pages = max(1, min(max(shared, _LEAST_WORK // self.page_work), _MOST_WORK // self.page_work))
        for start in range(first, last, pages):
            yield Partition(self, start, min(start + pages, last))


class Partition(NamedTuple):
    """Pages first..last-1 of a level, which are solved together.

    It reads the first `level.reads` pages of the level one stone later, works in `level.scratch` bytes, and keeps
    `kept_shape` words for the next level.
    """

    level: LevelPlan
    first: int
    last: int

    @property
    def pages(self) -> int:
        """The number of pages."""
        return self.last - self.first

    @property
    def work(self) -> int:
        """The work of these pages, in the unit of solve.cost."""
        return self.pages * self.level.page_work

    @property
    def kept_shape(self) -> tuple[int, int, int]:
        """(pages, planes, words) that are kept for the next level, as uint64."""
        return (self.pages, *self.level.kept_shape)


@dataclass(frozen=True)
class BuildPlan:
    """All levels of a build, in the order of solving."""

    rules: Rules
    metric: Metric
    levels: tuple[LevelPlan, ...]
    tables: int
    """Bytes of tables that stay in memory while levels are solved."""
    reached: int
    """Bytes that tell, with gravity, which positions arise: in memory or in a file."""

    @cached_property
    def work(self) -> int:
        """The work of all levels, in the unit of solve.cost."""
        return sum(level.work for level in self.levels)

    @property
    def pages(self) -> int:
        """Pages that go into the file."""
        return sum(level.stored for level in self.levels)

    @property
    def scratch(self) -> int:
        """Bytes that a thread works in, at most."""
        return max(level.scratch for level in self.levels)

    @property
    def arenas(self) -> tuple[int, int]:
        """Bytes of two areas of memory that hold what levels keep, by turns: a level reads one and fills the other."""
        even, odd = (max((level.kept_bytes for level in self.levels[i::2]), default=0) for i in (0, 1))
        return even, odd

    def work_before(self, number: int) -> int:
        """The work of the levels that are solved before one."""
        return sum(level.work for level in self.levels[:number])


class MemoryPlan(NamedTuple):
    """The memory of a build."""

    peak: int  # bytes of the process while levels are solved, without what it maps from files
    mapped: int  # bytes of areas that lie in files
    fits: tuple[bool, ...]  # for each of BuildPlan.arenas, and BuildPlan.reached: whether it stays in memory


def plan_build(rules: Rules, metric: Metric, counts: PageCounts | None = None) -> BuildPlan:
    """Plan the build of a game's table.

    `counts` are the pages of each level where they are known; else they are counted, which takes seconds at most. For
    large boards the counts may be bounds (see count.pages), and so may the plan be.
    """
    counts = counts or count_pages(rules)
    plan_level = _gravity_level if layout_of(rules, metric).has_gravity else _placement_level
    levels: list[LevelPlan] = []
    for number, stones in enumerate(reversed(range(len(counts.solved)))):
        reads = levels[-1].pages if levels else 0
        levels.append(plan_level(rules, metric, number, stones, counts, reads))
    if layout_of(rules, metric).has_gravity:
        return BuildPlan(rules, metric, tuple(levels), cost.gravity_tables(rules), cost.gravity_reached(counts.stored))
    return BuildPlan(rules, metric, tuple(levels), cost.placement_tables(rules, counts.solved), 0)


def plan_memory(plan: BuildPlan, budget: int | None, threads: int) -> MemoryPlan:
    """Decide what stays in memory within a budget in bytes (None: everything) for so many threads."""
    fixed = BASE_BYTES + plan.tables + threads * plan.scratch
    areas = (*plan.arenas, plan.reached)
    fits = _fitting(areas, None if budget is None else max(budget - fixed, 0))
    resident = sum(size for size, inside in zip(areas, fits, strict=True) if inside)
    return MemoryPlan(fixed + resident, sum(areas) - resident, fits)


def horizons(rules: Rules, metric: Metric, ply: int) -> Horizons:
    """Count the plies from `ply` on that can end with a line of X (odd ones) or of O (even ones); one each for wdl."""
    if metric == "wdl":
        return Horizons(1, 1)
    x_least, o_least = (
        min((line.mask.bit_count() for line in lines), default=rules.squares)
        for lines in (rules.x_lines, rules.o_lines)
    )
    by_x = len(range(max(ply | 1, 2 * x_least - 1), rules.plies + 1, 2))
    by_o = len(range(max(ply + ply % 2, 2 * o_least), rules.plies + 1, 2))
    return Horizons(max(by_x, 1), max(by_o, 1))


def _placement_level(
    rules: Rules, metric: Metric, number: int, stones: int, counts: PageCounts, reads: int
) -> LevelPlan:
    free = rules.squares - stones
    planes = horizons(rules, metric, 2 * stones)
    size = layout_of(rules, metric).page_size((1 << stones) - 1)
    return LevelPlan(
        number=number,
        stones=stones,
        pages=counts.solved[stones],
        stored=counts.stored[stones],
        reads=reads,
        horizons=planes,
        kept_shape=(size.digits + 1, cost.layer_words(free, stones - 1)),  # with O to move
        page_bytes=size.raw_bytes,
        page_work=cost.placement_work(free, stones, planes.planes),
        scratch=cost.placement_scratch(rules, stones, planes.planes),
    )


def _gravity_level(rules: Rules, metric: Metric, number: int, stones: int, counts: PageCounts, reads: int) -> LevelPlan:
    planes = horizons(rules, metric, stones)
    size = layout_of(rules, metric).page_size((1 << stones) - 1)
    digits = max(size.digits, max(planes).bit_length())  # a line may stand on the board already
    return LevelPlan(
        number=number,
        stones=stones,
        pages=counts.solved[stones],
        stored=counts.stored[stones],
        reads=reads,
        horizons=planes,
        kept_shape=(digits + 1, cost.shape_words(stones)),
        page_bytes=size.raw_bytes,
        page_work=cost.gravity_work(rules, stones, planes.planes),
        scratch=0,
    )


def _fitting(arenas: Sequence[int], budget: int | None) -> tuple[bool, ...]:
    """Give room to the smaller arena first, as it is likelier to fit."""
    left = sum(arenas) if budget is None else budget
    fits = [False] * len(arenas)
    for i in sorted(range(len(arenas)), key=arenas.__getitem__):
        fits[i] = arenas[i] <= left
        left -= arenas[i] if fits[i] else 0
    return tuple(fits)
