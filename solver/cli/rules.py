"""`mnk rules`: write the squares and lines of a game."""

import json
from pathlib import Path

import click

from solver.cli.options import OUTPUT_FILE, data_option, game_argument, mnk_command
from solver.errors import RulesError, StorageError, quoted
from solver.game.makers import pg
from solver.game.makers.json_game import to_json
from solver.game.rules import Rules
from solver.support.files import write_file


@mnk_command(
    "rules",
    "mnk rules affine,3               as JSON, to standard output",
    "mnk rules 3,3,3 -o tictactoe.pg  as solvers of QBF read them",
)
@game_argument
@click.option("-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="Write to FILE.json or FILE.pg.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@data_option
def command(rules: Rules, output: Path | None, force: bool, data: Path) -> None:
    """Write the squares and the lines of GAME, as a file that can be given in the place of its name."""
    del data  # where a game is looked up that was read from a file
    text = json.dumps(to_json(rules), indent=1) + "\n"
    if output is None:
        click.echo(text, nl=False)
        return
    ending = output.suffix.lower()
    if ending not in {".json", ".pg"}:
        raise RulesError(f"Rules are written as .json or .pg, so {quoted(output.name)} must end in one of them.")
    if output.is_file() and not force:
        raise StorageError(f"The file {output} exists; give another name with -o, or --force to replace it.")
    write_file(output, text if ending == ".json" else pg.write(rules))
