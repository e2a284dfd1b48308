"""The paths of tables, such as `mnk-4-4-4.sqlite`, the commands that build them, and the error for a missing table."""

import os
from pathlib import Path

from solver.errors import MissingTable, RulesError
from solver.game.files import is_file_game
from solver.game.games import parse_game
from solver.game.rules import Rules

DATA_VARIABLE = "MNK_DATA"
FILE_ENDING = ".sqlite"
FILE_OF_GAME = "FILE-OF-THE-GAME"  # in a command, where nothing knows which file a game was read from


def default_folder() -> Path:
    """The folder of tables: `$MNK_DATA`, or `data` in the working folder."""
    return Path(os.environ.get(DATA_VARIABLE) or "data")


def table_path(folder: Path, rules: Rules) -> Path:
    """The file of a game's table in a folder."""
    return folder / rules.file_name


def require_table(folder: Path, rules: Rules) -> Path:
    """Find a game's table in a folder. Raises MissingTable with the command that builds it."""
    path = table_path(folder, rules)
    if not path.is_file():
        raise missing_table(rules, folder)
    return path


def build_command(rules: Rules | str, folder: Path) -> str:
    """The command that builds a game's table in a folder."""
    option = "" if folder.resolve() == default_folder().resolve() else f" --data {folder}"
    name = str(rules)
    return f"mnk build {FILE_OF_GAME if is_file_game(name) else name}{option}"


def game_of_file(path: Path) -> Rules | None:
    """Return the game that the name of a file stands for, None for a name that stands for none.

    The name of a game from a file, such as mnk-fano.3f9a0c12be47.sqlite, does not say what the game is.
    """
    try:
        rules = parse_game(path.name.removeprefix("mnk-").removesuffix(path.suffix))
    except RulesError:
        return None
    return rules if path == table_path(path.parent, rules) else None


def rebuild_command(path: Path) -> str:
    """Return the command that replaces a table; it names the game if the path does."""
    rules = game_of_file(path)
    if rules is None:
        from_file = is_file_game(path.stem.removeprefix("mnk-"))
        return f"mnk build {f'{FILE_OF_GAME} ' if from_file else ''}--force"
    return f"{build_command(rules, path.parent)} --force"


def missing_table(rules: Rules, folder: Path) -> MissingTable:
    """The error for a game whose table is not in its folder."""
    command = build_command(rules, folder)
    return MissingTable(f"There is no table of {rules} in {folder}; build it with `{command}`.", command)
