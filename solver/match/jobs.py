"""Do the jobs of a match, to play a game or to expect one exactly, in this process or in several.

Another process can be stopped when its engine never answers.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeVar

from solver.engines.contract import Choice, Engine, Tables, make_engine
from solver.errors import EngineFailed, MnkError
from solver.game.position import Position
from solver.game.rules import OTHER, Rules
from solver.match.expect import expectation
from solver.match.game import Clock, GameRecord, play_game, random_start
from solver.match.result import Score
from solver.support.workers.pool import LossKind, Lost, WorkerPool
from solver.support.workers.sheet import Sheet
from solver.support.workers.trusted import TrustedWorker

_T = TypeVar("_T")

GRACE: Final = 0.5
"""Seconds for which a late answer is waited for: up to then the job itself can say how long the engine took."""


class JobContext:
    """What the jobs of a match share: the rules, the clock, and the engines, each made once for each side.

    tables: for engines that need them. forfeit: an engine that fails loses its game, instead of stopping all.
    """

    facts = ()

    def __init__(self, rules: Rules, tables: Tables, clock: Clock, forfeit: bool) -> None:
        self.clock, self.forfeit = clock, forfeit
        self._rules, self._tables = rules, tables
        self._engines: dict[tuple[str, str], Engine] = {}

    def run(self, job: "Job[_T]") -> "_T | MnkError":
        """Do a job in a worker; an error of this package is its result."""
        try:
            return job.run(self)
        except MnkError as error:
            return error

    def engine(self, name: str, side: str) -> Engine:
        """Return an engine, ready to play. Raises MnkError; EngineFailed when it raises anything else."""
        key = name, side
        if key not in self._engines:
            try:
                self._engines[key] = make_engine(name, self._rules, tables=self._tables)
            except MnkError:
                raise
            except Exception as error:
                raise EngineFailed(
                    f"The engine {name} can't be made ready for {self._rules}: {type(error).__name__} ({error})."
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
    """The position it starts from, before random plies."""
    random_plies: int = 0

    @abstractmethod
    def run(self, context: JobContext) -> _T:
        """Do it, in a context of the same game. Raises MnkError."""


@dataclass(frozen=True)
class ExpectationJob(Job[Score | None]):
    """Expect a game; see `solver.match.expect`."""

    most: int | None = None

    def run(self, context: JobContext) -> Score | None:
        """Return X's exact score, None where it can't be known."""
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
    """Both engines draw from it."""
    start_seed: int = 0
    """The random plies are drawn from it."""

    def opening(self) -> Position:
        """Return the position of the engines' first move. Raises PositionError when no game is left to play."""
        return random_start(self.start, self.random_plies, self.start_seed)

    def run(self, context: JobContext) -> GameRecord:
        """Play it. Raises EngineFailed, unless engines forfeit."""
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
        """Return the record of a game whose player had to be stopped after these moves."""
        choices = tuple(Choice(move) for move in moves)
        return GameRecord(self.number, self.x, self.o, self.opening(), choices, OTHER[side], self.seed, str(error))


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
    recipe = _ContextRecipe(rules, tables, time, forfeit)
    start = partial(TrustedWorker, recipe, grace=GRACE, notes=1 + rules.squares)
    with WorkerPool(start, processes) as pool:
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
        raise EngineFailed(f"The process that played {result.job.x} against {result.job.o} {result.ending}.")

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
