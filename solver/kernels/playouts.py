"""Play random games by any rules, on boards of up to 64 squares.

Bit s of a word represents square s. `own` contains the stones of the side to move and `other` those of its opponent, so
the two words are exchanged after each move. The random number generator is Marsaglia's xorshift (Journal of Statistical
Software 8(14), 2003). Its state is one word, which the caller owns and which must not be 0. The same state gives the
same games on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part
from solver.kernels.words import ONE, ZERO

MAX_SQUARES = 64


class PlayoutBoard(NamedTuple):
    """The rules as numbers; see `solver.engines.kernel_boards.playout_board`."""

    full: np.uint64  # all squares
    ground: np.uint64  # the squares that need no stone below them
    stride: np.uint64  # the distance to the number of the square below
    plies: int  # the number of plies after which the game ends
    first: np.ndarray  # int32[2, squares + 1]: lines of X (row 0), of O through square s: first[s] .. first[s + 1] - 1
    masks: np.ndarray  # uint64[...]: the squares of a line
    guards: np.ndarray  # uint64[...]: the squares that must not be its owner's
    misere: bool
    unfinished: int  # the value for X if nobody completes a line: 1, 0 or -1


@jit_part
def draw_word(random: np.ndarray) -> np.uint64:
    """Return the next 64 random bits, given the state `random` (uint64[1]), which must not be 0."""
    word = random[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    random[0] = word
    return word


@jit_part
def draw_share(random: np.ndarray) -> float:
    """Return a random number that is at least 0 and less than 1."""
    return float(draw_word(random) >> np.uint64(11)) * 2.0**-53


@jit_part
def lowest(word: np.uint64) -> int:
    """Return the index of the lowest set bit of a word, which must not be 0."""
    return popcount(word ^ (word - ONE)) - 1


@jit_part
def draw_square(squares: np.uint64, random: np.ndarray) -> int:
    """Return a random square of a set, given as a word that is not 0.

    All squares have the same probability, to within 2**-26 (Lemire, ACM TOMACS 29(1), 2019).
    """
    skipped = (draw_word(random) >> np.uint64(32)) * np.uint64(popcount(squares)) >> np.uint64(32)
    for _ in range(int(skipped)):
        squares &= squares - ONE
    return lowest(squares)


@jit
def legal(board: PlayoutBoard, taken: np.uint64) -> np.uint64:
    """Return the legal moves of an unfinished game as a mask."""
    if popcount(taken) == board.plies:
        return ZERO
    return board.full & ~taken & (board.ground | (taken >> board.stride))


@jit_part
def completes(board: PlayoutBoard, own: np.uint64, other: np.uint64, square: int) -> bool:
    """Return whether the last stone, on `square`, completes a line of its owner, whose stones are `own`."""
    first = board.first[(popcount(own | other) + 1) & 1]
    for i in range(first[square], first[square + 1]):
        if own & board.masks[i] == board.masks[i] and own & board.guards[i] == ZERO:
            return True
    return False


@jit_part
def worth_unfinished(board: PlayoutBoard, taken: np.uint64) -> int:
    """Return the value, for the side to move, of a game that ends without a line: 1, 0 or -1."""
    return -board.unfinished if popcount(taken) & 1 else board.unfinished


@jit
def playout(board: PlayoutBoard, own: np.uint64, other: np.uint64, random: np.ndarray) -> int:
    """Play random moves to the end; return 1, 0 or -1 for a win, draw or loss of the side to move at the start."""
    sign = -1 if board.misere else 1
    while True:
        moves = legal(board, own | other)
        if moves == ZERO:
            return sign * (-1 if board.misere else 1) * worth_unfinished(board, own | other)
        square = draw_square(moves, random)
        own |= ONE << np.uint64(square)
        if completes(board, own, other, square):
            return sign
        own, other = other, own
        sign = -sign
