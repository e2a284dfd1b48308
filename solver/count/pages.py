"""Count the pages and positions of a game: exactly where a table can be built, in closed form beyond."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from solver.count import count_positions
from solver.count.subsets import mark_buildable
from solver.game.rules import MAX_SQUARES, Rules
from solver.game.symmetry import Permutation, cycles
from solver.kernels.subsets import LIVE


class PageCounts(NamedTuple):
    """The pages of a game by the stones of their keys, none first: X's stones, with gravity those of both sides."""

    solved: Sequence[int]
    stored: Sequence[int]  # in the file: with gravity the canonical ones, without the full board, which is over


@lru_cache(maxsize=4)  # a build forecasts, then solves: 25 squares take seconds to count
def count_pages(rules: Rules) -> PageCounts:
    """Count the pages of a game; approximately if there are more than MAX_SQUARES squares."""
    if rules.has_supports:
        return PageCounts(shapes(rules), [*shapes_up_to_symmetry(rules)[:-1], 0])
    pages = live_sets_up_to_symmetry(rules)
    return PageCounts(pages, pages)


def positions(rules: Rules) -> int:
    """Count the positions that occur in play; above MAX_SQUARES squares return `boards`, which is somewhat more."""
    if rules.squares > MAX_SQUARES:
        return boards(rules)
    return sum(count.positions for count in count_positions(rules))


def boards(rules: Rules) -> int:
    """Count the ways to place as many stones as alternate play does, lines or not: a bound in closed form."""
    return sum(sets * comb(ply, ply // 2) for ply, sets in enumerate(shapes(rules)))


def shapes(rules: Rules) -> list[int]:
    """Count for each ply the sets of squares that can be taken: any, with gravity one height a column."""
    return _fixed_shapes(rules, tuple(range(rules.squares)))


def shapes_up_to_symmetry(rules: Rules) -> list[int]:
    """Count the same up to the symmetries of the rules; approximately if there are more than MAX_SQUARES squares."""
    if rules.squares > MAX_SQUARES:
        return [-(-sets // _usual_symmetries(rules)) for sets in shapes(rules)]
    return _mean([_fixed_shapes(rules, symmetry) for symmetry in rules.symmetries])


def live_sets(rules: Rules) -> list[int]:
    """Count for each size up to half the board the sets without a line; beyond MAX_SQUARES squares all sets."""
    if rules.squares > MAX_SQUARES:
        return [comb(rules.squares, size) for size in range(rules.squares // 2 + 1)]
    return _fixed_live_sets(rules, mark_buildable(rules), tuple(range(rules.squares)))


def live_sets_up_to_symmetry(rules: Rules) -> list[int]:
    """Count the same up to the symmetries of the rules, by Burnside's lemma; approximately beyond MAX_SQUARES."""
    if rules.squares > MAX_SQUARES:
        return [-(-sets // _usual_symmetries(rules)) for sets in live_sets(rules)]
    marks = mark_buildable(rules)
    return _mean([_fixed_live_sets(rules, marks, symmetry) for symmetry in rules.symmetries])


def _mean(rows: list[list[int]]) -> list[int]:
    return [sum(column) // len(rows) for column in zip(*rows, strict=True)]


def _fixed_live_sets(rules: Rules, marks: np.ndarray, symmetry: Permutation) -> list[int]:
    """Count by size up to half the board the sets that are LIVE and their own image: unions of cycles."""
    unions = np.zeros(1, np.int32)
    for cycle in cycles(symmetry):
        unions = np.concatenate([unions, unions | np.int32(sum(1 << square for square in cycle))])
    sizes = np.bitwise_count(unions[marks[unions] == LIVE])
    return [int(np.count_nonzero(sizes == size)) for size in range(rules.squares // 2 + 1)]


def _fixed_shapes(rules: Rules, symmetry: Permutation) -> list[int]:
    """Count by ply the shapes that are their own image: columns (without gravity, squares) of a cycle are alike."""
    heights = rules.m if rules.has_supports else 1
    tops = range(rules.squares // heights)
    sets = [1]
    for cycle in cycles([symmetry[top] % len(tops) for top in tops]):
        longer = [0] * (len(sets) + heights * len(cycle))
        for ply, count in enumerate(sets):
            for height in range(heights + 1):
                longer[ply + height * len(cycle)] += count
        sets = longer
    return sets


def _usual_symmetries(rules: Rules) -> int:
    """Count the reflections and rotations of a board, on a torus with shifts; not searched for on large boards."""
    flips = 2 if rules.has_supports else 8 if rules.m == rules.n else 4
    shifts = (1 if rules.has_supports else rules.m) * rules.n if rules.torus else 1
    return flips * shifts
