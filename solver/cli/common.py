"""What the commands share: arguments and options, the folder of tables, JSON, the progress bar."""

import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from solver.game.rules import Rules, require_buildable
from solver.store.places import default_folder

if TYPE_CHECKING:
    from solver.tablebase import Tablebase

__all__ = [
    "PositionCommand",
    "Progress",
    "data_option",
    "echo_json",
    "examples",
    "game_argument",
    "games_argument",
    "interruptible",
    "json_option",
    "memory_option",
    "open_table",
    "position_argument",
    "progress",
    "read_size",
    "threads_option",
]

_F = TypeVar("_F", bound=Callable[..., Any])

Progress = Callable[[int, int], None]  # is told how much is done, and of how much

BAR_AFTER = 0.5  # seconds before a bar appears; what is done by then needs none


game_argument = click.argument("rules", metavar="GAME", type=Rules.parse)
games_argument = click.argument("games", metavar="GAME...", type=Rules.parse, nargs=-1, required=True)


_BOARD_SIGNS: Final = set("-xo._012/ \n")


class PositionCommand(click.Command):
    """A command with a POSITION, whose rows may begin with empty squares written as -, as options do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the command line, those that are rows of a board with dots for their empty squares."""
        options = {"--", *(name for parameter in self.params for name in parameter.opts)}
        dotted = [word.replace("-", ".") if word not in options and _is_board(word) else word for word in args]
        return super().parse_args(ctx, dotted)


def _is_board(word: str) -> bool:
    return word.startswith("-") and set(word.lower()) <= _BOARD_SIGNS and not word[1:].isdecimal()


def position_argument(*, required: bool = True) -> Callable[[_F], _F]:
    """The argument POSITION of a `PositionCommand`, its words given as one text, `position`."""
    return click.argument(
        "position",
        metavar="POSITION" if required else "[POSITION]",
        nargs=-1,
        required=required,
        callback=lambda _context, _argument, words: " ".join(words),
    )


data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    default=default_folder,
    show_default="$MNK_DATA or data",
    help="The folder of tables.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


threads_option = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="How many threads work; default: all cores."
)


_UNITS: Final = {
    **{unit: 10 ** (3 * power) for power, unit in enumerate(("", "k", "m", "g", "t"))},
    **{f"{unit}i": 2 ** (10 * power) for power, unit in enumerate(("k", "m", "g", "t"), start=1)},
}


def read_size(_ctx: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    """Bytes from text such as 4GB, 512MiB or 1.5g, for the callback of an option. Raises click.BadParameter."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([a-z]*?)b?", text.strip().lower())
    if not found or found[2] not in _UNITS:
        raise click.BadParameter(f"{text!r} is no size; write a number with a unit, such as 4GB or 512MiB.")
    return int(float(found[1]) * _UNITS[found[2]])


memory_option = click.option(
    "--memory",
    callback=read_size,
    metavar="SIZE",
    help="Keep to this much memory, such as 4GB: what has no room goes to files beside the table; default: all of it.",
)


def examples(*lines: str) -> str:
    """Lines for the end of a command's help, which click is to leave as they are."""
    return "\b\n" + "\n".join(lines)


def open_table(folder: Path, rules: Rules) -> "Tablebase":
    """The table of a game; raises RulesError when it can have none, MissingTable, UnsupportedTable, DamagedTable."""
    from solver.tablebase import TablebaseFolder

    require_buildable(rules)
    return TablebaseFolder(folder).table(rules)


@contextmanager
def interruptible(show: Progress | None) -> Iterator[Progress]:
    """A progress to call in the place of `show`, which raises KeyboardInterrupt once Ctrl-C or SIGTERM has come.

    Raised anywhere else it may be lost: the compiler calls back into Python, and swallows what is raised there.
    """
    asked = False

    def ask(*_: object) -> None:
        nonlocal asked
        if asked:  # somebody is impatient
            raise KeyboardInterrupt
        asked = True
        if sys.stderr.isatty():
            click.echo(" Stopping after this step; again to stop at once.", err=True)

    def watched(done: int, total: int) -> None:
        if asked:
            raise KeyboardInterrupt
        if show:
            show(done, total)

    if threading.current_thread() is not threading.main_thread():  # only there can signals be handled
        yield watched
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield watched
        if asked:
            raise KeyboardInterrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def echo_json(value: object) -> None:
    """Print a value as indented JSON."""
    import json

    click.echo(json.dumps(value, indent=2))


@contextmanager
def progress(label: str) -> Iterator[Progress | None]:
    """What to call with (done, total): a bar on standard error, with an estimate of the time left.

    None when standard error is no terminal. The bar appears only when there is something to wait for.
    """
    if not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as stack:
        begun = monotonic()
        bar: Any = None  # click does not export its type

        def show(done: int, total: int) -> None:
            nonlocal bar
            if monotonic() - begun < BAR_AFTER:
                return
            if bar is None:  # what came before, such as compiling, says nothing about the time left
                bar = stack.enter_context(click.progressbar(length=total - done, label=label, file=sys.stderr))
            bar.update(bar.length - (total - done) - bar.pos)

        yield show
