"""Run the work of a command: open its table, ask a person, show progress, stop at Ctrl-C, end with an exit code."""

import errno
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click

from solver.errors import BuildInterrupted, MnkError
from solver.game.rules import Rules, require_buildable

if TYPE_CHECKING:
    from solver.tablebase import Tablebase

Progress = Callable[[int, int], None]
"""Takes how much is done, and of how much."""

NOT_VERIFIED: Final = 2
"""The exit code of a command that grades and could not: 0 is right and 1 is wrong."""

BAR_AFTER = 0.5  # seconds before a bar appears; what is done by then needs none


def open_table(folder: Path, rules: Rules) -> "Tablebase":
    """Open the table of a game.

    Raises RulesError when it can have none, MissingTable, UnsupportedTable, DamagedTable.
    """
    from solver.tablebase import TablebaseFolder

    require_buildable(rules)
    return TablebaseFolder(folder).table(rules)


def ask_word(prompt: str) -> str | None:
    """Ask for a word, in small letters; None at the end of the input."""
    try:
        line = input(prompt)
    except EOFError:
        click.echo()
        return None
    if not sys.stdin.isatty():  # a transcript of answers from a file shows them too
        click.echo(line)
    return line.strip().lower()


@contextmanager
def show_progress(label: str) -> Iterator[Progress | None]:
    """Give what shows a bar on standard error, with an estimate of the time left, when called with (done, total).

    Gives None when standard error is no terminal. The bar appears only when there is something to wait for.
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


@contextmanager
def stop_on_signal(show: Progress | None) -> Iterator[Progress]:
    """Give a progress to call in the place of `show`, which raises KeyboardInterrupt after Ctrl-C or SIGTERM.

    Raised anywhere else it may be lost: the compiler calls back into Python, and swallows what is raised there.
    """
    asked = False

    def ask(*_: object) -> None:
        nonlocal asked
        if asked:  # the second time, at once
            raise KeyboardInterrupt
        asked = True
        if sys.stderr.isatty():
            click.echo(" Stopping after this step; again to stop at once.", err=True)

    def show_or_stop(done: int, total: int) -> None:
        if asked:
            raise KeyboardInterrupt
        if show:
            show(done, total)

    with _signals_handled(ask, signal.SIGINT, signal.SIGTERM):
        yield show_or_stop
        if asked:
            raise KeyboardInterrupt


@contextmanager
def _signals_handled(handler: Callable[[int, FrameType | None], object], *numbers: int) -> Iterator[None]:
    """Handle signals meanwhile, where they can be: in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextmanager
def report_errors() -> Iterator[None]:
    """Report errors in one line on standard error, and raise click's Exit with their exit code in their place."""
    try:
        yield
    except MnkError as error:
        raise _exit_with(str(error), error.exit_code) from error
    except KeyboardInterrupt as error:
        raise _exit_with("Interrupted.", BuildInterrupted.exit_code) from error
    except OSError as error:
        if error.errno == errno.EPIPE:  # whoever read the output has seen enough; click ends quietly
            raise
        raise _exit_with(_describe(error), MnkError.exit_code) from error


@contextmanager
def report_as_not_verified() -> Iterator[None]:
    """Report every error in the block, also one that nobody has foreseen, with the exit code NOT_VERIFIED."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.EPIPE:  # whoever read the output has seen enough
            raise click.exceptions.Exit(NOT_VERIFIED) from error
        if not isinstance(error, MnkError | OSError):  # a mistake of ours must not pass for one of the engine
            import traceback

            click.echo(traceback.format_exc(), err=True, nl=False)
        raise _exit_with(describe_failure(error), NOT_VERIFIED) from error


def describe_failure(error: BaseException) -> str:
    """Say in a sentence why something could not be verified."""
    if isinstance(error, MnkError):
        return str(error)
    if isinstance(error, OSError):
        return _describe(error)
    if isinstance(error, KeyboardInterrupt):
        return "The verification was stopped before its end; give it more time."
    kind = type(error).__name__
    return f"The verification itself failed ({kind}); the traceback on standard error says where. Please report it."


def _exit_with(message: str, exit_code: int) -> click.exceptions.Exit:
    if exit_code == BuildInterrupted.exit_code and sys.stderr.isatty():
        click.echo(err=True)  # ends the line on which the terminal shows ^C
    click.echo(f"Error: {message}", err=True)
    return click.exceptions.Exit(exit_code)


def _describe(error: OSError) -> str:
    name = "" if error.filename is None else f"{click.format_filename(error.filename)}: "
    return f"{name}{error.strerror or error}."
