"""Summarise a table for the commands that show or build tables."""

from pathlib import Path
from typing import TYPE_CHECKING

from solver.cli.output import format_size
from solver.game.descriptions import describe_value
from solver.game.value import Value
from solver.study.answers import TableAnswer, ValueAnswer, table_answer

if TYPE_CHECKING:
    from solver.tablebase import Tablebase


class TableSummary(TableAnswer):
    """The facts that a table holds about its game, with its path and size."""

    path: str
    bytes: int


def summarise(table: "Tablebase") -> TableSummary:
    """Return the facts that a table holds about its game, with its path and size."""
    path = Path(table.name)
    return {**table_answer(table), "path": str(path), "bytes": path.stat().st_size}


def describe_file(summary: TableSummary) -> str:
    """Return the path and the size of a table."""
    return f"{summary['path']}, {format_size(summary['bytes'])}"


def describe_game_value(root: ValueAnswer) -> str:
    """Return the result of a game from the value of its empty board, where X is to move.

    >>> describe_game_value({"wdl": -1, "category": "loss", "distance": 6})
    'O wins in 6 plies'
    """
    if root["wdl"] == 0:
        return "a draw"
    return f"{'X' if root['wdl'] > 0 else 'O'} {describe_value(Value(1, root['distance']))}"
