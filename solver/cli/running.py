"""Open tables, prompt, show progress, stop on Ctrl-C, and turn each error into one sentence and an exit code."""

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from threading import Event, current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click

from solver.errors import BuildInterrupted, MnkError, missing_package, printable
from solver.game.rules import Rules
from solver.support.progress import Progress
from solver.support.threads import run_in_background

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from solver.search.truth import Truth

BAR_AFTER = 0.5  # seconds; shorter work needs no progress bar
_BAR: Final = 20  # columns
_BESIDE_BAR: Final = 24  # columns of the percentage and the time beside it; the label needs as many
_INTERRUPTED: Final = Event()


@contextmanager
def open_answers(folder: Path, rules: Rules, seconds: float) -> Iterator["Truth"]:
    """Provide the values of a game; each answer takes up to `seconds`. A search shows its progress.

    Raises UnsupportedTable, DamagedTable.
    """
    from solver.search.truth import open_truth

    begun, is_terminal = monotonic(), sys.stderr.isatty()

    def show(state: Any) -> None:  # a `solver.search.gravity.SearchProgress`
        if (spent := monotonic() - begun) > BAR_AFTER:
            nodes = f"{state.nodes / 1e6:,.1f} million positions"
            show_line(f"Searching for {spent:.1f} s, {nodes}")

    with open_truth(rules, folder, seconds=seconds, progress=show if is_terminal else None) as truth:
        try:
            yield truth
        finally:
            if is_terminal:
                show_line("")


def ask_word(prompt: str) -> str | None:
    """Prompt for a word and return it in lower case; None at the end of the input."""
    is_dialogue = sys.stdin.isatty() and sys.stdout.isatty()
    if not is_dialogue:  # `input` would ignore errors and Ctrl-C while it writes
        click.echo(prompt, nl=False)
    try:
        line = input(prompt if is_dialogue else "")
    except EOFError:
        click.echo()
        return None
    if not sys.stdin.isatty():  # if the input is a file, the output shows the moves too
        click.echo(printable(line))
    return line.strip().lower()


@contextmanager
def show_progress(label: str) -> Iterator[Progress | None]:
    """Provide a function that shows a progress bar on standard error, with an estimate of the time left.

    Provides None if standard error is not a terminal. The bar appears only once the work has taken BAR_AFTER seconds.
    It shows the work from then on: neither compiling nor the work of an earlier build predicts the time left.
    """
    if not sys.stderr.isatty():
        yield None
        return
    begun, before = monotonic(), 0
    bar: ProgressBar[int] | None = None

    def show(done: int, total: int) -> None:
        nonlocal bar, before
        if bar is None and monotonic() - begun >= BAR_AFTER and done < total:
            rest = f", the last {100 - 100 * done // total} %" if 100 * done >= total else ""
            name, room = f"{printable(label, 60)}{rest}", _columns() - _BAR - _BESIDE_BAR
            form = "%(label)s  [%(bar)s]  %(info)s" if room >= _BESIDE_BAR else "%(info)s"
            width, work = _BAR if room >= _BESIDE_BAR else 1, total - done
            bar = click.progressbar(length=work, label=name[:room], bar_template=form, width=width, file=sys.stderr)
            before = done
            stack.enter_context(bar)
        if bar is not None:
            bar.length = total - before
            bar.update(done - before - bar.pos)

    with ExitStack() as stack:
        yield show


@contextmanager
def show_seconds(label: str) -> Iterator[None]:
    """Show a label and the seconds so far on standard error, if it is a terminal, for work of unknown length."""
    ended = Event()

    def show(begun: float) -> None:
        while not ended.wait(BAR_AFTER):
            show_line(f"{label}  {monotonic() - begun:.0f} s")

    shown = run_in_background(show, monotonic()) if sys.stderr.isatty() else None
    try:
        yield
    finally:
        ended.set()
        if shown:
            shown.result()
            show_line("")


def show_line(text: str) -> None:
    """Replace the line at the end of the terminal with the start of a text that fits its width."""
    click.echo(f"\r{text[: _columns() - 1]}\033[K", nl=False, err=True)


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        return 80


@contextmanager
def stop_on_signal(show: Progress | None) -> Iterator[Progress]:
    """Provide a replacement for `show` that raises KeyboardInterrupt after Ctrl-C or SIGTERM.

    The first signal itself raises nothing: the compiler calls back into Python and swallows errors raised there.
    """
    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        if stopping:  # the second time, at once
            raise KeyboardInterrupt
        stopping = True
        if sys.stderr.isatty():
            click.echo(" Stopping after this step; again to stop at once.", err=True)

    def show_or_stop(done: int, total: int) -> None:
        if stopping:
            raise KeyboardInterrupt
        if show:
            show(done, total)

    with handle_signals(stop, signal.SIGINT, signal.SIGTERM):
        yield show_or_stop
        if stopping:
            raise KeyboardInterrupt


def interrupt(*_: object) -> None:
    """Raise KeyboardInterrupt for a signal, and note it: the compiler can swallow the error, and then fails itself."""
    _INTERRUPTED.set()
    raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """A context in which Ctrl-C calls `interrupt`, if it raises KeyboardInterrupt otherwise."""
    _INTERRUPTED.clear()
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler and current_thread() is main_thread()
    with handle_signals(interrupt, signal.SIGINT) if is_usual else nullcontext():
        yield


@contextmanager
def handle_signals(handler: Callable[[int, FrameType | None], object], *numbers: int) -> Iterator[None]:
    """A context in which `handler` is called for the signals in `numbers`; only the main thread can enter it."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextmanager
def report_errors(exit_code: int | None = None) -> Iterator[None]:
    """Report errors in one line on standard error, and exit with their exit codes.

    exit_code: if given, replaces every exit code except that of Ctrl-C, and bugs in this package are reported as well.
    """
    try:
        yield
    except (click.exceptions.Exit, click.Abort):
        raise
    except click.ClickException as error:
        vars(error)["message"] = printable(error.message)  # final for type checkers
        raise
    except KeyboardInterrupt as error:
        raise _exit_with("Interrupted.", BuildInterrupted.exit_code) from error
    except Exception as error:
        found = missing_package(error) if isinstance(error, ModuleNotFoundError) else error
        is_bug, is_closed = (
            not isinstance(found, MnkError | OSError | MemoryError),
            getattr(error, "errno", None) == errno.EPIPE,
        )
        if is_bug and _INTERRUPTED.is_set():
            raise _exit_with("Interrupted.", BuildInterrupted.exit_code) from error
        if exit_code is None and (is_bug or is_closed):
            raise  # if the reader of the output has closed it, click ends quietly
        if is_closed:
            raise click.exceptions.Exit(exit_code or 0) from error
        if is_bug:  # it must not look like an error of the engine
            import traceback

            click.echo(traceback.format_exc(), err=True, nl=False)
        code = getattr(found, "exit_code", MnkError.exit_code) if exit_code is None else exit_code
        raise _exit_with(describe_failure(found), code) from error


def describe_failure(error: BaseException) -> str:
    """Describe an error in one sentence; an unexpected error is described as a failure of the verification itself."""
    if isinstance(error, MnkError):
        return str(error)
    if isinstance(error, OSError):
        name = "" if error.filename is None else f"{click.format_filename(error.filename)}: "
        return printable(f"{name}{error.strerror or error}.")
    if isinstance(error, MemoryError):
        return "There is not enough free memory; end other programs, or give a build a smaller budget with --memory."
    kind = type(error).__name__
    return f"The verification itself failed ({kind}); the traceback on standard error says where. Please report it."


def _exit_with(message: str, exit_code: int) -> click.exceptions.Exit:
    if exit_code == BuildInterrupted.exit_code and sys.stderr.isatty():
        click.echo(err=True)  # ends the line on which the terminal shows ^C
    click.echo(f"Error: {message}", err=True)
    return click.exceptions.Exit(exit_code)
