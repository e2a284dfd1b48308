"""Describe what a worker runs, the bounds it runs in, and the sheet of memory by which it is watched."""

from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawArray
from time import monotonic
from typing import Any, Literal, Protocol

__all__ = ["Runner", "RunnerRecipe", "Sheet", "StartMethod", "WorkerOptions"]

StartMethod = Literal["spawn", "spawn_bare", "fork"]
"""`spawn` starts a new interpreter that imports the main program again, `spawn_bare` one that does not, so that a
script without a guard ends. `fork` copies this process, with objects that can't be sent; elsewhere than on Unix it is
`spawn`."""

_DUE, _JOB, _NOTED, _NOTES = 0, 1, 2, 3  # the cells of a sheet; the notes follow each other


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
