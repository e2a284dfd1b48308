"""Subjects that are talked to as text, by sessions side by side: commands, Gomocup brains, addresses of the web."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue
from time import perf_counter
from typing import Any, Final

from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.threads import available_cores
from solver.support.workers import last_line
from solver.verification.adapters.pooled import combined
from solver.verification.boards import MARKED
from solver.verification.contract import Answer, AskOptions, EngineUnderTest, Failure, Progress
from solver.verification.conventions import Convention, check_options
from solver.verification.detection import best_reading
from solver.verification.failure_limit import NOT_ASKED, FailureLimit
from solver.verification.marks import Marks, parse_marks
from solver.verification.python_engine import Raw, interpreted
from solver.verification.trials import Trial, trials

__all__ = ["Session", "SessionEngine", "SessionFailed", "text_convention"]

TRIALS: Final = 16
MOST_LOST_TRIALS: Final = 4  # in a row, after which no more are begun: it hangs, or can't start


class SessionFailed(Exception):
    """A session gave no reply, and why."""

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(detail)
        self.failure, self.detail = failure, detail


class Session(ABC):
    """One conversation with an engine."""

    @abstractmethod
    def question(self, position: Position) -> Any:
        """Put a position; the reply, plain. Raises SessionFailed, after which the next question starts anew."""

    def printed(self) -> str:
        """The last of what it printed since the last question, besides its reply; for one that can't tell, nothing."""
        return ""

    def close(self) -> None:
        """End it; one that keeps nothing open need not."""
        return


class SessionEngine(EngineUnderTest):
    """An engine that is talked to by sessions, as many as there are workers.

    make: opens a session, or raises EngineError. convention: what is known of how moves are read; the reading is
    worked out from trials when `settled` is false.
    """

    def __init__(
        self, name: str, rules: Rules, options: AskOptions, make: Callable[[], Session], way: Convention, settled: bool
    ) -> None:
        self.name, self.rules, self.options, self.way = name, rules, options, way
        self._failure_limit = FailureLimit(options.give_up)
        self._idle: SimpleQueue[Session] = SimpleQueue()
        self._sessions: list[Session] = []
        self._size = options.workers or available_cores()
        try:
            for _ in range(self._size):
                self._sessions.append(make())
                self._idle.put(self._sessions[-1])
            if not settled:
                self._settle()
        except BaseException:
            self.close()
            raise

    def _settle(self) -> None:
        """Work out how moves are read."""
        tests = trials(self.rules)[:TRIALS]
        failure_limit = FailureLimit(MOST_LOST_TRIALS)
        replies = []
        with ThreadPoolExecutor(self._size) as threads:
            for raw in threads.map(lambda trial: self._try(trial, failure_limit), tests):
                replies.append(raw)
                failure_limit.record(not raw.error)
        settled = best_reading(self.way, [*zip(tests, replies, strict=True)], self.rules, self.options)
        if not settled.score.legal and not self.options.moves:
            said = next((raw.error or repr(raw.reply) for raw in replies), "nothing")
            advice = "say how moves are written with --moves"
            if all(raw.error for raw in replies):
                advice = "see that it flushes each line it writes, or give it more time with --time"
            raise EngineError(f"No legal move could be read from what {self.name} answers (such as {said}); {advice}.")
        # Stated values are from the side to move: these protocols say so.
        self.way, self.notes = replace(settled.convention, worth="mover"), settled.notes

    def _try(self, trial: Trial, failure_limit: FailureLimit) -> Raw:
        if failure_limit.is_reached:
            return Raw(None, error=NOT_ASKED)
        session = self._idle.get()
        try:
            return Raw(session.question(trial.position))
        except SessionFailed as failed:
            said = last_line(session.printed())
            return Raw(None, error=f"{failed.failure}: {failed.detail}{f'; it printed {said!r}' if said else ''}")
        finally:
            self._idle.put(session)

    def ask(self, positions: Sequence[Position], progress: Progress | None = None) -> list[Answer]:
        """One answer for each position, in order."""
        repeat = max(1, self.options.repeat)
        found: list[Answer] = []
        with ThreadPoolExecutor(self._size) as threads:
            for answer in threads.map(self._answer, [p for p in positions for _ in range(repeat)]):
                found.append(answer)
                self._failure_limit.skipped += answer.detail == NOT_ASKED
                self._failure_limit.record(answer.failure not in {Failure.TIMEOUT, Failure.CRASH})
                if progress and len(found) % repeat == 0:
                    progress(len(found) // repeat, len(positions))
        return [combined(found[start : start + repeat]) for start in range(0, len(found), repeat)]

    def _answer(self, position: Position) -> Answer:
        if self._failure_limit.is_reached:
            return Answer(None, Failure.TIMEOUT, NOT_ASKED)
        session = self._idle.get()
        begin = perf_counter()
        try:
            reply = session.question(position)
            answer = interpreted(Raw(reply, seconds=perf_counter() - begin), self.way, position)
        except SessionFailed as failed:
            answer = Answer(None, failed.failure, failed.detail, seconds=perf_counter() - begin)
        finally:
            output = session.printed()
            self._idle.put(session)
        return replace(answer, output=output) if answer.failure else answer

    def remarks(self) -> tuple[str, ...]:
        """The notes, and that it was given up, if it was."""
        return *self.notes, *self._failure_limit.notes()

    def close(self) -> None:
        """End all sessions."""
        for session in self._sessions:
            session.close()
        self._sessions.clear()


def text_convention(options: AskOptions) -> Convention:
    """How a position is written in text: as this package does (`XO./.X./...`), or as the options say."""
    check_options(options)
    marks = parse_marks(options.marks) if options.marks else Marks("X", "O", ".")
    shape = options.board or "string with /"
    if shape not in MARKED or "string" not in shape or "rows" in shape:
        raise EngineError(f"A line holds a string; --board {shape!r} can't be one: 'string with /' or 'flat string'.")
    return Convention(shape, marks)
