"""`mnk stats`: what a table holds, ply by ply."""

from collections.abc import Iterator
from pathlib import Path

import click

from solver.cli.common import data_option, echo_json, game_argument, json_option, open_table
from solver.cli.summary import Summary, summarise
from solver.cli.words import columns, value_of_game
from solver.drawing.statistics import Plies, statistics_cells
from solver.game.rules import Rules

__all__ = ["command"]

_METRICS = {
    "distance": "win, draw or loss, and the plies to the end of the game",
    "wdl": "win, draw or loss",
}


@click.command("stats")
@game_argument
@data_option
@json_option
def command(rules: Rules, data: Path, as_json: bool) -> None:
    """How many positions GAME has at each ply, and how they end."""
    with open_table(data, rules) as table:
        summary, plies = summarise(table), table.plies()
    if as_json:
        echo_json({**summary.json(), "plies": plies})
    else:
        click.echo("\n".join(_lines(summary, plies)))


def _lines(summary: Summary, plies: Plies) -> Iterator[str]:
    yield f"{summary.rules}: {summary.rules.describe()}"
    yield ""
    facts = {
        "Value": f"{value_of_game(summary.root)}, when both sides play their best",
        "Positions": f"{summary.positions:,}, or {summary.canonical:,} up to symmetries of the board",
        "Kept": _METRICS[summary.metric],
        "File": f"{summary.file}, by mnk-tablebase {summary.builder}",
        "Digest": summary.digest,
    }
    yield columns([*facts.items()], left=[0, 1])
    yield ""
    yield columns(statistics_cells(plies), left=[])
    yield ""
    yield "ply: stones on the board. won, drawn, lost: with best play, for the side to move."
    if summary.metric == "distance":
        yield "longest: the plies to the end, in the longest of the games won or lost there."
