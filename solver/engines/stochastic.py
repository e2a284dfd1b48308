"""Base class of engines that draw their moves: one is wholly described by the probabilities of its moves."""

import random
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from solver.engines.contract import Choice, Engine
from solver.game.position import Position

__all__ = ["StochasticEngine", "uniform"]


def uniform(moves: tuple[int, ...]) -> dict[int, Fraction]:
    """Give each of the moves the same probability."""
    return dict.fromkeys(moves, Fraction(1, len(moves)))


@dataclass
class StochasticEngine(Engine):
    """Draws each move from `distribution`; `seed` None draws differently in every run."""

    seed: int | None = None

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def new_game(self, seed: int | None = None) -> None:
        """Draw anew from `seed`, together with the engine's own."""
        if seed is not None:
            self._random = random.Random(f"{self.seed} {seed}")

    @abstractmethod
    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Return the probability of each move it may play."""

    def choose(self, position: Position) -> Choice:
        """Draw a move."""
        moves = self.distribution(position)
        [move] = self._random.choices(list(moves), [float(share) for share in moves.values()])
        return Choice(move)
