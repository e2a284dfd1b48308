"""Learn by temporal differences from self-play (Sutton and Barto, Reinforcement Learning, section 1.5).

`values` is float32[2, 3**squares]: for X (row 0) and for O (row 1) the value of every board by its base-3 hash. Each
side moves to the board with the highest value in its own row (ties: the lowest square), or, with probability epsilon,
to a random board. After the game, the value of every board except the empty one is updated towards its successor's,
from last to first:

    V(s) += alpha * (V(s') - V(s))
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit, jit_allocating
from solver.kernels.playouts import PlayoutBoard, completes, draw_share, draw_square, legal, lowest
from solver.kernels.words import ONE, ZERO, popcount

LIVE = 2


@jit
def has_line(board: PlayoutBoard, stones: np.uint64, side: int) -> bool:
    """Return whether the stones of X (side 0) or of O (side 1) make a line."""
    first = board.first[side]
    for i in range(first[0], first[first.size - 1]):
        if stones & board.masks[i] == board.masks[i] and stones & board.guards[i] == ZERO:
            return True
    return False


@jit
def judge_boards(board: PlayoutBoard, winners: np.ndarray) -> None:
    """Fill `winners` (int8[3**squares]) by base-3 hash: 1 if X has won, -1 if O has won, 0 for a draw, else LIVE.

    Unreachable boards are included. If both sides have a line, X has won.
    """
    squares = board.first.shape[1] - 1
    x = ZERO
    o = ZERO
    for position in range(winners.size):
        if has_line(board, x, 0):
            winners[position] = -1 if board.misere else 1
        elif has_line(board, o, 1):
            winners[position] = 1 if board.misere else -1
        else:
            winners[position] = LIVE if popcount(x | o) < board.plies else board.unfinished
        for square in range(squares):  # count up by one in base 3: the digits 0, 1, 2 are empty, X, O
            bit = ONE << np.uint64(square)
            if o & bit:
                o ^= bit
            elif x & bit:
                x ^= bit
                o |= bit
                break
            else:
                x |= bit
                break


@jit
def greedy(row: np.ndarray, position: int, steps: np.ndarray, moves: np.uint64) -> int:
    """Return the move to the board with the highest value in a row of `values`.

    A stone on square s adds `steps[s]` to the hash.
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
    """Play `episodes` games of X against O and learn from each.

    `steps` (int64[2, squares]) is the amount that a stone of X or of O on a square adds to the hash. `random` is the
    state of solver.kernels.playouts.
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
