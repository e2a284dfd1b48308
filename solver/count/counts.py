"""The records of a count, one for each ply, and how many boards there are in closed form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

from solver.game.rules import Rules
from solver.game.symmetry import Cycles, cycle_masks


@dataclass(frozen=True)
class PlyCount:
    """The positions of one ply that occur in play, all of them and up to the symmetries of the board.

    A win is counted where the game is over, for the side that has won: in misere the one that did not make the line.
    """

    ply: int  # stones on the board
    positions: int  # those where the game is over included
    x_wins: int
    o_wins: int
    draws: int
    canonical: int  # the same counts up to symmetry
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
    """The orders in which so many moves can be made from the start."""

    ply: int  # moves
    nodes: int  # the orders: the nodes of the game tree at this depth, perft
    x_wins: int  # the complete games among them, by result
    o_wins: int
    draws: int

    @property
    def games(self) -> int:
        """The complete games of this length."""
        return self.x_wins + self.o_wins + self.draws


class Tally(NamedTuple):
    """Positions or games counted at one ply, by how they stand."""

    live: int  # play goes on
    lined: int  # a line has ended the game
    full: int  # no ply is left, and nobody has a line

    @property
    def total(self) -> int:
        """All of them together."""
        return self.live + self.lined + self.full

    def results(self, rules: Rules, ply: int) -> tuple[int, int, int]:
        """Return (X wins, O wins, draws): the line is the last mover's, X at odd plies."""
        x_made_it = ply % 2 == 1
        x_wins, o_wins = (self.lined, 0) if x_made_it != rules.misere else (0, self.lined)
        if rules.unfinished is None:
            return x_wins, o_wins, self.full
        return (x_wins + self.full, o_wins, 0) if rules.unfinished == "X" else (x_wins, o_wins + self.full, 0)


def ply_count(rules: Rules, ply: int, positions: Tally, canonical: Tally) -> PlyCount:
    """Make the record of a ply from its tallies."""
    everything, classes = positions.results(rules, ply), canonical.results(rules, ply)
    return PlyCount(ply, positions.total, *everything, canonical.total, *classes)


def game_count(rules: Rules, ply: int, games: Tally) -> GameCount:
    """Make the record of a ply from its tally."""
    return GameCount(ply, games.total, *games.results(rules, ply))


def count_classes(rules: Rules, count_fixed: Callable[[Cycles], list[Tally]]) -> list[PlyCount]:
    """Make the records of all plies, given how to count by ply what is a union of a symmetry's cycles on both sides.

    These are the positions that the symmetry leaves as they are; their mean over all symmetries is the number of
    classes (Burnside's lemma).
    """
    group = [cycle_masks(symmetry) for symmetry in rules.board_symmetries]
    fixed = {masks: count_fixed(masks) for masks in dict.fromkeys(group)}
    counts = []
    for ply, positions in enumerate(fixed[group[0]]):
        totals = [sum(column) for column in zip(*(fixed[masks][ply] for masks in group), strict=True)]
        canonical = Tally(*(total // len(group) for total in totals))
        counts.append(ply_count(rules, ply, positions, canonical))
    return counts


def occupied_sets(rules: Rules, alike: Sequence[Sequence[int]] | None = None) -> list[int]:
    """Count by stones the sets of squares that can be taken: any, with gravity one height a column.

    `alike` are groups of columns (without gravity, of squares) of which all have the same height; by default each
    column has one of its own.
    """
    columns = column_count(rules)
    heights = rules.squares // columns
    sets = [1]
    for group in alike or [[column] for column in range(columns)]:
        higher = [0] * (len(sets) + heights * len(group))
        for stones, count in enumerate(sets):
            for height in range(heights + 1):
                higher[stones + height * len(group)] += count
        sets = higher
    return sets


def column_count(rules: Rules) -> int:
    """Return the number of columns that stones are piled up in; without gravity every square is one."""
    return rules.stride if rules.has_supports else rules.squares


def boards(rules: Rules) -> int:
    """Count the ways to place as many stones as alternate play does, lines or not: a bound in closed form."""
    played = occupied_sets(rules)[: rules.plies + 1]
    return sum(sets * comb(ply, ply // 2) for ply, sets in enumerate(played))
