"""eldar-tic-tac-toe: its own program plays O, whose level `hard` maximizes, so O is the side to move here.

Its options for `mnk verify`: --board flat --marks O,X,None --player own --moves index
"""

from tic_tac_toe.ai import AI
from tic_tac_toe.board import Board


def best_move(cells):
    """Return the move of its level `hard`."""
    board = Board()
    board.cells = cells
    return AI(board, "hard").move()
