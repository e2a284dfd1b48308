"""The player that knows only the rules, against which all others are measured."""

from dataclasses import dataclass
from fractions import Fraction

from solver.engines.contract import Choice, register
from solver.engines.stochastic import DrawingEngine, uniform
from solver.game.position import Position

__all__ = ["RandomEngine"]


@register("random")
@dataclass
class RandomEngine(DrawingEngine):
    """Plays every legal move with the same probability."""

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """The same probability for each legal move."""
        return uniform(position.legal_moves)

    def choose(self, position: Position) -> Choice:
        """A legal move, drawn."""
        return Choice(self._random.choice(position.legal_moves))
