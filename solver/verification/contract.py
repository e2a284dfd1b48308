"""Define what an engine under test is: positions in, answers out, whatever the engine does.

    with open_engine("agent.py:best_move", parse_game("3,3,3")) as engine:
        print(engine.convention)               # how boards are given and moves are read, for a person to object
        answers = engine.ask(positions)        # one Answer for each, in order

An engine under test lives in processes of its own. Whatever goes wrong with one position (an exception, an illegal
move, no answer in time, the end of its process) is the Answer of that position, and the next one is asked all the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from math import inf
from types import ModuleType
from typing import Any, NamedTuple, Self, TypeAlias

from solver.game.position import Position
from solver.game.rules import Rules

EngineSpec: TypeAlias = str | Callable[..., Any] | type | ModuleType | object
"""Anything to put under test: a text such as `agent.py:best_move`, a function, a class, an object, a module."""

Progress: TypeAlias = Callable[[int, int], object]
"""Called now and then with how many positions are answered, and of how many."""

Helper: TypeAlias = Callable[[Sequence[Position]], list[Any]]
"""A function of the engine's file that tells something of each position, in the terms of this package."""


class Reading(NamedTuple):
    """Another way to understand an engine, which its form leaves open."""

    condition: str
    """What would have to be, in words: `its side is always O`."""
    sides: str
    """The sides that it would play: `X`, `O`, `XO`."""
    anew: str
    """The sides whose questions would be others."""
    ask: Callable[[Sequence[Position]], list[Answer]]
    """Asks as it then would be asked."""


class Failure(StrEnum):
    """A way in which a question to an engine goes wrong."""

    ILLEGAL = "illegal"
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    WRONG_TYPE = "wrong_type"
    CRASH = "crash"
    MUTATED = "mutated"
    """It changed the board it was given (and did not answer with that board)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of an engine to one position."""

    move: int | None
    """The square, row-major from 0. It is legal exactly if there is no failure. With ILLEGAL it is the square asked for
    where that is on the board, with MUTATED the square that was answered; with other failures it is None."""
    failure: Failure | None = None
    detail: str = ""
    """The exception, or what was returned, in one line."""
    value: float | None = None
    """The value it states of the position, in its own unit and from the side that it has in mind, if it states one."""
    seconds: float = 0.0
    """Real time."""
    has_placed: bool = False
    """It put its stone on the board that it was given."""
    others: tuple[Answer, ...] = ()
    """The answers of the further times that the same question was put (`AskOptions.repeat`)."""
    output: str = ""
    """With a failure, the last of what it printed meanwhile."""


def group_answers(answers: Sequence[Answer], repeat: int) -> list[Answer]:
    """Join the answers to each question, which was put `repeat` times in a row, into one with the others in it."""
    if repeat == 1:
        return [*answers]
    groups = (answers[start : start + repeat] for start in range(0, len(answers), repeat))
    return [replace(first, others=tuple(others)) for first, *others in groups]


@dataclass(frozen=True)
class AskOptions:
    """Options for asking. A convention that is None is found out."""

    board: str | None = None
    """The name of a board format (`solver.verification.conventions.board_formats`)."""
    marks: str | None = None
    """The marks of squares: three signs for X, O and empty, such as `X,O,.` or `1,-1,0`, or `me,them,empty` such
    as `me=1,2,0` for the side to move first."""
    moves: str | None = None
    """The name of a move format (`solver.verification.conventions.move_formats`)."""
    profile: str | None = None
    """The name of a well-known source whose convention it has (`solver.verification.conventions.profiles`)."""
    seconds_per_move: float = 10.0
    seconds_to_start: float = 10.0
    memory: int | None = 4 * 10**9
    """Bytes that a process may take for itself at most, where the system can bound it; 0 or None: no bound."""
    give_up: int = 20
    """After so many questions in a row lost to time-outs and crashes, the rest are not asked and count as time-outs;
    0: never."""
    workers: int | None = None
    """Processes; None: one a core."""
    seconds_to_detect: float = 60.0
    """In all, to find out how it is asked."""
    repeat: int = 1
    """Times that every position is asked."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Values of parameters, by name: what a class is made with, or a function is called with."""
    sandbox: bool = False
    """Whether it runs in a sandbox (`solver.verification.adapters.sandbox`)."""
    hidden: tuple[str, ...] = ()
    """Tables, or folders of them, that it does not see there, besides those of the default folder."""
    allow_solver: bool = False
    """Whether it may ask this package for its answers."""
    seed: int = 0
    """For engines of ours, and for what a Python engine draws at random."""


class EngineUnderTest(ABC):
    """An engine under test, in processes of its own; a context manager that ends them."""

    name: str
    """As given."""
    rules: Rules
    convention: str
    """A description of the convention: how positions are given and moves are read."""
    notes: tuple[str, ...] = ()
    """Remarks for a person, such as what could not be told and was assumed."""
    told: tuple[str, ...] = ()
    """What of the convention was told from what."""
    others: tuple[str, ...] = ()
    """Conventions that are possible too, beside those of `readings`."""

    isolation: str = ""
    """How it is kept apart from all else."""
    until: float = inf
    """The time (of `monotonic`) after which no question is begun."""

    @abstractmethod
    def ask(self, positions: Sequence[Position], progress: Progress | None = None) -> list[Answer]:
        """Return one answer for each position, in order. No position may be over.

        Raises EngineError if it can't start.
        """

    @property
    def asked_solver(self) -> tuple[str, ...]:
        """What it did to have this package answer in its place, as far as that is seen."""
        return ()

    def remarks(self) -> tuple[str, ...]:
        """Return the notes, and what came of the asking since."""
        return self.notes

    def helpers(self) -> Mapping[str, Helper]:
        """Return the functions of its file that tell something of a position, by what they tell.

        Each takes positions and gives a list with, for each: `winner` 'X', 'O' or None; `terminal` a bool;
        `utility` a number (from X's side, in the engine's unit); `actions` a frozenset of squares; `player` 'X' or 'O';
        or an Answer with a failure where it raised, did not return in time, or returned something else.
        """
        return {}

    def readings(self) -> Sequence[Reading]:
        """Return the other ways to understand it that are worth grading."""
        return ()

    @abstractmethod
    def close(self) -> None:
        """End its processes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


NOT_ASKED = "not asked: too many questions before it had no answer"
"""The detail of an answer to a question that was not put."""

NOT_IN_TIME = "not asked: the time for the verification was over"
"""The detail of an answer to a question that was not put, and does not count."""


class FailureLimit:
    """Count the questions in a row that were lost to time-outs and crashes, up to a limit."""

    def __init__(self, most: int) -> None:
        self.most = most
        """The limit; 0 for none."""
        self.is_reached = False
        """True once nothing more is to be asked. It stays so."""
        self.skipped = 0
        """Questions that were not put since."""
        self._lost = 0

    def record(self, answered: bool) -> None:
        """Record one question that was put."""
        self._lost = 0 if answered else self._lost + 1
        self.is_reached = self.is_reached or 0 < self.most <= self._lost

    def notes(self) -> tuple[str, ...]:
        """Return a note that the rest was not asked, if so."""
        if not self.skipped or not self.is_reached:
            return ()
        return (
            f"gave up after {self.most:,} questions in a row without an answer; "
            f"the {self.skipped:,} not asked count as time-outs (--give-up sets the limit)",
        )


Answers = tuple[Answer, ...]
"""The answers of an engine to one position, each time it was asked."""

Distribution = Callable[[Position], dict[int | None, Fraction]]
"""Gives the probability of each move, their sum 1; None stands for no legal move."""


class AnswerCache:
    """The questions put to an engine so far, and its answers.

    distribution: the exact probabilities of its moves, where they are known.
    """

    def __init__(
        self, engine: EngineUnderTest, progress: Progress | None = None, distribution: Distribution | None = None
    ) -> None:
        self.engine = engine
        self.exact = distribution is not None
        """True if the probabilities of its moves are known."""
        self._progress = progress
        self._distribution = distribution
        self._answers: dict[Position, Answers] = {}

    def ask(self, positions: Iterable[Position]) -> bool:
        """Put the questions that have not been put yet; return whether there was time for all."""
        new = [position for position in dict.fromkeys(positions) if position not in self._answers]
        if new:
            for position, answer in zip(new, self.engine.ask(new, self._progress), strict=True):
                if answer.detail != NOT_IN_TIME:
                    self._answers[position] = answer, *answer.others
        return all(position in self._answers for position in new)

    def has(self, position: Position) -> bool:
        """Return whether a question has been answered."""
        return position in self._answers

    def answers(self, position: Position) -> Answers:
        """Return the answers to a question that has been put."""
        return self._answers[position]

    def chances(self, position: Position) -> dict[int | None, Fraction]:
        """Return how probable each move is: exactly, or as its share of the answers; None stands for no legal move."""
        if self._distribution is not None:
            return self._distribution(position)
        answers = self.answers(position)
        legal = set(position.legal_moves)
        shares: dict[int | None, Fraction] = {}
        for answer in answers:
            playable = answer.failure in {None, Failure.MUTATED} and answer.move in legal
            move = answer.move if playable else None
            shares[move] = shares.get(move, Fraction(0)) + Fraction(1, len(answers))
        return shares
