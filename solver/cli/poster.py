"""`mnk poster`: draw the complete perfect strategy of a side as one self-similar map."""

from pathlib import Path

from solver.cli.options import data_option, game_argument, mnk_command, picture_options, side_option
from solver.cli.output import echo_picture
from solver.cli.running import open_table
from solver.game.rules import Rules


@mnk_command(
    "poster",
    "mnk poster 3,3,3 -o poster.svg            X, for tic-tac-toe on A4",
    "mnk poster 3,3,3 --side both -o both.svg  X and O, on a larger sheet",
    "mnk poster 3,4,3 -o x.png                 a larger game, as PNG",
)
@game_argument
@side_option("Whose strategy.", both=True)
@picture_options
@data_option
def command(rules: Rules, side: str, out: Path | None, scale: float, data: Path) -> None:
    """Draw the complete perfect strategy of GAME on one sheet of paper.

    The move to play is drawn large. In every square where the other side can answer lies a smaller board with the
    move to play then, and so on to the end. A game too deep to be read in print is refused.
    """
    from solver.pictures.poster import draw_poster

    with open_table(data, rules) as table:
        echo_picture(draw_poster(table, rules, "XO" if side == "both" else side), out, scale)
