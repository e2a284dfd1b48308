"""What there is to do in a match, as jobs that any process can take: play a game, or expect one exactly."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from solver.engines.contract import Choice, Engine, Tables, make_engine
from solver.errors import EngineFailed, MnkError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.match.expect import expectation
from solver.match.game import OTHER, Record, play_game, random_start
from solver.match.referee import Clock
from solver.match.score import Score

__all__ = ["Desk", "Expectation", "Game", "Job"]

_T = TypeVar("_T")


@dataclass
class Desk:
    """Where jobs are done: the rules, where tables are, the clock, and the engines, each made once a side."""

    rules: Rules
    tables: Tables = None
    clock: Clock = field(default_factory=Clock)
    forfeit: bool = False

    def __post_init__(self) -> None:
        self._engines: dict[tuple[str, str], Engine] = {}

    def engine(self, name: str, side: str) -> Engine:
        """The engine, ready to play. Raises MnkError; EngineFailed when it raises anything else."""
        key = name, side
        if key not in self._engines:
            try:
                self._engines[key] = make_engine(name, self.rules, tables=self.tables)
            except MnkError:
                raise
            except Exception as error:
                raise EngineFailed(
                    f"The engine {name} can't be made ready for {self.rules}: {type(error).__name__} ({error})."
                ) from error
        return self._engines[key]


@dataclass(frozen=True)
class Job(ABC, Generic[_T]):
    """A job between two engines, by name. stones: the bitboards of the start, which cross processes quickly."""

    number: int
    x: str
    o: str
    stones: tuple[int, int]
    random_plies: int = 0

    def start(self, rules: Rules) -> Position:
        """The position it starts from, before random plies."""
        return Position._of(rules, *self.stones)

    @abstractmethod
    def run(self, desk: Desk) -> _T:
        """Do it, at a desk of the same game."""


@dataclass(frozen=True)
class Expectation(Job[Score | None]):
    """Expect a game; see `solver.match.expect`."""

    most: int | None = None

    def run(self, desk: Desk) -> Score | None:
        """X's exact score, None where it can't be known."""
        return expectation(
            desk.engine(self.x, "X"),
            desk.engine(self.o, "O"),
            self.start(desk.rules),
            random_plies=self.random_plies,
            clock=desk.clock,
            most=self.most,
        )


@dataclass(frozen=True)
class Game(Job[Record]):
    """Play a game. seed: what both engines draw from; start_seed: the same for the random plies."""

    seed: int = 0
    start_seed: int = 0

    def opening(self, rules: Rules) -> Position:
        """The position of the engines' first move. Raises PositionError when no game is left to play."""
        return random_start(self.start(rules), self.random_plies, self.start_seed)

    def run(self, desk: Desk) -> Record:
        """Play it. Raises EngineFailed, unless the desk lets engines forfeit."""
        return play_game(
            desk.engine(self.x, "X"),
            desk.engine(self.o, "O"),
            self.opening(desk.rules),
            seed=self.seed,
            clock=desk.clock,
            forfeit=desk.forfeit,
            number=self.number,
        )

    def forfeited(self, rules: Rules, side: str, moves: Sequence[int], error: EngineFailed) -> Record:
        """The record of a game whose player had to be stopped after these moves."""
        choices = tuple(Choice(move) for move in moves)
        return Record(self.number, self.x, self.o, self.opening(rules), choices, OTHER[side], self.seed, str(error))
