"""Play by Monte Carlo tree search: play out the most promising moves at random, again and again.

It uses UCB1, by default with the constant 1.4 and 1000 playouts, and plays the most visited move. It tries moves in
random order, and a playout adds one node. A draw is worth half a win to both sides. Several public programs count only
wins, so that a draw is as bad as a loss, and the search steers into lost positions; `draw=0` imitates them.

>>> engine = MonteCarlo(playouts=500, seed=7)
>>> engine.choose(Position.parse(parse_game("3,3,3"), "XX./OO./...")).move
2
"""

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from solver.engines.engine import Choice, Engine, Tables, register
from solver.game.position import Position
from solver.game.rules import Rules


@register("mcts")
@dataclass
class MonteCarlo(Engine):
    """Monte Carlo tree search by UCB1 with random playouts, on up to 64 squares.

    playouts: the number of random games for each move. constant: the constant of UCB1; a higher one explores more.
    draw: the value of a draw, from 0 (as bad as a loss) to 1 (as good as a win). seed: None for different choices in
    every run.

    The value of a choice is the mean reward of its move, from 0 to 1; its nodes are the nodes of the tree.
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
        self._game_seed: object = self.seed
        self._rules: Rules | None = None
        self._random: Any = None  # the state of the kernel's random numbers

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Compile the kernels for the game. Raises EngineError for a board of more than 64 squares."""
        del tables
        replace(self, playouts=1).choose(Position.start(rules))

    def new_game(self, seed: int | None = None) -> None:
        """Reseed the random generator from `seed` and the engine's own seed."""
        if seed is not None:
            self._game_seed, self._rules = f"{self.seed} {seed}", None

    def choose(self, position: Position) -> Choice:
        """Return the most visited move, with its mean reward, the most visited line, and the number of nodes."""
        import numpy as np  # here, because these load the compiler

        from solver.engines.kernel_boards import playout_board, random_state, sides
        from solver.kernels import uct
        from solver.kernels.playouts import legal

        if self._rules != position.rules:
            self._rules, self._board = position.rules, playout_board(position.rules)
            self._random = random_state(self._game_seed)
        capacity, (own, other) = 1 + self.playouts, sides(position)
        tree = uct.Tree(
            size=np.zeros(1, np.int64),
            square=np.empty(capacity, np.int8),
            child=np.empty(capacity, np.int32),
            sibling=np.empty(capacity, np.int32),
            untried=np.empty(capacity, np.uint64),
            result=np.empty(capacity, np.int8),
            visits=np.empty(capacity, np.int32),
            score=np.empty(capacity, np.float64),
        )
        uct.add_node(tree, 0, uct.LIVE, np.uint64(legal(self._board, own | other)))
        uct.grow(self._board, tree, own, other, self.playouts, float(self.constant), float(self.draw), self._random)
        line = [0]
        while children := _children(tree, line[-1]):
            # Ties go to the higher score, then to the lower square.
            line.append(max(children, key=lambda child: (tree.visits[child], tree.score[child], -tree.square[child])))
        value, squares = float(tree.score[line[1]] / tree.visits[line[1]]), tuple(tree.square[line[1:]].tolist())
        return Choice(squares[0], value, squares, int(tree.size[0]))


def _children(tree: Any, node: int) -> list[int]:
    children, child = [], int(tree.child[node])
    while child >= 0:
        children.append(child)
        child = int(tree.sibling[child])
    return children
