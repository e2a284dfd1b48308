"""`mnk openings`: list the first plies of a game up to symmetry, with the replies that hold."""

from collections.abc import Iterator
from pathlib import Path

import click

from solver.cli.options import PositionCommand, data_option, game_argument, json_option, mnk_command, position_argument
from solver.cli.output import align_columns, echo_json, format_replies
from solver.cli.running import open_table
from solver.game.descriptions import describe_rules, describe_value
from solver.game.position import Position
from solver.game.rules import Rules
from solver.study.openings import Opening, list_openings, openings_answer
from solver.support.english import plural


@mnk_command(
    "openings",
    "mnk openings 3,3,3                the first two plies",
    "mnk openings 4,4,4 --depth 4 --kept",
    "mnk openings 3,3,3 b2             after b2",
    cls=PositionCommand,
)
@game_argument
@position_argument(required=False)
@click.option("--depth", type=click.IntRange(1, 12), metavar="N", default=2, show_default=True, help="How many plies.")
@click.option("--kept", is_flag=True, help="Follow only moves that keep the result.")
@data_option
@json_option
def command(rules: Rules, position: str, depth: int, kept: bool, data: Path, as_json: bool) -> None:
    """List the openings of GAME up to symmetry, from POSITION on: their value, and how many of the replies hold.

    Positions that are symmetric, or that come about in another order of moves, are one. The fewer replies hold, the
    harder an opening is to answer.
    """
    start = Position.parse(rules, position)
    with open_table(data, rules) as table:
        if as_json:
            echo_json(openings_answer(table, depth, start, kept=kept))
            return
        plies = list_openings(table, depth, start, kept=kept)
    click.echo("\n".join([f"{rules}: {describe_rules(rules)}", "", *_format(plies)]))


def _format(plies: list[list[Opening]]) -> Iterator[str]:
    for level in plies:
        yield f"Ply {level[0].position.ply}: {plural(len(level), 'position')} up to symmetry"
    yield ""
    yield align_columns([_row(opening) for opening in _by_lines(plies)], left=[0, 1, 2])


def _by_lines(plies: list[list[Opening]]) -> list[Opening]:
    """Order the openings so that each stands below the one that it goes on from."""
    place = {opening.moves: number for level in plies for number, opening in enumerate(level)}

    def path(opening: Opening) -> list[int]:
        return [place[opening.moves[: length + 1]] for length in range(len(opening.moves))]

    return sorted((opening for level in plies for opening in level), key=path)


def _row(opening: Opening) -> tuple[str, str, str]:
    position, total = opening.position, len(opening.ranked)
    name = "  " * (len(opening.moves) - 1) + opening.names[-1]
    if not total:
        return name, position.result, ""
    replies = format_replies(opening.holding, total, opening.value)
    return name, describe_value(opening.value, position.to_move), replies
