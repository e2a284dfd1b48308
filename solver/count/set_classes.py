"""Count positions by classes of sets, for games with many symmetries: the complete graph on 9 points has 362,880.

This method also serves games of up to 25 squares with so many lines that automata are too large.

A position that can arise in play is a pair of disjoint sets. The set of the side that moved last has no line, or all
its lines share a stone, which was the last move; the other set has no line. For the side that moved last, one set of
each class is listed with the size of the class. For each listed set, a kernel counts the other side's sets on the
remaining squares. Up to symmetry, Burnside's lemma needs the positions that a symmetry leaves unchanged: both sets of
such a position are unions of the symmetry's cycles. So cycles take the place of squares, and only the symmetries that
permute the cycles are used.

The size of a class follows from the sizes of the classes with one cycle fewer. A build finds the number of
a table's pages and the sizes of the pages' classes in another way, so the counts here also check the build.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import comb
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.count.records import Elements, Endings, PlyCount, count_classes, list_elements
from solver.game.arrays import line_array
from solver.game.lines import Line, mask_of
from solver.game.rules import Rules
from solver.game.symmetry import Cycles, SymmetryGroup, listed_group
from solver.kernels.counting import LOW_WORDS, count_within
from solver.kernels.orbits import Group, group_scratch, list_children, make_group
from solver.support.threads import ThreadPool

Ints = npt.NDArray[np.int64]

_MOST_CLASSES = 1 << 25  # of sets of up to half the board; they take many minutes and 3 GB
_QUICK_CLASSES = 1 << 13
_CHUNK = 1 << 10  # classes whose larger sets are listed together
_WORK = 1 << 14  # of counting the sets within the squares that a set leaves free, on average


class SetClasses(NamedTuple):
    """Classes of sets of cycles; the sets are those that the side that moved last can own."""

    keys: Ints  # int64[C], the smallest set of each class
    weights: Ints  # int64[C], the number of sets in the class
    lined: npt.NDArray[np.bool_]  # bool[C]: the sets have a line


_MOST_SQUARES: Final = 63  # sets are bits of int64


def is_supported(rules: Rules, most_classes: int = _MOST_CLASSES, classes: int | None = None) -> bool:
    """Return True if a game has at most `most_classes` classes of sets; by default, `classes` is an upper bound."""
    if classes is None:
        sets = sum(comb(rules.squares, size) for size in range((rules.plies + 1) // 2 + 1))
        classes = sets // rules.board_symmetries.order
    is_listed = rules.squares <= _MOST_SQUARES and classes <= most_classes
    return is_listed and not rules.exact and not rules.has_supports


def is_quick(rules: Rules) -> bool:
    """Return True if counting the positions of a supported game takes a few seconds."""
    return is_supported(rules, _QUICK_CLASSES)


def count_positions(rules: Rules) -> list[PlyCount]:
    """Return the counts of positions of a supported game, by ply."""
    elements = list_elements(rules.board_symmetries)
    with ThreadPool() as pool:
        return count_classes(rules, lambda cycles: _tallies(rules, cycles, elements, pool))


def _tallies(rules: Rules, cycles: Cycles, elements: Elements, pool: ThreadPool) -> list[Endings]:
    """Return, for each ply, how many pairs of disjoint sets the last mover and the other side can have."""
    sizes = np.array([cycle.bit_count() for cycle in cycles])
    sides = [_lines_of_cycles(lines, cycles) for lines in rules.sides]
    symmetries = rules.board_symmetries if len(cycles) == rules.squares else _group_of_cycles(cycles, elements)
    group = make_group(symmetries.steps)
    # Tallies of pairs: without a line and with one; by the stones of the side that moved last; the other side has as
    # many stones, or one fewer.
    most, by_side = (rules.plies + 1) // 2, list[Ints]()
    for last, other in ((sides[0], sides[-1]), (sides[-1], sides[0]))[: len(sides)]:
        by_side.append(np.zeros((2, most + 1, 2), np.int64))
        for classes in _last_sets(group, last, sizes, most, pool):
            by_side[-1] += _count_pairs(classes, other, sizes, most, pool)
    tallies = []
    for ply in range(rules.plies + 1):
        unlined, ended = by_side[0 if ply % 2 else -1][:, (ply + 1) // 2, ply % 2].tolist()
        at_end = ply == rules.plies
        tallies.append(Endings(0 if at_end else unlined, ended, unlined if at_end else 0))
    return tallies


def _group_of_cycles(cycles: Cycles, elements: Elements) -> SymmetryGroup:
    """Return the group of those elements that map every cycle to a cycle, as permutations of the cycles."""
    squares = range(elements.shape[1])
    number = np.array([next(i for i, cycle in enumerate(cycles) if cycle >> s & 1) for s in squares], elements.dtype)
    images = number[elements]
    first = images[:, [(cycle & -cycle).bit_length() - 1 for cycle in cycles]]
    return listed_group([*map(tuple, np.unique(first[(first[:, number] == images).all(axis=1)], axis=0).tolist())])


def _lines_of_cycles(lines: Sequence[Line], cycles: Cycles) -> list[Line]:
    """Convert each line to a Line of cycles: `mask` has the cycles that meet the line, `guard` the cycles inside it."""
    return sorted(
        {
            Line(
                mask_of(i for i, cycle in enumerate(cycles) if cycle & line.mask),
                mask_of(i for i, cycle in enumerate(cycles) if not cycle & ~line.mask),
            )
            for line in lines
        }
    )


def _last_sets(group: Group, lines: Sequence[Line], sizes: Ints, most: int, pool: ThreadPool) -> Iterator[SetClasses]:
    """For 0, 1, ... cycles, yield the classes of the sets that the last mover can own, up to `most` squares."""
    keys, weights = np.zeros(1, np.int64), np.ones(1, np.int64)
    lined = np.zeros(1, np.bool_)
    while keys.size:
        yield SetClasses(keys, weights, lined)
        keys, weights = keys[~lined], weights[~lined]
        chunks = [keys[first : first + _CHUNK] for first in range(0, keys.size, _CHUNK)]
        listed = np.concatenate([np.zeros(0, np.int64), *pool.map(partial(_list_larger, group), chunks)])
        weights = np.repeat(weights, sizes.size - np.bitwise_count(keys))
        order = np.argsort(listed)
        keys, first = np.unique(listed[order], return_index=True)
        weights = np.add.reduceat(weights[order], first) if keys.size else weights
        inner, common = np.full((2, keys.size), -1)  # the cycles within all lines of a set, and those that meet them
        for mask, within in lines:
            there = keys & mask == mask
            inner[there] &= within
            common[there] &= mask
        lined = common >= 0
        small = sum((keys >> i & 1) * size for i, size in enumerate(sizes)) <= most
        chosen = (inner != 0) & small
        parents = np.bitwise_count(np.where(lined, common, keys))  # sets whose last cycle completes the set
        keys, weights, lined = keys[chosen], weights[chosen] // parents[chosen], lined[chosen]


def _list_larger(group: Group, keys: Ints) -> Ints:
    """Return the smallest image of each set formed by adding one cycle to a set in `keys`; images may be repeated."""
    children = np.empty(keys.size * group.listed.shape[1], np.int64)
    return children[: list_children(group, group_scratch(group), line_array([]), keys, children)]


def _count_pairs(classes: SetClasses, other: Sequence[Line], sizes: Ints, most: int, pool: ThreadPool) -> Ints:
    """Return the tally (see `_tallies`) of pairs whose first set is in `classes`. other: the other side's lines."""
    keys, weights, lined = classes
    lines = np.unique(line_array(other)[:, 0])
    starts = np.searchsorted(lines, np.left_shift(1, np.arange(sizes.size + 1)))

    def count(first: int, last: int) -> Ints:
        tally = np.zeros((2, most + 1, 2), np.int64)
        planes = np.empty((sizes.size + 1, LOW_WORDS), np.uint64)
        by_size = np.empty((most + 1, LOW_WORDS), np.uint64)
        scratch = np.empty((3, sizes.size + 1), np.int64)
        own = keys[first:last], weights[first:last], lined[first:last]
        count_within(*own, lines, starts, sizes, planes, by_size, scratch, tally)
        return tally

    return sum(pool.map_ranges(count, keys.size, _WORK), np.zeros(1, np.int64))
