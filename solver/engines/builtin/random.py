"""Draw moves by their probabilities, which describe such an engine wholly; the random player is the yardstick."""

import random
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from solver.engines.engine import Choice, Engine, register
from solver.game.position import Position


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
