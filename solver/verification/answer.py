"""An engine under test, as the grader sees it: it gets positions and returns answers.

If the engine fails in a position (an exception, an illegal move, a timeout, the end of its process), the failure is its
answer there.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self, TypeAlias

from solver.game.position import Position
from solver.support.progress import Progress

EngineSpec: TypeAlias = "str | Callable[..., Any] | type | EngineUnderTest | object"
"""An engine to test: a text such as `agent.py:best_move`, a function, a class, or an object."""


class Failure(StrEnum):
    """The reason why an answer contains no legal move."""

    ILLEGAL = "illegal"
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    WRONG_TYPE = "wrong_type"
    CRASH = "crash"


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The answer of an engine in one position."""

    move: int | None
    """The square, row by row from 0. It is a legal move unless the engine failed. After the failure ILLEGAL, it is the
    illegal square, or None if the answer was not a square; after any other failure, it is None."""
    failure: Failure | None = None
    detail: str = ""  # the exception or the returned value, in one line
    value: float | None = None  # the value that the engine states, on its own scale
    output: str = ""  # if the engine failed, the last text that it printed

    @property
    def legal_move(self) -> int | None:
        """The move, or None if it is not legal."""
        return None if self.failure else self.move


class EngineUnderTest(ABC):
    """An engine under test, with the answers so far. As a context manager, it ends the engine's processes on exit."""

    name: str  # the name, as the caller gave it
    convention: str = ""  # the convention for its positions and moves, in one line
    isolation: str = ""  # a description of where it runs, in one line
    violations: tuple[str, ...] = ()  # its forbidden actions, such as opening a table of this package
    gave_up: bool = False  # true if positions were skipped after MOST_LATE timeouts in a row
    until: float = float("inf")  # the time (`time.monotonic`) after which no question is sent

    def __init__(self) -> None:
        self.answers: dict[Position, EngineAnswer] = {}  # its answers so far

    def ask(self, positions: Iterable[Position], progress: Progress | None = None) -> bool:
        """Get the missing answers; return whether the time sufficed. Raises EngineError if the engine can't start."""
        new = [position for position in dict.fromkeys(positions) if position not in self.answers]
        found = self._put(new, progress) if new else []
        self.answers.update((position, one) for position, one in zip(new, found, strict=True) if one is not None)
        return None not in found

    @abstractmethod
    def _put(self, positions: Sequence[Position], progress: Progress | None) -> list[EngineAnswer | None]:
        """Return an answer for each position; None if time ran out before the engine was asked."""

    def close(self) -> None:  # noqa: B027 - only those with processes have something to end
        """End the engine's processes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
