"""Read the values that an engine or a table states, and compare them with the truth.

Engines use scales of their own, so the scale is guessed, by rules that are few and stated in the report:

* numbers from 0 to 1 with something between are probabilities of winning: 1/2 is a draw;
* other numbers from -1 to 1 stand for the nearest of win (1), draw (0) and loss (-1);
* beyond that the sign says it, as in `10 - depth`.

The values may be the side to move's, as an engine is asked for, or always one side's. Whose an engine's are is told
where the rules alone say who wins, never by how well they agree.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import StatisticsError, correlation
from typing import Any, Final

from solver.game.position import Position
from solver.game.value import CATEGORIES, Value
from solver.verification.grade import Verdict

MOST_LISTED = 5
"""Wrong values that `StatedValues.worst` lists."""

MOVER = "the side to move"
PERSPECTIVES = (MOVER, "X")
"""The sides whose values a table may state."""

Statement = tuple[Position, Value, float]
"""A position, its true value, and the value that is stated."""


_WORDS: Final = {
    1: "win wins won winning w victory +",
    0: "draw draws drawn d tie ties tied t = remis",
    -1: "loss losses lose loses lost losing l defeat -",
}
_RESULTS: Final = {word: wdl for wdl, words in _WORDS.items() for word in words.split()}
_WINNERS: Final = {"x": 1, "o": -1, "player1": 1, "player2": -1, "first": 1, "second": -1}
_TIMED: Final = re.compile(r"([a-z=+-]+)(?:\s+in)?\s*(\d+)(?:\s*pl(?:y|ies))?")  # `win in 5`, `W5`


@dataclass(frozen=True)
class StatedValue:
    """A value as a cell states it."""

    number: float
    is_word: bool = False
    names_winner: bool = False

    distance: int | None = None
    """The plies in `win in 5`."""


@dataclass(frozen=True)
class WrongValue:
    """A position where the stated value is wrong."""

    position: Position
    stated: float

    meant: float
    """What it means, between -1 (a loss) and 1 (a win)."""

    truth: int
    """1, 0 or -1."""

    @property
    def result(self) -> int:
        """The win, draw or loss that is meant: 1, 0 or -1."""
        return (self.meant > 0.5) - (self.meant < -0.5)


@dataclass(frozen=True)
class StatedValues:
    """The comparison of the stated values with the truth."""

    positions: int
    """Positions where a value was stated."""

    agreeing: int
    """Positions where it means the true win, draw or loss."""

    correlation: float | None
    """Spearman's rank correlation with the truth (a quick win above a slow one, if more than three values are stated).

    None where one of the two never varies.
    """

    scale: str
    perspective: str

    wrong: tuple[WrongValue, ...]
    """The largest differences first."""

    @property
    def worst(self) -> tuple[WrongValue, ...]:
        """The first of the wrong values."""
        return self.wrong[:MOST_LISTED]

    @property
    def agreement(self) -> float:
        """The share of positions where it agrees."""
        return self.agreeing / self.positions

    @property
    def correlation_text(self) -> str:
        """The rank correlation with three decimals, or `none`."""
        return "none" if self.correlation is None else f"{self.correlation:.3f}"


def compare_verdicts(verdicts: Sequence[Verdict]) -> StatedValues | None:
    """Compare the values that came with an engine's answers; None if it states none."""
    stated = [
        (verdict.position, verdict.value, float(verdict.answer.value))
        for verdict in verdicts
        if verdict.answer.value is not None and isfinite(verdict.answer.value)
    ]
    return compare_values(stated, _tell_perspective(stated)) if stated else None


def _tell_perspective(stated: Sequence[Statement]) -> str:
    """Tell whose the values are by their signs in positions where a side can win on the spot."""
    _, scaled = _scale_values([value for *_, value in stated])
    signs = {"X": 0, "O": 0}
    for (position, *_), value in zip(stated, scaled, strict=True):
        if any(position.play(move).outcome == position.to_move for move in position.legal_moves):
            signs[position.to_move] += (value > 0) - (value < 0)
    if signs["X"] * signs["O"] >= 0:
        return MOVER
    return "X" if signs["X"] > 0 else "O"


def compare_values(stated: Sequence[Statement], perspective: str) -> StatedValues:
    """Compare at least one value, stated for MOVER, X or O."""
    scale, scaled = _scale_values([value for *_, value in stated])
    signs = [1 if perspective in {MOVER, position.to_move} else -1 for position, *_ in stated]
    # Rounded, so that a scale of probabilities makes no two values out of one.
    meant = [round(sign * value, 9) for sign, value in zip(signs, scaled, strict=True)]
    plain = len(set(meant)) <= len(CATEGORIES)
    truth = [float(value.wdl) if plain else _grade_value(position, value) for position, value, _ in stated]
    read = [
        WrongValue(position, said, one, value.wdl) for (position, value, said), one in zip(stated, meant, strict=True)
    ]
    wrong = [one for one in read if one.result != one.truth]
    wrong.sort(key=lambda one: (-abs(one.meant - one.truth), one.position.ply, one.position.hash))
    return StatedValues(
        positions=len(stated),
        agreeing=len(stated) - len(wrong),
        correlation=correlate_ranks(meant, truth),
        scale=scale,
        perspective=perspective,
        wrong=tuple(wrong),
    )


def _scale_values(values: Sequence[float]) -> tuple[str, list[float]]:
    """Return the scale in words, and the values between -1 and 1."""
    low, high = min(values), max(values)
    if low >= 0 and high <= 1 and any(0 < value < 1 for value in values):
        return "0 to 1", [2 * value - 1 for value in values]
    if low >= -1 and high <= 1:
        return "-1 to 1", list(values)
    # The sign decides; the size, kept between 1/2 and 1, only orders wins and losses among themselves.
    largest = max(abs(low), abs(high))
    return "by sign", [((value > 0) - (value < 0) + value / largest) / 2 for value in values]


def _grade_value(position: Position, value: Value) -> float:
    """Return a number that orders positions from the quickest loss to the quickest win."""
    return value.wdl * (2 - (value.distance or 0) / (position.rules.squares + 1))


def correlate_ranks(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation, the ranks of equals averaged; None where all of one side are equal.

    >>> correlate_ranks([1, 2, 3], [10, 20, 90]), correlate_ranks([1, 1], [2, 3])
    (1.0, None)
    """
    try:
        return correlation(_rank_values(left), _rank_values(right))
    except StatisticsError:
        return None


def _rank_values(values: Sequence[float]) -> list[float]:
    places: defaultdict[float, list[int]] = defaultdict(list)
    for place, value in enumerate(sorted(values), 1):
        places[value].append(place)
    return [(places[value][0] + places[value][-1]) / 2 for value in values]


def read_value(given: Any) -> StatedValue | None:
    """Read the value in a cell; None if it states none that can be read.

    >>> read_value("Win in 5"), read_value("O wins").names_winner, read_value("0.25").number
    (StatedValue(number=1, is_word=True, names_winner=False, distance=5), True, 0.25)
    """
    number = read_number(given)
    if number is not None:
        return StatedValue(number)
    if not isinstance(given, str):
        return None
    text = " ".join(given.lower().replace("_", " ").split())
    winner = re.sub(r"[ -]?(wins?|won)$", "", text).replace(" ", "")
    if text not in _RESULTS and winner in _WINNERS:
        return StatedValue(_WINNERS[winner], is_word=True, names_winner=True)
    timed = _TIMED.fullmatch(text)
    word, distance = (timed[1], int(timed[2])) if timed else (text, None)
    return StatedValue(_RESULTS[word], is_word=True, distance=distance) if word in _RESULTS else None


def read_number(given: Any) -> float | None:
    """Read a finite number, written or not; whole ones as int."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        number = float(given)
    except ValueError:
        return None
    if not isfinite(number):
        return None
    return int(number) if number.is_integer() else number
