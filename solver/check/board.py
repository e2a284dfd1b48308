"""Prepare the rules for the kernels of a check: boards, the pages that a table must have, and values as scores.

A score is one byte, in an order that holds for both sides: X takes the greatest, O the least.

    score = DRAW + (squares + 1 - T)   X wins at ply T: the sooner the greater
            DRAW                       nobody makes a line
            DRAW - (squares + 1 - T)   O wins at ply T: the sooner the less

In a table of metric `wdl` the difference is 1 for every T. NONSENSE stands for bits that mean nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.check.plain_rules import unfinished
from solver.count import PlyCount
from solver.game.arrays import byte_images, line_array, sort_distinct
from solver.game.rules import Rules
from solver.game.value import Value
from solver.kernels.recheck import DRAW, Board, count_images, list_larger
from solver.store.schema import Metric

_KEYS = 1 << 16  # whose larger sets are listed together: some 20 MB


class Keys(NamedTuple):
    """The pages whose keys have the same number of squares."""

    keys: npt.NDArray[np.int64]  # int64[P], ascending
    weights: npt.NDArray[np.int64]  # int64[P], how many images each key has


def board_of(rules: Rules) -> Board:
    """Convert the rules for the kernels of a check."""
    supports = np.array(rules.supports, np.int64)
    below, above = np.where(supports < 0, 0, 1 << supports), np.zeros(rules.squares, np.int64)
    standing = np.flatnonzero(supports >= 0)
    above[supports[standing]] = 1 << standing
    group = rules.symmetries
    return Board(
        rules.squares,
        rules.plies,
        line_array(rules.x_lines),
        line_array(rules.o_lines),
        np.array(group, np.int64),
        byte_images(group),
        below,
        above,
    )


def list_keys(board: Board, has_gravity: bool) -> list[Keys]:
    """List the keys of the table's pages, by the number of their squares: each is a smaller one and another square."""
    most = board.squares - 1 if has_gravity else board.plies // 2
    keys, levels = np.zeros(1, np.int64), list[Keys]()
    while keys.size and len(levels) <= most:
        weights = np.empty(keys.size, np.int64)
        count_images(board, keys, weights)
        levels.append(Keys(keys, weights))
        keys = _larger_keys(board, keys, has_gravity)
    return levels


def _larger_keys(board: Board, keys: npt.NDArray[np.int64], has_gravity: bool) -> npt.NDArray[np.int64]:
    """List the smallest images of the sets that are one of `keys` and another square."""
    found = [np.empty(0, np.int64)]
    for first in range(0, keys.size, _KEYS):
        part = keys[first : first + _KEYS]
        larger = np.empty((part.size, board.squares), np.int64)
        list_larger(board, part, has_gravity, larger)
        found.append(sort_distinct(larger[larger >= 0]))
    return sort_distinct(np.concatenate(found))


NONSENSE = 0


class Ended(NamedTuple):
    """The positions of a ply where the game is over."""

    x_wins: int
    o_wins: int
    draws: int

    @staticmethod
    def from_count(count: PlyCount) -> Ended:
        """Take the counts of the enumerator."""
        return Ended(count.x_wins, count.o_wins, count.draws)


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
            last = max(ply for ply in range(self.rules.plies + 1) if ply % 2 != sign)
            for count in counts:
                end = last - 2 * (count - 1)
                if end > 0:
                    codes[2 * count + sign] = self.line(sign == 0, end)
        return codes

    def ended(self, x_wins: int, o_wins: int, unfinished: int) -> Ended:
        """Say who has won games, given by whose lines, and those in which nobody made one."""
        if self.rules.unfinished is None:
            return Ended(x_wins, o_wins, unfinished)
        by_x = unfinished if self.rules.unfinished == "X" else 0
        return Ended(x_wins + by_x, o_wins + unfinished - by_x, 0)

    def value(self, score: int, ply: int) -> Value | None:
        """Convert a score to the value for the side to move at `ply`; None for nonsense."""
        if score == NONSENSE:
            return None
        timed = self.metric == "distance"
        if score == DRAW:
            return Value(unfinished(self.rules, ply), self.rules.plies - ply if timed else None)
        wdl = 1 if (score > DRAW) == (ply % 2 == 0) else -1
        return Value(wdl, self.rules.squares + 1 - abs(score - DRAW) - ply if timed else None)
