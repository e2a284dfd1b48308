"""Adapt players in the shape of two of the notebooks: `fun(board, player)` returns the square to play.

A board is a list with one of `x`, `o` and a blank for each square, row by row; `player` is `x` or `o`.
Either shape plays in the other's place:

    fun = function_of(make_engine("mcts:seed=1", rules), rules)     # fun(board, "x") -> square
    engine = FunctionEngine(fun, "mine")                            # plays in matches

Whoever has begun, the engine sees a position where X has: a board with as many stones of both sides is X's
turn, one with a stone less for the player is O's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from solver.engines.engine import Choice, Engine
from solver.errors import IllegalMove
from solver.game.games import parse_game
from solver.game.lines import completed, mask_of
from solver.game.position import Position, own_and_other
from solver.game.rules import Rules
from solver.game.squares import parse_square
from solver.game.strategy.plan import parse_player, read_board

Board = Sequence[str]
Function = Callable[[list[str], str], int]

_OTHER: Final = {"x": "o", "o": "x"}


def position_of(rules: Rules, board: object, player: str) -> Position:
    """Read the position of a player who is to move on a board, in any notation; X in it is the side that began.

    Raises NotationError, and ImpossiblePosition when it can't be this player's turn, whoever began.

    >>> position_of(parse_game("3,3,3"), [" ", " ", " ", " ", "o", " ", " ", " ", " "], "x")
    Position.parse(parse_game('3,3,3'), '.../.X./...')
    """
    x, o = read_board(rules, board)
    own, other = own_and_other(x, o, parse_player(player))
    return turn(rules, own, other)


def turn(rules: Rules, own: int, other: int) -> Position:
    """Make the position whose side to move has the stones `own`; raises ImpossiblePosition if there is none."""
    began = own.bit_count() == other.bit_count()
    return Position(rules, *((own, other) if began else (other, own)))


def board_of(position: Position) -> list[str]:
    """List the squares as `x`, `o` and blanks."""
    return [" " if cell == "." else cell.lower() for cell in position.cells]


def check_win(rules: Rules, board: Board) -> str:
    """Return `x` or `o` for the winner, `d` for a draw, `n` while the game goes on, as the notebooks do.

    >>> check_win(parse_game("3,3,3"), list("xxxoo    "))
    'x'
    """
    for symbol in "xo":
        if completed(rules.x_lines, mask_of(s for s, cell in enumerate(board) if cell == symbol)):
            return _OTHER[symbol] if rules.misere else symbol
    return "d" if " " not in board else "n"


def function_of(engine: Engine, rules: Rules) -> Function:
    """Make an engine a function of board and player, which raises what `position_of` and the engine raise."""

    def fun(board: list[str], player: str) -> int:
        return engine.choose(position_of(rules, board, player)).move

    return fun


@dataclass
class FunctionEngine(Engine):
    """A function of board and player as an engine; whoever plays the match checks its moves."""

    function: Function
    name: str = "function"

    def choose(self, position: Position) -> Choice:
        """Choose the square that the function returns, by number (any integer type)."""
        move = self.function(board_of(position), position.to_move.lower())
        return Choice(parse_square(position.rules, move))


def play(x: Function, o: Function, games: int = 100, rules: Rules | None = None) -> dict[str, int]:
    """Let two functions play; how often x and o won, and the draws: `{'x': 63, 'o': 25, 'd': 12}`.

    Rules are those of tic-tac-toe by default. Raises IllegalMove, which names the player: the notebook lets
    a player overwrite a stone.
    """
    rules = rules or parse_game("3,3,3")
    results = {"x": 0, "o": 0, "d": 0}
    for _ in range(games):
        position = Position.start(rules)
        while not position.is_over:
            player = position.to_move.lower()
            move = (x if player == "x" else o)(board_of(position), player)
            try:
                position = position.play(parse_square(rules, move))
            except IllegalMove as error:
                raise IllegalMove(f"The player {player} made an illegal move: {error}") from error
        results["d" if position.outcome == "draw" else str(position.outcome).lower()] += 1
    return results
