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

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.count.counts import GameCount, PlyCount, Tally, count_classes, game_count
from solver.errors import RulesError
from solver.game.arrays import line_array
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
    marks = mark_buildable(rules)
    return count_classes(rules, lambda cycles: _fixed_positions(marks, cycles, rules.squares))


def count_games(rules: Rules) -> list[GameCount]:
    """Count the complete games of a game without gravity. Raises RulesError for more than MOST_ORDERED squares."""
    if rules.squares > MOST_ORDERED:
        raise RulesError(
            f"{rules} has {rules.squares} squares; its games are counted on boards of up to {MOST_ORDERED} squares."
        )
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
    sizes = np.zeros(1, np.uint8)  # bit i of an index says that the i-th cycle is in the union
    for cycle in cycles:
        sizes = np.concatenate([sizes, sizes + np.uint8(cycle.bit_count())])
    if len(cycles) == squares:
        return _disjoint_pairs(marks, sizes, squares)
    unions = np.zeros(1, np.int32)
    for cycle in cycles:
        unions = np.concatenate([unions, unions | np.int32(cycle)])
    return _disjoint_pairs(marks[unions], sizes, squares)


def _disjoint_pairs(weights: Weights, sizes: npt.NDArray[np.uint8], squares: int) -> list[Tally]:
    """Return for each ply the sum of weight(X's set) * weight(O's set) over disjoint pairs of as many stones.

    An index is a set of cycles; `sizes` are the stones in it; `weights` are positive for LIVE sets, negative
    for sets that are OVER.
    """
    slices = -(-len(weights) // _SLICE)
    tasks = [(smaller, high) for smaller in range(squares // 2 + 1) for high in range(slices)]
    with ThreadPool(None if weights.dtype == np.int8 else 1) as pool:  # sums of orders take more memory
        found = list(pool.map(partial(_pairs_in_slice, weights, sizes, squares), tasks))
    tallies = []
    for smaller in range(squares // 2 + 1):
        parts = [sums for (size, _), sums in zip(tasks, found, strict=True) if size == smaller]
        for larger, sums in zip((smaller, smaller + 1), zip(*parts, strict=True), strict=True):
            if smaller + larger <= squares:
                live, lined = (sum(column) for column in zip(*sums, strict=True))
                at_end = smaller + larger == squares
                tallies.append(Tally(live=0 if at_end else live, lined=lined, full=live if at_end else 0))
    return tallies


def _pairs_in_slice(
    weights: Weights, sizes: npt.NDArray[np.uint8], squares: int, task: tuple[int, int]
) -> list[tuple[int, int]]:
    """Sum over the pairs of which the larger set is in one slice of all sets, and the other has `smaller` stones.

    Returns (live, over) for larger sets of as many stones, and of one more. The last stone, and so the line if there is
    one, is X's when the sets differ in size, else O's: either way the other side's set is LIVE.
    """
    smaller, high = task
    length = min(len(weights), _SLICE)
    others = len(weights) // length - 1 & ~high  # the slices of sets that are disjoint from those of this one
    sums = np.zeros(length, np.int64 if weights.dtype == np.int64 else _sum_type(squares))
    for part in range(others + 1):
        if part & ~others == 0:
            there = slice(part * length, (part + 1) * length)
            kernel.add_live(weights[there], sizes[there], smaller, sums)
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
