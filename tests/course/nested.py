"""Write a strategy as the notebook prints its plans."""

from typing import Any

from solver.game.position import Position
from solver.game.strategies import Strategy, result_for


def nest(strategy: Strategy) -> list[Any] | str:
    """Return a strategy as the notebook prints its plans: `[square, [["if", cells, "then", plan], ...]]`.

    A result, `win` or `draw`, replaces the plan of a finished game and the replies to a move that ends it.
    """

    def nest_from(position: Position) -> list[Any] | str:
        result = result_for(strategy.player, position)
        if result:
            return result
        replies = strategy.replies(position).values()
        answers = [["if", _write_cells(reply), "then", nest_from(reply)] for reply in replies]
        return [strategy.moves[position], strategy.end(position) or answers]

    return nest_from(strategy.start)


def _write_cells(position: Position) -> list[str]:
    return [" " if cell == "." else cell.lower() for cell in position.cells]
