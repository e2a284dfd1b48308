"""Tic-tac-toe by textbook minimax: it never gives anything away, but may win slowly."""

from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    """Return the side that has a line, or None."""
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def best_move(board):
    """Return the first move of the highest value for the side to move; squares are 0 to 8."""
    board = tuple(board)
    moves = [square for square in range(9) if board[square] == " "]
    return max(moves, key=lambda square: -value(after(board, square)))


def after(board, square):
    """Return the board after a move of the side to move."""
    mark = "X" if board.count("X") == board.count("O") else "O"
    return (*board[:square], mark, *board[square + 1 :])


@cache
def value(board):
    """Return 1, 0 or -1 for the side to move."""
    if winner(board):
        return -1
    moves = [square for square in range(9) if board[square] == " "]
    return max((-value(after(board, square)) for square in moves), default=0)
