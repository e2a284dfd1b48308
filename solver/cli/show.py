"""`mnk show`: show the rules of a game and the statistics of its table."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from solver.cli.options import data_option, game_argument, json_option, mnk_command
from solver.cli.output import align_columns, describe_game_value, echo_json, summarise, summarise_strategy
from solver.drawing.html import Plies, explain_statistics, statistics_cells
from solver.game.descriptions import describe_layers, describe_rules
from solver.game.json_file import to_json
from solver.game.rules import Rules
from solver.search.truth import open_truth
from solver.store.advice import missing_table
from solver.store.paths import find_strategy_file, find_table
from solver.support.english import format_size, plural

if TYPE_CHECKING:
    from solver.cli.output import StrategySummary, TableSummary

_METRICS: Final = {"distance": "win, draw or loss, and the plies to the end of the game", "wdl": "win, draw or loss"}


@mnk_command(
    "show",
    "mnk show 3,3,3                         its rules and statistics",
    "mnk show affine,3 --rules > game.json  its squares and lines",
)
@game_argument
@click.option("--rules", "only_rules", is_flag=True, help="Print the squares and lines of the game as JSON.")
@data_option
@json_option
def command(rules: Rules, only_rules: bool, data: Path, as_json: bool) -> None:
    """Show the rules of GAME and, if it has a table, the number and the values of the positions at each ply.

    Without a table, it shows the stored strategy. As GAME, every command accepts a file with the output of --rules.
    """
    if only_rules:
        click.echo(json.dumps(to_json(rules), indent=1))
        return
    facts = {
        "game": rules.name,
        "description": describe_rules(rules),
        "squares": rules.squares,
        "lines": len(rules.lines),
    }
    found: tuple[TableSummary, Plies] | None = None
    last: int | None = None  # the last ply of an opening table
    if find_table(data, rules):
        with open_truth(rules, data) as truth:
            found, last = (summarise(truth.table), truth.table.plies()), truth.table.opening_plies
    strategy = None if found else _summarise_strategy(data, rules)
    if as_json:
        echo_json({**facts, "table": {**found[0], "plies": found[1]} if found else None, "strategy": strategy})
        return
    click.echo("\n".join([f"{rules}: {describe_rules(rules)}", *filter(None, [describe_layers(rules)]), ""]))
    if found:
        click.echo("\n".join(_format_statistics(rules, *found, last)))
        return
    sizes = [("Squares", str(rules.squares)), ("Lines", str(len(rules.lines)))]
    if strategy:
        leaves = strategy["leaves"]  # 0 if they were not counted
        others = f"; {leaves:,} other positions need none" if leaves else ""
        is_open = strategy["within"] is None and " wins " in strategy["claim"]  # the proof is unfinished
        sizes += [
            ("Found" if is_open else "Proved", f"{strategy['claim']}, by {strategy['method']}"),
            ("Moves", f"{strategy['rows']:,} stored{others}"),
            ("File", f"{strategy['path']}, {format_size(strategy['bytes'])}, by mnk-tablebase {strategy['builder']}"),
            ("Digest", strategy["digest"]),
        ]
    click.echo(align_columns(sizes, left=[0, 1]))
    if not strategy:
        click.echo(f"\n{missing_table(rules, data)}")


def _summarise_strategy(data: Path, rules: Rules) -> "StrategySummary | None":
    path = find_strategy_file(data, rules)
    return summarise_strategy(path, rules) if path else None


def _format_statistics(rules: Rules, summary: "TableSummary", plies: Plies, last: int | None) -> Iterator[str]:
    part = "" if last is None else f"; only plies 0 to {last}"
    facts = {
        "Value": f"{describe_game_value(summary)}, when both sides play their best",
        "Positions": f"{summary['positions']:,}{_describe_canonical(rules, summary['canonical'])}{part}",
        "Kept": _METRICS[summary["metric"]],
        "File": f"{summary['path']}, {format_size(summary['bytes'])}, by mnk-tablebase {summary['builder']}",
        "Digest": summary["digest"],
    }
    yield align_columns([*facts.items()], left=[0, 1])
    yield ""
    yield align_columns(statistics_cells(plies), left=[])
    yield ""
    yield from explain_statistics(plies)


def _describe_canonical(rules: Rules, canonical: int) -> str:
    """Return a phrase that gives the number of positions up to symmetry and describes the symmetries."""
    counted, order = rules.board_symmetries.order, rules.group.order
    if rules.flips is not None:
        more = f" (its lines have {order:,})" if rules.has_lines and order > counted else ""
        return f", or {canonical:,} up to {plural(counted, 'symmetry', 'symmetries')} of the board{more}"
    if order == 1:
        return "; the lines have no symmetry"
    of = f" of {order:,}" if order > counted else ""
    return f", or {canonical:,} up to {counted:,}{of} symmetries of its lines"
