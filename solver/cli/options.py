"""The arguments and options that several commands share."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from math import isfinite
from os.path import isdir, isfile
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from solver.errors import InputError, quoted
from solver.game.game_files import is_file_game, read_game
from solver.game.rules import Rules
from solver.store.paths import default_folder
from solver.store.schema import METRICS
from solver.support.files import require_writable

_F = TypeVar("_F", bound=Callable[..., Any])

_GAME_FILES: Final = (".json", ".jsonl", ".psq", ".sgf", ".txt")  # the usual ends of their names
_UNITS: Final = {
    **{unit: 10 ** (3 * power) for power, unit in enumerate(("", "k", "m", "g", "t"))},
    **{f"{unit}i": 2 ** (10 * power) for power, unit in enumerate(("k", "m", "g", "t"), start=1)},
}


def examples(*lines: str) -> str:
    """Return lines for the end of a command's help; click does not wrap them."""
    return "\b\n" + "\n".join(lines)


def mnk_command(name: str, *lines: str, **attributes: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Declare a command of `mnk` whose help ends with the examples in `lines`."""
    return click.command(name, epilog=examples(*lines), **attributes)


# Games and positions


def _read_game(text: str) -> Rules:
    """Return a game's rules, given its name or file; for the name of a game from a file, read them from its table."""
    if is_file_game(text.strip()):
        from solver.search.folder import Library

        return Library(click.get_current_context().params.get("data") or default_folder()).game(text)
    return read_game(text)


game_argument = click.argument("rules", metavar="GAME", type=_read_game)
games_argument = click.argument("games", metavar="GAME...", type=_read_game, nargs=-1, required=True)


def read_games(words: Sequence[str]) -> list[str]:
    """Return games that were played: each word is the name of a file with games, or a game.

    Raises InputError if a file cannot be read.
    """
    from solver.study.played import split_games

    games: list[str] = []
    for word in words:
        if isfile(word):
            try:
                games += split_games(Path(word).read_text(encoding="utf-8-sig", errors="replace"))
            except OSError as error:
                raise InputError(f"{quoted(word)} can't be read: {error.strerror}.") from error
        elif word.lower().endswith(_GAME_FILES):
            raise InputError(f"There is no file {quoted(word)}; give the name of a file with games, or a game.")
        else:
            games.append(word)
    return games


def position_argument(*, required: bool = True) -> Callable[[_F], _F]:
    """Declare the argument POSITION, whose words are joined into the parameter `position`."""
    name = "POSITION" if required else "[POSITION]"
    return click.argument(
        "position", metavar=name, nargs=-1, required=required, callback=lambda *given: " ".join(given[2])
    )


def count_option(name: str, about: str, **attributes: Any) -> Callable[[_F], _F]:
    """Declare an option that takes a positive whole number."""
    return click.option(name, type=click.IntRange(min=1), metavar="N", help=about, **attributes)


class _Positive(click.FloatRange):
    """A finite number above 0; `nan` passes every range of click."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        return number if isfinite(number) else self.fail(f"{value!r} is not a finite number above 0.", param, ctx)


def positive_option(name: str, about: str, **attributes: Any) -> Callable[[_F], _F]:
    """Declare an option that takes a finite number above 0; by default, a time in seconds."""
    return click.option(name, type=_Positive(), help=about, **{"metavar": "SECONDS", **attributes})


def search_seconds_option(default: float = 10) -> Callable[[_F], _F]:
    """Declare `--seconds`, the time limit of a search."""
    about = "The time limit of a search for a position that no table contains."
    return positive_option("--seconds", about, default=default, show_default=True)


def side_option(about: str, *others: str, **attributes: Any) -> Callable[[_F], _F]:
    """Declare `--side`, which accepts X, O and each of `others`."""
    kind, sides = click.Choice(["X", "O", *others], case_sensitive=False), "|".join(["X", "O", *others])
    return click.option("--side", type=kind, metavar=sides, help=about, **attributes)


# Engines under test


def convention_options(command: _F) -> _F:
    """Declare the options that state a convention, `--time` and `--sandbox`, for engines of the user's own."""
    from solver.support.sessions import Limits  # slow to import, and other commands never need it
    from solver.verification.convention import PROFILES

    board = "The form of the board that the engine takes: rows, flat, string, array ..."
    marks = "The marks on the board: X,O,None or 1,-1,0; a blank is a space."
    player = "The name of the side to move, if the engine takes it."
    moves = "The form of its moves: index, row,column, column, name, board ..."
    profile = "The convention of a well-known source; these options change parts of it."
    command = positive_option("--time", f"The limit for a move; default: {Limits.seconds_per_move:g}.")(command)
    sandbox = "Run the engine in a sandbox (Linux, bubblewrap)."
    command = click.option("--sandbox", is_flag=True, default=None, help=sandbox)(command)
    command = click.option("--order", metavar="ORDER", help="The order of the squares; default: rows.")(command)
    command = click.option("--profile", type=click.Choice([*PROFILES]), help=profile)(command)
    command = click.option("--moves", metavar="FORM", help=moves)(command)
    command = click.option("--player", metavar="mark|own|none|X,O", help=player)(command)
    command = click.option("--marks", metavar="X,O,EMPTY", help=marks)(command)
    return click.option("--board", metavar="FORM", help=board)(command)


# Tables, builds, JSON


def _require_folder(context: click.Context, _option: click.Parameter, folder: Path) -> Path:
    """Refuse a missing folder that the command line names. The default folder may be missing."""
    if context.get_parameter_source("data") is click.core.ParameterSource.COMMANDLINE and not isdir(folder):
        raise click.UsageError(f"There is no folder {folder}; give a folder of tables, or leave --data out.")
    return folder


_data_option = partial(
    click.option,
    "--data",
    is_eager=True,  # games from files are looked up there
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    default=default_folder,
    show_default="$MNK_DATA or data",
    help="The folder of tables.",
)
data_option = _data_option(callback=_require_folder)
new_data_option = _data_option()  # of a command that makes the folder

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def value_options(command: _F) -> _F:
    """Declare `--seconds`, `--data` and `--json`, for commands that get values from a table or by search."""
    return search_seconds_option()(data_option(json_option(command)))


threads_option = count_option("--threads", "The number of threads; default: all cores.")


_LEAST_SIZE = 10**6


def read_size(_ctx: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    """Convert a size such as 4GB, 512MiB or 1.5g to bytes, as the callback of an option. Raises click.BadParameter."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([a-z]*?)b?", text.strip().lower())
    if not found or found[2] not in _UNITS:
        raise click.BadParameter(f"{text!r} is not a size; write a number with a unit, such as 4GB or 512MiB.")
    size = int(Decimal(found[1]) * _UNITS[found[2]])
    if size < _LEAST_SIZE:
        raise click.BadParameter(f"{text!r} is less than a megabyte; write a unit, such as {found[1]}GB.")
    return size


def build_options(command: _F) -> _F:
    """Declare `--metric`, `--plies`, `--threads` and `--memory`, for commands that build or forecast tables."""
    metric = (
        "Keep only win, draw or loss (wdl), or also the plies to the end (distance, the default up to 20 squares and "
        "of opening tables)."
    )
    plies = "Keep only the first N plies, for boards with gravity; default: 12 if a whole table would be too large."
    memory = "Use at most this much memory, such as 4GB, and files beside the table for the rest; default: all of it."
    command = click.option("--memory", callback=read_size, metavar="SIZE", help=memory)(command)
    command = count_option("--plies", plies)(threads_option(command))
    return click.option("--metric", type=click.Choice(METRICS), help=metric)(command)


# Files to write, which are checked before any work is done


def output_option(about: str, *names: str, picture: bool = False) -> Callable[[_F], _F]:
    """Declare `--output` (or, if given, `names`): a file to write; for a `picture`, its name ends in .svg or .png."""

    def check(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
        if path:
            require_writable(path)
        if path and picture:
            from solver.export.pictures import require_picture_name

            require_picture_name(path)
        return path

    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option(*(names or ("-o", "--output")), type=kind, callback=check, metavar="FILE", help=about)
