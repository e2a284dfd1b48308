"""What a pool is told about its workers: how to make what does the jobs, and the bounds it works in."""

from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from solver.support.workers.sheet import Sheet

__all__ = ["Runner", "RunnerRecipe", "StartMethod", "WorkerOptions"]

StartMethod = Literal["spawn", "spawn_bare", "fork"]
"""`spawn` starts a new interpreter that imports the main program again, `spawn_bare` one that does not, so that a
script without a guard ends. `fork` copies this process, with objects that can't be sent; elsewhere than on Unix it is
`spawn`."""

GRACE: Final = 0.05
"""Seconds for which a late answer is waited for, unless told otherwise."""


class Runner(Protocol):
    """Does jobs inside a worker."""

    facts: Any
    """What the pool is to know of it once it is made."""

    def run(self, job: Any, /) -> Any:
        """Do one job. What it raises ends the worker."""


class RunnerRecipe(Protocol):
    """Makes a runner inside a worker; it is pickled on the way there, unless the worker is forked."""

    def open(self, sheet: Sheet, /) -> Runner:
        """Make it. What it raises is told by the pool as EngineError."""


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
    grace: float = GRACE
    """Seconds for which a late answer is waited for before the worker is ended."""
    memory: int | None = None
    """Bytes that a worker may take, where the system can bound it (see `bound_memory`); 0 or None: no bound."""
    captures_output: bool = False
    """Keep what is printed for `Reply.output`, and let nothing be read from standard input."""
    notes: int = 0
    """Numbers that a runner can note on its sheet."""
