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

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.count.counts import GameCount, PlyCount, Tally, count_classes, game_count
from solver.errors import RulesError
from solver.game.arrays import line_array
from solver.game.lines import Line
from solver.game.rules import Rules
from solver.game.symmetry import Cycles
from solver.kernels import subsets as kernel
from solver.support.threads import ThreadPool

MOST_SQUARES = 30
"""With 2 GB for the sets, and 128 MB a thread for the sums; 28 squares take some minutes."""

MOST_ORDERED = 25
"""Squares of a board whose games are counted: the orders of the stones of both sides then fit in 63 bits."""

_SLICE = 1 << 25  # sets whose sums are held at a time

Weights = npt.NDArray[Any]


def count_positions(rules: Rules) -> list[PlyCount]:
    """Count the positions of a game without gravity."""
    marks = _mark_sides(rules)
    return count_classes(rules, lambda cycles: _fixed_positions(rules, marks, cycles))


def count_games(rules: Rules) -> list[GameCount]:
    """Count the complete games of a game without gravity. Raises RulesError for more than MOST_ORDERED squares."""
    if rules.squares > MOST_ORDERED:
        raise RulesError(
            f"{rules} has {rules.squares} squares; its games are counted on boards of up to {MOST_ORDERED} squares."
        )
    orders = [_count_orders(marks) for marks in _mark_sides(rules)]
    sizes = np.bitwise_count(np.arange(1 << rules.squares, dtype=np.int32))
    tallies = _disjoint_pairs(rules, orders, sizes)
    return [game_count(rules, ply, games) for ply, games in enumerate(tallies)]


def _count_orders(marks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    orders = np.empty(len(marks), np.int64)
    kernel.count_orders(marks, orders)
    return orders


def _mark_sides(rules: Rules) -> list[npt.NDArray[np.int8]]:
    """Mark the sets of X, then those of O unless they are the same."""
    return [mark_buildable(rules, lines) for lines in rules.sides]


def mark_buildable(rules: Rules, lines: Sequence[Line]) -> npt.NDArray[np.int8]:
    """Mark each set of squares, as the stones of the side with these lines, with LIVE, OVER or 0: int8[2**squares].

    Raises RulesError for more than MOST_SQUARES squares.
    """
    if rules.squares > MOST_SQUARES:
        raise RulesError(
            f"{rules} has {rules.squares} squares; the sums over sets are for boards of up to {MOST_SQUARES} squares."
        )
    marks = np.empty(1 << rules.squares, np.int8)
    kernel.mark_sets(line_array(lines), (rules.squares + 1) // 2, marks)
    return marks


def _fixed_positions(rules: Rules, marks: list[npt.NDArray[np.int8]], cycles: Cycles) -> list[Tally]:
    """Count the positions of each ply whose two sets are unions of cycles, which are given as bitmasks."""
    sizes = np.zeros(1, np.uint8)  # bit i of an index says that the i-th cycle is in the union
    for cycle in cycles:
        sizes = np.concatenate([sizes, sizes + np.uint8(cycle.bit_count())])
    if len(cycles) == rules.squares:
        return _disjoint_pairs(rules, marks, sizes)
    unions = np.zeros(1, np.int32)
    for cycle in cycles:
        unions = np.concatenate([unions, unions | np.int32(cycle)])
    return _disjoint_pairs(rules, [side[unions] for side in marks], sizes)


def _disjoint_pairs(rules: Rules, sides: Sequence[Weights], sizes: npt.NDArray[np.uint8]) -> list[Tally]:
    """Return for each ply the sum of weight(X's set) * weight(O's set) over disjoint pairs of as many stones.

    An index is a set of cycles; `sizes` are the stones in it; weights are positive for LIVE sets, negative for
    those that are OVER. `sides` are the weights of X's sets, and of O's where they are others.
    """
    x_weights, o_weights = sides[0], sides[-1]
    # The last stone, and so the line if there is one, is X's when the sets differ in size, else O's.
    x_last = _sum_pairs(rules, x_weights, o_weights, sizes)
    o_last = x_last if len(sides) == 1 else _sum_pairs(rules, o_weights, x_weights, sizes)
    tallies = []
    for ply in range(rules.plies + 1):
        live, lined = (x_last if ply % 2 else o_last)[ply]
        at_end = ply == rules.plies
        tallies.append(Tally(live=0 if at_end else live, lined=lined, full=live if at_end else 0))
    return tallies


def _sum_pairs(
    rules: Rules, weights: Weights, others: Weights, sizes: npt.NDArray[np.uint8]
) -> dict[int, tuple[int, int]]:
    """Sum by ply over the pairs of the set of the last mover, by `weights`, and a LIVE set of the other side."""
    slices = -(-len(weights) // _SLICE)
    tasks = [(smaller, high) for smaller in range(rules.plies // 2 + 1) for high in range(slices)]
    with ThreadPool(None if weights.dtype == np.int8 else 1) as pool:  # sums of orders take more memory
        found = list(pool.map(partial(_pairs_in_slice, weights, others, sizes, rules.squares), tasks))
    by_ply = {}
    for smaller in range(rules.plies // 2 + 1):
        parts = [sums for (size, _), sums in zip(tasks, found, strict=True) if size == smaller]
        for larger, sums in zip((smaller, smaller + 1), zip(*parts, strict=True), strict=True):
            live, lined = (sum(column) for column in zip(*sums, strict=True))
            by_ply[smaller + larger] = live, lined
    return by_ply


def _pairs_in_slice(
    weights: Weights, others: Weights, sizes: npt.NDArray[np.uint8], squares: int, task: tuple[int, int]
) -> list[tuple[int, int]]:
    """Sum over the pairs of which the larger set is in one slice of all sets, and the other has `smaller` stones.

    Returns (live, over) for larger sets of as many stones, and of one more. `weights` are those of the larger set, of
    the side that moved last; the other side's set is LIVE.
    """
    smaller, high = task
    length = min(len(weights), _SLICE)
    apart = len(weights) // length - 1 & ~high  # the slices of sets that are disjoint from those of this one
    sums = np.zeros(length, np.int64 if weights.dtype == np.int64 else _sum_type(squares))
    for part in range(apart + 1):
        if part & ~apart == 0:
            there = slice(part * length, (part + 1) * length)
            kernel.add_live(others[there], sizes[there], smaller, sums)
    kernel.sum_over_subsets(sums)
    here, halves = slice(high * length, (high + 1) * length), np.empty((2, 2), np.int64)
    found = []
    for larger in (smaller, smaller + 1):
        kernel.sum_disjoint(weights[here], sizes[here], larger, sums, halves)
        live, over = ((int(upper) << 32) + int(lower) for upper, lower in halves)
        found.append((live, over))
    return found


def _sum_type(squares: int) -> type[np.unsignedinteger[Any]]:
    """Choose the type of the sums that are asked for: on 26 squares at most C(19, 7); the others may wrap around."""
    return np.uint16 if squares <= 26 else np.uint32
