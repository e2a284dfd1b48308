"""Run the jobs of a match in this process or in worker processes.

A worker process can be killed if its engine never answers.
"""

import os
import signal
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import inf
from multiprocessing import active_children, get_context
from multiprocessing.sharedctypes import RawArray
from time import monotonic
from typing import Any, Final, Generic, Protocol, TypeVar

from solver.engines.engine import Choice, Engine, Tables, make_engine
from solver.engines.expectation import expectation
from solver.engines.playing import Clock, GameRecord, play_game, random_start
from solver.engines.results import MatchScore
from solver.errors import EngineError, EngineFailed, MnkError
from solver.game.position import Position
from solver.game.rules import OTHER, Rules
from solver.support.english import plural

_T = TypeVar("_T")

GRACE: Final = 0.5
"""Seconds after the time limit before a worker is killed; until then the job itself can report a late answer."""
_POLL: Final = 0.05  # seconds between two looks at the clocks of the workers
_BATCH_SECONDS: Final = 0.05  # a worker returns its results at least this often, or after each job
_LARGEST_BATCH: Final = 64


class JobContext:
    """What the jobs of a match share: the rules, the clock, and one engine of each name for each side.

    tables: for engines that need them. forfeit: an engine that fails loses its game instead of ending the match.
    """

    def __init__(self, rules: Rules, tables: Tables, clock: Clock, forfeit: bool) -> None:
        self.clock, self.forfeit = clock, forfeit
        self._rules, self._tables = rules, tables
        self._engines: dict[tuple[str, str], Engine] = {}

    def engine(self, name: str, side: str) -> Engine:
        """Return an engine that is ready to play. Raise MnkError; EngineFailed for any other exception."""
        key = name, side
        if key not in self._engines:
            try:
                self._engines[key] = make_engine(name, self._rules, tables=self._tables)
            except MnkError:
                raise
            except Exception as error:
                raise EngineFailed(
                    f"The engine {name} cannot be prepared for {self._rules}: {type(error).__name__} ({error})."
                ) from error
        return self._engines[key]


@dataclass(frozen=True)
class Job(ABC, Generic[_T]):
    """A job between two engines."""

    number: int
    x: str
    """The name of the engine that plays X."""
    o: str
    start: Position
    """The position before any random plies."""
    random_plies: int = 0

    @abstractmethod
    def run(self, context: JobContext) -> _T:
        """Run the job in the context of its game. Raise MnkError if it fails."""


@dataclass(frozen=True)
class ExpectationJob(Job[MatchScore | None]):
    """Compute the exact expectation of a game; see `solver.engines.expectation`."""

    most: int | None = None

    def run(self, context: JobContext) -> MatchScore | None:
        """Return X's exact score, None if it cannot be computed."""
        return expectation(
            context.engine(self.x, "X"),
            context.engine(self.o, "O"),
            self.start,
            random_plies=self.random_plies,
            clock=context.clock,
            most=self.most,
        )


@dataclass(frozen=True)
class GameJob(Job[GameRecord]):
    """Play a game."""

    seed: int = 0
    """The seed of both engines."""
    start_seed: int = 0
    """The seed of the random plies."""

    def opening(self) -> Position:
        """Return the position of the engines' first move. Raise PositionError if the random plies end every game."""
        return random_start(self.start, self.random_plies, self.start_seed)

    def run(self, context: JobContext) -> GameRecord:
        """Return the record of the game. Raise EngineFailed if an engine fails, unless engines forfeit."""
        return play_game(
            context.engine(self.x, "X"),
            context.engine(self.o, "O"),
            self.opening(),
            seed=self.seed,
            clock=context.clock,
            forfeit=context.forfeit,
            number=self.number,
        )

    def forfeited(self, side: str, moves: Sequence[int], error: EngineFailed) -> GameRecord:
        """Return the record of a game in which the engine of `side` failed after these moves."""
        choices = tuple(Choice(move) for move in moves)
        return GameRecord(self.number, self.x, self.o, self.opening(), choices, OTHER[side], self.seed, str(error))


class RunJobs(Protocol):
    """A function that runs jobs."""

    def __call__(self, jobs: Iterable[Job[_T]], total: int, /) -> Iterator[_T]:
        """Run the first `total` jobs and yield their results in the order of the jobs. Raise MnkError if one fails."""


@contextmanager
def open_runner(
    rules: Rules, *, tables: Tables = None, time: float | None = None, forfeit: bool = False, processes: int = 0
) -> Iterator[RunJobs]:
    """Yield a function that runs jobs.

    time: seconds per move. forfeit: an engine that fails loses its game instead of ending the match. processes: the
    number of worker processes; 0 for this process alone, where an engine that never answers cannot be stopped.
    """
    if not processes:
        context = JobContext(rules, tables, Clock(time), forfeit)
        yield lambda jobs, total, /: (job.run(context) for job in islice(jobs, total))
        return
    team = _Team((rules, tables, time, forfeit), processes)
    try:
        yield team.run
    finally:
        team.close()


_Setup = tuple[Rules, Tables, float | None, bool]
_Batch = dict[int, Job[Any]]
_DEADLINE, _JOB, _SIDE, _COUNT = range(4)  # the cells of a worker's shared notes; the moves of the game follow


class _SharedClock(Clock):
    """A clock that also writes the deadline, the side and the moves so far to memory shared with the parent process."""

    def __init__(self, limit: float | None, notes: Any) -> None:
        super().__init__(limit)
        self._notes = notes

    def begin(self, side: str, moves: Sequence[int]) -> None:
        self._notes[_SIDE : _COUNT + 1 + len(moves)] = ["XO".index(side), len(moves), *moves]
        super().begin(side, moves)
        self._notes[_DEADLINE] = inf if self.limit is None else monotonic() + self.limit

    def end(self) -> float:
        self._notes[_DEADLINE], self._notes[_SIDE] = inf, -1
        return super().end()


_workplace: tuple[Any, JobContext]  # in a worker process: the shared notes, and the context of its jobs


def _enter_worker(notes: Any, rules: Rules, tables: Tables, time: float | None, forfeit: bool) -> None:
    """Prepare a worker process, in which an interrupt has no effect: the parent ends it."""
    global _workplace  # noqa: PLW0603 - the executor passes nothing from here to the tasks
    signal.signal(signal.SIGINT, lambda *_: None)
    _workplace = notes, JobContext(rules, tables, _SharedClock(time, notes), forfeit)


def _run_batch(batch: _Batch) -> dict[int, Any]:
    """Return the results of the first jobs of a batch, as many as finish in _BATCH_SECONDS; an MnkError is a result."""
    notes, context = _workplace
    results: dict[int, Any] = {}
    end = monotonic() + _BATCH_SECONDS
    for number, job in batch.items():
        notes[_JOB] = number
        try:
            results[number] = job.run(context)
        except MnkError as error:
            results[number] = error
        if monotonic() > end:
            break
    return results


class _Worker:
    """An executor of one process, so that the other workers continue when this one is killed."""

    def __init__(self, setup: _Setup) -> None:
        self.batch: _Batch = {}
        self.process: Any = None
        self.notes: Any = RawArray("d", [inf, -1, -1, *[0] * (1 + setup[0].squares)])
        self._executor = ProcessPoolExecutor(1, get_context("spawn"), _enter_worker, (self.notes, *setup))
        try:
            self.future: Future[Any] | None = self._executor.submit(os.getpid)
        except (AttributeError, TypeError, ImportError) as error:  # from pickle
            raise EngineError(f"The tables cannot be sent to a worker process ({error}); pass their path.") from error

    def give(self, batch: _Batch) -> None:
        """Start a batch of jobs. Raise BrokenProcessPool if the process has ended."""
        self.notes[:_COUNT] = [inf, next(iter(batch)), -1]
        self.future = self._executor.submit(_run_batch, batch)
        self.batch = batch

    def collect(self) -> dict[int, Any]:
        """Return the results of the jobs that have finished, and forget the batch. Raise BrokenProcessPool."""
        assert self.future is not None
        results: Any = self.future.result()
        self.future, self.batch = None, {}
        if self.process is None:  # it has sent its process id
            self.process = next(child for child in active_children() if child.pid == results)
            return {}
        return dict(results)

    def ending(self) -> str:
        """Return how the process ended: its exit code or its signal."""
        self._executor.shutdown()  # which waits for the process
        code = self.process.exitcode or 0
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self.process:
            self.process.kill()
        self._executor.shutdown(cancel_futures=True)


class _Team:
    """Workers that share the jobs of a match. A worker that is late or crashes loses its job and is replaced."""

    def __init__(self, setup: _Setup, size: int) -> None:
        self._setup, self._size = setup, size
        self._workers: list[_Worker] = []
        self._unfinished: deque[_Batch] = deque()
        """The remaining jobs of batches that were given to workers."""
        self._results: dict[int, Any] = {}

    def run(self, jobs: Iterable[Job[_T]], total: int) -> Iterator[_T]:
        """Yield the results of the first `total` jobs in their order. Raise MnkError if one fails."""
        new = enumerate(islice(jobs, total))
        while len(self._workers) < min(self._size, total):
            self._workers.append(_Worker(self._setup))
        for number in range(total):
            size = max(1, min(_LARGEST_BATCH, (total - number) // (4 * len(self._workers))))
            while number not in self._results:
                wait([worker.future for worker in self._workers if worker.future], _POLL, FIRST_COMPLETED)
                for place, worker in enumerate(self._workers):
                    if not self._look_at(worker, new, size):
                        worker.close()
                        self._workers[place] = _Worker(self._setup)
            result = self._results.pop(number)
            if isinstance(result, MnkError):
                raise result
            yield result

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.close()

    def _look_at(self, worker: _Worker, new: Iterator[tuple[int, Job[Any]]], size: int) -> bool:
        """Collect the results of a worker and give it more jobs; return False if it has to be replaced."""
        notes, batch = worker.notes[:], worker.batch
        if worker.future and worker.future.done():
            try:
                results = worker.collect()
            except BrokenProcessPool as error:
                if worker.process is None:
                    raise EngineError(
                        "A worker process did not start; a script that plays matches in processes needs the guard "
                        "`if __name__ == '__main__':`."
                    ) from error
                self._lose_job(batch, notes, f"ended its process ({worker.ending()})")
                return False
            self._results |= results
            if rest := {number: job for number, job in batch.items() if number not in results}:
                self._unfinished.append(rest)
        elif notes[_DEADLINE] + GRACE < monotonic():
            self._lose_job(batch, notes, f"did not answer within {self._setup[2]:g} s")
            return False
        if not worker.future and (batch := self._unfinished.popleft() if self._unfinished else dict(islice(new, size))):
            try:
                worker.give(batch)
            except BrokenProcessPool:  # it ended without a job
                self._unfinished.append(batch)
                return False
        return True

    def _lose_job(self, batch: _Batch, notes: Sequence[float], problem: str) -> None:
        """Record the failure of the job that a worker was running, and queue the others of its batch again."""
        lost, side_number, count, *moves = map(int, notes[_JOB:])
        job = batch.pop(lost)
        if batch:
            self._unfinished.append(batch)
        if side_number < 0:
            self._results[lost] = EngineFailed(f"The process of {job.x} against {job.o} failed: it {problem}.")
            return
        side = "XO"[side_number]
        after = f" after {plural(count, 'move')}" if isinstance(job, GameJob) else ""
        error = EngineFailed(f"The engine {job.x if side == 'X' else job.o} {problem}, as {side}{after}.")
        if self._setup[3] and isinstance(job, GameJob):
            self._results[lost] = job.forfeited(side, moves[:count], error)
        else:
            self._results[lost] = error
