"""`mnk plot`: what a table holds, and how games grow, as pictures."""

from pathlib import Path

import click

from solver.cli.common import data_option, examples, game_argument, games_argument, interruptible, open_table, progress
from solver.cli.drawing import out_option, put, scale_option
from solver.game.rules import Rules

__all__ = ["command"]


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


@command.command("values")
@game_argument
@out_option
@scale_option
@data_option
def values(rules: Rules, out: Path | None, scale: float, data: Path) -> None:
    """How many positions X wins, are drawn and O wins, ply by ply."""
    from solver.pictures.plots import draw_values

    with open_table(data, rules) as table:
        put(draw_values(table), out, scale)


@command.command("distances")
@game_argument
@out_option
@scale_option
@data_option
def distances(rules: Rules, out: Path | None, scale: float, data: Path) -> None:
    """How many positions are how many plies from the end; every position is asked."""
    from solver.pictures.distances import count_distances, draw_distances

    with open_table(data, rules) as table, progress(str(rules)) as show, interruptible(show) as watched:
        counts = count_distances(table, watched)
    put(draw_distances(rules, counts), out, scale)


@command.command("growth")
@games_argument
@out_option
@scale_option
def growth(games: tuple[Rules, ...], out: Path | None, scale: float) -> None:
    """How many positions GAMEs have at each ply; they are counted, so that no table is needed."""
    from solver.pictures.plots import draw_growth

    put(draw_growth(games), out, scale)
