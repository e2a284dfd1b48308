"""Values that an engine states, held against the truth.

Engines use scales of their own, so the scale is guessed, by rules that are few and stated in the report:

* numbers from 0 to 1 with something between are probabilities of winning: 1/2 is a draw;
* other numbers from -1 to 1 stand for the nearest of win (1), draw (0) and loss (-1);
* beyond that the sign says it, as in `10 - depth`.

And they may be the side to move's, as an engine is asked for, or X's; whichever agrees better is taken.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt

from solver.game.position import Position
from solver.game.value import CATEGORIES, Value
from solver.verification.grade import Verdict

__all__ = ["PERSPECTIVES", "Disagreement", "StatedValues", "Statement", "compare_statements", "compare_values"]

MOST_DISAGREEMENTS = 5

PERSPECTIVES = ("the side to move", "X")
"""Whose the stated values may be."""

Statement = tuple[Position, Value, float]
"""A position, its true value, and the value that is stated."""


@dataclass(frozen=True)
class Disagreement:
    """A position where the stated value is wrong: what was stated, what that means, and the truth (1, 0 or -1)."""

    position: Position
    stated: float
    meant: float
    truth: int

    @property
    def result(self) -> int:
        """What it means, as 1, 0 or -1."""
        return _result(self.meant)


@dataclass(frozen=True)
class StatedValues:
    """How the stated values compare with the truth.

    positions: where a value was stated. agreeing: where it means the true win, draw or loss. correlation: Spearman's
    rank correlation with the truth (a quick win above a slow one, if it states more than three values), None where one
    of the two never varies. scale, perspective: how the values were read. wrong: the disagreements, the largest first.
    """

    positions: int
    agreeing: int
    correlation: float | None
    scale: str
    perspective: str
    wrong: tuple[Disagreement, ...]

    @property
    def worst(self) -> tuple[Disagreement, ...]:
        """The first of the disagreements."""
        return self.wrong[:MOST_DISAGREEMENTS]

    @property
    def agreement(self) -> float:
        """The share of positions where it agrees."""
        return self.agreeing / self.positions


def compare_values(verdicts: Sequence[Verdict]) -> StatedValues | None:
    """The comparison, None for an engine that states no values."""
    stated = [
        (verdict.position, verdict.value, float(verdict.answer.value))
        for verdict in verdicts
        if verdict.answer.value is not None and isfinite(verdict.answer.value)
    ]
    return compare_statements(stated) if stated else None


def compare_statements(stated: Sequence[Statement], perspective: str | None = None) -> StatedValues:
    """The comparison of at least one value, as one of PERSPECTIVES; by default as that which agrees better."""
    readings = [_read(stated, one) for one in PERSPECTIVES if perspective in {None, one}]
    return max(readings, key=lambda reading: reading.agreeing)


def _read(stated: Sequence[Statement], perspective: str) -> StatedValues:
    scale, meant = _scaled([value for *_, value in stated])
    signs = [-1 if perspective == "X" and position.to_move == "O" else 1 for position, *_ in stated]
    # Rounded, so that a scale of probabilities makes no two values out of one.
    meant = [round(sign * value, 9) for sign, value in zip(signs, meant, strict=True)]
    plain = len(set(meant)) <= len(CATEGORIES)
    truth = [float(value.wdl) if plain else _fineness(position, value) for position, value, _ in stated]
    found = [
        Disagreement(position, said, seen, value.wdl)
        for (position, value, said), seen in zip(stated, meant, strict=True)
    ]
    wrong = [one for one in found if _result(one.meant) != one.truth]
    wrong.sort(key=lambda one: (-abs(one.meant - one.truth), one.position.ply, one.position.hash))
    return StatedValues(
        positions=len(found),
        agreeing=len(found) - len(wrong),
        correlation=spearman(meant, truth),
        scale=scale,
        perspective=perspective,
        wrong=tuple(wrong),
    )


def _scaled(values: Sequence[float]) -> tuple[str, list[float]]:
    """The scale in words, and the values between -1 and 1."""
    low, high = min(values), max(values)
    if low >= 0 and high <= 1 and any(0 < value < 1 for value in values):
        return "0 to 1", [2 * value - 1 for value in values]
    if low >= -1 and high <= 1:
        return "-1 to 1", list(values)
    # The sign decides; the size, kept between 1/2 and 1, only orders wins and losses among themselves.
    largest = max(abs(low), abs(high))
    return "by sign", [((value > 0) - (value < 0) + value / largest) / 2 for value in values]


def _result(meant: float) -> int:
    """The nearest of win, draw and loss."""
    return (meant > 0.5) - (meant < -0.5)


def _fineness(position: Position, value: Value) -> float:
    """A number that orders positions from the quickest loss to the quickest win."""
    return value.wdl * (2 - (value.distance or 0) / (position.rules.squares + 1))


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    """The correlation of the ranks, those of equals averaged; None where all of one side are equal.

    >>> spearman([1, 2, 3], [10, 20, 90]), spearman([1, 1], [2, 3])
    (1.0, None)
    """
    a, b = _ranks(left), _ranks(right)
    mean = (len(a) + 1) / 2
    spread = sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b))
    if not spread:
        return None
    return sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True)) / spread


def _ranks(values: Sequence[float]) -> list[float]:
    places: defaultdict[float, list[int]] = defaultdict(list)
    for place, value in enumerate(sorted(values), 1):
        places[value].append(place)
    return [(places[value][0] + places[value][-1]) / 2 for value in values]
