"""Prepare the rules for the kernels of a check: boards, the pages that a table must have, and values as scores.

A score is one byte, in an order that holds for both sides: X takes the greatest, O the least.

    score = DRAW + (squares + 1 - T)   X wins at ply T: the sooner the greater
            DRAW                       a draw
            DRAW - (squares + 1 - T)   O wins at ply T: the sooner the less

In a table of metric `wdl` the difference is 1 for every T. NONSENSE stands for bits that mean nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.game.arrays import byte_images, line_array
from solver.game.rules import Rules
from solver.game.value import Value
from solver.kernels.recheck import DRAW, LIVE, LOW, MOST_BITS, Board, count_images, mark_lines, unmark_unbuildable
from solver.store.layout import BINOMIAL
from solver.store.schema import Metric


class Keys(NamedTuple):
    """The pages whose keys have the same number of squares."""

    keys: npt.NDArray[np.int32]  # int32[P], ascending
    weights: npt.NDArray[np.int64]  # int64[P], how many images each key has


def board_of(rules: Rules, has_gravity: bool) -> Board:
    """Convert the rules for the kernels of a check."""
    lines = line_array(rules)
    marks = np.empty(1 << rules.squares, np.uint8)
    mark_lines(lines, marks)
    if not has_gravity:
        unmark_unbuildable(marks)
    above = np.zeros(rules.squares, np.int32)
    for square, support in enumerate(rules.supports):
        if support >= 0:
            above[support] = 1 << square
    below = np.array([0 if support < 0 else 1 << support for support in rules.supports], np.int32)
    group = rules.symmetries
    images = byte_images(group).astype(np.int32)
    low = _ranks(LOW, 0, 0)
    high = np.stack([_ranks(MOST_BITS - LOW, LOW, size) for size in range(MOST_BITS + 2)])
    return Board(rules.squares, marks, np.array(group, np.int64), images, low, high, below, above)


def list_keys(rules: Rules, board: Board, has_gravity: bool) -> list[Keys]:
    """List the keys of the table's pages, by the number of their squares."""
    sets = np.arange(1 << rules.squares, dtype=np.int32)
    if has_gravity:
        fits = sets < sets[-1]
        for square, below in enumerate(board.below.tolist()):
            fits &= (sets >> square & 1 == 0) | (sets & below == below)
    else:
        fits = (board.marks == LIVE) & (np.bitwise_count(sets) <= rules.squares // 2)
    sets = sets[fits]
    weights = np.empty(sets.size, np.int64)
    count_images(board, sets, weights)
    sets, weights = sets[weights > 0], weights[weights > 0]
    sizes = np.bitwise_count(sets)
    return [Keys(sets[sizes == size], weights[sizes == size]) for size in range(int(sizes.max()) + 1)]


def _ranks(bits: int, first: int, size: int) -> npt.NDArray[np.int32]:
    """Compute the share of index bits first, first + 1, ... in a colexicographic rank: int32[2**bits].

    With first > 0 a set has `size` bits in all, those not among these being lower ones.
    """
    binomial = np.array(BINOMIAL, np.int64)
    sets = np.arange(1 << bits)
    rank = np.zeros(1 << bits, np.int64)
    counted = size - np.bitwise_count(sets).astype(np.int64) if first else rank.copy()
    for bit in range(bits):
        taken = sets >> bit & 1
        counted += taken
        rank += taken * binomial[first + bit, np.maximum(counted, 0)]
    return np.where(counted >= 0, rank, 0).astype(np.int32)


NONSENSE = 0


@dataclass(frozen=True)
class Scores:
    """The scores of one table."""

    rules: Rules
    metric: Metric

    def line(self, by_x: bool, ply: int) -> int:
        """Score a game that ends at `ply` by a line of X, or of O."""
        lead = self.rules.squares + 1 - ply if self.metric == "distance" else 1
        return DRAW + lead if by_x != self.rules.misere else DRAW - lead

    def of_codes(self, digits: int) -> npt.NDArray[np.uint8]:
        """Score each code (2 * count + sign) of a page: uint8[2**(digits + 1)]."""
        codes = np.full(2 << digits, NONSENSE, np.uint8)
        codes[0] = DRAW
        counts = range(1, 1 << digits) if self.metric == "distance" else (1,)
        for sign in (0, 1):
            last = max(ply for ply in range(self.rules.squares + 1) if ply % 2 != sign)
            for count in counts:
                end = last - 2 * (count - 1)
                if end > 0:
                    codes[2 * count + sign] = self.line(sign == 0, end)
        return codes

    def value(self, score: int, ply: int) -> Value | None:
        """Convert a score to the value for the side to move at `ply`; None for nonsense."""
        if score == NONSENSE:
            return None
        timed = self.metric == "distance"
        if score == DRAW:
            return Value(0, self.rules.squares - ply if timed else None)
        wdl = 1 if (score > DRAW) == (ply % 2 == 0) else -1
        return Value(wdl, self.rules.squares + 1 - abs(score - DRAW) - ply if timed else None)
