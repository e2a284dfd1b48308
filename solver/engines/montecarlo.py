"""Search by Monte Carlo tree search with a tree that is kept from move to move (the kernel: `solver.kernels.uct`)."""

import numpy as np

from solver.engines.kernel_boards import board_of, random_state, require_words, sides
from solver.game.lines import squares_of
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
        self._root: Position | None = None
        self._tree = _empty_tree(1)
        self._random = random_state(0)
        self.search(Position.start(rules), 1)  # compiles, outside the time of the first move
        self.forget()
        self._random = random_state(seed)

    def forget(self) -> None:
        """Start the next search without a tree."""
        self._root = None

    def search(self, position: Position, playouts: int, *, keep: bool = False) -> tuple[tuple[int, ...], float, int]:
        """Return the line of the most visited moves, the mean reward of the first move, and the nodes of the tree.

        keep: start with the tree of the last search below this position, if that contains it.
        """
        own, other = sides(position)
        start = self._known_node(position) if keep else uct.NOBODY
        kept = int(self._tree.size[0]) if start != uct.NOBODY else 1
        tree = _empty_tree(kept + playouts)
        if start == uct.NOBODY:
            uct.add_node(tree, 0, uct.LIVE, np.uint64(legal(self._board, own | other)))
        else:
            uct.copy_below(self._tree, start, tree)
        uct.grow(self._board, tree, own, other, playouts, self._constant, self._draw, self._random)
        self._root, self._tree = position, tree
        line = []
        node = first = uct.most_visited(tree, 0)
        while node != uct.NOBODY:
            line.append(int(tree.square[node]))
            node = uct.most_visited(tree, node)
        return tuple(line), float(tree.score[first] / tree.visits[first]), int(tree.size[0])

    def _known_node(self, position: Position) -> int:
        """Return the node of a position at most a move and a reply after the root of the last search, or NOBODY."""
        before = self._root
        if before is None or before.x & ~position.x or before.o & ~position.o or position.ply > before.ply + 2:
            return uct.NOBODY
        placed = [squares_of(position.x & ~before.x), squares_of(position.o & ~before.o)]
        moves = [*placed[0], *placed[1]] if before.to_move == "X" else [*placed[1], *placed[0]]
        node = 0
        for square in moves:
            node = uct.find_child(self._tree, node, square) if node != uct.NOBODY else node
        return node


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
