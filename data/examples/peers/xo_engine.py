"""xo lists all moves that it considers best; its own program plays one of them at random, and so does this.

Its options for `mnk verify`: --board flat --marks x,o,space --player mark --moves 'row,column from 1'
"""

import random

from xo.ai import evaluate
from xo.board import Board


def best_move(board, token):
    """Return one of the best moves."""
    return random.choice(evaluate(Board.fromstring(board), token).positions)
