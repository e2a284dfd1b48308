"""Count without visiting: sum over the pairs of disjoint sets that X's and O's stones can be.

Without gravity the two sides hinder each other only by taking squares. So a position occurs in
play exactly when X's set and O's set can each be built without a line (a LIVE set; the last stone may make
a line: OVER) and are disjoint. For each size of O's set,

    subset_sums(m) = how many LIVE sets of this size lie within m

comes from one transform over all m (Yates 1937; for disjoint pairs: Bjorklund, Husfeldt, Kaski and Koivisto
2007), and the positions are the sum of subset_sums(complement of X's set) over X's sets. Weighted by the
orders in which the sets can be built, the same sums count games. Up to symmetry, Burnside's lemma takes the
mean over the symmetries of the positions they leave alone; those are pairs of unions of cycles, the same
sums again with cycles for squares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solver.count.counts import GameCount, PlyCount, Tally, count_classes, game_count
from solver.errors import RulesError
from solver.game.arrays import line_array
from solver.game.rules import Rules
from solver.game.symmetry import Cycles
from solver.kernels import subsets as kernel

MOST_SQUARES = 25

Weights = npt.NDArray[Any]


def count_positions(rules: Rules) -> list[PlyCount]:
    """Count the positions of a game without gravity."""
    marks = mark_buildable(rules)
    return count_classes(rules, lambda cycles: _fixed_positions(marks, cycles, rules.squares))


def count_games(rules: Rules) -> list[GameCount]:
    """Count the complete games of a game without gravity."""
    marks = mark_buildable(rules)
    orders = np.empty(len(marks), np.int64)
    kernel.count_orders(marks, orders)
    sizes = np.bitwise_count(np.arange(len(marks), dtype=np.int32))
    tallies = _disjoint_pairs(orders, sizes, rules.squares)
    return [game_count(ply, rules.misere, games) for ply, games in enumerate(tallies)]


def mark_buildable(rules: Rules) -> npt.NDArray[np.int8]:
    """Mark each set of squares, as the stones of one side, with LIVE, OVER or 0: int8[2**squares].

    Raises RulesError for more than MOST_SQUARES squares.
    """
    if rules.squares > MOST_SQUARES:
        raise RulesError(
            f"{rules} has {rules.squares} squares; the sums over sets are for boards of up to {MOST_SQUARES} squares."
        )
    marks = np.empty(1 << rules.squares, np.int8)
    kernel.mark_sets(line_array(rules), (rules.squares + 1) // 2, marks)
    return marks


def _fixed_positions(marks: npt.NDArray[np.int8], cycles: Cycles, squares: int) -> list[Tally]:
    """Count the positions of each ply whose two sets are unions of cycles, which are given as bitmasks."""
    unions = np.zeros(1, np.int32)  # bit i of an index says that the i-th cycle is in the union
    for cycle in cycles:
        unions = np.concatenate([unions, unions | np.int32(cycle)])
    return _disjoint_pairs(marks[unions], np.bitwise_count(unions), squares)


def _disjoint_pairs(weights: Weights, sizes: npt.NDArray[np.uint8], squares: int) -> list[Tally]:
    """Return for each ply the sum of weight(X's set) * weight(O's set) over disjoint pairs of as many stones.

    An index is a set of cycles; `sizes` are the stones in it; `weights` are positive for LIVE sets, negative
    for sets that are OVER.
    """
    # On 25 squares at most C(18, 7) sets of one size are disjoint from one of the other side, so that 16 bits
    # hold the sums that are asked for; the others may wrap around. Weighted by orders all fit in 63 bits.
    sums = np.empty(len(weights), np.uint16 if weights.dtype == np.int8 else np.int64)
    halves = np.empty((2, 2), np.int64)
    tallies = []
    for smaller in range(squares // 2 + 1):
        kernel.keep_live(weights, sizes, smaller, sums)
        kernel.sum_over_subsets(sums)
        for larger in (smaller, smaller + 1):
            # The last stone, and so the line if there is one, is X's when the sets differ in size, else
            # O's. Either way the other side's set is LIVE and has `smaller` stones.
            if smaller + larger <= squares:
                kernel.sum_disjoint(weights, sizes, larger, sums, halves)
                live, lined = ((int(high) << 32) + int(low) for high, low in halves)
                at_end = smaller + larger == squares
                tallies.append(Tally(live=0 if at_end else live, lined=lined, full=live if at_end else 0))
    return tallies
