"""The process of an engine: it does tasks one after the other, and notes on a shared sheet which, and until when.

What the engine prints goes into a pipe, it can't read the keyboard, and its memory can be bounded.
"""

import faulthandler
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO, TextIOWrapper
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final, Protocol

from solver.errors import MnkError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.memory import bound_memory
from solver.verification.printed import mark

__all__ = ["DUE", "NUMBER", "Respondent", "Setup", "Task", "WorkRecipe", "work"]

DUE, NUMBER = 0, 1  # the cells of a sheet: when the answer is due (0: none is), and the number of the task
_FLUSH: Final = 0.05  # seconds after which results are sent, though more of the batch are to come

Task = tuple[int, str, Any, int, int, int]
"""Number, kind, convention (or another way to ask), the stones of X and of O, attempt."""


class Respondent(Protocol):
    """An engine inside its process."""

    facts: Any

    def respond(self, kind: str, way: Any, position: Position, attempt: int, /) -> Any:
        """Do one task."""


class WorkRecipe(Protocol):
    """What makes a respondent; it can be sent to another process, or is there already when that is forked."""

    def open(self, rules: Rules) -> Respondent:
        """Make it; raises EngineError and whatever its code raises."""


@dataclass(frozen=True)
class Setup:
    """What a worker is told once."""

    recipe: WorkRecipe
    game: str
    memory: int | None = None


def work(pipe: Connection, printed: Connection, sheet: Any, setup: Setup) -> None:
    """The life of a worker: load the engine, then do batches of tasks until the pipe is closed.

    What is printed goes into `printed`; see `solver.verification.printed`.
    """
    _print_into(printed)
    bound_memory(setup.memory)
    rules = Rules.parse(setup.game)
    try:
        engine = setup.recipe.open(rules)
    except MnkError as error:
        pipe.send(("failed", str(error)))
        return
    except BaseException as error:  # an engine's code may raise anything, SystemExit too
        pipe.send(("failed", _reason(error)))
        return
    pipe.send(("ready", engine.facts))
    with suppress(EOFError, ConnectionError):
        while True:
            limit, tasks = pipe.recv()
            _do(engine, rules, tasks, limit, pipe, sheet)


def _do(engine: Respondent, rules: Rules, tasks: list[Task], limit: float, pipe: Connection, sheet: Any) -> None:
    done: list[tuple[int, bool, Any]] = []
    sent = monotonic()
    for number, kind, way, x, o, attempt in tasks:
        mark(number)
        sheet[NUMBER] = number
        sheet[DUE] = monotonic() + limit
        result = engine.respond(kind, way, Position._of(rules, x, o), attempt)
        now = monotonic()
        done.append((number, now > sheet[DUE], result))
        sheet[DUE] = 0
        if now > sent + _FLUSH:
            pipe.send(done)
            done, sent = [], now
    pipe.send(done)


def _print_into(printed: Connection) -> None:
    """Send what is printed into a pipe, at once, and let nothing be read."""
    faulthandler.disable()
    null = os.open(os.devnull, os.O_RDWR)
    for number, file in enumerate((null, printed.fileno(), printed.fileno())):
        with suppress(OSError):
            os.dup2(file, number)
    printed.close()
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - it is open as long as the process lives
    sys.stdout = _unbuffered(1)
    sys.stderr = _unbuffered(2)


def _unbuffered(number: int) -> TextIOWrapper:
    """A stream that keeps nothing back: what a process that dies has printed is out."""
    file: Any = FileIO(number, "wb", closefd=False)
    return TextIOWrapper(file, encoding="utf-8", errors="replace", write_through=True)


def _reason(error: BaseException) -> str:
    said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    advice = ""
    if isinstance(error, EOFError):
        advice = '; it reads from the keyboard: put the game itself under `if __name__ == "__main__":`'
    elif isinstance(error, ModuleNotFoundError):
        advice = "; install that, or run from the folder where it is"
    return f"The engine can't be loaded: {said}{advice}."
