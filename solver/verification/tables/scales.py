"""What the values and distances of somebody's table mean: whose they are, on which scale, counted from where.

Whatever can be meant is tried, and what agrees best with the truth is taken and told.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from solver.game.position import Position
from solver.game.value import Value
from solver.verification.tables.entries import Stated
from solver.verification.values import PERSPECTIVES, StatedValues, compare_statements

__all__ = ["DISTANCES", "best_distance", "best_values"]

_CODES: Final[Mapping[str, tuple[str | None, Mapping[float, int]]]] = {
    "1 for X, 2 for O, 0 for a draw": ("X", {0: 0, 1: 1, 2: -1}),
    "0, 1, 2 for loss, draw, win": (None, {0: -1, 1: 0, 2: 1}),
}
"""What 0, 1 and 2 may stand for, and whose the value is then, where that is no question."""

DISTANCES: Final[Mapping[str, Callable[[Position, int], int]]] = {
    "plies to the end": lambda _, distance: distance,
    "plies of the whole game": lambda position, distance: position.ply + distance,
    "moves of the winner to the end": lambda _, distance: (distance + 1) // 2,
}
"""What a distance may count: from the position and the plies that are left."""


def best_values(
    stated: Sequence[tuple[Position, Value, Stated]], perspective: str | None
) -> tuple[str, StatedValues, bool]:
    """How values are read, in words; what comes of it; and whether another perspective would do as well."""
    numbers = {said.number for *_, said in stated}
    if any(said.is_winner for *_, said in stated):  # a draw is written alike by all
        perspective = "X"
    plain = {"": (perspective, {number: number for number in numbers})}
    codes = {} if any(said.is_word for *_, said in stated) or numbers - {0, 1, 2} or 2 not in numbers else _CODES
    tried = []
    for words, (side, meaning) in (codes or plain).items():
        statements = [(position, value, float(meaning[said.number])) for position, value, said in stated]
        views = [view for view in PERSPECTIVES if view == (side or perspective or view)]
        tried += [(words, compare_statements(statements, view)) for view in views]
    words, values = max(tried, key=lambda one: one[1].agreeing)
    others = [other for _, other in tried if other.perspective != values.perspective]
    is_open = any(other.agreeing == values.agreeing and other.wrong != values.wrong for other in others)
    scale = "in words" if all(said.is_word for *_, said in stated) else f"scale {values.scale}"
    return words or scale, values, is_open


def best_distance(stated: Sequence[tuple[Position, int, int]]) -> str:
    """What distances count, by their positions, the plies that are left, and what is stated; one of DISTANCES."""
    return max(
        DISTANCES,
        key=lambda name: sum(DISTANCES[name](position, true) == said for position, true, said in stated),
    )
