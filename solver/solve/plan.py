"""Plan a build: its levels and partitions, with their inputs, outputs and costs.

A plan is plain data. It divides a game into pieces of work, which do not depend on threads or machines. The same plan
serves forecasts, progress bars, memory budgets, the record of finished shards, and the solvers.

A *level* is the set of pages whose keys have the same number of stones. Levels are numbered in the order of solving,
the fullest board first. A *partition* is a range of a level's pages. It is solved from pages of the level with one more
stone, which is solved earlier.

Work is counted in *words*: the unit is the time to insert a square into one word and to merge the result. The weights
of the other steps were fitted to the measured times of the levels of 5,5,4.

Turns of several stones are unsupported. Because the sides alternate, the number of X's stones leaves only two possible
numbers of O's stones, and the ply determines the side to move.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod
from typing import NamedTuple

from solver.count import PageCounts, count_pages
from solver.game.rules import Rules
from solver.kernels.extract import STAGES
from solver.kernels.layers import folded_words, is_sparse
from solver.store.layout import layout_of
from solver.store.schema import Metric

BASE_BYTES = 200_000_000  # the interpreter, the libraries, the compiled kernels, and pages on their way to the file

WORD_BYTES = 8

LEVEL_SHARES = 64  # the number of partitions of a small level, so that many threads can share it
_LEAST_WORK = 1 << 18  # the least work of a partition: half a millisecond, so that calling the kernel costs little
_MOST_WORK = 1 << 24  # the most: a few hundredths of a second, so that no thread waits long at the end of a level

_HALF_PLANE = 2  # work for a word of a half plane: children permuted, O's moves, folding
_PAGE = 1200  # constant work for a page
_SHAPE = 200  # the same with gravity
_SHAPE_BYTES = 32  # a shape's squares, its number by its heights, its canonical shape, and the size of its class
_SEARCH = 2_000_000  # work to search a position of the last ply of an opening table, at most; it takes milliseconds
_REACHED = 35  # compressed bytes for 100 raw bytes of a plane of reachable colourings
_KEY_BYTES = 12  # a page's key and the size of its class
_LAYER_BYTES = 32  # a word of a half plane, see kernels.layers.Layer
_INSERTION_BYTES = 12 + 8 * STAGES  # a word of a folded plane, for each square, see kernels.layers.Insertion


class Horizons(NamedTuple):
    """The numbers of a level's planes for lines of X and for lines of O (see kernels.placement)."""

    by_x: int  # one for each ply at which X can still complete a line
    by_o: int  # one for each ply at which O can still complete a line

    @property
    def planes(self) -> int:
        """The total number of planes."""
        return self.by_x + self.by_o


@dataclass(frozen=True)
class LevelPlan:
    """A level of a build."""

    number: int  # its place in the order of solving, 0 for the fullest board
    stones: int  # stones of a page's key: X's, or with gravity those of both sides
    pages: int  # pages to solve
    stored: int  # pages that go into the file
    read_pages: int  # pages of the level with one more stone; a partition may read all of them
    horizons: Horizons
    kept_shape: tuple[int, int]  # (planes, words) that a page keeps for the next level, as uint64
    page_bytes: int  # bytes of a page in the file, uncompressed
    page_work: int  # the work of a page, in words (see the top of this file)
    scratch: int  # bytes of working memory for a thread

    @property
    def work(self) -> int:
        """The work for all pages of the level, counted in words as explained at the top of this file."""
        return self.pages * self.page_work

    @property
    def page_kept_bytes(self) -> int:
        """The number of bytes that a page keeps for the next level."""
        return prod(self.kept_shape) * WORD_BYTES

    @property
    def kept_bytes(self) -> int:
        """The number of bytes that all pages together keep for the next level."""
        return self.pages * self.page_kept_bytes

    def partitions(self, first: int = 0, last: int | None = None, shares: int = LEVEL_SHARES) -> "Iterator[Partition]":
        """Divide the pages first..last-1 (default: all) into about `shares` partitions, and yield these in order."""
        last = self.pages if last is None else last
        shared = -(-(last - first) // shares)
        pages = max(1, min(max(shared, _LEAST_WORK // self.page_work), _MOST_WORK // self.page_work))
        for start in range(first, last, pages):
            yield Partition(self, start, min(start + pages, last))


class Partition(NamedTuple):
    """Pages first..last-1 of a level, which are solved together."""

    level: LevelPlan
    first: int
    last: int

    @property
    def work(self) -> int:
        """The work for these pages, counted in words as explained at the top of this file."""
        return (self.last - self.first) * self.level.page_work


@dataclass(frozen=True)
class BuildPlan:
    """All levels of a build, in the order of solving."""

    rules: Rules
    metric: Metric
    plies: int | None  # the last ply of an opening table, whose positions are searched; None for a whole table
    levels: tuple[LevelPlan, ...]
    tables: int  # bytes of lookup tables that are in memory while levels are solved
    reached: int  # bytes of the planes of reachable positions of a game with gravity, compressed

    @cached_property
    def work(self) -> int:
        """The work for all levels, counted in words as explained at the top of this file."""
        return sum(level.work for level in self.levels)

    @property
    def searching(self) -> int:
        """The work of searching the positions of the last ply of an opening table, in the unit of `work`."""
        if self.plies is None:
            return 0
        return self.levels[0].stored * comb(self.plies, self.plies // 2) * _SEARCH

    @property
    def pages(self) -> int:
        """The number of pages that go into the file."""
        return sum(level.stored for level in self.levels)

    @property
    def scratch(self) -> int:
        """The maximum number of bytes of working memory that a thread needs."""
        return max(level.scratch for level in self.levels)

    @property
    def arenas(self) -> tuple[int, int]:
        """The sizes, in bytes, of the two areas of memory for kept pages. Each level reads one and fills the other."""
        even, odd = (max((level.kept_bytes for level in self.levels[i::2]), default=0) for i in (0, 1))
        return even, odd


def plan_build(rules: Rules, metric: Metric, counts: PageCounts | None = None, plies: int | None = None) -> BuildPlan:
    """Return the plan for building a game's table, or with `plies` its opening table, which ends at this ply.

    `counts` contains the number of pages of each level. By default, pages are counted, which takes at most a few
    seconds. For large boards, the counts may be bounds (see count.count_pages); then the costs in the plan are bounds
    too.
    """
    counts, layout = counts or count_pages(rules), layout_of(rules, metric)
    levels: list[LevelPlan] = []
    tables: list[int] = []  # by level
    reached = 0
    for number, stones in enumerate(reversed(range(len(counts.solved[: None if plies is None else plies + 1])))):
        planes = horizons(rules, metric, stones if layout.has_gravity else 2 * stones)
        size = layout.page_size((1 << stones) - 1)
        if layout.has_gravity:
            words = _layer_words(stones, (stones + 1) // 2)  # the words of a folded plane of a shape's colourings
            digits = max(size.digits, max(planes).bit_length())  # a line may already be on the board
            work, scratch = words * rules.stride + _SHAPE, 0
            reached += counts.stored[stones] * words
        else:
            free = rules.squares - stones
            folded, half = (
                _layer_words(free, stones),
                0 if is_sparse(free, stones) and not rules.exact else 1 << max(free - 7, 0),
            )  # words of a folded and of a half plane
            words, digits = _layer_words(free, stones - 1), size.digits  # with O to move
            work = free * folded + _HALF_PLANE * half + _PAGE
            rows = 4 * planes.planes + 2 * len(rules.o_lines) + 16  # folded planes, see kernels.placement.Scratch
            scratch = (rows * folded + 5 * half) * WORD_BYTES  # four half planes, and the order of their words
            tables.append(2 * (_LAYER_BYTES * half + _INSERTION_BYTES * free * folded))
        levels.append(
            LevelPlan(
                number=number,
                stones=stones,
                pages=counts.solved[stones],
                stored=counts.stored[stones],
                read_pages=levels[-1].pages if levels else 0,
                horizons=planes,
                kept_shape=(digits + 1, words),
                page_bytes=size.raw_bytes,
                page_work=planes.planes * work,
                scratch=scratch,
            )
        )
    if layout.has_gravity:
        lasting = _SHAPE_BYTES * int((rules.squares // rules.stride + 1) ** rules.stride)
    else:  # the solver keeps the tables of two levels while it makes those of the next one
        lasting = _KEY_BYTES * sum(counts.solved) + max(sum(tables[n : n + 3]) for n in range(len(tables)))
    return BuildPlan(rules, metric, plies, tuple(levels), lasting, reached * WORD_BYTES * _REACHED // 100)


def plan_memory(plan: BuildPlan, threads: int) -> int:
    """Return an estimate of the memory in bytes that a process needs to solve all levels in memory."""
    return BASE_BYTES + plan.tables + threads * plan.scratch + sum(plan.arenas) + plan.reached


def horizons(rules: Rules, metric: Metric, ply: int) -> Horizons:
    """Return the numbers of plies, starting with `ply`, at which X (odd plies) and O (even plies) can complete a line.

    Without distances (metric `wdl`), both numbers are 1.
    """
    if metric == "wdl":
        return Horizons(1, 1)
    x_least, o_least = (
        min((line.mask.bit_count() for line in lines), default=rules.squares)
        for lines in (rules.x_lines, rules.o_lines)
    )
    by_x = len(range(max(ply | 1, 2 * x_least - 1), rules.plies + 1, 2))
    by_o = len(range(max(ply + ply % 2, 2 * o_least), rules.plies + 1, 2))
    return Horizons(max(by_x, 1), max(by_o, 1))


def _layer_words(free: int, size: int) -> int:
    """Return the number of words of a folded plane for the subsets of `size` out of `free` squares."""
    return folded_words(comb(free, size) if size >= 0 else 0)
