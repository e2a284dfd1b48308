"""`mnk stats`: show what a table holds, ply by ply."""

from collections.abc import Iterator
from pathlib import Path

import click

from solver.cli.options import data_option, game_argument, json_option
from solver.cli.output import align_columns, echo_json
from solver.cli.running import open_table
from solver.cli.summary import TableSummary, describe_file, describe_game_value, summarise
from solver.drawing.html import Plies, statistics_cells
from solver.game.rules import Rules
from solver.support.english import plural

_METRICS = {
    "distance": "win, draw or loss, and the plies to the end of the game",
    "wdl": "win, draw or loss",
}


@click.command("stats")
@game_argument
@data_option
@json_option
def command(rules: Rules, data: Path, as_json: bool) -> None:
    """Show how many positions GAME has at each ply, and how they end."""
    with open_table(data, rules) as table:
        summary, plies = summarise(table), table.plies()
    if as_json:
        echo_json({**summary, "plies": plies})
    else:
        click.echo("\n".join(_format_statistics(rules, summary, plies)))


def _describe_canonical(rules: Rules, canonical: int) -> str:
    """Say how many positions there are up to symmetry, and up to which."""
    counted, order = len(rules.board_symmetries), rules.group.order
    if rules.flips is not None:
        more = f" (its lines have {order:,})" if rules.has_lines and order > counted else ""
        return f", or {canonical:,} up to {plural(counted, 'symmetry', 'symmetries')} of the board{more}"
    if order == 1:
        return "; the lines have no symmetry"
    of = f" of {order:,}" if order > counted else ""
    return f", or {canonical:,} up to {counted:,}{of} symmetries of its lines"


def _format_statistics(rules: Rules, summary: TableSummary, plies: Plies) -> Iterator[str]:
    yield f"{rules}: {rules.describe()}"
    yield ""
    facts = {
        "Value": f"{describe_game_value(summary)}, when both sides play their best",
        "Positions": f"{summary['positions']:,}{_describe_canonical(rules, summary['canonical'])}",
        "Kept": _METRICS[summary["metric"]],
        "File": f"{describe_file(summary)}, by mnk-tablebase {summary['builder']}",
        "Digest": summary["digest"],
    }
    yield align_columns([*facts.items()], left=[0, 1])
    yield ""
    yield align_columns(statistics_cells(plies), left=[])
    yield ""
    yield "ply: stones on the board. won, drawn, lost: with best play, for the side to move."
    if summary["metric"] == "distance":
        yield "longest: the plies to the end, in the longest of the games won or lost there."
