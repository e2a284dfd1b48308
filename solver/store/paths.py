"""The paths of tables, such as `mnk-4-4-4.sqlite`, and the commands that build them."""

import os
from os.path import getsize, isfile  # unlike the methods of Path, isfile accepts names that are too long
from pathlib import Path
from shlex import quote

from solver.errors import RulesError
from solver.game.game_files import is_file_game
from solver.game.games import parse_game
from solver.game.rules import Rules

DATA_VARIABLE = "MNK_DATA"
FILE_ENDING = ".sqlite"
STRATEGY_ENDING = ".strategy.sqlite"
SHIPPED = Path(__file__).parent / "shipped"
"""The folder of tables that are part of this package; it is only read, after the user's own folder."""

FILE_OF_GAME = "FILE-OF-THE-GAME"  # in commands for a game whose file is unknown


def default_folder() -> Path:
    """Return the folder of tables: `$MNK_DATA`, or `data` in the working folder."""
    return Path(os.environ.get(DATA_VARIABLE) or "data")


def table_path(folder: Path, rules: Rules) -> Path:
    """Return the path of a game's table in a folder, whether or not it exists."""
    return folder / rules.file_name


def find_table(folder: Path, rules: Rules) -> Path | None:
    """Return the path of a game's table in a folder, or else in this package; None if it is in neither."""
    paths = (table_path(place, rules) for place in (folder, SHIPPED))
    return next((path for path in paths if isfile(path) and not is_empty(path)), None)


def is_empty(path: Path) -> bool:
    """Return True if a file has no bytes, as the file that SQLite creates when a program opens a missing table."""
    return isfile(path) and getsize(path) == 0


def strategy_path(folder: Path, rules: Rules) -> Path:
    """Return the path of a game's strategy in a folder, whether or not it exists."""
    return folder / f"{rules.file_name.removesuffix(FILE_ENDING)}{STRATEGY_ENDING}"


def find_strategy_file(folder: Path, rules: Rules) -> Path | None:
    """Return the path of a game's strategy in a folder, or else in this package; None if it is in neither."""
    paths = (strategy_path(place, rules) for place in (folder, SHIPPED))
    return next((path for path in paths if isfile(path) and not is_empty(path)), None)


def build_command(rules: Rules | str, folder: Path) -> str:
    """Return the command that builds a game's table in a folder."""
    option = "" if folder.resolve() == default_folder().resolve() else f" --data {quote(str(folder))}"
    name = str(rules)
    return f"mnk build {FILE_OF_GAME if is_file_game(name) else name}{option}"


def game_of_file(path: Path) -> Rules | None:
    """Return the game that the name of a table's file determines, or None, for example for a game from a file."""
    try:
        rules = parse_game(path.name.removeprefix("mnk-").removesuffix(path.suffix))
    except RulesError:
        return None
    return rules if path == table_path(path.parent, rules) else None


def rebuild_command(path: Path) -> str:
    """Return the command that builds a table again and replaces its file."""
    rules = game_of_file(path)
    if rules is None:
        from_file = is_file_game(path.stem.removeprefix("mnk-"))
        return f"mnk build {f'{FILE_OF_GAME} ' if from_file else ''}--force"
    return f"{build_command(rules, path.parent)} --force"
