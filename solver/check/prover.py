"""Find the value of one position by an alpha-beta search to the end of the game: see `solver.kernels.proof`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.check.plain_rules import Stones, ply_of
from solver.errors import RulesError
from solver.game.arrays import byte_images, line_array
from solver.game.rules import Rules
from solver.game.symmetry import board_permutations, preserves
from solver.kernels.proof import MOST_SQUARES, UNKNOWN, YES, Board, Memory, can_win

NODES = 20_000_000
"""Positions that a search may enter before it gives up: some ten seconds."""

_MOST_BITS = 22  # of a number in the hash table, which then takes 32 MB


class Bounds(NamedTuple):
    """The result of a search: the value of a position for the side to move is from `least` to `most`."""

    least: int
    most: int

    @property
    def settled(self) -> bool:
        """True if the value is known."""
        return self.least == self.most


class Prover:
    """Search positions of one game; every thread needs its own.

    Raises RulesError for a board of over 25 squares. `nodes` is how many positions may be entered to answer
    whether one side wins. The result depends on the position and on `nodes` alone.
    """

    def __init__(self, rules: Rules, nodes: int = NODES) -> None:
        if rules.squares > MOST_SQUARES:
            raise RulesError(f"{rules} has {rules.squares} squares; {MOST_SQUARES} are the most that can be searched.")
        self._board = _board_of(rules)
        bits = min(_MOST_BITS, rules.squares * 8 // 5 + 1)  # room for 3**squares positions
        scores = np.zeros((rules.squares + 1, rules.squares), np.int64)
        self._memory = Memory(np.zeros(1 << bits, np.int64), scores, np.array([0, nodes], np.int64))

    def value(self, stones: Stones) -> Bounds:
        """Find the value of a position (masks of X and O) for the side to move; the game must not be over."""
        own, other = stones[ply_of(stones) % 2], stones[1 - ply_of(stones) % 2]
        wins = self._answer(own, other, True)
        if wins == YES:
            return Bounds(1, 1)
        loses = self._answer(own, other, False)
        if loses == YES:
            return Bounds(-1, -1)
        return Bounds(-1 if loses == UNKNOWN else 0, 1 if wins == UNKNOWN else 0)

    def _answer(self, own: int, other: int, attacks: bool) -> int:
        if self._memory.nodes[0] > 1:  # what is left from before would make the answer depend on it
            self._memory.entries.fill(0)
        return can_win(self._board, self._memory, own, other, attacks)


def _board_of(rules: Rules) -> Board:
    """Convert the rules for the kernel, with the reflections and rotations of the board as symmetries.

    Tables also use hidden symmetries, which are checked thereby.
    """
    lines = line_array(rules)
    flips = [p for p in board_permutations(rules.m, rules.n, False) if preserves(p, rules.lines, rules.supports)]
    return Board(
        squares=rules.squares,
        ground=rules.ground,
        stride=rules.n,
        masks=lines[:, 0].copy(),
        guards=lines[:, 1].copy(),
        images=byte_images(flips),
        misere=rules.misere,
        idle=rules.misere or rules.exact,
        gravity=rules.has_supports,
    )
