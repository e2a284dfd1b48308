"""Count without visiting: read the stones of both sides with automata, square by square.

Without gravity the two sides hinder each other only by taking squares. So a position occurs in play exactly when they
are disjoint, each could come to its stones without a line, and at most the last stone has made one: then it lies in
every line of that side. Sets without a line, and sets whose lines have a square in common, are what automata accept
(automaton.py); two of them that read side by side, square by square, find the disjoint pairs. Up to symmetry,
Burnside's lemma takes the mean over the symmetries of what they leave as it is.

Where a longer row does not count (`exact`) this does not hold, as a stone can undo a line: see overlines.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial
from typing import NamedTuple

import numpy as np

from solver.count.automaton import Ints, Reader, Step, read_lineless
from solver.count.counts import GameCount, PlyCount, Tally, count_classes, game_count
from solver.errors import RulesError
from solver.game.arrays import sort_distinct
from solver.game.lines import Line
from solver.game.rules import Rules
from solver.game.symmetry import Cycles
from solver.kernels.transfer import add_along

MOST_SQUARES = 40
"""Of a board whose positions are counted: those of one ply then fit in 63 bits, as 3**39 does."""

MOST_BYTES = 3_000_000_000
"""Of counts after one square; there are as many before it."""


def count_positions(rules: Rules) -> list[PlyCount]:
    """Count the positions of a game; raises RulesError if that takes more than MOST_BYTES of memory."""
    marks = [weigh_intersections(lines, lambda _: 1) for lines in rules.sides]
    return count_classes(rules, lambda cycles: _tallies(rules, cycles, marks))


def count_games(rules: Rules) -> list[GameCount]:
    """Count the complete games of a game; raises RulesError if that takes more than MOST_BYTES of memory.

    Any order of moves leads to two sets without a line; to a set with lines, any whose last move is in all of them.
    """
    marks = [weigh_intersections(lines, int.bit_count) for lines in rules.sides]
    games = []
    for ply, tally in enumerate(_tallies(rules, tuple(1 << square for square in range(rules.squares)), marks)):
        last = max((ply + 1) // 2 if ply % 2 else ply // 2, 1)
        orders = factorial((ply + 1) // 2) * factorial(ply // 2)
        found = Tally(tally.live * orders, tally.lined * orders // last, tally.full * orders)
        games.append(game_count(rules, ply, found))
    return games


def lineless_sets(rules: Rules, cycles: Cycles) -> list[int]:
    """Count by size up to half the board the sets without a line of X that are unions of cycles.

    Raises RulesError if there are too many states on the way.
    """
    reader = read_lineless(rules, rules.x_lines, cycles)
    return [int(count) for count in count_sizes(reader, rules.plies // 2)[0]]


def count_sizes(reader: Reader, most: int) -> Ints:
    """Count for each state at the end the sets of none to `most` squares that lead there: int64[states, most + 1]."""
    sizes = most + 1
    counts = np.zeros((1, sizes), np.int64)
    counts[0, 0] = 1
    for cycle, step in zip(reader.sizes, reader.steps, strict=True):
        before, counts = counts, np.zeros((step.states, sizes), np.int64)
        for taken in (0, 1):
            edges = step.takes == taken
            shift = np.array([[0, taken * cycle, max(sizes - taken * cycle, 0)]])
            add_along(before, step.sources[edges], step.targets[edges], step.weights[edges], shift, counts)
    return counts


def weigh_intersections(lines: Sequence[Line], weigh: Callable[[int], int]) -> dict[int, int]:
    """Find weights of sets of squares such that the weights of all that lie in I add up to weigh(I).

    I is whatever squares (a bitmask) some lines have in common; most weights are 0 and left out. (Moebius inversion
    over the intersections of lines.)
    """
    common, found = set[int](), {line.mask for line in lines}
    while found:
        common |= found
        found = {here & line.mask for here in found for line in lines} - common - {0}
    weights: dict[int, int] = {}
    for here in sorted(common, key=int.bit_count):
        weight = weigh(here) - sum(weight for inside, weight in weights.items() if inside & here == inside)
        if weight:
            weights[here] = weight
    return weights


class _Pairs(NamedTuple):
    """Pairs of disjoint sets that have been read in part: how many are in which states, and how large they are."""

    ones: Ints  # int64[P]: the state of the set that may have lines
    others: Ints  # int64[P]: the state of the other
    sizes: list[tuple[int, int]]  # of the two sets, for each column of counts
    counts: Ints  # int64[P, sizes]


def _tallies(rules: Rules, cycles: Cycles, marks: Sequence[dict[int, int]]) -> list[Tally]:
    """Count for each ply the pairs of unions of cycles; where one has lines, by the weights of marks of each side."""
    require_countable(rules)
    plain = [read_lineless(rules, lines, cycles) for lines in rules.sides]
    marked = [read_lineless(rules, lines, cycles, weights) for lines, weights in zip(rules.sides, marks, strict=True)]
    return tally_plies(rules, marked, plain)


def require_countable(rules: Rules) -> None:
    """Raise RulesError for a board of more than MOST_SQUARES squares."""
    if rules.squares > MOST_SQUARES:
        raise RulesError(
            f"{rules} has {rules.squares} squares; positions are counted on boards of up to {MOST_SQUARES} squares."
        )


def tally_plies(rules: Rules, last: Sequence[Reader], plain: Sequence[Reader]) -> list[Tally]:
    """Count for each ply the disjoint pairs of a set of the side that moved last and one of the other.

    For each of `rules.sides`, `last` accepts the sets with which it can have moved last: in state 0 those without a
    line, in 1 those with one. `plain` accepts the former alone. Raises RulesError if there are too many pairs.
    """
    x_last = _count_pairs(rules, last[0], plain[-1])
    o_last = x_last if rules.is_even else _count_pairs(rules, last[1], plain[0])
    tallies = []
    for ply in range(rules.plies + 1):
        live, lined = (x_last if ply % 2 else o_last)[(ply + 1) // 2, ply // 2]
        at_end = ply == rules.plies
        tallies.append(Tally(0 if at_end else live, lined, live if at_end else 0))
    return tallies


def _count_pairs(rules: Rules, last: Reader, plain: Reader) -> dict[tuple[int, int], tuple[int, int]]:
    """Count by sizes the disjoint pairs of sets that two automata accept: (in state 0, in state 1 of the first)."""
    start = np.zeros(1, np.int64)
    pairs = _Pairs(start, start, [(0, 0)], np.ones((1, 1), np.int64))
    read = 0
    for cycle, one, other in zip(plain.sizes, last.steps, plain.steps, strict=True):
        read += cycle
        pairs = _read(pairs, cycle, one, other, _sizes(rules.squares, read))
    live, lined = (dict.fromkeys(pairs.sizes, 0) for _ in range(2))
    for state, counts in zip(pairs.ones.tolist(), pairs.counts.tolist(), strict=True):
        (lined if state else live).update(zip(pairs.sizes, counts, strict=True))
    return {size: (live[size], lined[size]) for size in pairs.sizes}


def _read(before: _Pairs, cycle: int, one: Step, other: Step, sizes: list[tuple[int, int]]) -> _Pairs:
    """Read a cycle of squares, which neither set takes, or the one, or the other; keep the counts of `sizes`."""
    first = np.searchsorted(one.sources, before.ones)
    edges = np.searchsorted(one.sources, before.ones, side="right") - first
    source = np.repeat(np.arange(len(edges)), edges)
    edge = np.arange(len(source)) + np.repeat(first - np.cumsum(edges) + edges, edges)
    moves = []
    for taken_by_one, taken_by_other in ((0, 0), (1, 0), (0, 1)):
        follow = _follow(other, taken_by_other)[before.others[source]]
        usable = np.flatnonzero((one.takes[edge] == taken_by_one) & (follow >= 0))
        reached = one.targets[edge[usable]] * other.states + follow[usable]
        moves.append((source[usable], reached, one.weights[edge[usable]], taken_by_one * cycle, taken_by_other * cycle))
    states = sort_distinct(np.concatenate([reached for _, reached, *_ in moves]))
    if len(states) * len(sizes) * 8 > MOST_BYTES:
        raise RulesError("The positions of this game are too many to be counted; choose a smaller board.")
    column = {size: number for number, size in enumerate(sizes)}
    counts = np.zeros((len(states), len(sizes)), np.int64)
    for sources, reached, weights, more, more_of_other in moves:
        grown = [column.get((size + more, other_size + more_of_other), -1) for size, other_size in before.sizes]
        add_along(before.counts, sources, np.searchsorted(states, reached), weights, _runs(grown), counts)
    return _Pairs(states // other.states, states % other.states, sizes, counts)


def _runs(grown: list[int]) -> Ints:
    """Gather columns and the columns they go to (-1: none) into runs, see `add_along`."""
    runs: list[list[int]] = []
    for column, to in enumerate(grown):
        if runs and runs[-1][0] + runs[-1][2] == column and runs[-1][1] + runs[-1][2] == to:
            runs[-1][2] += 1
        elif to >= 0:
            runs.append([column, to, 1])
    return np.array(runs, np.int64).reshape(-1, 3)


def _follow(step: Step, taken: int) -> Ints:
    """Return the state that each state leads to with or without the cycle, or -1; there is one edge at most."""
    edges = step.takes == taken
    targets = np.full(step.sources[-1] + 1, -1)
    targets[step.sources[edges]] = step.targets[edges]
    return targets


def _sizes(squares: int, read: int) -> list[tuple[int, int]]:
    """List the sizes of two sets in the squares read so far that can still become equal, or the first larger by 1."""
    most, left = (squares + 1) // 2, squares - read
    return [
        (size, other)
        for size in range(min(read, most) + 1)
        for other in range(min(read - size, most) + 1)
        if -left <= size - other <= left + 1
    ]
