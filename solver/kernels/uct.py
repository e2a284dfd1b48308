"""Monte Carlo tree search with UCB1 (Kocsis and Szepesvari, Bandit based Monte-Carlo planning, 2006).

The tree is a set of arrays with one entry per node. Node 0 is the root, and every playout adds at most one node. A
node's `score` is from the point of view of the side whose move leads there, because this side chooses among the node
and its siblings:

    reward      1 for a win, 0 for a loss, and `draw` for a draw (1/2 is fair to both sides)
    UCB1        score / visits + constant * sqrt(ln(visits of the parent) / visits)

Results (1, 0, -1) are passed up the tree, and negated at each step. They are converted to rewards separately at each
node, because the reward of a draw is the same for both sides.
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit, jit_allocating, jit_part
from solver.kernels.playouts import PlayoutBoard, completes, draw_square, legal, playout, worth_unfinished
from solver.kernels.words import ONE, ZERO

NOBODY = -1  # a missing node
LIVE = 2  # no result: the game is not over
MAX_DEPTH = 65  # the root and a move on each of 64 squares


class Tree(NamedTuple):
    """The nodes of a search; `size[0]` is the number of nodes in use."""

    size: np.ndarray  # int64[1]
    square: np.ndarray  # int8[capacity]: the move that leads here
    child: np.ndarray  # int32[capacity]: one of the children, or NOBODY
    sibling: np.ndarray  # int32[capacity]: the next child of the same parent, or NOBODY
    untried: np.ndarray  # uint64[capacity]: the legal squares that have no child yet
    result: np.ndarray  # int8[capacity]: 1, 0 or -1 for the side that moved here, or LIVE
    visits: np.ndarray  # int32[capacity]
    score: np.ndarray  # float64[capacity]: the sum of rewards


@jit
def add_node(tree: Tree, square: int, result: int, untried: np.uint64) -> int:
    """Append a node without children or visits, and return its number."""
    node = tree.size[0]
    tree.size[0] += 1
    tree.square[node] = square
    tree.child[node] = NOBODY
    tree.sibling[node] = NOBODY
    tree.untried[node] = untried
    tree.result[node] = result
    tree.visits[node] = 0
    tree.score[node] = 0.0
    return node


@jit_part
def select(tree: Tree, node: int, constant: float) -> int:
    """Return the child with the highest upper confidence bound; every child must have been visited."""
    best = NOBODY
    highest = -np.inf
    log_visits = log(tree.visits[node])
    child = tree.child[node]
    while child != NOBODY:
        visits = tree.visits[child]
        bound = tree.score[child] / visits + constant * sqrt(log_visits / visits)
        if bound > highest:
            highest = bound
            best = child
        child = tree.sibling[child]
    return best


@jit_part
def expand(
    board: PlayoutBoard, tree: Tree, parent: int, own: np.uint64, other: np.uint64, random: np.ndarray
) -> tuple[int, np.uint64]:
    """Add a child for a random untried move; return the child, and the stones of the side that made the move."""
    square = draw_square(tree.untried[parent], random)
    bit = ONE << np.uint64(square)
    tree.untried[parent] &= ~bit
    own |= bit
    if completes(board, own, other, square):
        child = add_node(tree, square, -1 if board.misere else 1, ZERO)
    else:
        untried = legal(board, own | other)
        result = -worth_unfinished(board, own | other) if untried == ZERO else LIVE
        child = add_node(tree, square, result, untried)
    tree.sibling[child] = tree.child[parent]
    tree.child[parent] = child
    return child, own


@jit_allocating
def grow(
    board: PlayoutBoard,
    tree: Tree,
    own: np.uint64,
    other: np.uint64,
    playouts: int,
    constant: float,
    draw: float,
    random: np.ndarray,
) -> None:
    """Add playouts to a tree whose root is the unfinished position of `own` (the side to move) and `other`.

    The arrays must have room for one more node per playout. `random` is the state of the random number generator in
    solver.kernels.playouts.
    """
    path = np.empty(MAX_DEPTH, dtype=np.int64)
    for _ in range(playouts):
        node = 0
        depth = 0
        path[0] = 0
        mover, waiting = own, other
        while tree.untried[node] == ZERO and tree.result[node] == LIVE:
            node = select(tree, node, constant)
            mover, waiting = waiting, mover | (ONE << np.uint64(tree.square[node]))
            depth += 1
            path[depth] = node
        if tree.result[node] == LIVE:
            node, stones = expand(board, tree, node, mover, waiting, random)
            mover, waiting = waiting, stones
            depth += 1
            path[depth] = node
        result = tree.result[node]
        if result == LIVE:
            result = -playout(board, mover, waiting, random)
        for i in range(depth, -1, -1):
            tree.visits[path[i]] += 1
            tree.score[path[i]] += draw if result == 0 else max(result, 0)
            result = -result
