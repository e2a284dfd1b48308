"""Play at random, knowing only the rules: the yardstick for all other players."""

from dataclasses import dataclass
from fractions import Fraction

from solver.engines.contract import Choice, register
from solver.engines.stochastic import StochasticEngine, uniform
from solver.game.position import Position

__all__ = ["RandomEngine"]


@register("random")
@dataclass
class RandomEngine(StochasticEngine):
    """Plays every legal move with the same probability."""

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Give each legal move the same probability."""
        return uniform(position.legal_moves)

    def choose(self, position: Position) -> Choice:
        """Draw a legal move."""
        return Choice(self._random.choice(position.legal_moves))
