"""Judge positions without search: the result of a finished game, and otherwise the immediate wins.

A position where w moves of the side to move win at once is worth w / (w + 1) to that side, so that what is judged
never counts more than a game that is won.
"""

from solver.game.lines import completed
from solver.game.position import Position

__all__ = ["count_immediate_wins", "judge_position"]


def count_immediate_wins(position: Position, player: str) -> int:
    """Count the squares on which a stone of `player` (`X` or `O`) wins at once, whoever is to move.

    There are none once the game is over, or where completing a line loses.

    >>> from solver.game.rules import Rules
    >>> board = Position.parse(Rules.parse("3,3,3"), "XXO/.OO/X.X")
    >>> count_immediate_wins(board, "X"), count_immediate_wins(board, "O")
    (2, 1)
    """
    if position.rules.misere:
        return 0
    stones = position.x if player == "X" else position.o
    return sum(
        completed(position.rules.lines_through[square], stones | 1 << square) != 0 for square in position.legal_moves
    )


def judge_position(position: Position) -> float:
    """Judge a position for X: 1, 0 or -1 for a finished game, else by the immediate wins of the side to move."""
    sign = 1 if position.to_move == "X" else -1
    over = position.value_if_over
    if over is not None:
        return float(sign * over.wdl)
    wins = count_immediate_wins(position, position.to_move)
    return sign * wins / (wins + 1) + 0.0  # never -0.0
