"""Records of each ply's counts, a method to count up to symmetry, and an upper bound on the number of positions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from operator import mul
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.game.rules import Rules
from solver.game.symmetry import Cycles, Permutation, SymmetryGroup, cycle_masks

Elements = npt.NDArray[np.unsignedinteger[Any]]  # [order, squares]: the permutations of a group

_CONJUGATORS = 5  # the number of elements by which a group is conjugated to find its classes


@dataclass(frozen=True)
class PlyCount:
    """The counts of the positions that can arise at one ply, both in total and up to the symmetries of the board."""

    ply: int
    """Stones on the board."""
    positions: int
    """All positions, including those in which the game is over."""
    x_wins: int
    """Finished positions that X has won."""
    o_wins: int
    """Finished positions that O has won."""
    draws: int
    """Finished positions that are draws."""
    canonical: int
    """All positions, up to the symmetries of the board."""
    canonical_x_wins: int
    """Finished positions that X has won, up to these symmetries."""
    canonical_o_wins: int
    """Finished positions that O has won, up to these symmetries."""
    canonical_draws: int
    """Finished positions that are draws, up to these symmetries."""

    @property
    def terminal(self) -> int:
        """The number of positions in which the game is over."""
        return self.x_wins + self.o_wins + self.draws


@dataclass(frozen=True)
class GameCount:
    """The numbers of move sequences of length `ply` that begin on the empty board."""

    ply: int
    """Moves."""
    nodes: int
    """All sequences: the nodes of the game tree at this depth (perft)."""
    x_wins: int
    """The complete games of this length that X wins."""
    o_wins: int
    """The complete games of this length that O wins."""
    draws: int
    """The complete games of this length that are draws."""

    @property
    def games(self) -> int:
        """The number of complete games of this length."""
        return self.x_wins + self.o_wins + self.draws


class Endings(NamedTuple):
    """The numbers of unfinished and finished positions, or games, at one ply."""

    live: int  # unfinished
    lined: int  # ended by a line
    full: int  # ended by the last ply, without a line

    @property
    def total(self) -> int:
        """The sum of `live`, `lined` and `full`."""
        return self.live + self.lined + self.full

    def results(self, rules: Rules, ply: int) -> tuple[int, int, int]:
        """Return (X wins, O wins, draws). Any completed line is the last mover's (X at odd plies, O at even plies)."""
        x_made_it = ply % 2 == 1
        x_wins, o_wins = (self.lined, 0) if x_made_it != rules.misere else (0, self.lined)
        if rules.unfinished is None:
            return x_wins, o_wins, self.full
        return (x_wins + self.full, o_wins, 0) if rules.unfinished == "X" else (x_wins, o_wins + self.full, 0)


def ply_count(rules: Rules, ply: int, positions: Endings, canonical: Endings) -> PlyCount:
    """Return a ply's record, given the counts of all its positions and of its canonical ones."""
    everything, classes = positions.results(rules, ply), canonical.results(rules, ply)
    return PlyCount(ply, positions.total, *everything, canonical.total, *classes)


def count_classes(rules: Rules, count_fixed: Callable[[Cycles], list[Endings]]) -> list[PlyCount]:
    """Return the records of all plies, given a function that counts the positions that a symmetry leaves unchanged.

    `count_fixed` takes the cycles of a symmetry (each side's stones are a union of cycles) and returns the Endings of
    each ply. The mean over all symmetries is the number of classes (Burnside's lemma). Conjugate symmetries leave
    equally many positions unchanged, so one of each conjugacy class is enough.
    """
    sizes = conjugacy_classes(rules.board_symmetries)
    fixed = [count_fixed(cycle_masks(symmetry)) for symmetry in sizes]
    counts = []
    for ply, positions in enumerate(fixed[0]):
        canonical = Endings(*mean_fixed([tallies[ply] for tallies in fixed], list(sizes.values())))
        counts.append(ply_count(rules, ply, positions, canonical))
    return counts


def mean_fixed(fixed: Sequence[Sequence[int]], sizes: Sequence[int]) -> list[int]:
    """Return the mean of each column of `fixed`, with rows weighted by `sizes`: the number of classes (Burnside)."""
    return [sum(map(mul, column, sizes)) // sum(sizes) for column in zip(*fixed, strict=True)]


def conjugacy_classes(group: SymmetryGroup) -> dict[Permutation, int]:
    """Return a dict from one permutation of each conjugacy class to the class's size; the identity comes first.

    If _CONJUGATORS elements do not generate the group, a class may be split into several entries.
    """
    elements = list_elements(group)
    weights = np.random.default_rng(0).integers(1 << 62, size=group.squares)  # sums modulo 2**64 name the elements
    names = _names(elements, weights)
    order = np.argsort(names)
    conjugates = []
    for conjugator in elements[:: -(-group.order // _CONJUGATORS)]:
        named = _names(conjugator[elements], weights[conjugator])
        conjugates.append(order[np.searchsorted(names, named, sorter=order)])
    least, before = np.arange(group.order), None
    while before is None or (least != before).any():
        before = least.copy()
        for conjugate in conjugates:
            np.minimum(least, least[conjugate], out=least)
        least = least[least]
    found, sizes = np.unique(least, return_counts=True)
    return {tuple(elements[first].tolist()): size for first, size in zip(found.tolist(), sizes.tolist(), strict=True)}


def _names(elements: Elements, weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return `elements @ weights`, without a copy of the elements as larger integers."""
    names = np.zeros(len(elements), np.int64)
    for column, weight in zip(elements.T, weights, strict=True):
        names += column * weight
    return names


def list_elements(group: SymmetryGroup) -> Elements:
    """Return all permutations in a group in small integers; the identity comes first."""
    elements = np.arange(group.squares, dtype=np.min_scalar_type(group.squares))[None]
    for orbit in reversed(group.orbits):
        elements = np.concatenate([elements[:, permutation] for permutation in orbit])
    return elements


def occupied_sets(rules: Rules, alike: Sequence[Sequence[int]] | None = None) -> list[int]:
    """Return, for each size, the number of sets of squares that stones can occupy; with gravity, no column has a gap.

    `alike` contains groups of columns. If it is given, a set counts only if the columns of each group have equal
    heights. Without gravity, a column is a single square.
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
    """Return the number of columns of stones; without gravity, every square is a column."""
    return rules.stride if rules.has_supports else rules.squares


def boards(rules: Rules) -> int:
    """Return an upper bound on the positions: all ways to place both sides' stones, with or without lines."""
    played = occupied_sets(rules)[: rules.plies + 1]
    return sum(sets * comb(ply, ply // 2) for ply, sets in enumerate(played))
