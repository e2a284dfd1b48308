"""Play by Monte Carlo tree search: play out the most promising moves at random, again and again.

It uses UCB1, by default with the constant 1.4 and 1000 playouts, and plays the most visited move. It tries moves in
random order, and a playout adds one node. A draw is worth half a win to both sides. Several public versions count only
wins, so that a draw is as bad as a loss and the search enters lost games; `draw=0` does the same, to measure the cost.

>>> from solver.game.rules import Rules
>>> engine = MonteCarlo(playouts=500, seed=7)
>>> engine.choose(Position.parse(parse_game("3,3,3"), "XX./OO./...")).move
2
"""

from dataclasses import dataclass
from math import isfinite
from time import perf_counter
from typing import TYPE_CHECKING

from solver.engines.engine import Choice, Engine, Tables, register
from solver.game.position import Position
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.engines.montecarlo import Searcher


@register("mcts")
@dataclass
class MonteCarlo(Engine):
    """Monte Carlo tree search by UCB1 with random playouts, on up to 64 squares.

    playouts: random games for each move. constant: of UCB1; a higher one explores more. draw: the value of a draw, from
    0 (as a loss) to 1 (as a win). seed: None for different choices in every run.

    The value is the mean reward of the move, from 0 to 1; the nodes are those of the tree.
    """

    playouts: int = 1000
    constant: float = 1.4
    draw: float = 0.5
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.playouts < 1:
            raise ValueError("playouts must be at least 1")
        if not (isfinite(self.constant) and self.constant >= 0):
            raise ValueError("constant must be a number from 0 up")
        if not 0 <= self.draw <= 1:
            raise ValueError("draw must be from 0 to 1")
        self._seed: object = self.seed
        self._searcher: Searcher | None = None

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Compile for the game. Raise EngineError for a board of more than 64 squares."""
        del tables
        self._prepare_searcher(rules)

    def new_game(self, seed: int | None = None) -> None:
        """Restart the random choices from `seed` and the engine's own seed."""
        if seed is not None:
            self._seed, self._searcher = f"{self.seed} {seed}", None

    def choose(self, position: Position) -> Choice:
        """Return the most visited move, with its mean reward, the most visited line, the nodes and the time."""
        began = perf_counter()
        searcher = self._prepare_searcher(position.rules)
        line, value, nodes = searcher.search(position, self.playouts)
        return Choice(line[0], value, line, nodes, perf_counter() - began)

    def _prepare_searcher(self, rules: Rules) -> "Searcher":
        if self._searcher is None or self._searcher.rules != rules:
            from solver.engines.montecarlo import Searcher  # here, because it loads Numba

            self._searcher = Searcher(rules, self.constant, self.draw, self._seed)
        return self._searcher
