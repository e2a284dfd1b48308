"""Summarise a table for the commands that speak of tables as a whole."""

from pathlib import Path
from typing import TYPE_CHECKING

from solver.answers import TableAnswer, ValueAnswer, table_answer
from solver.cli.output import format_size
from solver.game.descriptions import describe_value
from solver.game.value import Value

if TYPE_CHECKING:
    from solver.tablebase import Tablebase


class TableSummary(TableAnswer):
    """What a table says of its game, and the file it lies in."""

    path: str
    bytes: int


def summarise(table: "Tablebase") -> TableSummary:
    """Return what a table says of its game, its path and its size."""
    path = Path(table.name)
    return {**table_answer(table), "path": str(path), "bytes": path.stat().st_size}


def describe_file(summary: TableSummary) -> str:
    """Name the file of a table and its size."""
    return f"{summary['path']}, {format_size(summary['bytes'])}"


def describe_game_value(root: ValueAnswer) -> str:
    """Say what a game comes to, from the value of its empty board, where X is to move.

    >>> describe_game_value({"wdl": -1, "category": "loss", "distance": 6})
    'O wins in 6 plies'
    """
    if root["wdl"] == 0:
        return "a draw"
    return f"{'X' if root['wdl'] > 0 else 'O'} {describe_value(Value(1, root['distance']))}"
