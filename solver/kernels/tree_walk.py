"""Walk a game tree to its end. Every sequence of moves is visited once, and only the current path is stored.

This is plain minimax, without pruning and without a table, so that every node of the tree is counted.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit, jit_allocating
from solver.kernels.playouts import PlayoutBoard, completes, legal, lowest, worth_unfinished
from solver.kernels.words import ONE, ZERO

CUT_OFF = 3
"""The column of `leaves` for positions that the depth limit cuts off; 0, 1, 2 are lost, drawn and won."""


@jit
def immediate_wins(board: PlayoutBoard, own: np.uint64, other: np.uint64) -> int:
    """Return the number of moves with which the side to move wins at once by completing a line."""
    if board.misere:
        return 0
    moves = legal(board, own | other)
    wins = 0
    while moves != ZERO:
        square = lowest(moves)
        moves &= moves - ONE
        if completes(board, own | (ONE << np.uint64(square)), other, square):
            wins += 1
    return wins


@jit_allocating
def walk_tree(
    board: PlayoutBoard, own: np.uint64, other: np.uint64, limit: int, nodes: np.ndarray, leaves: np.ndarray
) -> float:
    """Walk the tree below an unfinished position; return the position's minimax value for the side to move.

    limit: the depth, at least 1, at which positions are estimated. With w immediate wins, the value for the side to
    move there is w / (w + 1), which is less than 1, the value of a win.

    Adds the numbers of nodes and leaves at each depth to `nodes` (int64[depths]) and `leaves` (int64[depths, 4]). The
    given position, at depth 0, is not counted. The columns of `leaves` are the games lost, drawn and won by the side to
    move at depth 0, then the estimated positions (CUT_OFF).
    """
    depths = nodes.size
    owns, others, left = np.zeros(depths, np.uint64), np.zeros(depths, np.uint64), np.zeros(depths, np.uint64)
    best = np.full(depths, -np.inf)
    for_line = -1.0 if board.misere else 1.0
    owns[0], others[0], left[0] = own, other, legal(board, own | other)
    depth = 0
    while True:
        if left[depth] == ZERO:
            if depth == 0:
                return best[0]
            depth -= 1
            best[depth] = max(best[depth], -best[depth + 1])
            continue
        square = lowest(left[depth])
        left[depth] &= left[depth] - ONE
        mine, theirs = owns[depth] | (ONE << np.uint64(square)), others[depth]
        below = depth + 1
        nodes[below] += 1
        if completes(board, mine, theirs, square):
            won = (for_line > 0) == (depth % 2 == 0)
            leaves[below, 2 if won else 0] += 1
            best[depth] = max(best[depth], for_line)
            continue
        moves = legal(board, mine | theirs)
        if moves == ZERO:
            worth = -worth_unfinished(board, mine | theirs)
            leaves[below, 1 + (worth if depth % 2 == 0 else -worth)] += 1
            best[depth] = max(best[depth], float(worth))
        elif below == limit:
            leaves[below, CUT_OFF] += 1
            wins = immediate_wins(board, theirs, mine)
            best[depth] = max(best[depth], -wins / (wins + 1.0))
        else:
            owns[below], others[below], left[below] = theirs, mine, moves
            best[below] = -np.inf
            depth = below
