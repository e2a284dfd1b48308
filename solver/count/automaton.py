"""Read sets of squares without a line with an automaton that goes through the board square by square.

What has been read of a set matters only by the lines it can still complete: those begun and not ended whose squares
so far are all in the set. The sets of such lines are the states. There are few, as most lines are soon out of reach:
up to 20,753 on the way through 6,6,4, which has 9,928,387,804 sets of up to half its squares without a line. (A
transfer matrix over rows, with states that are alike merged as in the frontier method for decision diagrams.)

A symmetry leaves the sets as they are that are unions of its cycles; these are read cycle by cycle in the same way.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from solver.errors import RulesError
from solver.game.lines import Line, squares_of
from solver.game.rules import Rules
from solver.game.symmetry import Cycles

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.bool_]

MOST_WORDS = 4_000_000
"""Of the states after one square: such an automaton takes some ten seconds and a GB."""

MARKED = 0  # the slot of a state that says whether a mark is set
_WORD = 62  # slots in a word of a state

_Item = TypeVar("_Item", bound=Hashable)


class Step(NamedTuple):
    """The edges from the states before a cycle to those after it, sorted by source: int64[edges] each."""

    sources: Ints
    targets: Ints
    weights: Ints
    takes: Ints  # 1 if the cycle is in the set, 0 if not
    states: int  # after it


class Reader(NamedTuple):
    """An automaton: state 0 is the only one at the start, and the accepting one at the end; 1 accepts with a mark."""

    sizes: list[int]  # squares of each cycle
    steps: list[Step]


def read_lineless(
    rules: Rules, lines: Sequence[Line], cycles: Cycles, marks: Mapping[int, int] | None = None
) -> Reader:
    """Make the automaton of the sets without one of the lines that are unions of cycles.

    With `marks`, weights by sets of squares, one mark may be set that allows all lines that contain it. Then a set with
    lines is accepted with the sum of the weights of the marks that lie in each of its lines, one without a line with 0.

    Raises RulesError for a board that needs more than MOST_WORDS words for its states.
    """
    order = reading_order(rules, cycles)
    slots = Slots({line: span_of(order, line.mask | line.guard) for line in lines}, len(order), MARKED + 1)
    beginning = _by_first_cycle(marks or {}, order)
    states = slots.words([])[None]
    steps = []
    for number, cycle in enumerate(order):
        begun = states | slots.of(slots.begun[number])
        without = begun & ~slots.of(line for line in lines if line.mask & cycle)
        with_it = begun & ~slots.of(line for line in lines if line.guard & cycle)
        # Each choice: the rows it leads to, whether it takes the cycle, its weight, whether it sets a mark.
        choices = [(without, 0, 1, False), (with_it, 1, 1, False)]
        for mark, weight in beginning[number]:
            allowed = slots.of(line for line in lines if line.mask & mark == mark)
            choices += [(with_it & ~allowed, 1, weight, True), (with_it, 1, -weight, True)]
        step, states = _step(states, choices, slots.words([MARKED]), slots.of(slots.ended[number]))
        require_few(rules, states)
        steps.append(step)
    return Reader([cycle.bit_count() for cycle in order], steps)


def require_few(rules: Rules, states: Ints, most: int | None = None) -> None:
    """Raise RulesError for states of more than so many words, by default MOST_WORDS."""
    if states.size > (MOST_WORDS if most is None else most):
        raise RulesError(f"{rules} has too many sets without a line to be counted; choose a smaller board.")


def reading_order(rules: Rules, cycles: Cycles) -> list[int]:
    """Put cycles in order along the shorter side of the board, so that few lines are open at a time."""
    m, n = rules.diagram.rows, rules.diagram.columns
    rank = [place if n <= m else place % n * m + place // n for place in rules.diagram.place_of]
    return sorted(cycles, key=lambda cycle: min(rank[square] for square in squares_of(cycle)))


def span_of(order: Sequence[int], squares: int) -> tuple[int, int]:
    """Return the numbers of the first and the last cycle that have some of the squares (a bitmask)."""
    numbers = [number for number, cycle in enumerate(order) if cycle & squares]
    return numbers[0], numbers[-1]


def _by_first_cycle(marks: Mapping[int, int], order: Sequence[int]) -> list[list[tuple[int, int]]]:
    """List for each cycle the marks, with their weights, of which it is the first."""
    found: list[list[tuple[int, int]]] = [[] for _ in order]
    for mark, weight in marks.items():
        found[next(number for number, cycle in enumerate(order) if cycle & mark)].append((mark, weight))
    return found


class Slots(Generic[_Item]):
    """The bits of a state: an item has one from the cycle at which it begins to the one at which it ends."""

    def __init__(self, spans: Mapping[_Item, tuple[int, int]], cycles: int, used: int) -> None:
        """Give slots to items, after so many that are `used` for flags."""
        self.spans = spans
        self.begun = [[item for item, (first, _) in spans.items() if first == number] for number in range(cycles)]
        self.ended = [[item for item, (_, last) in spans.items() if last == number] for number in range(cycles)]
        free: list[int] = []
        self._slot: dict[_Item, int] = {}
        for begun, ended in zip(self.begun, self.ended, strict=True):
            for item in begun:
                if not free:
                    free.append(used)
                    used += 1
                self._slot[item] = free.pop()
            free += [self._slot[item] for item in ended]
        self._count = -(-used // _WORD)

    def of(self, items: Iterable[_Item]) -> Ints:
        """Return the words of a state that has the slots of some items."""
        return self.words([self._slot[item] for item in items])

    def words(self, slots: Iterable[int]) -> Ints:
        """Return the words of a state with some slots: int64[words]."""
        words = np.zeros(self._count, np.int64)
        for slot in slots:
            words[slot // _WORD] |= 1 << slot % _WORD
        return words


def has_any(states: Ints, words: Ints) -> Bits:
    """Return for each of int64[states, words] whether it has one of the slots in `words`."""
    return np.asarray((states & words).any(axis=1))


def _step(states: Ints, choices: Sequence[tuple[Ints, int, int, bool]], marked: Ints, ended: Ints) -> tuple[Step, Ints]:
    """Follow the choices from each state, int64[states, words]; return the edges and the states they lead to."""
    unmarked = ~has_any(states, marked)
    rows, sources, takes, weights = [], [], [], []
    for leads_to, taken, weight, marks in choices:
        reached = leads_to | marked if marks else leads_to
        possible = np.flatnonzero(~has_any(reached, ended) & (unmarked | (not marks)))
        rows.append(reached[possible])
        sources.append(possible)
        takes.append(np.full(len(possible), taken))
        weights.append(np.full(len(possible), weight))
    return join(*map(np.concatenate, (sources, takes, weights, rows)))


def join(sources: Ints, takes: Ints, weights: Ints, rows: Ints) -> tuple[Step, Ints]:
    """Make the step of edges that lead to states, given as rows; return it and the distinct states."""
    after, targets = _distinct(rows)
    # Edges that are alike are added up; marks that allow nothing that is left cancel out.
    alike = (sources * 2 + takes) * len(after) + targets
    edges, which = np.unique(alike, return_inverse=True)
    total = np.zeros(len(edges), np.int64)
    np.add.at(total, which, weights)
    edges, total = edges[total != 0], total[total != 0]
    from_state, take = np.divmod(edges // len(after), 2)
    return Step(from_state, edges % len(after), total, take, len(after)), after


def merge_alike(reader: Reader, outcomes: Sequence[int]) -> Reader:
    """Merge the states of an automaton from which the same sets lead to the same outcomes.

    `outcomes` are by state at the end, with -1 for sets that are not accepted; they are the states at the end of the
    automaton that is returned, and no state of it leads nowhere. All edges must weigh 1, one for each choice, and the
    empty set must be accepted.
    """
    steps, place = list[Step](), np.array(outcomes)
    states = [1, *(step.states for step in reader.steps[:-1])]
    after = max(outcomes) + 1
    for before, step in zip(reversed(states), reversed(reader.steps), strict=True):
        leads_to = np.full((before, 2), -1)
        leads_to[step.sources, step.takes] = place[step.targets]
        kinds, first, kind = np.unique((leads_to + 1) @ [after + 1, 1], return_index=True, return_inverse=True)
        nowhere = int(kinds[0] == 0)
        merged = leads_to[first[nowhere:]]
        source, take = np.nonzero(merged >= 0)
        steps.append(Step(source, merged[source, take], np.ones(len(source), np.int64), take, after))
        place, after = kind - nowhere, len(merged)
    return Reader(reader.sizes, steps[::-1])


def _distinct(rows: Ints) -> tuple[Ints, Ints]:
    """Return the distinct rows of int64[R, words], ascending, and for each row the place of its like."""
    place = np.zeros(len(rows), np.int64)
    first = place[:1]
    for column in rows.T:
        values, index = np.unique(column, return_inverse=True)
        _, first, place = np.unique(place * len(values) + index, return_index=True, return_inverse=True)
    return rows[first], place
