"""Do the jobs of a match in this process or in several, which can stop an engine that never answers."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol, TypeVar

from solver.engines.contract import Tables
from solver.errors import EngineFailed, MnkError
from solver.game.rules import Rules
from solver.match.game import GameRecord
from solver.match.jobs import GameJob, Job, JobContext
from solver.match.referee import Clock
from solver.support.workers import LossKind, Lost, Sheet, WorkerOptions, WorkerPool

__all__ = ["DoJobs", "open_workplace"]

_T = TypeVar("_T")

GRACE: Final = 0.5
"""Seconds for which a late answer is waited for: up to then the referee can say how long the engine took."""


class DoJobs(Protocol):
    """Does jobs."""

    def __call__(self, jobs: Iterable[Job[_T]], total: int, /) -> Iterator[_T]:
        """Do the jobs, so many in all, and give their results in the order of the jobs."""


@contextmanager
def open_workplace(
    rules: Rules, *, tables: Tables = None, time: float | None = None, forfeit: bool = False, processes: int = 0
) -> Iterator[DoJobs]:
    """Open a place where jobs are done.

    time: seconds an engine may take for a move. forfeit: an engine that fails loses its game, otherwise it
    stops everything. processes: how many work; 0 for this one alone, where an engine that never answers
    can't be stopped. Doing a job raises EngineFailed and what else the job raises.
    """
    if not processes:
        context = JobContext(rules, tables, Clock(time), forfeit)
        yield lambda jobs, total, /: (job.run(context) for job in islice(jobs, total))
        return
    options = WorkerOptions(size=processes, grace=GRACE, notes=1 + rules.squares)
    recipe = _ContextRecipe(rules, tables, time, forfeit)
    with WorkerPool(recipe, options) as pool:
        yield lambda jobs, total, /: (recipe.read(reply.result) for reply in pool.run(jobs, total))


@dataclass(frozen=True)
class _ContextRecipe:
    """Makes the context of jobs in a worker, and reads what comes back."""

    rules: Rules
    tables: Tables
    time: float | None
    forfeit: bool

    def open(self, sheet: Sheet) -> JobContext:
        return JobContext(self.rules, self.tables, _SharedClock(self.time, sheet), self.forfeit)

    def read(self, result: Any) -> Any:
        """Return the result of a job. Raises MnkError when it failed."""
        if isinstance(result, MnkError):
            raise result
        if not isinstance(result, Lost):
            return result
        if result.kind is LossKind.TIMEOUT:
            return self._read_timeout(result.job, *result.notes)
        raise EngineFailed(
            f"The process that played {result.job.x} against {result.job.o} ended unexpectedly ({result.ending})."
        )

    def _read_timeout(self, job: Job[Any], side_number: int, *moves: int) -> GameRecord:
        """Return the record of a forfeited game. Raises EngineFailed if engines do not forfeit."""
        side = "XO"[side_number]
        error = EngineFailed(
            f"The engine {job.x if side == 'X' else job.o} did not answer within {self.time:g} s, as {side}"
            f"{f' after {len(moves)} moves' if isinstance(job, GameJob) else ''}; it was stopped."
        )
        if not (self.forfeit and isinstance(job, GameJob)):
            raise error
        return job.forfeited(side, moves, error)


class _SharedClock(Clock):
    """A clock that also notes on a sheet of shared memory the side, its moves, and when the answer is due."""

    def __init__(self, limit: float | None, sheet: Sheet) -> None:
        super().__init__(limit)
        self._sheet = sheet

    def begin(self, side: str, moves: Sequence[int]) -> None:
        self._sheet.notes = ["XO".index(side), *moves]
        super().begin(side, moves)
        self._sheet.expect(self.limit)

    def end(self) -> float:
        self._sheet.expect(None)
        return super().end()
