"""Count the pages and positions of a game: exactly where that takes seconds, in closed form beyond."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from solver.count import count_positions, has_wrapping_lines, overlines
from solver.count.counts import boards, column_count, conjugacy_classes, mean_fixed, occupied_sets
from solver.count.profile import lineless_sets
from solver.count.shapes import takes_long
from solver.count.subsets import mark_buildable
from solver.errors import RulesError
from solver.game.rules import Rules
from solver.game.symmetry import Cycles, cycle_masks, cycles
from solver.kernels.subsets import LIVE

MOST_MARKED = 25
"""Squares of a board on which a longer row does not count, whose sets are looked at one by one within a second."""

MOST_COMPARED = 1 << 32
"""Comparisons of a set with a line, while a forecast waits: 128 lines on 25 squares take some seconds."""

MOST_SQUARES = 64
"""Of a board whose symmetries are looked for, and whose sets of a size are fewer than 2**63."""


class PageCounts(NamedTuple):
    """The pages of a game by the stones of their keys, none first: X's stones, with gravity those of both sides."""

    solved: Sequence[int]
    stored: Sequence[int]
    """In the file: with gravity the canonical ones, without the full board, which is over."""
    exact: bool = True
    """False for a bound, which counts X-sets with a line too, or those that can't be built where a longer row does not
    count; or where the symmetries of a large board are taken to leave no set as it is."""


@lru_cache(maxsize=4)  # a build forecasts, then solves
def count_pages(rules: Rules) -> PageCounts:
    """Count the pages of a game."""
    if rules.has_supports:
        return PageCounts(occupied_sets(rules), [*shapes_up_to_symmetry(rules)[:-1], 0], rules.squares <= MOST_SQUARES)
    if rules.squares <= MOST_SQUARES:
        try:
            pages = live_sets_up_to_symmetry(rules)
            return PageCounts(pages, pages, _tells_live_sets(rules))
        except RulesError:  # too many states
            pass
    sets = [comb(rules.squares, size) for size in range(rules.plies // 2 + 1)]
    pages = [-(-count // _usual_symmetries(rules)) for count in sets]
    return PageCounts(pages, pages, exact=False)


def positions(rules: Rules) -> tuple[int, bool]:
    """Count the positions that occur in play: (count, True), or (`boards`, False) where that takes too long."""
    if takes_long(rules) if rules.has_supports else _takes_long_by_sets(rules):
        return boards(rules), False
    try:
        return sum(count.positions for count in count_positions(rules)), True
    except RulesError:
        return boards(rules), False


def _takes_long_by_sets(rules: Rules) -> bool:
    """True where positions are counted by sets of squares (see count.subsets), and these or the lines are many."""
    by_sets = not overlines.is_quick(rules) if rules.exact else has_wrapping_lines(rules)
    compared = sum(map(len, rules.sides)) << min(rules.squares, MOST_SQUARES)
    return by_sets and (rules.squares > MOST_MARKED or compared > MOST_COMPARED)


def shapes_up_to_symmetry(rules: Rules) -> list[int]:
    """Count by ply the shapes that columns can have up to symmetry; approximately above MOST_SQUARES squares."""
    if rules.squares > MOST_SQUARES:
        return [-(-sets // _usual_symmetries(rules)) for sets in occupied_sets(rules)]
    columns = column_count(rules)
    tops = [[symmetry[top] % columns for top in range(columns)] for symmetry in rules.symmetries]
    return mean_fixed([occupied_sets(rules, cycles(permutation)) for permutation in tops], [1] * len(tops))


def live_sets_up_to_symmetry(rules: Rules) -> list[int]:
    """Count by size up to half the board the sets that one side can build without a line, up to symmetry.

    Where a longer row does not count, also those that can't be built, unless `_tells_live_sets`. Raises RulesError if
    there are too many to be counted.
    """
    by_sets = (rules.exact or rules.rectangle is None) and rules.squares <= MOST_MARKED
    count_fixed = _live_sets(rules) if by_sets else _lineless_sets(rules)
    sizes = conjugacy_classes(rules.symmetries)
    return mean_fixed([count_fixed(cycle_masks(symmetry)) for symmetry in sizes], list(sizes.values()))


def _tells_live_sets(rules: Rules) -> bool:
    """True where all sets without a line can be built, or those that can are looked for one by one."""
    return not rules.exact or rules.squares <= MOST_MARKED or overlines.is_quick(rules)


def _lineless_sets(rules: Rules) -> Callable[[Cycles], list[int]]:
    return lambda masks: lineless_sets(rules, masks)


def _live_sets(rules: Rules) -> Callable[[Cycles], list[int]]:
    """Make the function that counts the sets that are LIVE and unions of cycles, by size up to half the board."""
    marks = mark_buildable(rules, rules.x_lines)

    def count(masks: Cycles) -> list[int]:
        unions = np.zeros(1, np.int32)
        for cycle in masks:
            unions = np.concatenate([unions, unions | np.int32(cycle)])
        sizes = np.bitwise_count(unions[marks[unions] == LIVE])
        return [int(np.count_nonzero(sizes == size)) for size in range(rules.plies // 2 + 1)]

    return count


def _usual_symmetries(rules: Rules) -> int:
    """Count the reflections and rotations of a board, on a torus with shifts; not searched for on large boards."""
    board = rules.rectangle
    if board is None:
        return 1
    flips = 2 if rules.has_supports else 8 if board.m == board.n else 4
    shifts = (1 if rules.has_supports else board.m) * board.n if board.torus else 1
    return flips * shifts
