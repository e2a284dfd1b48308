"""Search by Monte Carlo tree search (the kernel: `solver.kernels.uct`)."""

import numpy as np

from solver.engines.kernel_boards import board_of, random_state, require_words, sides
from solver.game.position import Position
from solver.game.rules import Rules
from solver.kernels import uct
from solver.kernels.playouts import legal


class Searcher:
    """A search by UCB1 in positions of one game. Raise EngineError for a board of more than 64 squares."""

    def __init__(self, rules: Rules, constant: float, draw: float, seed: object) -> None:
        require_words(rules, "Monte Carlo tree search")
        self.rules = rules
        self._board = board_of(rules)
        self._constant, self._draw = float(constant), float(draw)
        self._random = random_state(0)
        self.search(Position.start(rules), 1)  # compiles, outside the time of the first move
        self._random = random_state(seed)

    def search(self, position: Position, playouts: int) -> tuple[tuple[int, ...], float, int]:
        """Return the line of the most visited moves, the mean reward of the first move, and the nodes of the tree."""
        own, other = sides(position)
        tree = _empty_tree(1 + playouts)
        uct.add_node(tree, 0, uct.LIVE, np.uint64(legal(self._board, own | other)))
        uct.grow(self._board, tree, own, other, playouts, self._constant, self._draw, self._random)
        line = []
        node = first = uct.most_visited(tree, 0)
        while node != uct.NOBODY:
            line.append(int(tree.square[node]))
            node = uct.most_visited(tree, node)
        return tuple(line), float(tree.score[first] / tree.visits[first]), int(tree.size[0])


def _empty_tree(capacity: int) -> uct.Tree:
    return uct.Tree(
        size=np.zeros(1, np.int64),
        square=np.empty(capacity, np.int8),
        child=np.empty(capacity, np.int32),
        sibling=np.empty(capacity, np.int32),
        untried=np.empty(capacity, np.uint64),
        result=np.empty(capacity, np.int8),
        visits=np.empty(capacity, np.int32),
        score=np.empty(capacity, np.float64),
    )
