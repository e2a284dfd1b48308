"""What is said of a position, a move or a table in JSON, by the command line and over HTTP alike.

Everything here is a dict of plain values. Every value beside a position is for the side to move there; a move's
`verdict` alone is for the one who moves.
"""

from typing import TYPE_CHECKING, Any, Final

from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.game.value import Value

if TYPE_CHECKING:
    from solver.tablebase import Prober, Tablebase

__all__ = [
    "POINT_OF_VIEW",
    "Facts",
    "position_answer",
    "position_facts",
    "square_facts",
    "table_facts",
    "value_facts",
    "winner_of",
]

Facts = dict[str, Any]

POINT_OF_VIEW: Final = "side to move"


def value_facts(value: Value) -> Facts:
    """A value: `wdl`, `category`, `distance`."""
    return {"wdl": value.wdl, "category": value.category, "distance": value.distance}


def square_facts(rules: Rules, square: int) -> Facts:
    """A square by its number and its name."""
    return {"square": square, "name": square_name(rules, square)}


def position_facts(position: Position) -> Facts:
    """Which position it is: its game, its board and its base-3 hash."""
    return {"game": position.rules.name, "position": position.board, "hash": position.hash}


def position_answer(table: "Prober", position: Position) -> Facts:
    """A position, what it is worth, and every move in it, best first. Raises what `Prober.probe` raises."""
    over = position.is_over
    return {
        "game": position.rules.name,
        **_reached(position, table.probe(position)),
        "ply": position.ply,
        "to_move": None if over else position.to_move,
        "line": sorted(squares_of(position.winning_line)) if position.winning_line else None,
        "point_of_view": POINT_OF_VIEW,
        "moves": [_move(position, square, value) for square, value in table.moves(position)],
    }


def winner_of(position: Position) -> str | None:
    """`X` or `O` where one has won, None for a draw and while the game goes on."""
    outcome = position.outcome
    return None if outcome == "draw" else outcome


def table_facts(table: "Tablebase") -> Facts:
    """A table in figures, from its `meta`, whose form the reader has checked; the value is the empty board's."""
    meta = {key: str(value) for key, value in table.meta.items()}
    distance = int(meta["root_distance"]) if table.metric == "distance" else None
    return {
        "game": table.rules.name,
        "description": table.rules.describe(),
        "metric": table.metric,
        "positions": int(meta["positions"]),
        "canonical": int(meta["canonical"]),
        **value_facts(Value(int(meta["root_wdl"]), distance)),
        "digest": meta["digest"],
        "builder": meta["builder"],
    }


def _move(position: Position, square: int, value: Value) -> Facts:
    """A move whose value, for the one who moves and counted from before the move, is given."""
    return {
        **square_facts(position.rules, square),
        **_reached(position.play(square), value.after_move()),
        "verdict": value.category,
    }


def _reached(position: Position, value: Value) -> Facts:
    return {
        "position": position.board,
        "hash": position.hash,
        "terminal": position.is_over,
        "winner": winner_of(position),
        **value_facts(value),
    }
