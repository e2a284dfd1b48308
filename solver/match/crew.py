"""Doing jobs in several processes, and stopping an engine that never answers.

Every worker has a sheet of memory that it shares with this process. There it notes when the answer is due
and what was played so far, so that a worker whose engine is stuck, in Python or in compiled code, can be
ended and the engine named. Workers are spawned, which works alike on every system.
"""

import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_double
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from time import monotonic
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from solver.engines.contract import Tables
from solver.errors import EngineFailed, MnkError
from solver.game.rules import Rules
from solver.match.game import Record
from solver.match.jobs import Desk, Game, Job
from solver.match.referee import Clock

__all__ = ["Crew", "Do", "workplace"]

_T = TypeVar("_T")
_Numbered = tuple[int, Job[Any]]

GRACE: Final = 0.5  # seconds after which a late answer is no longer waited for
CHUNK: Final = 64  # the most jobs that a worker is given at once

_Setup = tuple[str, Tables, float | None, bool]  # the game, where tables are, seconds for a move, forfeit
_DUE, _SIDE, _PLIES, _MOVES = 0, 1, 2, 3  # the cells of a sheet; the moves follow each other


class Do(Protocol):
    """What does jobs."""

    def __call__(self, jobs: Iterable[Job[_T]], total: int, /) -> Iterator[_T]:
        """Do the jobs, so many in all, and give their results in the order of the jobs."""


@contextmanager
def workplace(
    rules: Rules, *, tables: Tables = None, time: float | None = None, forfeit: bool = False, processes: int = 0
) -> Iterator[Do]:
    """A place where jobs are done.

    time: seconds an engine may take for a move. forfeit: an engine that fails loses its game, otherwise it
    stops everything. processes: how many work; 0 for this one alone, where an engine that never answers
    can't be stopped. Doing a job raises EngineFailed and what else the job raises.
    """
    if processes:
        with Crew(processes, rules, tables, time, forfeit) as crew:
            yield crew.do
    else:
        desk = Desk(rules, tables, Clock(time), forfeit)
        yield lambda jobs, total, /: (job.run(desk) for job in islice(jobs, total))


class Crew:
    """Worker processes that do jobs, started when there is work; a context manager, whose end ends them."""

    def __init__(self, size: int, rules: Rules, tables: Tables, time: float | None, forfeit: bool) -> None:
        self._setup = (rules.name, tables, time, forfeit)
        self._size, self._rules, self._time, self._forfeit = size, rules, time, forfeit
        self._workers: list[_Worker] = []

    def do(self, jobs: Iterable[Job[_T]], total: int) -> Iterator[_T]:
        """The results in the order of the jobs, each as soon as it and those before it are done."""
        for _ in range(len(self._workers), min(self._size, total)):
            self._workers.append(_Worker(self._setup))
        waiting, done = enumerate(jobs), dict[int, _T]()
        for number in range(total):
            while number not in done:
                chunk = max(1, min(CHUNK, (total - number) // (4 * len(self._workers))))
                for worker in self._workers:
                    if not worker.jobs:
                        worker.give([*islice(waiting, chunk)])
                self._collect(done)
            yield done.pop(number)

    def _collect(self, done: dict[int, Any]) -> None:
        """Wait for results, at most until the next look at the clocks."""
        ready = wait([worker.pipe for worker in self._workers], None if self._time is None else GRACE / 2)
        for place, worker in enumerate(self._workers):
            if worker.pipe in ready:
                number, result = worker.take()
                if isinstance(result, MnkError):
                    raise result
                done[number] = result
            elif worker.is_late():
                number, record = self._stopped(worker)
                done[number] = record
                self._workers[place] = _Worker(self._setup, worker.jobs)

    def _stopped(self, worker: "_Worker") -> tuple[int, Record]:
        """End a worker whose engine does not answer; raises EngineFailed unless the engine forfeits its game."""
        worker.end()
        number, job = worker.jobs.popleft()
        side, moves = worker.thinking()
        error = EngineFailed(
            f"The engine {job.x if side == 'X' else job.o} did not answer within {self._time:g} s, as {side}"
            f"{' after ' + str(len(moves)) + ' moves' if isinstance(job, Game) else ''}; it was stopped."
        )
        if not (self._forfeit and isinstance(job, Game)):
            raise error
        return number, job.forfeited(self._rules, side, moves, error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.end()


class _Worker:
    """One process, the pipe to it, the sheet shared with it, and the jobs it has been given."""

    def __init__(self, setup: _Setup, jobs: Iterable[_Numbered] = ()) -> None:
        context = get_context("spawn")
        self.sheet: Any = RawArray(c_double, _MOVES + Rules.parse(setup[0]).squares)
        self.pipe, other_end = context.Pipe()
        self._process = context.Process(target=_work, args=(other_end, self.sheet, setup), daemon=True)
        self._process.start()
        other_end.close()
        self.give(jobs)

    def give(self, jobs: Iterable[_Numbered]) -> None:
        """Give it jobs, when it has none."""
        self.jobs = deque(jobs)
        if self.jobs:
            try:
                self.pipe.send([*self.jobs])
            except ConnectionError:
                raise self._died() from None

    def take(self) -> tuple[int, Any]:
        """The next result. Raises EngineFailed when the process has died."""
        try:
            result: Any = self.pipe.recv()
        except (EOFError, ConnectionError):
            raise self._died() from None
        return self.jobs.popleft()[0], result

    def is_late(self) -> bool:
        """Whether an answer is overdue."""
        due: float = self.sheet[_DUE]
        return 0 < due < monotonic() - GRACE

    def thinking(self) -> tuple[str, list[int]]:
        """The side whose engine is thinking, and the moves so far."""
        plies = int(self.sheet[_PLIES])
        return "XO"[int(self.sheet[_SIDE])], [int(move) for move in self.sheet[_MOVES : _MOVES + plies]]

    def _died(self) -> EngineFailed:
        self._process.join()
        job = self.jobs[0][1]
        return EngineFailed(
            f"The process that played {job.x} against {job.o} ended unexpectedly (exit code {self._process.exitcode})."
        )

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


class _SharedClock(Clock):
    """A clock that also notes on a sheet of shared memory when the answer is due."""

    def __init__(self, limit: float | None, sheet: Any) -> None:
        super().__init__(limit)
        self._sheet = sheet

    def begin(self, side: str, moves: Sequence[int]) -> None:
        sheet = self._sheet
        sheet[_SIDE], sheet[_PLIES] = "XO".index(side), len(moves)
        sheet[_MOVES : _MOVES + len(moves)] = moves
        super().begin(side, moves)
        if self.limit is not None:
            sheet[_DUE] = monotonic() + self.limit

    def end(self) -> float:
        self._sheet[_DUE] = 0
        return super().end()


def _work(pipe: "Connection[Any, Any]", sheet: Any, setup: _Setup) -> None:
    """What a worker does: jobs, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the parent to decide what an interrupt ends
    name, tables, time, forfeit = setup
    desk = Desk(Rules.parse(name), tables, _SharedClock(time, sheet), forfeit)
    while True:
        try:
            jobs: list[_Numbered] = pipe.recv()
        except EOFError:
            return
        for _, job in jobs:
            try:
                pipe.send(job.run(desk))
            except MnkError as error:
                pipe.send(error)
