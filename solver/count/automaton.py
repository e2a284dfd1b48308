"""Count positions without listing them: automata read the stones of both sides square by square.

Without gravity the two sides hinder each other only by taking squares. So a position can arise in play if and only if
the two sets of stones are disjoint, each side can place its stones one by one, and no line exists before the last move.
Two automata, one for each side, read the board in step and find the disjoint pairs of such sets. Up to symmetry,
positions are counted by Burnside's lemma: the mean, over the symmetries, of the number of positions that a symmetry
leaves unchanged. In such a position, the set of each side is a union of cycles, so sets are read cycle by cycle.

For each set, an automaton remembers only the lines in progress: some of their squares have been read, all of these are
in the set, and others remain to be read. There are few such states, because most lines are soon out of reach: for 6,6,4
there are up to 20,753 states, although 9,928,387,804 sets of up to half the squares contain no line. (This is a
transfer matrix over rows that merges equivalent states, like the frontier method for decision diagrams.)

An automaton also remembers which stones can have been placed last. A line does not count while its owner has a stone on
the line's guard, such as the square behind the line in games where a longer row is not a line. So a stone can undo a
line, and the order of stones matters. The *candidates* for the last stone are the stones whose removal leaves no line.
Each lies in every line of the set, and its removal does not turn a *longer row* (a line and one square of its guard)
into a line. A set is

* LIVE if it has a candidate and no line;
* OVER if it has a candidate and a line;
* BARE if it has neither a candidate nor a line: the empty set, and sets that cannot have been placed one by one.

If the empty set is the only BARE set of up to half the board, all LIVE and OVER sets can be placed one by one: removing
a candidate leaves a set that is LIVE or empty. This holds in games in which longer rows are lines. It also holds on
rectangles of up to 36 squares with three or more in a row, because only sets with many crossing longer rows lack a
candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.count.records import Endings, PlyCount, count_classes
from solver.errors import RulesError
from solver.game.arrays import number_rows, sort_distinct
from solver.game.lines import Line, squares_of
from solver.game.rules import Rules
from solver.game.symmetry import Cycles
from solver.kernels.counting import add_along

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.bool_]

LIVE, OVER, BARE = range(3)

MOST_SQUARES = 40  # squares of the largest board: the number of positions of one ply then fits in 63 bits
MOST_WORDS = 4_000_000  # words of the states after one square: such an automaton takes about ten seconds and 1 GB
MOST_BYTES = 3_000_000_000  # bytes of the counts after one square; the counts before it take as much

_CHOICES = ((0, 0), (1, 0), (0, 1))  # neither of two sets takes a cycle, or one of them does
_WORD = 62  # bits of a word of a state that are used
_LINED = 0  # the bit of a state that is set if there is a line
_SETTLED = 1  # the bit that is set if some candidate is in no line or longer row that is still open


class Automaton(NamedTuple):
    """A deterministic automaton that reads unions of cycles. It starts in state 0."""

    sizes: list[int]  # squares of each cycle
    steps: list[Ints]  # for each cycle, int64[states, 2]: the state after leaving it out or taking it; -1 if refused
    outcomes: list[int]  # the outcome of each final state

    def merged(self, accepted: Mapping[int, int]) -> Automaton:
        """Return the automaton with equivalent states merged: those from which the same sets lead to the same values.

        `accepted` maps outcomes to values; sets with any other outcome are refused.
        """
        place = np.array([accepted.get(outcome, -1) for outcome in self.outcomes])
        steps, ends = list[Ints](), sorted(set(accepted.values()))
        for step in reversed(self.steps):
            leads_to = np.where(step >= 0, place[step], -1)
            kinds, first, kind = np.unique(
                (leads_to + 1) @ [place.max() + 2, 1], return_index=True, return_inverse=True
            )
            nowhere = int(kinds[0] == 0)
            steps.append(leads_to[first[nowhere:]])
            place = kind - nowhere
        return Automaton(self.sizes, steps[::-1], ends)

    def count_sizes(self, most: int) -> Ints:
        """For each final state, count the sets of 0, 1, ..., `most` squares that lead to it: int64[states, most+1]."""
        counts = np.zeros((1, most + 1), np.int64)
        counts[0, 0] = 1
        for cycle, step in zip(self.sizes, self.steps, strict=True):
            before, counts = counts, np.zeros((int(step.max()) + 1, most + 1), np.int64)
            for taken in (0, 1):
                sources = np.flatnonzero(step[:, taken] >= 0)
                shift = np.array([[0, taken * cycle, max(most + 1 - taken * cycle, 0)]])
                add_along(before, sources, step[sources, taken], shift, counts)
        return counts


@lru_cache(maxsize=4)
def count_positions(rules: Rules, most_bytes: int = MOST_BYTES) -> tuple[PlyCount, ...]:
    """Return the counts of each ply's positions in a game without gravity.

    Raises RulesError if a set other than the empty one is BARE, or if there are too many sets or positions.
    """
    _require_placeable(rules, most_bytes)
    return tuple(count_classes(rules, lambda cycles: _tallies(rules, cycles, most_bytes)))


def require_countable(rules: Rules) -> None:
    """Raise RulesError as `count_positions` does, without counting."""
    _require_placeable(rules, MOST_BYTES)
    for last, live in _automata(rules, tuple(1 << square for square in range(rules.squares))):
        _require_few_pairs(rules, last, live, MOST_BYTES)


def _require_placeable(rules: Rules, most_bytes: int) -> None:
    if rules.squares > MOST_SQUARES:
        raise RulesError(
            f"{rules} has {rules.squares} squares; positions are counted on boards of up to {MOST_SQUARES} squares."
        )
    if not all_can_be_placed(rules, most_bytes):
        raise RulesError(
            f"In {rules} some lineless sets of stones can't have been placed one by one, so its positions are too "
            "many to count; choose a board of at most 18 squares."
        )


@lru_cache(maxsize=8)
def all_can_be_placed(rules: Rules, most_bytes: int = MOST_BYTES) -> bool:
    """Return True if every lineless set of up to half the board can be placed stone by stone.

    Raises RulesError if the automata are too large.
    """
    if not rules.exact:
        return True
    cycles = tuple(1 << square for square in range(rules.squares))
    for lines in rules.sides:
        read = read_sets(rules, lines, cycles, min(MOST_WORDS, most_bytes // 400))
        sizes = read.count_sizes((rules.plies + 1) // 2)
        if any(sizes[state, 1:].any() for state, outcome in enumerate(read.outcomes) if outcome == BARE):
            return False
    return True


def lineless_sets(rules: Rules, cycles: Cycles) -> list[int]:
    """For each size up to half the board, return the number of unions of cycles that contain no line of X.

    Raises RulesError if an automaton has too many states.
    """
    sizes = read_sets(rules, rules.x_lines, cycles, only_lineless=True).count_sizes(rules.plies // 2)
    return [int(count) for count in sizes.sum(axis=0)]


def read_sets(
    rules: Rules, lines: Sequence[Line], cycles: Cycles, most_words: int = MOST_WORDS, *, only_lineless: bool = False
) -> Automaton:
    """Return the automaton that reads the unions of cycles that one side can own; outcomes are LIVE, OVER and BARE.

    With `only_lineless`, the automaton refuses sets with a line, and accepts all other sets as BARE. Raises RulesError
    if there are too many states.
    """
    sets = _Sets(lines, _reading_order(rules, cycles), only_lineless)
    states, steps = sets.words([])[None], list[Ints]()
    for number in range(len(sets.order)):
        reached = sets.read(states, number)
        possible = np.flatnonzero(sets.are_possible(reached, number))
        step = np.full(len(reached), -1)
        step[possible], reached = number_rows(reached[possible])
        steps.append(step.reshape(2, len(states)).T.copy())
        states = reached
        if states.size > most_words:
            raise RulesError(f"{rules} has too many sets without a line to count them; choose a smaller board.")
    return Automaton([cycle.bit_count() for cycle in sets.order], steps, sets.outcomes(states))


def _reading_order(rules: Rules, cycles: Cycles) -> list[int]:
    """Return cycles ordered along the shorter side of the board, so that few lines are open at a time."""
    m, n = rules.diagram.rows, rules.diagram.columns
    rank = [place if n <= m else place % n * m + place // n for place in rules.diagram.place_of]
    return sorted(cycles, key=lambda cycle: min(rank[square] for square in squares_of(cycle)))


class _LongerRow(NamedTuple):
    """A line together with `end`, a square of its guard. Removing the stone on `end` leaves a line."""

    mask: int
    guard: int
    end: int


_Item = Line | _LongerRow | int
"""A line, a longer row or a candidate square: it has a bit in the states from its first cycle to its last."""


class _Sets:
    """Sets that are read cycle by cycle, as states (int64[states, words]).

    Each row (here, a line or a longer row) has a bit, which is set while the state's sets can still contain the row.
    Each square has a bit, which is set while it is a candidate. Once a set has a line, only squares in that line
    remain candidates.
    """

    def __init__(self, lines: Sequence[Line], order: Sequence[int], only_lineless: bool) -> None:
        self.order, self._only_lineless = order, only_lineless
        rows: list[Line | _LongerRow] = [*lines]
        for mask, guard in [] if only_lineless else lines:
            rows += [_LongerRow(mask | 1 << end, guard ^ 1 << end, end) for end in squares_of(guard)]
        self._rows = list(dict.fromkeys(rows))
        self._spans: dict[_Item, tuple[int, int]] = {}  # the first and the last cycle
        for row in self._rows:
            numbers = [number for number, cycle in enumerate(order) if cycle & (row.mask | row.guard)]
            self._spans[row] = numbers[0], numbers[-1]
        self._rows_of: dict[int, list[Line | _LongerRow]] = {}  # by square, the rows that can rule it in or out
        for number, cycle in enumerate([] if only_lineless else order):
            for square in squares_of(cycle):
                self._rows_of[square] = [
                    row for row in self._rows if row.mask >> square & 1 and (isinstance(row, Line) or row.end == square)
                ]
                last = max((self._spans[row][1] for row in self._rows_of[square]), default=number)
                self._spans[square] = number, last
        self._begun, self._ended = (
            [[item for item, span in self._spans.items() if span[end] == number] for number in range(len(order))]
            for end in (0, 1)
        )
        self._bits: dict[_Item, int] = {}
        used, free = 2, list[int]()  # after the two flags
        for begun, ended in zip(self._begun, self._ended, strict=True):
            for item in begun:
                if not free:
                    free.append(used)
                    used += 1
                self._bits[item] = free.pop()
            free += [self._bits[item] for item in ended]
        self._count = -(-used // _WORD)
        self._lined, self._settled = (self.words([flag]) for flag in (_LINED, _SETTLED))

    def words(self, bits: Iterable[int]) -> Ints:
        """Return the words of a state with the given bits set: int64[words]."""
        words = np.zeros(self._count, np.int64)
        for bit in bits:
            words[bit // _WORD] |= 1 << bit % _WORD
        return words

    def _of(self, items: Iterable[_Item]) -> Ints:
        return self.words([self._bits[item] for item in items])

    def read(self, states: Ints, number: int) -> Ints:
        """Return the states after cycle `number` is read: first for the sets without it, then for the sets with it."""
        cycle = self.order[number]
        begun = states | self._of(item for item in self._begun[number] if not isinstance(item, int))
        rows = [row for row in self._rows if self._is_open(row, number)]
        without = begun & ~self._of(row for row in rows if row.mask & cycle)
        with_it = begun & ~self._of(row for row in rows if row.guard & cycle)
        unlined = ~_has_any(begun, self._lined)  # a stone that is read after a line is not in it
        if not self._only_lineless:
            with_it[unlined] |= self._of(squares_of(cycle))
        reached = np.concatenate([without, with_it])
        self._end_rows(reached, number)
        self._forget(reached, number)
        return reached

    def _is_open(self, item: _Item, number: int) -> bool:
        first, last = self._spans[item]
        return first <= number <= last

    def _open_squares(self, number: int) -> list[int]:
        return [square for square in self._rows_of if self._is_open(square, number)]

    def _end_rows(self, states: Ints, number: int) -> None:
        """If a state has a row whose last cycle is `number`, clear the candidates that the row rules out."""
        squares = self._open_squares(number)
        for row in self._ended[number]:
            if isinstance(row, int):
                continue
            there = _has_any(states, self._of([row]))
            if isinstance(row, Line):
                outside = self._of(square for square in squares if not row.mask >> square & 1)
                states[there] = states[there] & ~(outside | self._settled) | self._lined
            else:
                states[there] &= ~self._of([row.end])
            states &= ~self._of([row])

    def _forget(self, states: Ints, number: int) -> None:
        """Clear each longer row whose `end` is not a candidate, and each candidate that is in no open row.

        For each candidate cleared, the bit _SETTLED is set instead.
        """
        for square in self._open_squares(number):
            still_open = [row for row in self._rows_of[square] if number < self._spans[row][1]]
            candidate = _has_any(states, self._of([square]))
            states[~candidate] &= ~self._of(row for row in still_open if isinstance(row, _LongerRow))
            settled = candidate & ~_has_any(states, self._of(still_open))
            states[settled] = states[settled] & ~self._of([square]) | self._settled

    def are_possible(self, states: Ints, number: int) -> Bits:
        """Return, for each state, whether it can lead to a set that has no line, or to a set that has a candidate."""
        candidates = self._of(self._open_squares(number)) | self._settled
        return ~_has_any(states, self._lined) | _has_any(states, candidates)

    def outcomes(self, states: Ints) -> list[int]:
        flags = zip(_has_any(states, self._lined), _has_any(states, self._settled), strict=True)
        return [OVER if lined else LIVE if settled else BARE for lined, settled in flags]


def _has_any(states: Ints, words: Ints) -> Bits:
    return np.asarray((states & words).any(axis=1))


def _tallies(rules: Rules, cycles: Cycles, most_bytes: int) -> list[Endings]:
    """For each ply, count the pairs of disjoint sets: one set for the last mover and one for the other side."""
    counted = [_count_pairs(rules, last, live, most_bytes) for last, live in _automata(rules, cycles)]
    tallies = []
    for ply in range(rules.plies + 1):
        unlined, lined = counted[0 if ply % 2 else -1][(ply + 1) // 2, ply // 2]
        at_end = ply == rules.plies
        tallies.append(Endings(0 if at_end else unlined, lined, unlined if at_end else 0))
    return tallies


def _automata(rules: Rules, cycles: Cycles) -> list[tuple[Automaton, Automaton]]:
    """Return the automata of the last mover and of the other side: after a move of X and, if it differs, of O."""
    read = [read_sets(rules, lines, cycles) for lines in rules.sides]
    # A BARE set is empty, or larger than a side's set of stones can be.
    last = [sets.merged({LIVE: 0, BARE: 0, OVER: 1}) for sets in read]
    live = [sets.merged({LIVE: 0, BARE: 0}) for sets in read]
    return [*zip(last, reversed(live), strict=True)]


def _require_few_pairs(rules: Rules, last: Automaton, live: Automaton, most_bytes: int) -> None:
    """Raise RulesError if the counts of the pairs of states would take more than `most_bytes`."""
    for pairs, sizes, _ in _walk_pairs(rules, last, live):
        if len(pairs) * len(sizes) * 8 > most_bytes:
            raise RulesError(f"{rules} has too many positions to count them; choose a smaller board.")


def _count_pairs(rules: Rules, last: Automaton, live: Automaton, most_bytes: int) -> dict[tuple[int, int], list[int]]:
    """Count the pairs of disjoint sets, one accepted by `last` and one by `live`; keys are the sizes of the two sets.

    Each value has two counts: pairs for which `last` ends in state 0, and pairs for which `last` ends in state 1.
    Raises RulesError if there are too many pairs of states.
    """
    _require_few_pairs(rules, last, live, most_bytes)  # the counts take most of the memory, so refuse before them
    sizes, counts = [(0, 0)], np.ones((1, 1), np.int64)  # int64[pairs, sizes]
    for cycle, (pairs, grown_sizes, edges) in zip(live.sizes, _walk_pairs(rules, last, live), strict=True):
        before, sizes_before, sizes = counts, sizes, grown_sizes
        column = {size: number for number, size in enumerate(sizes)}
        counts = np.zeros((len(pairs), len(sizes)), np.int64)
        for taken, (sources, reached) in zip(_CHOICES, edges, strict=True):
            grown = [column.get((a + taken[0] * cycle, b + taken[1] * cycle), -1) for a, b in sizes_before]
            add_along(before, sources, np.searchsorted(pairs, reached), _runs(grown), counts)
    ones = pairs // (int(live.steps[-1].max()) + 1)
    found = {size: [0, 0] for size in sizes}
    for state, row in zip(ones.tolist(), counts.tolist(), strict=True):
        for size, count in zip(sizes, row, strict=True):
            found[size][state] = count
    return found


def _walk_pairs(
    rules: Rules, last: Automaton, live: Automaton
) -> Iterator[tuple[Ints, list[tuple[int, int]], list[tuple[Ints, Ints]]]]:
    """For each cycle, yield (the pairs of states after it, as sorted numbers; the pairs of sizes that sets can have;
    for each of `_CHOICES`, the pairs before it that allow the choice and the numbers of the pairs reached).
    """
    ones, others, read = np.zeros(1, np.int64), np.zeros(1, np.int64), 0
    for cycle, one, other in zip(live.sizes, last.steps, live.steps, strict=True):
        read += cycle
        width, edges = int(other.max()) + 1, list[tuple[Ints, Ints]]()
        for taken in _CHOICES:
            first, second = one[ones, taken[0]], other[others, taken[1]]
            usable = np.flatnonzero((first >= 0) & (second >= 0))
            edges.append((usable, first[usable] * width + second[usable]))
        pairs = sort_distinct(np.concatenate([reached for _, reached in edges]))
        yield pairs, _sizes(rules.squares, read), edges
        ones, others = np.divmod(pairs, width)


def _runs(grown: list[int]) -> Ints:
    """Return runs of adjacent columns for `add_along`. grown[c] is the column to which c is added (-1: none)."""
    runs: list[list[int]] = []
    for column, to in enumerate(grown):
        if runs and runs[-1][0] + runs[-1][2] == column and runs[-1][1] + runs[-1][2] == to:
            runs[-1][2] += 1
        elif to >= 0:
            runs.append([column, to, 1])
    return np.array(runs, np.int64).reshape(-1, 3)


def _sizes(squares: int, read: int) -> list[tuple[int, int]]:
    """Return the pairs of sizes that two sets can have after `read` squares have been read.

    At the end, the sizes are equal, or the first set is larger by one.
    """
    most, left = (squares + 1) // 2, squares - read
    return [
        (size, other)
        for size in range(min(read, most) + 1)
        for other in range(min(read - size, most) + 1)
        if -left <= size - other <= left + 1
    ]
