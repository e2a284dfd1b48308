"""How many pages and positions a game has: exactly where a table can be built, in closed form beyond."""

from __future__ import annotations

from math import comb

import numpy as np

from solver.count import count_positions
from solver.count.subsets import mark_buildable
from solver.game.rules import MAX_SQUARES, Permutation, Rules
from solver.game.symmetry import cycles
from solver.kernels.subsets import LIVE

__all__ = ["boards", "live_sets", "live_sets_up_to_symmetry", "positions", "shapes", "shapes_up_to_symmetry"]


def positions(rules: Rules) -> int:
    """The positions that occur in play; more than MAX_SQUARES squares: `boards`, which is somewhat more."""
    if rules.squares > MAX_SQUARES:
        return boards(rules)
    return sum(count.positions for count in count_positions(rules))


def boards(rules: Rules) -> int:
    """The ways to place as many stones as alternate play does, lines or not: a bound in closed form."""
    return sum(sets * comb(ply, ply // 2) for ply, sets in enumerate(shapes(rules)))


def shapes(rules: Rules) -> list[int]:
    """For each ply the sets of squares that can be taken: any, with gravity one height a column."""
    return _fixed_shapes(rules, tuple(range(rules.squares)))


def shapes_up_to_symmetry(rules: Rules) -> list[int]:
    """The same up to the symmetries of the rules; approximately if there are more than MAX_SQUARES squares."""
    if rules.squares > MAX_SQUARES:
        return [-(-sets // _usual_symmetries(rules)) for sets in shapes(rules)]
    return _mean([_fixed_shapes(rules, symmetry) for symmetry in rules.symmetries])


def live_sets(rules: Rules) -> list[int]:
    """For each size up to half the board the sets of squares without a line; beyond MAX_SQUARES squares all sets."""
    if rules.squares > MAX_SQUARES:
        return [comb(rules.squares, size) for size in range(rules.squares // 2 + 1)]
    return _fixed_live_sets(rules, mark_buildable(rules), tuple(range(rules.squares)))


def live_sets_up_to_symmetry(rules: Rules) -> list[int]:
    """The same up to the symmetries of the rules, by Burnside's lemma; beyond MAX_SQUARES squares approximately."""
    if rules.squares > MAX_SQUARES:
        return [-(-sets // _usual_symmetries(rules)) for sets in live_sets(rules)]
    marks = mark_buildable(rules)
    return _mean([_fixed_live_sets(rules, marks, symmetry) for symmetry in rules.symmetries])


def _mean(rows: list[list[int]]) -> list[int]:
    return [sum(column) // len(rows) for column in zip(*rows, strict=True)]


def _fixed_live_sets(rules: Rules, marks: np.ndarray, symmetry: Permutation) -> list[int]:
    """The sets of each size up to half the board that are LIVE and their own image: unions of cycles."""
    unions = np.zeros(1, np.int32)
    for cycle in cycles(symmetry):
        unions = np.concatenate([unions, unions | np.int32(sum(1 << square for square in cycle))])
    sizes = np.bitwise_count(unions[marks[unions] == LIVE])
    return [int(np.count_nonzero(sizes == size)) for size in range(rules.squares // 2 + 1)]


def _fixed_shapes(rules: Rules, symmetry: Permutation) -> list[int]:
    """The shapes of each ply that are their own image: the columns (without gravity, squares) of a cycle are alike."""
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
    """The reflections and rotations of a board, on a torus with shifts; not searched for on large boards."""
    flips = 2 if rules.has_supports else 8 if rules.m == rules.n else 4
    shifts = (1 if rules.has_supports else rules.m) * rules.n if rules.torus else 1
    return flips * shifts
