"""xo names all moves that it holds to be best; its own program plays one of them at random, and so does this."""

import random

from xo.ai import evaluate
from xo.board import Board


def best_move(board, token):
    """One of the best positions, row and column from 1; `board` is a list of nine signs, `token` is x or o."""
    return random.choice(evaluate(Board.fromstring(board), token).positions)
