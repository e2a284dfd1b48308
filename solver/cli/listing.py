"""`mnk list`: the tables of a folder."""

from pathlib import Path

import click

from solver.cli.common import data_option, echo_json, json_option
from solver.cli.summary import Summary, summarise
from solver.cli.words import columns, file_size, value_of_game
from solver.errors import TableError
from solver.game.rules import Rules
from solver.store.places import build_command, table_path
from solver.support.schemas import JsonObject
from solver.tablebase import TablebaseFolder

__all__ = ["command"]


@click.command("list")
@data_option
@json_option
def command(data: Path, as_json: bool) -> None:
    """The games that have a table, with their values."""
    with TablebaseFolder(data) as tables:
        found = [(rules, _summary(tables, rules)) for rules in tables.games()]
    if as_json:
        echo_json([_json(rules, data, facts) for rules, facts in found])
    elif found:
        click.echo(columns([_HEADINGS, *(_row(rules, facts) for rules, facts in found)], left=[0, 2, 3, 5]))
    else:
        click.echo(f"There are no tables in {data}; build one with `{build_command('3,3,3', data)}`.")
    for error in [facts for _, facts in found if isinstance(facts, TableError)]:
        click.echo(f"Warning: {error}", err=True)


_HEADINGS = ("game", "positions", "value", "metric", "size", "rules")


def _summary(tables: TablebaseFolder, rules: Rules) -> Summary | TableError:
    """The facts about a table, or what is wrong with it: one bad file does not hide the others."""
    try:
        return summarise(tables.table(rules))
    except TableError as error:
        return error


def _row(rules: Rules, facts: Summary | TableError) -> list[str]:
    if isinstance(facts, TableError):
        return [rules.name, "?", "can't be read", "?", "?", rules.describe()]
    size = file_size(facts.size)
    return [rules.name, f"{facts.positions:,}", value_of_game(facts.root), facts.metric, size, rules.describe()]


def _json(rules: Rules, data: Path, facts: Summary | TableError) -> JsonObject:
    if isinstance(facts, TableError):
        return {"game": rules.name, "path": str(table_path(data, rules)), "error": str(facts)}
    return facts.json()
