"""Learn from self-play by temporal differences (Sutton and Barto, Reinforcement Learning, section 1.5).

`values` (float32[2, 3**squares]) contains the value of every board, indexed by its base-3 hash, for X (row 0) and for O
(row 1). Each side makes the move whose resulting board has the highest value for that side; in a tie, it chooses the
lowest square. With probability epsilon, it makes a random move instead. After the game, the value of every board except
the empty one is updated towards the value of its successor, from the end of the game to its beginning:

    V(s) += alpha * (V(s') - V(s))
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit_allocating, jit_part
from solver.kernels.playouts import PlayoutBoard, completes, draw_share, draw_square, legal, lowest
from solver.kernels.words import ONE, ZERO


@jit_part
def greedy(row: np.ndarray, position: int, steps: np.ndarray, moves: np.uint64) -> int:
    """Return the move whose resulting board has the highest value for the side to move.

    `row` is this side's row of `values`. A stone on square s adds `steps[s]` to the hash.
    """
    best = -1
    highest = -np.inf
    while moves != ZERO:
        square = lowest(moves)
        value = row[position + steps[square]]
        if value > highest:
            highest = value
            best = square
        moves &= moves - ONE
    return best


@jit_allocating
def learn(
    board: PlayoutBoard,
    steps: np.ndarray,
    values: np.ndarray,
    alpha: float,
    epsilon: float,
    episodes: int,
    random: np.ndarray,
) -> None:
    """Play `episodes` games of X against O, and learn from each.

    `steps` (int64[2, squares]) is the amount that a stone of X (row 0) or of O (row 1) on each square adds to the hash.
    `random` is the state of the random number generator in solver.kernels.playouts.
    """
    history = np.empty(board.first.shape[1], dtype=np.int64)
    for _ in range(episodes):
        own = ZERO
        other = ZERO
        position = 0
        ply = 0
        moves = legal(board, ZERO)
        while moves != ZERO:
            side = ply & 1
            if draw_share(random) < epsilon:
                square = draw_square(moves, random)
            else:
                square = greedy(values[side], position, steps[side], moves)
            position += steps[side, square]
            history[ply] = position
            ply += 1
            stones = own | (ONE << np.uint64(square))
            own, other = other, stones
            moves = ZERO if completes(board, stones, own, square) else legal(board, own | other)
        for side in range(2):
            row = values[side]
            for i in range(ply - 2, -1, -1):
                value = np.float64(row[history[i]])
                row[history[i]] = value + alpha * (np.float64(row[history[i + 1]]) - value)
