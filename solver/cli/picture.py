"""`mnk picture`: draw a position, with the worth of every move in its square."""

from pathlib import Path

import click

from solver.cli.options import (
    PositionCommand,
    data_option,
    game_argument,
    mnk_command,
    picture_options,
    position_argument,
)
from solver.cli.output import echo_picture
from solver.cli.running import open_table
from solver.game.position import Position
from solver.game.rules import Rules


@mnk_command(
    "picture",
    "mnk picture 3,3,3 XO./.X./... -o p.svg        every move's worth in its square",
    "mnk picture 3,3,3 b2 a1 --plain -o board.png  the stones alone, as PNG",
    "mnk picture 3,3,3 start > start.svg           to standard output",
    cls=PositionCommand,
)
@game_argument
@position_argument()
@click.option("--plain", is_flag=True, help="Only the stones; needs no table.")
@picture_options
@data_option
def command(rules: Rules, position: str, plain: bool, out: Path | None, scale: float, data: Path) -> None:
    """Draw POSITION of GAME.

    Each empty square says what a move there comes to, by a letter, a shape and a colour; the best moves have heavy
    frames.
    """
    from solver.pictures.position import draw_position

    drawn = Position.parse(rules, position)
    if plain:
        echo_picture(draw_position(drawn, None), out, scale)
        return
    with open_table(data, rules) as table:
        echo_picture(draw_position(drawn, table), out, scale)
