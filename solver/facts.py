"""What is said of a position, a move or a table in JSON, by the command line and over HTTP alike.

Everything here is a dict of plain values. Whose point of view a value takes is said where it is used.
"""

from typing import TYPE_CHECKING, Any

from solver.position import Position
from solver.rules import Rules
from solver.squares import square_name
from solver.value import Value

if TYPE_CHECKING:
    from solver.tablebase import Tablebase

__all__ = ["Facts", "position_facts", "square_facts", "table_facts", "value_facts", "winner_of"]

Facts = dict[str, Any]


def value_facts(value: Value) -> Facts:
    """A value: `wdl`, `category`, `distance`."""
    return {"wdl": value.wdl, "category": value.category, "distance": value.distance}


def square_facts(rules: Rules, square: int) -> Facts:
    """A square by its number and its name."""
    return {"square": square, "name": square_name(rules, square)}


def position_facts(position: Position) -> Facts:
    """Which position it is: its game, its board and its base-3 hash."""
    return {"game": position.rules.name, "position": position.board, "hash": position.hash}


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
