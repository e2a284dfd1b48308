"""What a first draft looks like: the first empty square."""


def best_move(board):
    """The first empty square, 0 to 8."""
    return next(square for square in range(9) if board[square] == " ")
