"""Plan a build: its levels and partitions, and what each of them reads, keeps, stores and costs.

A plan is plain data: it cuts a game into pieces of work, whichever threads or machines do it. Forecasts, progress,
memory budgets, checkpoints and solvers read the same plan.

A *level* is the set of pages whose keys have the same number of stones. Levels are numbered in the order of solving,
the fullest board first. A *partition* is a range of the pages of a level. It is solved from pages of the level with
one stone more, which is solved before.

Work is counted in words: the unit is the time to insert a square into a word and merge it. The weights of the other
steps were fitted to the levels of 5,5,4 (kernels/README.md).

Turns of several stones are unsupported. A level is keyed by X's stones because sides alternate: with x stones of X, the
positions with X to move have x stones of O, those with O to move one less (`horizons` counts odd and even plies), and
X's next stone leads to level x + 1. With two stones a turn, the numbers of O's stones on a page would depend on the
turn, a level would need two sets of them, and positions, counts, kernels and the check, which infer the side to move
from the parity of the ply, would all need another rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod
from typing import NamedTuple

from solver.count import PageCounts, count_pages
from solver.game.rules import Rules
from solver.kernels.extract import STAGES
from solver.kernels.layers import folded_words
from solver.store.layout import layout_of
from solver.store.schema import Metric

BASE_BYTES = 200_000_000
"""The interpreter, the libraries, the compiled kernels, and pages on their way to the file."""

WORD_BYTES = 8

_LEVEL_SHARES = 64  # partitions of a small level, so that many threads can share it
_LEAST_WORK = 1 << 18  # of a partition: half a millisecond, so that calling the kernel costs little
_MOST_WORK = 1 << 24  # some hundredths of a second, so that no thread waits long for the last of a level

_HALF_PLANE = 2  # work of a word of a half plane: children permuted, O's moves, folding
_PAGE = 1200  # work of a page, whatever its size
_SHAPE = 200  # the same with gravity
_SHAPE_BYTES = 32  # of a shape: its squares, its number by its heights, its canonical shape, and the size of its class
_REACHED = 35  # compressed bytes for 100 raw ones of a plane of reachable colourings
_KEY_BYTES = 12  # of a page's key and the size of its class
_LISTED_BYTES = 16  # of a move while the pages of a level are listed and sorted: the child, twice
_LAYER_BYTES = 32  # of a word of a half plane, see kernels.layers.Layer
_INSERTION_BYTES = 12 + 8 * STAGES  # of a word of a folded plane, for each square, see kernels.layers.Insertion


class Horizons(NamedTuple):
    """The numbers of planes of a level (see kernels.placement)."""

    by_x: int  # one for each ply at which X can still complete a line
    by_o: int  # the same for O

    @property
    def planes(self) -> int:
        """All planes."""
        return self.by_x + self.by_o


@dataclass(frozen=True)
class LevelPlan:
    """A level of a build."""

    number: int
    """Its place in the order of solving, 0 for the fullest board."""
    stones: int
    """Stones of a page's key: X's, or with gravity those of both sides."""
    pages: int
    """Pages to solve."""
    stored: int
    """Pages that go into the file."""
    reads: int
    """Pages of the level with one stone more, any of which a partition may read."""
    horizons: Horizons
    kept_shape: tuple[int, int]
    """(planes, words) that a page keeps for the next level, as uint64."""
    page_bytes: int
    """Bytes of a page in the file, uncompressed."""
    page_work: int
    """The work of a page, in the unit of solve."""
    scratch: int
    """Bytes that a thread works in."""

    @property
    def work(self) -> int:
        """The work of all pages."""
        return self.pages * self.page_work

    @property
    def page_kept_bytes(self) -> int:
        """Bytes that a page keeps for the next level."""
        return prod(self.kept_shape) * WORD_BYTES

    @property
    def kept_bytes(self) -> int:
        """Bytes that all pages keep for the next level."""
        return self.pages * self.page_kept_bytes

    @property
    def raw_bytes(self) -> int:
        """Bytes of the pages that go into the file, uncompressed."""
        return self.stored * self.page_bytes

    def partitions(self, first: int = 0, last: int | None = None) -> Iterator[Partition]:
        """Cut the pages first..last-1 (default: all) into partitions, in order."""
        last = self.pages if last is None else last
        shared = -(-(last - first) // _LEVEL_SHARES)
        pages = max(1, min(max(shared, _LEAST_WORK // self.page_work), _MOST_WORK // self.page_work))
        for start in range(first, last, pages):
            yield Partition(self, start, min(start + pages, last))


class Partition(NamedTuple):
    """Pages first..last-1 of a level, which are solved together.

    It may read the first `level.reads` pages of the level with one stone more, works in `level.scratch` bytes and keeps
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
        """The work of these pages, in the unit of solve."""
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
    """Bytes of the planes of reachable positions of a game with gravity, in memory or in a file."""

    @cached_property
    def work(self) -> int:
        """The work of all levels, in the unit of solve."""
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
        """Bytes of the two areas of memory for kept pages: each level reads one and fills the other."""
        even, odd = (max((level.kept_bytes for level in self.levels[i::2]), default=0) for i in (0, 1))
        return even, odd

    def work_before(self, number: int) -> int:
        """The work of the levels that are solved before one."""
        return sum(level.work for level in self.levels[:number])


class MemoryPlan(NamedTuple):
    """The memory of a build."""

    peak: int  # bytes of the process while levels are solved, without what it maps from files
    mapped: int  # bytes of areas that lie in files
    fits: tuple[bool, ...]  # whether each of BuildPlan.arenas and BuildPlan.reached stays in memory


def plan_build(rules: Rules, metric: Metric, counts: PageCounts | None = None) -> BuildPlan:
    """Plan the build of a game's table.

    `counts` are the pages of each level, by default counted, which takes seconds at most. For large boards the counts,
    and so the plan, may be bounds (see count.count_pages).
    """
    counts = counts or count_pages(rules)
    plan_level = _gravity_level if layout_of(rules, metric).has_gravity else _placement_level
    levels: list[LevelPlan] = []
    for number, stones in enumerate(reversed(range(len(counts.solved)))):
        reads = levels[-1].pages if levels else 0
        levels.append(plan_level(rules, metric, number, stones, counts, reads))
    if layout_of(rules, metric).has_gravity:
        return BuildPlan(rules, metric, tuple(levels), _gravity_tables(rules), _gravity_reached(counts.stored))
    return BuildPlan(rules, metric, tuple(levels), _placement_tables(rules, counts.solved), 0)


def plan_memory(plan: BuildPlan, budget: int | None, threads: int) -> MemoryPlan:
    """Decide what stays in memory within a budget in bytes (None: everything)."""
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
        kept_shape=(size.digits + 1, _layer_words(free, stones - 1)),  # with O to move
        page_bytes=size.raw_bytes,
        page_work=_placement_work(free, stones, planes.planes),
        scratch=_placement_scratch(rules, stones, planes.planes),
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
        kept_shape=(digits + 1, _shape_words(stones)),
        page_bytes=size.raw_bytes,
        page_work=_gravity_work(rules, stones, planes.planes),
        scratch=0,
    )


def _fitting(areas: Sequence[int], budget: int | None) -> tuple[bool, ...]:
    """Decide which areas fit into a budget, the smaller ones first."""
    left = sum(areas) if budget is None else budget
    fits = [False] * len(areas)
    for i in sorted(range(len(areas)), key=areas.__getitem__):
        fits[i] = areas[i] <= left
        left -= areas[i] if fits[i] else 0
    return tuple(fits)


def _layer_words(free: int, size: int) -> int:
    """Count the words of a folded plane for the subsets of `size` of `free` squares."""
    return folded_words(comb(free, size) if size >= 0 else 0)


def _plane_words(index_bits: int) -> int:
    """Count the words of a plane, as kernels.words.word_count, for boards of any size."""
    return 1 << max(index_bits - 6, 0)


def _placement_work(free: int, stones: int, planes: int) -> int:
    """Estimate the work of a page of `stones` stones of X and `free` other squares."""
    return planes * (free * _layer_words(free, stones) + _HALF_PLANE * _plane_words(free - 1) + _PAGE)


def _placement_scratch(rules: Rules, stones: int, planes: int) -> int:
    """Estimate the bytes in which a thread solves such pages, see kernels.placement.Scratch."""
    free = rules.squares - stones
    rows = 4 * planes + 2 * len(rules.o_lines) + 16  # folded planes
    half_planes = 5  # four, and the order of their words
    words = rows * _layer_words(free, stones) + half_planes * _plane_words(free - 1)
    return words * WORD_BYTES


def _placement_tables(rules: Rules, pages: Sequence[int]) -> int:
    """Estimate the bytes of the keys and the layers of all levels, given the pages of each."""
    layers = 0
    for stones in range(len(pages)):
        free = rules.squares - stones
        layers += _LAYER_BYTES * _plane_words(free - 1) + _INSERTION_BYTES * free * _layer_words(free, stones)
    return _KEY_BYTES * sum(pages) + 2 * layers


def listing_bytes(rules: Rules, pages: Sequence[int]) -> int:
    """Estimate the bytes in which the pages of all levels are listed, level after level."""
    return max(_LISTED_BYTES * count * (rules.squares - stones) for stones, count in enumerate(pages))


def _gravity_work(rules: Rules, stones: int, planes: int) -> int:
    """Estimate the work of a shape of `stones` stones: a move in each column."""
    return planes * (_shape_words(stones) * rules.stride + _SHAPE)


def _gravity_tables(rules: Rules) -> int:
    """Return the bytes of the tables of all shapes."""
    return _SHAPE_BYTES * int((rules.squares // rules.stride + 1) ** rules.stride)


def _gravity_reached(shapes: Sequence[int]) -> int:
    """Estimate the bytes of the reachable colourings, compressed, given the stored shapes of each ply."""
    words = sum(count * _shape_words(stones) for stones, count in enumerate(shapes))
    return words * WORD_BYTES * _REACHED // 100


def _shape_words(stones: int) -> int:
    """Count the words of a folded plane of the colourings of a shape."""
    return _layer_words(stones, (stones + 1) // 2)
