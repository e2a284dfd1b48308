"""Run inside a worker process: make the runner, then do batches of jobs until the pipe is closed.

The runner, the bounds it runs in and the sheet of memory by which it is watched are described here too.
"""

import faulthandler
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO, TextIOWrapper
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from time import monotonic
from typing import Any, Final, Literal, Protocol

from solver.errors import MnkError
from solver.support.memory import bound_memory
from solver.support.workers.output import write_mark

StartMethod = Literal["spawn", "spawn_bare", "fork"]
"""`spawn` starts a new interpreter that imports the main program again, `spawn_bare` one that does not, so that a
script without a guard ends. `fork` copies this process, with objects that can't be sent; elsewhere than on Unix it is
`spawn`."""

_DUE, _JOB, _NOTED, _NOTES = 0, 1, 2, 3  # the cells of a sheet; the notes follow each other

_FLUSH: Final = 0.05  # seconds after which results are sent, though more of the batch are to come
Done = tuple[int, bool, Any]
"""The number of a job, whether it was done too late, and its result."""


class Sheet:
    """Memory that a worker shares with its pool: the number of its job, when the answer is due, and notes of the job.

    The pool sees what is written at once, also while the worker is stuck in compiled code.
    """

    def __init__(self, notes: int = 0) -> None:
        self._cells: Any = RawArray("d", _NOTES + notes)
        self.job = -1

    @property
    def job(self) -> int:
        """The number of the job; -1 before the first."""
        return int(self._cells[_JOB])

    @job.setter
    def job(self, number: int) -> None:
        self._cells[_JOB] = number

    @property
    def notes(self) -> list[int]:
        """The numbers that were noted last."""
        return [int(note) for note in self._cells[_NOTES : _NOTES + int(self._cells[_NOTED])]]

    @notes.setter
    def notes(self, notes: Sequence[int]) -> None:
        self._cells[_NOTED] = len(notes)
        self._cells[_NOTES : _NOTES + len(notes)] = notes

    def expect(self, seconds: float | None) -> None:
        """Note that an answer is due in so many seconds; None: whenever it comes."""
        self._cells[_DUE] = 0 if seconds is None else monotonic() + seconds

    def is_late(self, grace: float = 0) -> bool:
        """Whether an answer is overdue by so many seconds."""
        due: float = self._cells[_DUE]
        return 0 < due < monotonic() - grace


class Runner(Protocol):
    """Does jobs inside a worker."""

    facts: Any
    """Sent to the pool once the runner is made."""

    def run(self, job: Any, /) -> Any:
        """Do one job. What it raises ends the worker."""


class RunnerRecipe(Protocol):
    """Makes a runner inside a worker; it is pickled on the way there, unless the worker is forked."""

    def open(self, sheet: Sheet, /) -> Runner:
        """Make it. The pool raises EngineError for whatever is raised."""


@dataclass(frozen=True)
class WorkerOptions:
    """How workers are started and bounded."""

    size: int
    """The most workers at once."""
    jobs_each: int = 1
    """Another worker is started for so many jobs."""
    start: StartMethod = "spawn"
    seconds_to_start: float | None = None
    """None: as many as it takes."""
    grace: float = 0.05
    """Seconds for which a late answer is waited for before the worker is ended."""
    memory: int | None = None
    """Bytes that a worker may take, where the system can bound it (see `bound_memory`); 0 or None: no bound."""
    captures_output: bool = False
    """Keep what is printed for `Reply.output`, and let nothing be read from standard input."""
    notes: int = 0
    """Numbers that a runner can note on its sheet."""


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
