"""`mnk compare`: put a position side by side under other rules."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from solver.cli.options import PositionCommand, data_option, game_argument, json_option, mnk_command, position_argument
from solver.cli.output import echo_json, format_board
from solver.game.descriptions import describe_value
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.study.comparison import compare, list_relatives
from solver.support.english import join_names
from solver.tablebase import TablebaseFolder

_GAP = 6  # columns between two boards


@mnk_command(
    "compare",
    "mnk compare 3,3,3                 the empty board",
    "mnk compare 3,3,3 XO./.X./...     a position",
    "mnk compare 4,4,4,gravity d4 c4   after two moves",
    cls=PositionCommand,
)
@game_argument
@position_argument(required=False)
@data_option
@json_option
def command(rules: Rules, position: str, data: Path, as_json: bool) -> None:
    """Put POSITION of GAME side by side under other rules: the normal ones, misere, on a torus, with gravity.

    Games without a table are named with the command that builds it.
    """
    parsed = Position.parse(rules, position)
    with TablebaseFolder(data) as tables:
        comparison = compare(parsed, tables.table)
        if as_json:
            echo_json(comparison)
            return
        answered = {found["game"] for found in comparison["rules"] if found["status"] == "answered"}
        shown = [other for other in list_relatives(rules) if other.name in answered]
        blocks = [_block(tables, other, Position.parse(other, parsed.board)) for other in shown]
    lines = [*_side_by_side(blocks)]
    for found in comparison["rules"]:
        if found["status"] == "no table":
            lines.append(f"{found['game']} has no table; build it with `{found['build']}`.")
        elif found["problem"]:
            lines.append(found["problem"])
    click.echo("\n".join(lines))


def _block(tables: TablebaseFolder, rules: Rules, position: Position) -> list[str]:
    """Return the lines of a position under some rules."""
    moves = tables.moves(position)
    head = [rules.name, "", *format_board(position, moves).splitlines(), ""]
    if position.is_over:
        return [*head, position.result, ""]
    best = [square_name(rules, square) for square, value in moves if value.rank == moves[0][1].rank]
    named = "any move" if len(best) == len(moves) > 1 else join_names(best, "or", limit=2)
    return [*head, f"{position.to_move} to move {describe_value(tables.probe(position))}", f"with {named}", ""]


def _side_by_side(blocks: list[list[str]]) -> Iterator[str]:
    """Lay blocks beside each other, as many as fit on the terminal."""
    columns = shutil.get_terminal_size((100, 24)).columns
    row: list[list[str]] = []
    for block in blocks:
        width = max(map(_width, block)) + _GAP
        padded = [line + " " * (width - _width(line)) for line in block]
        if row and sum(_width(other[0]) for other in row) + width > columns + _GAP:
            yield from _lay_out(row)
            row = []
        row.append(padded)
    yield from _lay_out(row)


def _lay_out(row: list[list[str]]) -> Iterator[str]:
    height = max(map(len, row), default=0)
    full = [block + [" " * _width(block[0])] * (height - len(block)) for block in row]
    for lines in zip(*full, strict=True):
        yield "".join(lines).rstrip()


def _width(line: str) -> int:
    return len(click.unstyle(line))
