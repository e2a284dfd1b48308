"""Play without search: weigh each square by the open lines through it.

A line is open for a side if the other side has no stone on it. It weighs more, the more of the side's stones it has.
Such play builds and blocks lines, and errs: its games look like those of people, on boards of any size.
"""

from collections.abc import Mapping
from random import Random
from typing import Final

from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules

_STEP: Final = 9  # the weight of a line grows by this factor with each stone
_LAST: Final = 100  # ... and by this factor if it lacks one stone, so that lines are completed and blocked


class LineWeights:
    """The weight of each square, kept up to date while stones are placed. Sides are 0 for X and 1 for O."""

    def __init__(self, rules: Rules) -> None:
        sides = (rules.x_lines, rules.o_lines)
        self._sign = -1 if rules.misere else 1  # misere: complete no line, and leave the other side's lines open
        self._squares = [[[*squares_of(line.mask)] for line in lines] for lines in sides]
        self._stones = [[0] * len(lines) for lines in sides]  # of the line's side; -1: it is not open
        self._through: list[list[list[int]]] = [[[] for _ in range(rules.squares)] for _ in sides]
        self._weights = [[0] * rules.squares for _ in sides]
        for side, lines in enumerate(self._squares):
            for number, squares in enumerate(lines):
                for square in squares:
                    self._through[side][square].append(number)
                    self._weights[side][square] += self._weight(side, number)

    def place(self, square: int, mover: int) -> None:
        """Place a stone of a side."""
        for side in (0, 1):
            stones = self._stones[side]
            for number in self._through[side][square]:
                change = -self._weight(side, number)
                stones[number] = stones[number] + 1 if side == mover and stones[number] >= 0 else -1
                change += self._weight(side, number)
                for other in self._squares[side][number]:
                    self._weights[side][other] += change

    def weight(self, square: int, mover: int) -> int:
        """Return the weight of an empty square for the side to move; its own lines count twice."""
        return self._sign * (2 * self._weights[mover][square] + self._weights[1 - mover][square])

    def _weight(self, side: int, number: int) -> int:
        stones, lacking = self._stones[side][number], len(self._squares[side][number]) - self._stones[side][number]
        return 0 if stones < 0 else int(_STEP**stones) * (_LAST if lacking == 1 else 1)


def weigh_moves(position: Position) -> dict[int, int]:
    """Return the weight of each legal move."""
    weights = LineWeights(position.rules)
    for mover, stones in enumerate((position.x, position.o)):
        for square in squares_of(stones):
            weights.place(square, mover)
    return {square: weights.weight(square, position.ply % 2) for square in position.legal_moves}


def heaviest(weights: Mapping[int, int]) -> tuple[int, ...]:
    """Return the moves with the largest weight."""
    largest = max(weights.values())
    return tuple(square for square, weight in weights.items() if weight == largest)


def play_greedily(rules: Rules, draw: Random, noise: float) -> list[Position]:
    """Return the positions of a game in which both sides play on the square with the largest weight.

    noise: each weight is multiplied by a random number from 1 to 1 + noise.
    """
    weights, positions = LineWeights(rules), [Position.start(rules)]
    while moves := (position := positions[-1]).legal_moves:
        mover = position.ply % 2
        square = max(moves, key=lambda move: weights.weight(move, mover) * (1 + noise * draw.random()))
        weights.place(square, mover)
        positions.append(position.play(square))
    return positions
