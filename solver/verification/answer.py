"""The answer of an engine in one position: a move, or a failure.

A failure may be an exception, an illegal move, a timeout, or the end of the engine's process.
"""

from dataclasses import dataclass
from enum import StrEnum


class Failure(StrEnum):
    """The reason why an answer contains no legal move."""

    ILLEGAL = "illegal"  #: The square is taken, above an empty square (with gravity), or off the board.
    EXCEPTION = "exception"  #: The engine's code raised an exception, or a server answered with an error.
    TIMEOUT = "timeout"  #: It gave no answer in time.
    WRONG_TYPE = "wrong_type"  #: The answer does not have the stated form.
    CRASH = "crash"  #: Its process ended.


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The answer of an engine in one position."""

    move: int | None
    """The square, row by row from 0. It is a legal move unless the engine failed. After the failure ILLEGAL, it is the
    illegal square, or None if the answer was not a square; after any other failure, it is None."""
    failure: Failure | None = None  #: Why there is no legal move; None if there is one.
    detail: str = ""  #: The exception or the returned value, in one line.
    value: float | None = None  #: The value that the engine states, on its own scale.
    output: str = ""  #: If the engine failed, the last text that it printed.

    @property
    def legal_move(self) -> int | None:
        """The move, or None if it is not legal."""
        return None if self.failure else self.move

    def __str__(self) -> str:
        """Say in words what the engine did, such as "returned 4, which is taken"."""
        said = {
            None: f"played {self.move}",
            Failure.EXCEPTION: f"raised {self.detail}",
            Failure.TIMEOUT: "gave no answer in time",
            Failure.CRASH: f"crashed{f': {self.detail}' if self.detail else ''}",
        }
        return said.get(self.failure, self.detail)
