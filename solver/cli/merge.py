"""`mnk merge`: turn a folder of shards into the file of a table."""

import shutil
from pathlib import Path

import click

from solver.cli.options import data_option, games_argument
from solver.cli.output import format_size
from solver.cli.running import show_progress
from solver.errors import StorageError
from solver.game.rules import Rules
from solver.store.paths import missing_table, shards_path, table_bytes, table_path


@click.command("merge")
@games_argument
@data_option
@click.option("--keep", is_flag=True, help="Keep the folder too.")
def command(games: tuple[Rules, ...], data: Path, keep: bool) -> None:
    """Turn the table of each GAME, a folder of shards, into one file.

    It is the file that a build would have written. `mnk split` does the opposite.
    """
    for rules in games:
        click.echo(_merge(rules, data, keep))


def _merge(rules: Rules, data: Path, keep: bool) -> str:
    from solver.store.shard_writer import merge_table  # it loads the code that writes tables

    folder = shards_path(data, rules)
    if not folder.is_dir():
        if table_path(data, rules).is_file():
            raise StorageError(f"The table of {rules} in {data} is one file already.")
        raise missing_table(rules, data)
    with show_progress(f"Merging {rules}") as show:
        path = merge_table(folder, show)
    if not keep:
        shutil.rmtree(folder)
    return f"Merged {rules} into {path}, {format_size(table_bytes(path))}"
