"""Paths of tables, the commands that build them, and the error for a table that is not there."""

import os
from pathlib import Path

from solver.errors import MissingTable, RulesError
from solver.game.rules import Rules

DATA_VARIABLE = "MNK_DATA"


def default_folder() -> Path:
    """The folder of tables: `$MNK_DATA`, or `data` in the working folder."""
    return Path(os.environ.get(DATA_VARIABLE) or "data")


def table_path(folder: Path, rules: Rules) -> Path:
    """The file of a game's table in a folder."""
    return folder / rules.file_name


def build_command(rules: Rules | str, folder: Path) -> str:
    """The command that builds a game's table in a folder."""
    option = "" if folder.resolve() == default_folder().resolve() else f" --data {folder}"
    return f"mnk build {rules}{option}"


def game_of_file(path: Path) -> Rules | None:
    """Return the game that a file's name stands for, None for a name that stands for none."""
    try:
        rules = Rules.parse(path.name.removeprefix("mnk-").removesuffix(".sqlite"))
    except RulesError:
        return None
    return rules if rules.file_name == path.name else None


def rebuild_command(path: Path) -> str:
    """Return the command that replaces the table in a file; it names the game if the file's name does."""
    rules = game_of_file(path)
    return f"{'mnk build' if rules is None else build_command(rules, path.parent)} --force"


def missing_table(rules: Rules, folder: Path) -> MissingTable:
    """The error for a game whose table is not in its folder."""
    command = build_command(rules, folder)
    return MissingTable(f"There is no table of {rules} in {folder}; build it with `{command}`.", command)
