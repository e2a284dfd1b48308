"""`mnk draw`: draw a position, a complete strategy, or a chart of a table."""

from pathlib import Path

import click

from solver.cli.options import (
    PICTURE_FILE,
    PositionCommand,
    data_option,
    game_argument,
    mnk_command,
    position_argument,
    side_option,
)
from solver.cli.output import echo_picture
from solver.cli.running import open_table
from solver.game.files import read_game
from solver.game.position import Position
from solver.game.rules import Rules


@mnk_command(
    "draw",
    "mnk draw 3,3,3 XO./.X./... -o p.svg     the value of every move",
    "mnk draw 3,3,3 b2 a1 --plain -o b.png   the stones alone, as PNG",
    "mnk draw 3,3,3 --poster -o poster.svg   the strategy of X, on A4",
    "mnk draw 3,3,3 --plot values            who wins, ply by ply",
    "mnk draw 3,3,3 4,4,4 --plot growth      the numbers of positions",
    cls=PositionCommand,
)
@game_argument
@position_argument(required=False)
@click.option("--plain", is_flag=True, help="Draw the stones of the position only, which needs no table.")
@click.option("--poster", is_flag=True, help="Draw a complete perfect strategy on one sheet of paper.")
@side_option("Whose strategy the poster shows; default: X.", default=None, both=True)
@click.option(
    "--plot",
    type=click.Choice(["values", "growth"]),
    help="Draw a chart: who wins at each ply, or how the number of positions grows.",
)
@click.option(
    "-o",
    "--output",
    "out",
    type=PICTURE_FILE,
    metavar="FILE",
    help="Write to FILE.svg or FILE.png; default: SVG to standard output.",
)
@click.option(
    "--scale",
    type=click.FloatRange(0.1, 20),
    metavar="S",
    default=2,
    show_default=True,
    help="The dots of a PNG for each pixel of the SVG.",
)
@data_option
def command(
    rules: Rules,
    position: str,
    plain: bool,
    poster: bool,
    side: str | None,
    plot: str | None,
    out: Path | None,
    scale: float,
    data: Path,
) -> None:
    """Draw POSITION of GAME, by default the empty board.

    Each empty square shows the value of a move there by a letter, a shape and a colour; the best moves have heavy
    frames.

    With --poster, the move to play is drawn large, and every square where the other side can answer holds a smaller
    board with the next move, down to the end of the game. A game that is too deep to be legible in print is refused.

    With --plot growth, further GAMEs may follow; the positions are counted, so that no table is needed.
    """
    if poster and plot:
        raise click.UsageError("--poster and --plot draw different pictures; choose one.")
    if plain and (poster or plot):
        raise click.UsageError("--plain applies to positions; leave out --poster and --plot.")
    if side and not poster:
        raise click.UsageError("--side applies to --poster only.")
    if position and (poster or plot == "values"):
        raise click.UsageError("--poster and --plot show the whole game; leave out the position.")
    from solver.pictures.plots import draw_growth, draw_values
    from solver.pictures.position import draw_position
    from solver.pictures.poster import draw_poster

    parsed = Position.start(rules) if poster or plot else Position.parse(rules, position)
    if plot == "growth":
        picture = draw_growth([rules, *map(read_game, position.split())])
    elif plain:
        picture = draw_position(parsed, None)
    else:
        with open_table(data, rules) as table:
            if poster:
                picture = draw_poster(table, rules, "XO" if side == "both" else side or "X")
            else:
                picture = draw_values(table) if plot else draw_position(parsed, table)
    echo_picture(picture, out, scale)
