"""The records of a count, one for each ply, and how many boards there are in closed form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from operator import mul
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.game.rules import Rules
from solver.game.symmetry import Cycles, Permutation, cycle_masks

_CONJUGATORS = 16  # elements by which the classes of a group are found


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
    classes (Burnside's lemma). Symmetries that are conjugate leave as many.
    """
    sizes = conjugacy_classes(rules.board_symmetries)
    fixed = [count_fixed(cycle_masks(symmetry)) for symmetry in sizes]
    counts = []
    for ply, positions in enumerate(fixed[0]):
        canonical = Tally(*mean_fixed([tallies[ply] for tallies in fixed], list(sizes.values())))
        counts.append(ply_count(rules, ply, positions, canonical))
    return counts


def mean_fixed(fixed: Sequence[Sequence[int]], sizes: Sequence[int]) -> list[int]:
    """Count classes of things, given what each symmetry leaves as it is, and how many symmetries are like it."""
    return [sum(map(mul, column, sizes)) // sum(sizes) for column in zip(*fixed, strict=True)]


def conjugacy_classes(group: Sequence[Permutation]) -> dict[Permutation, int]:
    """Return one permutation of each class of conjugates, the identity first, with the number of its conjugates.

    Elements are joined with their conjugates by _CONJUGATORS elements of the group. Where these do not generate it a
    class may come in parts.
    """
    elements = np.array(group, np.uint16)
    rows = np.sort(_as_bytes(elements))
    order = np.argsort(_as_bytes(elements))
    conjugates = []
    for conjugator in elements[:: -(-len(group) // _CONJUGATORS)]:
        images = np.empty_like(elements)
        images[:, conjugator] = conjugator[elements]
        conjugates.append(order[np.searchsorted(rows, _as_bytes(images))])
    least, before = np.arange(len(group)), None
    while before is None or (least != before).any():
        before = least.copy()
        for conjugate in conjugates:
            np.minimum(least, least[conjugate], out=least)
        least = least[least]
    found, sizes = np.unique(least, return_counts=True)
    return {group[first]: size for first, size in zip(found.tolist(), sizes.tolist(), strict=True)}


def _as_bytes(elements: npt.NDArray[np.uint16]) -> npt.NDArray[np.bytes_]:
    """Return each permutation as a string of bytes, in the order of the permutations: bytes[G]."""
    return np.ascontiguousarray(elements.astype(">u2")).view(f"S{2 * elements.shape[1]}")[:, 0]


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
