"""Run inside a worker process: make the runner, then do batches of jobs until the pipe is closed."""

import faulthandler
import os
import signal
import sys
from contextlib import suppress
from io import FileIO, TextIOWrapper
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final

from solver.errors import MnkError
from solver.support.memory import bound_memory
from solver.support.workers.output import write_mark
from solver.support.workers.runner import Runner, RunnerRecipe, Sheet

__all__ = ["Done", "work"]

_FLUSH: Final = 0.05  # seconds after which results are sent, though more of the batch are to come

Done = tuple[int, bool, Any]
"""The number of a job, whether it was done too late, and its result."""


def work(
    pipe: "Connection[Any, Any]",
    output: "Connection[Any, Any] | None",
    sheet: Sheet,
    recipe: RunnerRecipe,
    memory: int | None,
) -> None:
    """Send ("ready", facts) or ("failed", why), then a list of Done for each batch (limit in seconds, numbered jobs).

    What is printed goes into `output`, if there is one; see `solver.support.workers.output`.
    """
    # It is for the parent to decide what an interrupt ends. A handler, as programs that the engine starts are not to
    # ignore it too.
    signal.signal(signal.SIGINT, lambda *_: None)
    if output is not None:
        _print_into(output)
    bound_memory(memory)
    try:
        runner = recipe.open(sheet)
    except MnkError as error:
        pipe.send(("failed", str(error)))
        return
    except BaseException as error:  # an engine's code may raise anything, SystemExit too
        pipe.send(("failed", _reason(error)))
        return
    pipe.send(("ready", runner.facts))
    while True:
        try:
            limit, jobs = pipe.recv()
        except (EOFError, ConnectionError):
            return
        _do(runner, jobs, limit, pipe, sheet, marks_output=output is not None)


def _do(
    runner: Runner,
    jobs: dict[int, Any],
    limit: float | None,
    pipe: "Connection[Any, Any]",
    sheet: Sheet,
    *,
    marks_output: bool,
) -> None:
    done: list[Done] = []
    sent = monotonic()
    for number, job in jobs.items():
        if marks_output:
            write_mark(number)
        sheet.job = number
        sheet.expect(limit)
        result = runner.run(job)
        done.append((number, sheet.is_late(), result))
        sheet.expect(None)
        if monotonic() > sent + _FLUSH:
            pipe.send(done)
            done, sent = [], monotonic()
    pipe.send(done)


def _print_into(output: "Connection[Any, Any]") -> None:
    """Send what is printed into a pipe, at once, and let nothing be read."""
    faulthandler.disable()
    null = os.open(os.devnull, os.O_RDWR)
    for number, file in enumerate((null, output.fileno(), output.fileno())):
        with suppress(OSError):
            os.dup2(file, number)
    output.close()
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - it is open as long as the process lives
    sys.stdout = _unbuffered(1)
    sys.stderr = _unbuffered(2)


def _unbuffered(number: int) -> TextIOWrapper:
    """A stream that keeps nothing back: what a process that dies has printed is out."""
    file: Any = FileIO(number, "wb", closefd=False)
    return TextIOWrapper(file, encoding="utf-8", errors="replace", write_through=True)


def _reason(error: BaseException) -> str:
    said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    advice = ""
    if isinstance(error, EOFError):
        advice = '; it reads from the keyboard: put the game itself under `if __name__ == "__main__":`'
    elif isinstance(error, ModuleNotFoundError):
        advice = "; install that, or run from the folder where it is"
    return f"The engine can't be loaded: {said}{advice}."
