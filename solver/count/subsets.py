"""Count positions by listing all sets of squares that a side can own; a board of 28 squares has 2^28 sets.

This method is for games with so many lines that an automaton would need a state for almost every set. A position that
can arise in play is a pair of disjoint sets. The set of the side that moved last has no line, or all its lines share a
stone, which was the last move; the other set has no line. For each size, a sum over subsets gives the number of
lineless subsets of every set, in as many passes as there are squares (Yates 1937). Up to symmetry, Burnside's lemma
needs the positions that a symmetry leaves unchanged: both sets of such a position are unions of the symmetry's cycles,
so cycles replace squares.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.count.records import Endings, PlyCount, count_classes
from solver.game.lines import Line, mask_of
from solver.game.rules import Rules
from solver.game.symmetry import Cycles

Sets = npt.NDArray[np.int32]  # a value for each union of cycles, indexed by the bitmask of the cycles' numbers

MOST_SQUARES = 28  # the squares of the largest board, which takes minutes and 3 GB

_QUICK_SQUARES = 22
_ALL = -1
_CACHED = 16  # squares whose subsets fit in a processor's cache


def is_supported(rules: Rules) -> bool:
    """Return True if a game's positions can be counted by this method."""
    return rules.squares <= MOST_SQUARES and not rules.exact and not rules.has_supports


def is_quick(rules: Rules) -> bool:
    """Return True if counting the positions of a supported game takes a second or two."""
    return is_supported(rules) and rules.squares <= _QUICK_SQUARES


def count_positions(rules: Rules) -> list[PlyCount]:
    """Return the counts of each ply's positions in a supported game."""
    return count_classes(rules, lambda cycles: _tallies(rules, cycles))


def _tallies(rules: Rules, cycles: Cycles) -> list[Endings]:
    """For each ply, count the pairs of disjoint sets: one set for the last mover and one for the other side."""
    shared = [_shared_squares(lines, cycles) for lines in rules.sides]
    live = [squares == _ALL for squares in shared]
    lined = [(squares != _ALL) & (squares != 0) for squares in shared]
    sizes = np.zeros(1, np.int8)
    for cycle in cycles:
        sizes = np.concatenate([sizes, sizes + np.int8(cycle.bit_count())])
    tallies, within = [], np.zeros(0, np.int32)
    for ply in range(rules.plies + 1):
        last, other = (0, -1) if ply % 2 else (-1, 0)
        if ply % 2 == 0 or not rules.is_even:  # otherwise as for the ply before
            within = (live[other] & (sizes == ply // 2)).astype(np.int32)
            _combine(within, np.add)
        outside = within[::-1]  # of the squares that a set leaves free
        moved = sizes == (ply + 1) // 2
        unlined, ended = (int(outside[moved & kind[last]].sum(dtype=np.int64)) for kind in (live, lined))
        at_end = ply == rules.plies
        tallies.append(Endings(0 if at_end else unlined, ended, unlined if at_end else 0))
    return tallies


def _shared_squares(lines: Sequence[Line], cycles: Cycles) -> Sets:
    """Return, for each union of cycles, the squares that belong to all its lines, or _ALL if it has no line."""
    shared = np.full(1 << len(cycles), _ALL, np.int32)
    unions = [mask_of(i for i, cycle in enumerate(cycles) if cycle & line.mask) for line in lines]
    np.bitwise_and.at(shared, unions, np.array([line.mask for line in lines], np.int32))
    _combine(shared, np.bitwise_and)
    return shared


def _combine(values: Sets, operation: Any) -> None:
    """Combine, in place, the value of each set with the values of all its subsets, using `operation`."""
    bits = values.size.bit_length() - 1
    for block in values.reshape(-1, 1 << min(bits, _CACHED)):
        for bit in range(min(bits, _CACHED)):
            pairs = block.reshape(-1, 2, 1 << bit)
            operation(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
    for bit in range(_CACHED, bits):
        pairs = values.reshape(-1, 2, 1 << bit)
        operation(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
