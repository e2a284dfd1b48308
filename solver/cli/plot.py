"""`mnk plot`: draw what a table holds, or how games grow."""

from pathlib import Path

import click

from solver.cli.options import data_option, examples, game_argument, games_argument, picture_options
from solver.cli.output import echo_picture
from solver.cli.running import open_table, show_progress, stop_on_signal
from solver.game.rules import Rules


@click.group(
    "plot",
    epilog=examples(
        "mnk plot values 3,3,3 -o values.svg            who wins, ply by ply",
        "mnk plot distances 4,4,4 -o distances.svg      how far away the end is",
        "mnk plot growth 3,3,3 4,4,4 5,5,4 -o growth.svg",
    ),
)
def command() -> None:
    """Draw what a table holds, or how games grow."""


@command.command("values", short_help="Who wins, ply by ply.")
@game_argument
@picture_options
@data_option
def values(rules: Rules, out: Path | None, scale: float, data: Path) -> None:
    """Draw how many positions X wins, are drawn and O wins, ply by ply."""
    from solver.pictures.plots import draw_values

    with open_table(data, rules) as table:
        echo_picture(draw_values(table), out, scale)


@command.command("distances", short_help="How many plies positions are from the end.")
@game_argument
@picture_options
@data_option
def distances(rules: Rules, out: Path | None, scale: float, data: Path) -> None:
    """Draw how many positions are how many plies from the end; every position is probed."""
    from solver.pictures.plots import count_distances, draw_distances

    with open_table(data, rules) as table, show_progress(str(rules)) as show, stop_on_signal(show) as watched:
        counts = count_distances(table, watched)
    echo_picture(draw_distances(rules, counts), out, scale)


@command.command("growth", short_help="How many positions games have at each ply.")
@games_argument
@picture_options
def growth(games: tuple[Rules, ...], out: Path | None, scale: float) -> None:
    """Draw how many positions GAMEs have at each ply; they are counted, so that no table is needed."""
    from solver.pictures.plots import draw_growth

    echo_picture(draw_growth(games), out, scale)
