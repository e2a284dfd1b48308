"""`mnk site`: write a folder with the page and tables for any static host."""

import shlex
from pathlib import Path
from time import perf_counter

import click

from solver.cli.options import data_option, games_argument, mnk_command
from solver.cli.output import format_seconds
from solver.cli.running import show_progress, stop_on_signal
from solver.errors import MissingTable
from solver.game.rules import Rules
from solver.store.advice import missing_table
from solver.store.paths import find_strategy_file, find_table
from solver.support.english import format_size, plural


@mnk_command(
    "site",
    "mnk site 3,3,3 -o site                tic-tac-toe, in the folder site",
    "mnk site 3,3,3 4,4,4,gravity -o site  several games, of any size",
)
@games_argument
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    required=True,
    help="The folder to write.",
)
@click.option("--force", is_flag=True, help="Replace the folder if it is an older site.")
@data_option
def command(games: tuple[Rules, ...], folder: Path, force: bool, data: Path) -> None:
    """Write the page and the tables of GAMEs as a folder for any static host.

    The page reads the tables itself, and fetches only the parts that it needs. It has no live games. Over https, it
    works offline after the first visit, with small tables or visited positions.
    """
    from solver.web.site import writing

    tables = []
    for rules in dict.fromkeys(games):
        path = find_table(data, rules)
        if path is None:
            if find_strategy_file(data, rules):
                raise MissingTable(f"A site needs a table, and {rules} has only a strategy; `mnk serve` shows it.")
            raise missing_table(rules, data)
        tables.append(path)
    begin = perf_counter()
    with show_progress(f"Writing {folder}") as show, stop_on_signal(show) as watched:
        site = writing.write_site(tables, folder, force=force, progress=watched)
    click.echo(
        f"Wrote {plural(len(tables), 'game')} to {folder}: {plural(site.files, 'file')}, {format_size(site.bytes)}, "
        f"the largest part of a table {format_size(site.largest_part)}, {format_seconds(perf_counter() - begin)}"
    )
    if site.largest_part > writing.MOST_WHOLE:
        click.echo("The host must support HTTP ranges. Nearly all do, but not `python -m http.server`.")
    else:
        quoted = shlex.quote(str(folder))
        click.echo(f"Any static host can serve it. Try it with `python -m http.server --directory {quoted}`.")
    if site.is_small:
        click.echo(f"To use it without a host, open {folder / 'index.html'}.")
