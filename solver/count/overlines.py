"""Count without visiting where a longer row does not count: read sets of squares, and which stones can be the last.

A line is none while its owner has a stone on its guard, such as the square behind it. So a stone can undo a line, and
the order of stones matters. Those that can be taken away so that no line is left are the *candidates*: they lie in
every line of the set, and in no longer row (a line and one square of its guard) that would be a line without them. A
set is

* LIVE, if it has a candidate and no line;
* OVER, if it has a candidate and a line;
* BARE, if it has neither: the empty set, and sets that nobody can have built.

Where the empty set is the only BARE one of up to half the board, every LIVE or OVER set can be built, because without a
candidate it is LIVE or empty. That is so on rectangles of up to 36 squares where three in a row or more win: it takes
many longer rows that cross to leave no candidate. Other games are left to subsets.py, which goes through all sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from solver.count.automaton import (
    Bits,
    Ints,
    Reader,
    Slots,
    Step,
    has_any,
    join,
    merge_alike,
    reading_order,
    require_few,
    span_of,
)
from solver.count.counts import PlyCount, Tally, count_classes
from solver.count.profile import count_sizes, require_countable, tally_plies
from solver.count.subsets import MOST_SQUARES
from solver.errors import RulesError
from solver.game.lines import Line, squares_of
from solver.game.rules import Rules
from solver.game.symmetry import Cycles

LIVE, OVER, BARE = range(3)

QUICK_WORDS = 1 << 19
"""Of the states after one square, while a forecast waits: such an automaton takes a second or two."""

_LINED = 0  # the slot of a state that says whether there is a line
_SETTLED = 1  # whether there is a candidate in no line or longer row that is still open


class LongerRow(NamedTuple):
    """A line with a square of its guard, without which it is a line."""

    mask: int
    guard: int
    end: int


def count_positions(rules: Rules) -> list[PlyCount]:
    """Count the positions of a game without gravity.

    Raises RulesError for a game with other BARE sets than the empty one, and for one with too many sets.
    """
    require_countable(rules)
    if not all_can_be_built(rules):
        raise RulesError(
            f"In {rules} some stones without a line can't have been placed one by one; positions of such games are "
            f"counted by the method 'subsets', on boards of up to {MOST_SQUARES} squares, and this has {rules.squares}."
        )
    return count_classes(rules, lambda cycles: _tallies(rules, cycles))


def _tallies(rules: Rules, cycles: Cycles) -> list[Tally]:
    """Count for each ply the pairs of unions of cycles."""
    read = [read_sets(rules, lines, cycles) for lines in rules.sides]
    # BARE is the empty set here, and larger ones than a side has stones.
    last, live = (
        [merge_alike(reader, [accepted[outcome] for outcome in outcomes]) for reader, outcomes in read]
        for accepted in ({LIVE: 0, BARE: 0, OVER: 1}, {LIVE: 0, BARE: 0, OVER: -1})
    )
    return tally_plies(rules, last, live)


@lru_cache(maxsize=8)
def all_can_be_built(rules: Rules, most_words: int | None = None) -> bool:
    """Tell whether each side can build every set without a line of up to half the board.

    Raises RulesError if that takes states of more than `most_words`, by default automaton.MOST_WORDS.
    """
    cycles = tuple(1 << square for square in range(rules.squares))
    for lines in rules.sides:
        reader, outcomes = read_sets(rules, lines, cycles, most_words)
        sizes = count_sizes(reader, (rules.plies + 1) // 2)
        if any(sizes[state, 1:].any() for state, outcome in enumerate(outcomes) if outcome == BARE):
            return False
    return True


def is_quick(rules: Rules) -> bool:
    """Tell whether the positions of a game can be counted in this way, and in seconds."""
    try:
        return all_can_be_built(rules, QUICK_WORDS)
    except RulesError:
        return False


def read_sets(
    rules: Rules, lines: Sequence[Line], cycles: Cycles, most_words: int | None = None
) -> tuple[Reader, list[int]]:
    """Make the automaton of one side's sets that are unions of cycles; return it and the outcome of each last state.

    Raises RulesError if its states are too many.
    """
    sets = _Sets(lines, reading_order(rules, cycles))
    states, steps = sets.start, list[Step]()
    for number in range(len(sets.order)):
        reached = sets.read(states, number)
        possible = np.flatnonzero(sets.are_possible(reached, number))
        takes, sources = np.divmod(possible, len(states))
        step, states = join(sources, takes, np.ones_like(possible), reached[possible])
        require_few(rules, states, most_words)
        steps.append(step)
    return Reader([cycle.bit_count() for cycle in sets.order], steps), sets.outcomes(states)


class _Sets:
    """What matters of sets that are read cycle by cycle; their states are int64[states, words].

    Lines and longer rows (both are called rows) have slots while a set can still have them, squares while they are
    candidates. Where a set has a line, only the candidates in it are left.
    """

    def __init__(self, lines: Sequence[Line], order: Sequence[int]) -> None:
        self.order = order
        self._rows: list[Line | LongerRow] = list(dict.fromkeys([*lines, *_longer_rows(lines)]))
        spans: dict[Line | LongerRow | int, tuple[int, int]] = {
            row: span_of(order, row.mask | row.guard) for row in self._rows
        }
        self._rows_of: dict[int, list[Line | LongerRow]] = {}  # by square those that decide about it as a candidate
        for number, cycle in enumerate(order):
            for square in squares_of(cycle):
                decide = [row for row in self._rows if _decides(row, square)]
                self._rows_of[square] = decide
                spans[square] = number, max((spans[row][1] for row in decide), default=number)
        self._slots = Slots(spans, len(order), used=2)
        self._lined, self._settled = (self._slots.words([flag]) for flag in (_LINED, _SETTLED))
        self.start = self._slots.words([])[None]

    def read(self, states: Ints, number: int) -> Ints:
        """Read a cycle; return the states of the sets without it, then those of the sets with it."""
        cycle, slots = self.order[number], self._slots
        begun = states | slots.of(item for item in slots.begun[number] if not isinstance(item, int))
        rows = [row for row in self._rows if self._is_open(row, number)]
        without = begun & ~slots.of(row for row in rows if row.mask & cycle)
        with_it = begun & ~slots.of(row for row in rows if row.guard & cycle)
        unlined = ~has_any(begun, self._lined)  # a stone that is read behind a line is not in it
        with_it[unlined] |= slots.of(squares_of(cycle))
        reached = np.concatenate([without, with_it])
        self._end_rows(reached, number)
        self._forget(reached, number)
        return reached

    def _is_open(self, item: Line | LongerRow | int, number: int) -> bool:
        first, last = self._slots.spans[item]
        return first <= number <= last

    def _open_squares(self, number: int) -> list[int]:
        return [square for square in self._rows_of if self._is_open(square, number)]

    def _end_rows(self, states: Ints, number: int) -> None:
        """Take away the candidates that are none, because a set has a row that ends here."""
        slots, squares = self._slots, self._open_squares(number)
        for row in slots.ended[number]:
            if isinstance(row, int):
                continue
            there = has_any(states, slots.of([row]))
            if isinstance(row, Line):
                outside = slots.of(square for square in squares if not row.mask >> square & 1)
                states[there] = states[there] & ~(outside | self._settled) | self._lined
            else:
                states[there] &= ~slots.of([row.end])
            states &= ~slots.of([row])

    def _forget(self, states: Ints, number: int) -> None:
        """Forget longer rows that take no candidate away, and which candidates no open row can take away."""
        slots = self._slots
        for square in self._open_squares(number):
            still_open = [row for row in self._rows_of[square] if number < slots.spans[row][1]]
            candidate = has_any(states, slots.of([square]))
            states[~candidate] &= ~slots.of(row for row in still_open if isinstance(row, LongerRow))
            settled = candidate & ~has_any(states, slots.of(still_open))
            states[settled] = states[settled] & ~slots.of([square]) | self._settled

    def are_possible(self, states: Ints, number: int) -> Bits:
        """Tell which states can be those of a LIVE, an OVER or a BARE set: without a line, or with a candidate."""
        candidates = self._slots.of(self._open_squares(number)) | self._settled
        return ~has_any(states, self._lined) | has_any(states, candidates)

    def outcomes(self, states: Ints) -> list[int]:
        """Tell the outcome of each state when all is read."""
        flags = zip(has_any(states, self._lined), has_any(states, self._settled), strict=True)
        return [OVER if lined else LIVE if settled else BARE for lined, settled in flags]


def _longer_rows(lines: Sequence[Line]) -> Iterator[LongerRow]:
    """List the longer rows of some lines."""
    for mask, guard in lines:
        for end in squares_of(guard):
            yield LongerRow(mask | 1 << end, guard ^ 1 << end, end)


def _decides(row: Line | LongerRow, square: int) -> bool:
    """Tell whether a square may be a candidate because of a line, or can't be because of a longer row."""
    return row.end == square if isinstance(row, LongerRow) else bool(row.mask >> square & 1)
