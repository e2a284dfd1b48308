"""`mnk list`: list the tables of a folder."""

from pathlib import Path

import click

from solver.cli.options import data_option, json_option
from solver.cli.output import align_columns, echo_json, format_size
from solver.cli.summary import TableSummary, describe_game_value, summarise
from solver.errors import TableError
from solver.game.rules import Rules
from solver.store.paths import build_command, table_path
from solver.support.schemas import JsonObject
from solver.tablebase import TablebaseFolder

_HEADINGS = ("game", "positions", "value", "metric", "size", "rules")


@click.command("list")
@data_option
@json_option
def command(data: Path, as_json: bool) -> None:
    """List the games that have a table, with their values.

    Ends with 0 if every table can be read. One that can't is listed with a warning, and the exit code is that of its
    error, as for other commands.
    """
    with TablebaseFolder(data) as tables:
        found = {rules: _summarise(tables, rules) for rules in tables.games()}
        unknown = tables.unreadable()
    if as_json:
        rows = [_row_json(rules, data, summary) for rules, summary in found.items()]
        echo_json([*rows, *(_error_json(_game_name(path), path, error) for path, error in unknown.items())])
    elif found or unknown:
        lines = [*(_row(*item) for item in found.items()), *(_error_row(_game_name(path), "?") for path in unknown)]
        click.echo(align_columns([_HEADINGS, *lines], left=[0, 2, 3, 5]))
    else:
        click.echo(f"There are no tables in {data}; build one with `{build_command('3,3,3', data)}`.")
    errors = [error for error in (*found.values(), *unknown.values()) if isinstance(error, TableError)]
    for error in errors:
        click.echo(f"Warning: {error}", err=True)
    if errors:
        raise click.exceptions.Exit(errors[0].exit_code)


def _summarise(tables: TablebaseFolder, rules: Rules) -> TableSummary | TableError:
    """Return what a table says, or what is wrong with it: one bad file does not hide the others."""
    try:
        return summarise(tables.table(rules))
    except TableError as error:
        return error


def _row(rules: Rules, summary: TableSummary | TableError) -> list[str]:
    if isinstance(summary, TableError):
        return _error_row(rules.name, rules.describe())
    size = format_size(summary["bytes"])
    value = describe_game_value(summary)
    return [rules.name, f"{summary['positions']:,}", value, summary["metric"], size, rules.describe()]


def _row_json(rules: Rules, data: Path, summary: TableSummary | TableError) -> JsonObject:
    if isinstance(summary, TableError):
        return _error_json(rules.name, table_path(data, rules), summary)
    return summary


def _game_name(path: Path) -> str:
    """Return the name of a game from that of its table."""
    return path.stem.removeprefix("mnk-")


def _error_row(name: str, description: str) -> list[str]:
    return [name, "?", "can't be read", "?", "?", description]


def _error_json(name: str, path: Path, error: TableError) -> JsonObject:
    return {"game": name, "path": str(path), "error": str(error)}
