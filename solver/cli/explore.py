"""`mnk explore`: show a full-screen board in the terminal, with what every move is worth."""

import sys
from pathlib import Path

import click

from solver.cli.options import (
    PositionCommand,
    data_option,
    game_argument,
    mnk_command,
    position_argument,
    side_option,
    svg_option,
)
from solver.cli.running import open_table
from solver.errors import MnkError, missing_extra
from solver.game.rules import Rules
from solver.support.files import write_file
from solver.terminal.exploration import OPPONENTS, start_exploration


@mnk_command(
    "explore",
    "mnk explore 3,3,3                  from the empty board, both sides yours",
    "mnk explore 4,4,4 b2 c3            after two moves, which can be taken back",
    "mnk explore 3,3,3 XO./.X./...      from a position",
    "mnk explore 4,4,4,gravity --opponent perfect --side O",
    cls=PositionCommand,
)
@game_argument
@position_argument(required=False)
@click.option(
    "--opponent",
    type=click.Choice([*OPPONENTS]),
    default="people",
    show_default=True,
    help="Who plays the other side; people: you play both.",
)
@side_option("What you play against an opponent.")
@click.option("--hints/--no-hints", default=True, help="Whether verdicts are shown from the beginning.")
@click.option("--seed", type=int, metavar="N", help="Makes the opponent's choices the same again.")
@svg_option("Draw the first screen there instead, as a picture.")
@data_option
def command(
    rules: Rules,
    position: str,
    opponent: str,
    side: str,
    hints: bool,
    seed: int | None,
    svg: Path | None,
    data: Path,
) -> None:
    """Explore GAME on a full-screen board: verdicts in the squares, the moves and the main line beside it.

    Arrow keys and enter (or the mouse) play; u takes back, y plays it again, r begins again, h shows or hides what
    moves are worth, o changes the opponent, w swaps sides, q quits.
    """
    with open_table(data, rules) as table:
        game = start_exploration(table, position, side.upper(), opponent, seed)
        if not svg and not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
            raise MnkError(
                "mnk explore needs a terminal, and standard input, output or error is none; "
                "use mnk query or mnk play there, or draw a picture with -o FILE.svg."
            )
        try:
            from solver.terminal.app import ExploreApp, draw_first_screen
        except ImportError as error:
            raise missing_extra("The full-screen board", "terminal", "use `mnk play`") from error
        if svg:
            write_file(svg, draw_first_screen(game, hints=hints) + "\n")
        elif failure := ExploreApp(game, hints=hints).run():
            raise failure
