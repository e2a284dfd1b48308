"""Play by temporal-difference learning (`solver.engines.learner`)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.engines.engine import Choice, Engine, Tables, register
from solver.game.position import Position
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.engines.learner import Learner


@register("td")
@dataclass
class TemporalDifference(Engine):
    """Temporal-difference learning: a table of values for X and one for O, learned from games against each other.

    episodes: the number of games that it learns from before its first move. alpha: how far a board's value moves
    towards the next board's value. epsilon: the share of random moves while learning. draw: the value of a draw, from 0
    (as bad as a loss) to 1; the engine learns far better with 0.5 than with 0. seed: the seed of the random moves.

    The engine plays the first of the moves with the highest value. Values are for the side that moves, from 0 to 1.
    Boards have up to 16 squares.
    """

    episodes: int = 10_000
    alpha: float = 0.3
    epsilon: float = 0.1
    draw: float = 0.0
    seed: int = 0
    deterministic = True

    def __post_init__(self) -> None:
        if self.episodes < 0:
            raise ValueError("episodes can't be negative")
        for name in ("alpha", "epsilon", "draw"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1")
        self._learner: Learner | None = None

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Learn the game. Raises EngineError for a board of more than 16 squares."""
        from solver.engines.learner import Learner  # here, because it loads Numba

        del tables
        self._learner = Learner(rules, alpha=self.alpha, epsilon=self.epsilon, draw=self.draw, seed=self.seed)
        self._learner.train(self.episodes)

    def choose(self, position: Position) -> Choice:
        """Return the move that leads to the board with the highest value, and that value."""
        if self._learner is None or not self._learner.rules.is_same_game(position.rules):
            self.prepare(position.rules, None)
        assert self._learner is not None
        move, value = self._learner.best_move(position)
        return Choice(move, value, (move,), len(position.legal_moves))
