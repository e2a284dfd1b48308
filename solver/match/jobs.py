"""Define the jobs of a match, which any process can do: play a game, or expect one exactly."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from solver.engines.contract import Choice, Engine, Tables, make_engine
from solver.errors import EngineFailed, MnkError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.match.expect import expectation
from solver.match.game import OTHER, GameRecord, play_game, random_start
from solver.match.referee import Clock
from solver.match.score import Score

__all__ = ["ExpectationJob", "GameJob", "Job", "JobContext"]

_T = TypeVar("_T")


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
