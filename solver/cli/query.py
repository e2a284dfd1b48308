"""`mnk query`: show the value of a position and of every move."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import PositionCommand, data_option, game_argument, json_option, mnk_command, position_argument
from solver.cli.output import align_columns, echo_json, format_board, format_replies
from solver.cli.running import open_table
from solver.game.descriptions import describe_labels, describe_rules, describe_value
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.game.value import Value

if TYPE_CHECKING:
    from solver.tablebase import Tablebase


@mnk_command(
    "query",
    "mnk query 3,3,3 XO./.X./...     the rows of the board",
    "mnk query 3,3,3 b2 a1           the moves played, X first",
    "mnk query 3,3,3                 the empty board",
    "mnk query 3,3,3 88 --json       a base-3 hash, answered as JSON",
    "mnk query 3,3,3 start --replies how many replies hold after each move",
    cls=PositionCommand,
)
@game_argument
@position_argument(required=False)
@click.option("--replies", is_flag=True, help="Show how many replies to each move keep the result.")
@data_option
@json_option
def command(rules: Rules, position: str, replies: bool, data: Path, as_json: bool) -> None:
    """Show the value of POSITION in GAME, by default of the empty board, and of every move."""
    parsed = Position.parse(rules, position)
    with open_table(data, rules) as table:
        if as_json:
            from solver.answers import position_answer, replies_answer

            echo_json((replies_answer if replies else position_answer)(table, parsed))
            return
        click.echo("\n".join(_format_position(table, parsed)))
        if replies and not parsed.is_over:
            click.echo("\n" + _format_replies(table, parsed))


def _format_position(table: "Tablebase", position: Position) -> Iterator[str]:
    value, moves = table.probe(position), table.moves(position)
    yield f"{position.rules}: {describe_rules(position.rules)}"
    yield ""
    yield format_board(position, moves)
    yield ""
    if position.is_over:
        yield position.result
        return
    yield describe_labels((value.label for _, value in moves), draws=position.rules.can_draw)
    yield ""
    yield f"{position.to_move} to move {describe_value(value)}."
    yield _format_best(position, moves)
    yield _format_mainline(table, position)


def _format_best(position: Position, moves: list[tuple[int, Value]]) -> str:
    best = moves[0][1]
    names = [square_name(position.rules, square) for square, value in moves if value.rank == best.rank]
    if len(names) == len(moves) > 1:
        return f"Best moves: all are as good, each {describe_value(best)}."
    return f"Best move{'s' if len(names) > 1 else ''}: {', '.join(names)}"


def _format_replies(table: "Tablebase", position: Position) -> str:
    """Return the moves, best first, with the number of replies that keep their value: fewer are harder to find."""
    rows = []
    for square, value in table.moves(position):
        holding, total = table.replies(position.play(square))
        replies = format_replies(holding, total, value.after_move()) if total else "the game is over"
        rows.append((square_name(position.rules, square), value.label, replies))
    return align_columns(rows, left=[0, 1, 2])


def _format_mainline(table: "Tablebase", position: Position) -> str:
    line = table.mainline(position)
    for square in line:
        position = position.play(square)
    names = " ".join(square_name(position.rules, square) for square in line)
    end = "draw" if position.outcome == "draw" else f"{position.outcome} wins"
    return f"Main line: {names} ({end})"
