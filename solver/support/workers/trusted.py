"""Run jobs of our own in another process: they, their results and what does them are any objects that can be pickled.

The process notes on a `Sheet` which job it is at, and its jobs when an answer is due.
"""

import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final, Protocol

from solver.errors import EngineError, MnkError
from solver.support.workers.contract import Done, Failed, Message, Ready, Runner
from solver.support.workers.sheet import Sheet

_FLUSH: Final = 0.05  # seconds after which results are sent, though more of the batch are to come


class RunnerRecipe(Protocol):
    """Makes a runner inside a worker; it is pickled on the way there."""

    def open(self, sheet: Sheet, /) -> Runner:
        """Make it. The pool raises EngineError for whatever is raised."""


class TrustedWorker:
    """A process that imports the main program again. Raises EngineError when the recipe can't be sent to it.

    grace: seconds for which a late answer is waited for. notes: numbers that a runner can note on its sheet.
    """

    def __init__(self, recipe: RunnerRecipe, *, grace: float = 0.05, notes: int = 0) -> None:
        context: Any = get_context("spawn")
        self.is_ready = False
        self.jobs: dict[int, Any] = {}
        self.limit: float | None = None
        self._sheet, self._grace = Sheet(notes), grace
        self._pipe: Connection[Any, Any]
        self._pipe, other_end = context.Pipe()
        self._process = context.Process(target=_work, args=(other_end, self._sheet, recipe), daemon=True)
        try:
            self._process.start()
        except (AttributeError, TypeError, ImportError) as error:  # what pickle raises
            raise EngineError(
                f"The engine can't be sent to a process of its own ({error}); put it in a file, FILE.py:NAME."
            ) from error
        finally:
            other_end.close()

    @property
    def is_free(self) -> bool:
        """Whether it can be given jobs."""
        return self.is_ready and not self.jobs

    @property
    def job(self) -> int:
        """The number of the job at hand."""
        return self._sheet.job

    @property
    def notes(self) -> tuple[int, ...]:
        """The notes of that job."""
        return (*self._sheet.notes,)

    @property
    def pipes(self) -> "list[Connection[Any, Any]]":
        """That by which something may come."""
        return [self._pipe]

    def give(self, jobs: dict[int, Any], limit: float | None, *, fresh: bool) -> None:
        """Give it jobs, when it has none; their own clocks know the limit, and it never begins anew."""
        del fresh
        self.jobs, self.limit = jobs, limit
        self._sheet.expect(None)
        self._sheet.job = next(iter(jobs))
        with suppress(ConnectionError):  # one that has died is found when it is read
            self._pipe.send(jobs)

    def recall(self) -> dict[int, Any]:
        """Take back nothing: it has been sent all."""
        return {}

    def read(self) -> Iterator[Message]:
        """Yield what it has sent; never waits. Raises EOFError or ConnectionError when it has died."""
        while self._pipe.poll():
            message = self._pipe.recv()
            if isinstance(message, list):
                for done in message:
                    self.jobs.pop(done.number)
                    yield done
            else:
                self.is_ready = isinstance(message, Ready)
                yield message

    def is_late(self) -> bool:
        """Return whether an answer is overdue."""
        return bool(self.jobs) and self._sheet.is_late(self._grace)

    def ending(self) -> str:
        """Return how its process ended."""
        self._process.join(1)
        return describe_ending(self._process.exitcode)

    def end(self) -> str:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self._pipe.close()
        return ""


def describe_ending(code: int | None) -> str:
    """Return in words how a process ended: by an exit code, or by the signal that a negative one stands for."""
    if code is None or code >= 0:
        return f"ended its own process with exit code {code}"
    name = signal.Signals(-code).name if -code in {*signal.Signals} else f"signal {-code}"
    return f"was ended by {name}"


def _work(pipe: "Connection[Any, Any]", sheet: Sheet, recipe: RunnerRecipe) -> None:
    """Send Ready or Failed, then a list of Done for each batch of numbered jobs, until the pipe is closed."""
    # It is for the parent to decide what an interrupt ends.
    signal.signal(signal.SIGINT, lambda *_: None)
    try:
        runner = recipe.open(sheet)
    except MnkError as error:
        pipe.send(Failed(str(error)))
        return
    except BaseException as error:
        pipe.send(Failed(f"The engine can't be loaded: {type(error).__name__}: {error}."))
        return
    pipe.send(Ready(runner.facts))
    with suppress(EOFError, ConnectionError):
        while True:
            _do(runner, pipe.recv(), pipe, sheet)


def _do(runner: Runner, jobs: dict[int, Any], pipe: "Connection[Any, Any]", sheet: Sheet) -> None:
    done: list[Done] = []
    sent = monotonic()
    for number, job in jobs.items():
        sheet.job = number
        done.append(Done(number, runner.run(job)))
        sheet.expect(None)
        if monotonic() > sent + _FLUSH:
            pipe.send(done)
            done, sent = [], monotonic()
    pipe.send(done)
