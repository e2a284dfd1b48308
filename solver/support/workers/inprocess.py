"""Do jobs in this very process, where no other can be started, as in a browser."""

import random
from collections.abc import Iterator
from time import monotonic
from typing import Any

from solver.errors import MnkError
from solver.support.workers.contract import Done, Failed, Message, Ready, Runner
from solver.support.workers.isolated_child import IsolatedRecipe, Note


class InProcessWorker:
    """A worker that is no process: it does its jobs when it is read, one after the other.

    So nothing is bounded. A job that takes too long is waited for, and late; one that ends Python ends this too; what a
    job changes stays changed for the next; and what it prints is not captured.
    """

    job: int = -1
    notes: tuple[int, ...] = ()
    pipes: tuple[int, ...] = ()

    def __init__(self, recipe: IsolatedRecipe, note: Note) -> None:
        self.is_ready = False
        self.jobs: dict[int, Any] = {}
        self.limit: float | None = None
        self._recipe, self._note = recipe, note
        self._runner: Runner | None = None

    @property
    def is_free(self) -> bool:
        """Whether it can be given jobs."""
        return self.is_ready and not self.jobs

    def give(self, jobs: dict[int, Any], limit: float | None, *, fresh: bool) -> None:
        """Give it jobs, when it has none; it never begins as it was made."""
        del fresh
        self.jobs, self.limit = jobs, limit

    def recall(self) -> dict[int, Any]:
        """Take back all jobs, as none has begun."""
        jobs, self.jobs = self.jobs, {}
        return jobs

    def read(self) -> Iterator[Message]:
        """Make the runner at first, then do the next job."""
        if self._runner is None:
            yield self._open()
        elif self.jobs:
            yield self._do(self._runner)

    def _open(self) -> Message:
        try:
            self._runner = self._recipe.open(self._note)
        except MnkError as error:
            return Failed(str(error))
        except BaseException as error:
            return Failed(f"The engine can't be loaded: {type(error).__name__}: {error}.")
        self.is_ready = True
        return Ready(self._runner.facts)

    def _do(self, runner: Runner) -> Done:
        number = next(iter(self.jobs))
        began, chance = monotonic(), random.getstate()
        result = runner.run(self.jobs[number])
        random.setstate(chance)  # what the job has seeded is ours too
        del self.jobs[number]
        seconds = monotonic() - began
        return Done(number, result, "", seconds, self.limit is not None and seconds > self.limit)

    def is_late(self) -> bool:
        """Return False: when anybody can ask, no job is at hand."""
        return False

    def ending(self) -> str:
        """Return how it ended, which it never does."""
        return ""

    def end(self) -> str:
        """End nothing; what its jobs printed is not kept."""
        return ""
