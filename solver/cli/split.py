"""`mnk split`: turn the file of a table into a folder of shards."""

from pathlib import Path

import click

from solver.cli.options import data_option, games_argument
from solver.cli.output import format_size
from solver.cli.running import show_progress
from solver.errors import StorageError
from solver.game.rules import Rules
from solver.store.paths import missing_table, shards_path, table_bytes, table_path


@click.command("split")
@games_argument
@data_option
@click.option("--keep", is_flag=True, help="Keep the file too.")
def command(games: tuple[Rules, ...], data: Path, keep: bool) -> None:
    """Turn the table of each GAME, a file, into a folder of smaller files: its shards.

    A folder answers as the file does, and is easier to copy, in parts. `mnk merge` does the opposite.
    """
    for rules in games:
        click.echo(_split(rules, data, keep))


def _split(rules: Rules, data: Path, keep: bool) -> str:
    from solver.store.shard_writer import split_table  # it loads the code that writes tables

    path = table_path(data, rules)
    if not path.is_file():
        if shards_path(data, rules).is_dir():
            raise StorageError(f"The table of {rules} in {data} is a folder of shards already.")
        raise missing_table(rules, data)
    with show_progress(f"Splitting {rules}") as show:
        folder = split_table(path, show)
    if not keep:
        path.unlink()
    return f"Split {rules} into {len(list(folder.iterdir())) - 1} shards, {folder}, {format_size(table_bytes(folder))}"
