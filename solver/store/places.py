"""Where tables live, and how to say that one is not there."""

import os
from pathlib import Path

from solver.errors import MissingTable
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


def missing_table(rules: Rules, folder: Path) -> MissingTable:
    """The error for a game whose table is not in its folder."""
    command = build_command(rules, folder)
    return MissingTable(f"There is no table of {rules} in {folder}; build it with `{command}`.")
