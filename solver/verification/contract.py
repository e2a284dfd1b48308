"""Define what an engine under test is: positions in, answers out, whatever the engine does.

    with open_engine("agent.py:best_move", Rules.parse("3,3,3")) as engine:
        print(engine.convention)               # how boards are given and moves are read, for a person to object
        answers = engine.ask(positions)        # one Answer for each, in order

An engine under test lives in processes of its own. Whatever goes wrong with one position (an exception, an illegal
move, no answer in time, the end of its process) is the Answer of that position, and the next one is asked all the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType, TracebackType
from typing import Any, Self, TypeAlias

from solver.game.position import Position
from solver.game.rules import Rules

__all__ = ["Answer", "AskOptions", "EngineSpec", "EngineUnderTest", "Failure", "Helper", "Progress"]

EngineSpec: TypeAlias = str | Callable[..., Any] | type | ModuleType | object
"""What can be put under test: a text such as `agent.py:best_move`, a function, a class, an object, a module."""

Progress: TypeAlias = Callable[[int, int], object]
"""Called now and then with how many positions are answered, and of how many."""

Helper: TypeAlias = Callable[[Sequence[Position]], list[Any]]
"""Says something of each position, in the terms of this package; a function of the engine's file (see `helpers`)."""


class Failure(StrEnum):
    """What went wrong when an engine was asked."""

    ILLEGAL = "illegal"
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    WRONG_TYPE = "wrong_type"
    CRASH = "crash"
    MUTATED = "mutated"
    """It changed the board it was given (and did not answer with that board)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine said to one position.

    move: the square, row-major from 0. It is legal exactly if there is no failure; with ILLEGAL it is the square
    asked for where that is on the board, with MUTATED the square that was answered; otherwise None.
    detail: the exception, or what was returned, in one line. value: what the engine says the position is worth for
    the side to move, in its own unit, if it says anything. seconds: real time. output: with a failure, the last of
    what it printed meanwhile.
    others: the answers of the further times the same question was put (`AskOptions.repeat`).
    """

    move: int | None
    failure: Failure | None = None
    detail: str = ""
    value: float | None = None
    seconds: float = 0.0
    others: tuple[Answer, ...] = ()
    output: str = ""


@dataclass(frozen=True)
class AskOptions:
    """How to ask. What is None is worked out.

    board: how the position is given, one of `solver.verification.conventions.BOARDS`.
    marks: how the squares are marked: three signs for X, O and empty, such as `X,O,.` or `1,-1,0`, or `me,them,empty`
    such as `me=1,2,0` for the side to move first. moves: how moves are read, one of `conventions.MOVES`.
    seconds_per_move, seconds_to_start: time limits. memory: bytes that a process may take for itself at most,
    where the system can bound it (0 or None: no bound). give_up: after so many questions in a row lost to time-outs and
    crashes, the rest are not asked and count as time-outs (0: never).
    workers: processes (None: one a core). repeat: how often every position is asked. seed: for engines of ours
    and for what a Python engine draws at random.
    """

    board: str | None = None
    marks: str | None = None
    moves: str | None = None
    seconds_per_move: float = 10.0
    seconds_to_start: float = 10.0
    memory: int | None = 4 * 10**9
    give_up: int = 20
    workers: int | None = None
    repeat: int = 1
    seed: int = 0


class EngineUnderTest(ABC):
    """An engine under test, in processes of its own; a context manager that ends them.

    name: as given. convention: how positions are given and moves are read, in words.
    notes: what a person should know besides, such as what could not be told and was assumed.
    """

    name: str
    rules: Rules
    convention: str
    notes: tuple[str, ...] = ()

    @abstractmethod
    def ask(self, positions: Sequence[Position], progress: Progress | None = None) -> list[Answer]:
        """One answer for each position, in order. No position may be over. Raises EngineError if it can't start."""

    def remarks(self) -> tuple[str, ...]:
        """The notes, and what came of the asking since."""
        return self.notes

    def helpers(self) -> Mapping[str, Helper]:
        """The functions of its file that say something of a position: some of these names, by the name there.

        Each takes positions and gives a list with, for each: `winner` 'X', 'O' or None; `terminal` a bool;
        `utility` a number (from X's side, in the engine's unit); `actions` a frozenset of squares; `player` 'X' or 'O';
        or an Answer with a failure where it raised, did not return in time, or returned something else.
        """
        return {}

    @abstractmethod
    def close(self) -> None:
        """End its processes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
