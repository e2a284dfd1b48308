"""Ask engines that are talked to as text, by sessions side by side: commands, Gomocup brains, addresses of the web."""

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
from solver.verification.contract import Answer, AskOptions, EngineUnderTest, Failure, Progress, group_answers
from solver.verification.conventions.board_formats import Layout, find_board_format
from solver.verification.conventions.candidates import parse_options
from solver.verification.conventions.convention import Convention
from solver.verification.conventions.detection import choose_reply_format
from solver.verification.conventions.interpret import Reply, interpret_reply
from solver.verification.conventions.marks import Marks
from solver.verification.conventions.trials import Trial, make_trials
from solver.verification.failure_limit import NOT_ASKED, FailureLimit

__all__ = ["Session", "SessionEngine", "SessionFailed", "detect_reply_format", "make_text_layout"]

TRIALS: Final = 16
MOST_LOST_TRIALS: Final = 4  # in a row, after which no more are begun: it hangs, or can't start


class SessionFailed(Exception):
    """Raised by a session that gave no reply."""

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(detail)
        self.failure, self.detail = failure, detail


class Session(ABC):
    """One conversation with an engine."""

    @abstractmethod
    def question(self, position: Position) -> Any:
        """Put a position and return the reply, plain. Raises SessionFailed; the next question then starts anew."""

    def printed(self) -> str:
        """Return the last of what it printed since the last question, besides its reply, if that can be told."""
        return ""

    def close(self) -> None:
        """End it; one that keeps nothing open need not."""
        return


class SessionEngine(EngineUnderTest):
    """An engine that is talked to by sessions, as many as there are workers.

    make: opens a session, or raises EngineError. asked_by: how positions are given and moves are read.
    """

    def __init__(
        self, name: str, rules: Rules, options: AskOptions, make: Callable[[], Session], asked_by: Convention
    ) -> None:
        self.name, self.rules, self.options, self.asked_by = name, rules, options, asked_by
        self._failure_limit = FailureLimit(options.give_up)
        self._idle: SimpleQueue[Session] = SimpleQueue()
        self._sessions: list[Session] = []
        try:
            for _ in range(options.workers or available_cores()):
                self._sessions.append(make())
                self._idle.put(self._sessions[-1])
        except BaseException:
            self.close()
            raise

    def ask(self, positions: Sequence[Position], progress: Progress | None = None) -> list[Answer]:
        """Return one answer for each position, in order."""
        repeat = max(1, self.options.repeat)
        found: list[Answer] = []
        with ThreadPoolExecutor(len(self._sessions)) as threads:
            for answer in threads.map(self._answer, [p for p in positions for _ in range(repeat)]):
                found.append(answer)
                self._failure_limit.skipped += answer.detail == NOT_ASKED
                self._failure_limit.record(answer.failure not in {Failure.TIMEOUT, Failure.CRASH})
                if progress and len(found) % repeat == 0:
                    progress(len(found) // repeat, len(positions))
        return group_answers(found, repeat)

    def _answer(self, position: Position) -> Answer:
        if self._failure_limit.is_reached:
            return Answer(None, Failure.TIMEOUT, NOT_ASKED)
        session = self._idle.get()
        begin = perf_counter()
        try:
            reply = Reply(session.question(position), seconds=perf_counter() - begin)
            answer = interpret_reply(reply, self.asked_by, position)
        except SessionFailed as failed:
            answer = Answer(None, failed.failure, failed.detail, seconds=perf_counter() - begin)
        finally:
            output = session.printed()
            self._idle.put(session)
        return replace(answer, output=output) if answer.failure else answer

    def try_all(self, trials: Sequence[Trial]) -> list[Reply]:
        """Return what comes back in each trial, until too many in a row are lost."""
        failure_limit = FailureLimit(MOST_LOST_TRIALS)
        replies = []
        with ThreadPoolExecutor(len(self._sessions)) as threads:
            for reply in threads.map(lambda trial: self._try(trial, failure_limit), trials):
                replies.append(reply)
                failure_limit.record(not reply.error)
        return replies

    def _try(self, trial: Trial, failure_limit: FailureLimit) -> Reply:
        if failure_limit.is_reached:
            return Reply(None, error=NOT_ASKED)
        session = self._idle.get()
        try:
            return Reply(session.question(trial.position))
        except SessionFailed as failed:
            line = last_line(session.printed())
            return Reply(None, error=f"{failed.failure}: {failed.detail}{f'; it printed {line!r}' if line else ''}")
        finally:
            self._idle.put(session)

    def remarks(self) -> tuple[str, ...]:
        """Return the notes, and that it was given up, if it was."""
        return *self.notes, *self._failure_limit.notes()

    def close(self) -> None:
        """End all sessions."""
        for session in self._sessions:
            session.close()
        self._sessions.clear()


def detect_reply_format(engine: SessionEngine) -> None:
    """Find out by trials how replies are to be read; raises EngineError, and ends the engine, where no move can be."""
    try:
        trials = make_trials(engine.rules)[:TRIALS]
        replies = engine.try_all(trials)
        results, fixed = [*zip(trials, replies, strict=True)], parse_options(engine.options)
        found = choose_reply_format(engine.asked_by, results, engine.rules, fixed)
        if not found.score.legal and not fixed.move:
            advice = "say how moves are written with --moves"
            if all(reply.error for reply in replies):
                advice = "see that it flushes each line it writes, or give it more time with --time"
            first = replies[0].error or repr(replies[0].returned)
            raise EngineError(
                f"No legal move could be read from what {engine.name} answers (such as {first}); {advice}."
            )
    except BaseException:
        engine.close()
        raise
    # Stated values are from the side to move: these protocols say so.
    engine.asked_by, engine.notes = replace(found.convention, perspective="mover"), found.notes


def make_text_layout(options: AskOptions) -> Layout:
    """Return how a position is written in text: as this package does (`XO./.X./...`), or as the options say."""
    fixed = parse_options(options)
    board = fixed.board or find_board_format("string with /")
    if not board.is_text:
        raise EngineError(
            f"A line holds a string; --board {board.name!r} can't be one: 'string with /' or 'flat string'."
        )
    return Layout(board, fixed.marks or Marks("X", "O", "."))
