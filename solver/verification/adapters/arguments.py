"""Find the values that a program's functions are called with."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.stand_ins import StandIn
from solver.verification.conventions.aima import AimaGame
from solver.verification.conventions.board_formats import Observation
from solver.verification.conventions.convention import OWN_MARK, Argument, Convention

_SEARCHED: Final = 9  # squares that any engine searches to the end
_MOST_NODES: Final = 10_000  # of a search that is told its depth


class ArgumentValues:
    """The values of arguments, by their kinds; `given` has those that a user has given by name."""

    def __init__(self, rules: Rules, given: Mapping[str, Any]) -> None:
        self.given: Mapping[str, Any] = given
        self.game = AimaGame(rules)
        m, n, k = rules.diagram.rows, rules.diagram.columns, rules.shortest_line
        config = Observation(rows=m, columns=n, inarow=k, timeout=2, actTimeout=2, episodeSteps=1000)
        bounds = {"alpha": float("-inf"), "beta": float("inf")}
        sizes = {"m": m, "n": n, "k": k}
        self.of_rules = {"name": "engine", "rules": rules, "game": self.game, "config": config, **sizes, **bounds}
        """Those that depend on the rules alone."""

    def find(
        self, argument: Argument, convention: Convention, position: Position, board: Any, own_board: Any = None
    ) -> Any:
        """Return the value of an argument. own_board: the program's own that holds the position."""
        marks = convention.layout.marks
        makers: dict[str, Callable[[], Any]] = {
            "board": lambda: board,
            "own board": lambda: own_board,
            "first board": lambda: board[0],
            "second board": lambda: board[1],
            "given": lambda: self.given[argument.parameter],
            "player": lambda: convention.player.write(position, marks),
            "maximizing": lambda: convention.player == OWN_MARK or convention.player.write(position, marks),
            "opponent": lambda: marks.of_mover(position)[1],
            "depth": lambda: choose_depth(position),
            "legal": lambda: _list_legal(position, board),
            "mask": lambda: board["action_mask"],
            "screen": StandIn,
        }
        return makers[argument.kind]() if argument.kind in makers else self.of_rules[argument.kind]


def call_with(function: Callable[..., Any], arguments: tuple[Argument, ...], values: list[Any]) -> Any:
    """Call a function with values for its arguments."""
    pairs = [*zip(arguments, values, strict=True)]
    by_name = {argument.parameter: value for argument, value in pairs if argument.by_name}
    return function(*[value for argument, value in pairs if not argument.by_name], **by_name)


def choose_depth(position: Position) -> int:
    """Return the depth to search to: to the end, where that can be done."""
    left, nodes, depth = position.rules.squares - position.ply, 1, 0
    if position.rules.squares <= _SEARCHED:
        return left
    while depth < left and nodes < _MOST_NODES:
        nodes *= min(len(position.legal_moves), left - depth)
        depth += 1
    return depth


def _list_legal(position: Position, board: Any) -> list[Any]:
    """List the legal moves as the board counts squares: by row and column where it has rows; columns with gravity."""
    diagram, moves = position.rules.diagram, position.legal_moves
    if position.rules.gravity:
        return [diagram.row_and_column(square)[1] for square in moves]
    has_rows = isinstance(board, list | tuple) or type(board).__name__ == "ndarray"
    if has_rows and not isinstance(board[0], str) and hasattr(board[0], "__len__"):
        return [diagram.row_and_column(square) for square in moves]
    return [*moves]
