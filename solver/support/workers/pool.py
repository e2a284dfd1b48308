"""Hand out jobs to workers, collect their replies, and replace workers that are late or dead."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from math import inf
from multiprocessing.connection import wait
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol

from solver.errors import EngineError
from solver.support.workers.contract import Done, Ended, Failed, Message, Ready, Worker
from solver.support.workers.output import last_line

POLL: Final = 0.05  # seconds between two looks at the clocks
CHUNK: Final = 64  # the most jobs that a worker is given at once, unless told otherwise
MOST_FAILED_STARTS: Final = 3

Progress = Callable[[int, int], object]
"""Called now and then with how many jobs are done, and of how many."""


class LossKind(StrEnum):
    """Why a job gave no result."""

    TIMEOUT = "timeout"
    """It was stopped when its time was over."""
    LATE = "late"
    """It answered, but only when its time was over."""
    CRASH = "crash"
    """Its process ended."""
    NOT_BEGUN = "not begun"


@dataclass(frozen=True)
class Lost:
    """Takes the place of the result of a job that gave none in time."""

    kind: LossKind
    job: Any
    ending: str = ""
    """How the process ended, as the worker says it."""
    notes: tuple[int, ...] = ()
    """The notes of the job on its sheet."""


class Reply(NamedTuple):
    """The result of a job or a Lost, and the last that was printed meanwhile, where that is captured."""

    result: Any
    output: str = ""
    seconds: float = 0.0
    """Real time, where it is taken."""


class StopRule(Protocol):
    """Decides when so many jobs have failed that no more are begun."""

    is_reached: bool
    """Whether no more jobs are to be begun."""
    skipped: int
    """The number of jobs that were not begun."""

    def record(self, answered: bool, /) -> None:
        """Count one job that was answered in time, or lost."""


class WorkerPool(AbstractContextManager["WorkerPool"]):
    """Workers that are started when there is work; a context manager, whose end ends them."""

    facts: Any
    """Those of the runner, once a worker is ready."""

    def __init__(self, start: Callable[[], Worker], size: int, jobs_each: int = 1) -> None:
        """Take what starts a worker, how many there may be at once, and for how many jobs another one is started."""
        self._start, self._size, self._jobs_each = start, size, jobs_each
        self._workers: list[Worker] = []
        self._was_ready = False
        self._failed_starts = 0

    def start(self) -> None:
        """Start the first worker and wait until it is ready. Raises EngineError when its runner can't be made."""
        self._hire(1)
        while not self._was_ready:
            self._look(_Run(iter(())))

    def run(
        self,
        jobs: Iterable[Any],
        total: int,
        *,
        chunk: int | None = None,
        limit: float | None = None,
        budget: float | None = None,
        stop: StopRule | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Reply]:
        """The replies to jobs, so many in all, in their order, each as soon as it and those before it are there.

        chunk: how many jobs a worker does from a fresh start; by default it goes on as it is, with as many as keep all
        workers busy to the end.
        limit: seconds for each job. budget: seconds for all, after which the rest are not begun; nor are they when
        `stop` is reached. Iterate to the end before the next run. Raises EngineError when workers can't be started.
        """
        self._hire(min(self._size, -(-total // (chunk or self._jobs_each))))
        run = _Run(enumerate(islice(jobs, total)), limit, stop)
        end = inf if budget is None else monotonic() + budget
        for number in range(total):
            while number not in run.replies:
                if monotonic() > end or (stop and stop.is_reached):
                    self._skip(run, total)
                self._hand_out(run, chunk, max(1, min(CHUNK, (total - number) // (4 * len(self._workers)))))
                self._look(run)
                if progress:
                    progress(number + len(run.replies), total)
            yield run.replies.pop(number)

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _hire(self, size: int) -> None:
        while len(self._workers) < max(1, size):
            self._workers.append(self._start())

    def _hand_out(self, run: "_Run", chunk: int | None, most: int) -> None:
        for worker in self._workers:
            if worker.is_free and (jobs := run.take(chunk or most)):
                worker.give(jobs, run.limit, fresh=chunk is not None)

    def _skip(self, run: "_Run", total: int) -> None:
        """Let no more jobs begin."""
        for worker in self._workers:
            run.given_back.extend(worker.recall().items())
        run.skip(total)

    def _look(self, run: "_Run") -> None:
        """Wait a little for replies, and replace the workers that are late or dead."""
        pipes = [pipe for worker in self._workers for pipe in worker.pipes]
        if pipes:
            wait(pipes, POLL)
        for place, worker in enumerate(self._workers):
            try:
                for message in worker.read():
                    self._receive(worker, message, run)
            except (EOFError, ConnectionError):
                self._workers[place] = self._replace(worker, LossKind.CRASH, worker.ending(), run)
                continue
            if worker.is_late():
                self._workers[place] = self._replace(worker, LossKind.TIMEOUT, "", run)

    def _receive(self, worker: Worker, message: Message, run: "_Run") -> None:
        match message:
            case Done():
                run.receive(message)
            case Ready(facts):
                self._was_ready, self.facts, self._failed_starts = True, facts, 0
            case Failed(reason):
                raise EngineError(reason)
            case Ended(ending, output, is_late):
                run.lose(worker, LossKind.TIMEOUT if is_late else LossKind.CRASH, ending, output)

    def _replace(self, worker: Worker, kind: LossKind, ending: str, run: "_Run") -> Worker:
        """End a worker; returns a new one. The job the old one was at is lost, its others wait again."""
        output = worker.end()
        if not worker.is_ready:
            self._failed_starts += 1
            if not self._was_ready or self._failed_starts >= MOST_FAILED_STARTS:
                reason = f"it {ending}" if ending else f"not ready after {worker.limit:g} s"
                line = last_line(output)
                raise EngineError(f"The engine did not start: {reason}{f'; it printed {line!r}' if line else ''}.")
        run.lose(worker, kind, ending, output)
        return self._start()


@dataclass
class _Run:
    """The jobs of one run, by number."""

    jobs: Iterator[tuple[int, Any]]
    """Those that nobody has begun."""
    limit: float | None = None
    stop: StopRule | None = None
    given: dict[int, Any] = field(default_factory=dict)
    """Jobs in the hands of workers."""
    replies: dict[int, Reply] = field(default_factory=dict)
    """Those that the caller has not been given."""
    given_back: deque[tuple[int, Any]] = field(default_factory=deque)
    """Jobs of workers that were ended."""

    def take(self, count: int) -> dict[int, Any]:
        """Take up to so many jobs from those that wait; those that were given back are a chunk of their own."""
        again = [self.given_back.popleft() for _ in range(min(count, len(self.given_back)))]
        taken = dict(again or islice(self.jobs, count))
        self.given |= taken
        return taken

    def skip(self, total: int) -> None:
        """Let none begin of those that wait."""
        waiting = [*self.given_back, *islice(self.jobs, total)]
        self.given_back.clear()
        self.replies |= {number: Reply(Lost(LossKind.NOT_BEGUN, job)) for number, job in waiting}
        if self.stop:
            self.stop.skipped += len(waiting)

    def receive(self, done: Done) -> None:
        """Keep what a worker has done."""
        result = Lost(LossKind.LATE, self.given[done.number]) if done.is_late else done.result
        self.replies[done.number] = Reply(result, done.output, done.seconds)
        del self.given[done.number]
        self._record(not done.is_late)

    def lose(self, worker: Worker, kind: LossKind, ending: str, output: str) -> None:
        """Record that a worker has ended; the job it was at is lost, the others wait again."""
        number, jobs = worker.job, worker.jobs
        if number in jobs:
            if number != next(iter(jobs)):  # it had answered those before, though we have not heard what
                self._record(answered=True)
            self.replies[number] = Reply(Lost(kind, jobs.pop(number), ending, worker.notes), output)
            self._record(answered=False)
        self.given_back.extendleft(reversed(jobs.items()))
        jobs.clear()

    def _record(self, answered: bool) -> None:
        if self.stop:
            self.stop.record(answered)
