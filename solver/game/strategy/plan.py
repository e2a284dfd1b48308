"""The form of a conditional plan, and how to read the board and the player that it belongs to.

A plan is nested lists, as and-or searches print them:

    plan     'win' or 'draw'                    the goal is reached
             [square, answers]                  play there
             None                               there is no plan
    answers  'win' or 'draw'                    the move, or the only reply to it, ends the game
             [['if', board, 'then', plan], ...] one for each reply, in the order of the squares

A board in a plan is a list of cells, 'x', 'o' or ' '. Parts that several lines of play lead to are shared,
not copied.
"""

from typing import Any

from solver.errors import NotationError, quoted
from solver.game.notation import read
from solver.game.rules import Rules, Side

Plan = list[Any] | str | None


def parse_player(player: str) -> Side:
    """Read `X` or `O`, in either case; raises NotationError."""
    match player.upper():
        case "X":
            return "X"
        case "O":
            return "O"
    raise NotationError(f"The player {quoted(player)} is neither X nor O.")


def read_board(rules: Rules, board: object) -> tuple[int, int]:
    """Read the stones of X and of O on a board in any notation, whoever began; raises NotationError for moves."""
    stones = read(rules, board)
    if isinstance(stones, list):
        raise NotationError(f"A plan needs a board, not moves such as {quoted(board)}; write its rows.")
    return stones
