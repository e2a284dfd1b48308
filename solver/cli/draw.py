"""`mnk draw`: draw a position, a complete strategy, or a chart of a table."""

import sys
from pathlib import Path

import click

from solver.cli.options import data_option, game_argument, mnk_command, output_option, position_argument, side_option
from solver.cli.output import echo_document
from solver.errors import Unsettled
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.truth import open_truth


@mnk_command(
    "draw",
    "mnk draw 3,3,3 XO./.X./... -o p.svg    the value of every move",
    "mnk draw 3,3,3 b2 a1 --plain -o b.png  the stones alone, as PNG",
    "mnk draw 3,3,3 --poster -o poster.svg  the strategy of X, to print",
    "mnk draw 3,3,3 --chart -o chart.svg    who wins, ply by ply",
)
@game_argument
@position_argument(required=False)
@click.option("--plain", is_flag=True, help="Draw the stones only, titled with the side to move, which needs no table.")
@click.option("--poster", is_flag=True, help="Draw a complete perfect strategy on one sheet of paper.")
@side_option("The player of the poster's strategy; default: X.")
@click.option("--chart", is_flag=True, help="Draw a chart of the results at each ply.")
@output_option("Write to FILE.svg or FILE.png; default: SVG to standard output.", picture=True)
@data_option
def command(
    rules: Rules,
    position: str,
    plain: bool,
    poster: bool,
    side: str | None,
    chart: bool,
    output: Path | None,
    data: Path,
) -> None:
    """Draw POSITION of GAME, by default the empty board.

    Each empty square shows the value of a move there by a letter, a shape and a colour; the best moves have heavy
    frames.

    With --poster, the move to play is drawn large, and every square where the other side can reply contains a smaller
    board with the next move, and so on until the end of the game. A game too deep to be legible in print is refused.
    """
    if plain + poster + chart > 1:
        raise click.UsageError("--plain, --poster and --chart draw different pictures; choose one.")
    if side and not poster:
        raise click.UsageError("--side applies to --poster only.")
    if position and (poster or chart):
        raise click.UsageError("--poster and --chart show the whole game; leave out the position.")
    if output is None and sys.stdout.isatty():
        raise click.UsageError("A picture is no text for a terminal; add -o FILE.svg or -o FILE.png.")
    from solver.export.pictures import save_picture
    from solver.export.pictures.plots import draw_values
    from solver.export.pictures.position import draw_position
    from solver.export.pictures.poster import draw_poster

    parsed = Position.parse(rules, position)
    if plain:
        result = "A draw" if parsed.outcome == "draw" else f"{parsed.outcome} has won"
        picture = draw_position(parsed, None, result if parsed.is_over else f"{parsed.to_move} to move")
    else:
        with open_truth(rules, data) as truth:
            if poster:
                picture = draw_poster(truth, rules, side or "X")
            else:
                try:
                    picture = draw_values(truth.table) if chart else draw_position(parsed, truth)
                except Unsettled as error:
                    plainly = f"{str(error).rstrip('.')}; --plain draws the stones without values."
                    raise Unsettled(plainly, error.build) from error
    if output is None:
        echo_document(picture)
    else:
        save_picture(picture, output)
        click.echo(f"Wrote {output}")
