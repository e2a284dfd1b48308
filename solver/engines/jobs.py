"""Run the jobs of a match in this process or in worker processes, which can be killed if an engine never answers."""

import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from math import inf
from multiprocessing import active_children, get_context
from multiprocessing.sharedctypes import RawArray
from time import monotonic
from typing import Any, Final, NamedTuple

from solver.engines.engine import Choice, Engine, Tables, make_engine
from solver.engines.expectation import expectation
from solver.engines.playing import Clock, GameRecord, play_game, random_start
from solver.engines.results import MatchScore
from solver.errors import EngineError, EngineFailed, MnkError
from solver.game.position import Position
from solver.game.rules import OTHER, Rules
from solver.support.english import plural

GRACE: Final = 0.5
"""Seconds after the time limit before a worker is killed; until then the job itself can report a late answer."""
_POLL: Final = 0.05  # seconds between two looks at the clocks of the workers


class Settings(NamedTuple):
    """The settings that all jobs of a match share."""

    rules: Rules
    tables: Tables
    time: float | None
    """Seconds per move."""
    forfeit: bool
    """Whether an engine that fails loses its game instead of ending the match."""


class Players:
    """The engines of a match, one of each name for each side, and their clock."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings, self.clock = settings, clock
        self._engines: dict[tuple[str, str], Engine] = {}

    def get(self, name: str, side: str) -> Engine:
        """Return an engine that is ready to play. Raise MnkError; EngineFailed for any other exception."""
        if (name, side) not in self._engines:
            rules = self.settings.rules
            try:
                self._engines[name, side] = make_engine(name, rules, tables=self.settings.tables)
            except MnkError:
                raise
            except Exception as error:
                problem = f"{type(error).__name__} ({error})"
                raise EngineFailed(f"The engine {name} cannot be prepared for {rules}: {problem}.") from error
        return self._engines[name, side]


class ExpectationJob(NamedTuple):
    """The exact expectation of a game; see `solver.engines.expectation`."""

    x: str
    o: str
    start: Position
    random_plies: int
    most: int | None

    def run(self, players: Players) -> MatchScore | None:
        """Return X's exact score, None if it cannot be computed."""
        x, o = players.get(self.x, "X"), players.get(self.o, "O")
        return expectation(x, o, self.start, random_plies=self.random_plies, clock=players.clock, most=self.most)


class GameJob(NamedTuple):
    """A game."""

    number: int
    x: str
    o: str
    start: Position
    random_plies: int
    seed: int
    """The seed of both engines."""
    start_seed: int
    """The seed of the random plies."""

    def run(self, players: Players) -> GameRecord:
        """Return the record of the game. Raise EngineFailed if an engine fails, unless engines forfeit."""
        return play_game(
            players.get(self.x, "X"),
            players.get(self.o, "O"),
            random_start(self.start, self.random_plies, self.start_seed),
            seed=self.seed,
            clock=players.clock,
            forfeit=players.settings.forfeit,
            number=self.number,
        )

    def forfeited(self, side: str, moves: Sequence[int], error: EngineFailed) -> GameRecord:
        """Return the record of a game in which the engine of `side` failed after these moves."""
        start = random_start(self.start, self.random_plies, self.start_seed)
        choices = tuple(Choice(move) for move in moves)
        return GameRecord(self.number, self.x, self.o, start, choices, OTHER[side], self.seed, str(error))


Job = ExpectationJob | GameJob

_DEADLINE, _SIDE, _COUNT = range(3)  # the cells of a worker's shared notes; the moves of the game follow


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
        self._notes[_DEADLINE : _SIDE + 1] = [inf, -1]
        return super().end()


_players: Players  # in a worker process


def _enter_worker(settings: Settings, notes: Any) -> None:
    """Prepare a worker process, in which an interrupt has no effect: the parent ends it."""
    global _players  # noqa: PLW0603 - an executor has no other way to pass them to the jobs
    signal.signal(signal.SIGINT, lambda *_: None)
    _players = Players(settings, _SharedClock(settings.time, notes))


def _run_job(job: Job) -> GameRecord | MatchScore | None:
    return job.run(_players)


class _Worker:
    """An executor of one process, so that the other workers continue when this one is killed."""

    def __init__(self, settings: Settings) -> None:
        self.job: tuple[int, Job] | None = None
        self.process: Any = None
        self.notes: Any = RawArray("d", [inf, -1, 0, *[0] * settings.rules.squares])
        self._executor = ProcessPoolExecutor(1, get_context("spawn"), _enter_worker, (settings, self.notes))
        try:
            self.future: Future[Any] = self._executor.submit(os.getpid)
        except (AttributeError, TypeError, ImportError) as error:  # from pickle
            raise EngineError(f"The tables cannot be sent to a worker process ({error}); pass their path.") from error

    def start(self, job: tuple[int, Job]) -> None:
        """Run a job. Raise BrokenProcessPool if the process has ended."""
        if self.process is None:
            self.process = next(child for child in active_children() if child.pid == self.future.result())
        self.job = job
        self.future = self._executor.submit(_run_job, job[1])

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


class JobRunner:
    """Runs jobs; a context manager. A worker that is late or crashes loses its job and is replaced.

    processes: the number of workers; 0 for this process alone, where an engine that never answers cannot be stopped.
    """

    def __init__(self, settings: Settings, processes: int) -> None:
        self._settings, self._size = settings, processes
        self._workers: list[_Worker] = []
        self._players = Players(settings, Clock(settings.time))

    def __enter__(self) -> "JobRunner":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.close()

    def run(self, jobs: Iterable[Job], total: int) -> Iterator[Any]:
        """Yield the results of the first `total` jobs in their order: records, scores or None. Raise MnkError."""
        if not self._size:
            yield from (job.run(self._players) for job in islice(jobs, total))
            return
        waiting, results = enumerate(islice(jobs, total)), dict[int, Any]()
        while len(self._workers) < min(self._size, total):
            self._workers.append(_Worker(self._settings))
        for number in range(total):
            while number not in results:
                wait([worker.future for worker in self._workers if not worker.future.done()], _POLL, FIRST_COMPLETED)
                for place, worker in enumerate(self._workers):
                    problem = self._advance(worker, waiting, results)
                    if problem:
                        self._lose_job(worker, problem, results)
                        worker.close()
                        self._workers[place] = _Worker(self._settings)
            result = results.pop(number)
            if isinstance(result, BaseException):
                raise result
            yield result

    def _advance(self, worker: _Worker, waiting: Iterator[tuple[int, Job]], results: dict[int, Any]) -> str:
        """Collect the result of a worker and start its next job; return why it has to be replaced, or nothing."""
        if not worker.future.done():
            is_late = worker.notes[_DEADLINE] + GRACE < monotonic()
            return f"did not answer within {self._settings.time:g} s" if is_late else ""
        error = worker.future.exception()
        if isinstance(error, BrokenProcessPool):
            if worker.process is None:
                raise EngineError(
                    "A worker process did not start; a script that plays matches in processes needs the guard "
                    "`if __name__ == '__main__':`."
                ) from error
            return f"ended its process ({worker.ending()})"
        if worker.job:
            results[worker.job[0]] = error or worker.future.result()
            worker.job = None
        if job := next(waiting, None):
            try:
                worker.start(job)
            except BrokenProcessPool:
                return f"ended its process ({worker.ending()})"
        return ""

    def _lose_job(self, worker: _Worker, problem: str, results: dict[int, Any]) -> None:
        """Record the failure of the job that a worker was running: a forfeited game or an error."""
        side_number, count, *moves = map(int, worker.notes[_SIDE:])
        if worker.job is None:
            return
        number, job = worker.job
        if side_number < 0:
            results[number] = EngineFailed(f"The process of {job.x} against {job.o} failed: it {problem}.")
            return
        side = "XO"[side_number]
        after = f" after {plural(count, 'move')}" if isinstance(job, GameJob) else ""
        error = EngineFailed(f"The engine {job.x if side == 'X' else job.o} {problem}, as {side}{after}.")
        if self._settings.forfeit and isinstance(job, GameJob):
            results[number] = job.forfeited(side, moves[:count], error)
        else:
            results[number] = error
