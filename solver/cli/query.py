"""`mnk query`: what a position is worth, and every move in it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.answers import position_answer
from solver.cli.board import board_text
from solver.cli.common import (
    PositionCommand,
    data_option,
    echo_json,
    examples,
    game_argument,
    json_option,
    open_table,
    position_argument,
)
from solver.cli.words import outlook
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.game.value import Value, legend

if TYPE_CHECKING:
    from solver.tablebase import Tablebase


@click.command(
    "query",
    cls=PositionCommand,
    epilog=examples(
        "mnk query 3,3,3 XO./.X./...     the rows of the board",
        "mnk query 3,3,3 b2 a1           the moves played, X first",
        "mnk query 3,3,3 start           the empty board",
        "mnk query 3,3,3 88 --json       a base-3 hash, answered as JSON",
    ),
)
@game_argument
@position_argument()
@data_option
@json_option
def command(rules: Rules, position: str, data: Path, as_json: bool) -> None:
    """What POSITION is worth in GAME, and every move in it."""
    asked = Position.parse(rules, position)
    with open_table(data, rules) as table:
        if as_json:
            echo_json(position_answer(table, asked))
        else:
            click.echo("\n".join(_lines(table, asked)))


def _lines(table: "Tablebase", position: Position) -> Iterator[str]:
    value, moves = table.probe(position), table.moves(position)
    yield f"{position.rules}: {position.rules.describe()}"
    yield ""
    yield board_text(position, moves)
    yield ""
    if position.is_over:
        yield position.result
        return
    yield legend(value.label for _, value in moves)
    yield ""
    yield f"{position.to_move} to move {outlook(value)}."
    yield _best(position, moves)
    yield _main_line(table, position)


def _best(position: Position, moves: list[tuple[int, Value]]) -> str:
    best = moves[0][1]
    names = [square_name(position.rules, square) for square, value in moves if value.rank == best.rank]
    if len(names) == len(moves) > 1:
        return f"Best moves: all are as good, each {outlook(best)}."
    return f"Best move{'s' if len(names) > 1 else ''}: {', '.join(names)}"


def _main_line(table: "Tablebase", position: Position) -> str:
    line = table.mainline(position)
    for square in line:
        position = position.play(square)
    names = " ".join(square_name(position.rules, square) for square in line)
    end = "draw" if position.outcome == "draw" else f"{position.outcome} wins"
    return f"Main line: {names} ({end})"
