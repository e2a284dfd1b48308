"""saro476-tictactoe numbers its positions in base 3, with 1 for X and 2 for O, and finds whose turn it is.

Its options for `mnk verify`: --board flat --marks 1,2,0 --player none --moves index
"""

from tictactoe.ai.BoardNode import BoardNode


def best_move(cells):
    """Return the best move of its tree."""
    return BoardNode.getbestmove(sum(mark * 3**square for square, mark in enumerate(cells))).value
