"""A first draft: it takes the first empty square."""


def best_move(board):
    """Return the first empty square, 0 to 8."""
    return board.index(" ")
