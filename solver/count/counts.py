"""What counting yields: one record a ply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class PlyCount:
    """The positions with `ply` stones that occur in play, all of them and up to the symmetries of the board.

    `x_wins`, `o_wins` and `draws` count those where the game is over, by who has won (in misere the side that
    did not make the line); `positions` counts these too.
    """

    ply: int
    positions: int
    x_wins: int
    o_wins: int
    draws: int
    canonical: int
    canonical_x_wins: int
    canonical_o_wins: int
    canonical_draws: int

    @property
    def terminal(self) -> int:
        """The positions where the game is over."""
        return self.x_wins + self.o_wins + self.draws

    @property
    def canonical_terminal(self) -> int:
        """The positions where the game is over, up to the symmetries of the board."""
        return self.canonical_x_wins + self.canonical_o_wins + self.canonical_draws


@dataclass(frozen=True)
class GameCount:
    """The orders in which `ply` moves can be made from the start.

    `nodes` is their number (the nodes of the game tree at this depth, perft); `x_wins`, `o_wins` and `draws`
    are the complete games among them.
    """

    ply: int
    nodes: int
    x_wins: int
    o_wins: int
    draws: int

    @property
    def games(self) -> int:
        """The complete games of this length."""
        return self.x_wins + self.o_wins + self.draws


class Tally(NamedTuple):
    """Something counted at one ply: where play goes on, a line has ended it, or the board is full without."""

    live: int
    lined: int
    full: int

    @property
    def total(self) -> int:
        """All of them together."""
        return self.live + self.lined + self.full

    def results(self, ply: int, misere: bool) -> tuple[int, int, int]:
        """(X wins, O wins, draws): the line is the last mover's, X at odd plies."""
        x_made_it = ply % 2 == 1
        return (self.lined, 0, self.full) if x_made_it != misere else (0, self.lined, self.full)


def ply_count(ply: int, misere: bool, positions: Tally, canonical: Tally) -> PlyCount:
    """The record of a ply from what was counted."""
    everything, classes = positions.results(ply, misere), canonical.results(ply, misere)
    return PlyCount(ply, positions.total, *everything, canonical.total, *classes)


def game_count(ply: int, misere: bool, games: Tally) -> GameCount:
    """The record of a ply from what was counted."""
    return GameCount(ply, games.total, *games.results(ply, misere))
