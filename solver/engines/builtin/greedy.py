"""Play without search, on boards of any size (`solver.game.greedy`).

>>> engine = GreedyEngine()
>>> engine.choose(Position.parse(parse_game("15,15,5"), "h8 a1 i8 a2 j8 a3 k8")).move == 7 * 15 + 6
True
"""

from dataclasses import dataclass
from fractions import Fraction

from solver.engines.engine import StochasticEngine, register, uniform
from solver.game.greedy import heaviest, weigh_moves
from solver.game.position import Position


@register("greedy")
@dataclass
class GreedyEngine(StochasticEngine):
    """Plays where the most open lines cross, on boards of any size: it builds and blocks lines without search."""

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Return the same probability for each of the moves with the largest weight."""
        return uniform(heaviest(weigh_moves(position)))
