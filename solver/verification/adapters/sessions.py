"""Ask engines that are talked to as text, by sessions side by side: commands, Gomocup brains, addresses of the web."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from time import monotonic, perf_counter
from typing import Any, Final

from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.english import plural
from solver.support.threads import available_cores
from solver.support.workers.output import last_line
from solver.verification.adapters.retries import Retries
from solver.verification.contract import (
    NOT_ASKED,
    NOT_IN_TIME,
    Answer,
    AskOptions,
    EngineUnderTest,
    Failure,
    FailureLimit,
    Progress,
    group_answers,
)
from solver.verification.conventions.board_formats import Layout, Marks, find_board_format
from solver.verification.conventions.candidates import Candidate, parse_options
from solver.verification.conventions.convention import Convention, Reply, interpret_reply
from solver.verification.conventions.replies import choose_reply_format
from solver.verification.conventions.trials import make_trials

TRIALS: Final = 16
MOST_LOST_TRIALS: Final = 4  # in a row, after which no more are begun: it hangs, or can't start


class SessionFailed(Exception):
    """Raised by a session that gave no reply."""

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(detail)
        self.failure, self.detail = failure, detail


class Session(ABC):
    """One conversation with an engine."""

    left: int = 0
    """Processes that it left running outside of its group, which were ended."""

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
        self._retries = Retries()
        self._left = 0
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
        repeated = [position for position in positions for _ in range(repeat)]
        for position, replied in zip(repeated, self.ask_sessions(repeated, self._failure_limit), strict=True):
            found.append(self._read(position, *replied))
            if progress and len(found) % repeat == 0:
                progress(len(found) // repeat, len(positions))
        self._retries.ask(found, lambda place: self._put_alone(repeated[place]), self.until)
        return group_answers(found, repeat)

    def _put_alone(self, position: Position) -> Answer:
        return self._read(position, *self._ask_session(FailureLimit(0), position))

    def _read(self, position: Position, result: Reply | Answer, output: str) -> Answer:
        answer = interpret_reply(result, self.asked_by, position) if isinstance(result, Reply) else result
        return replace(answer, output=output) if answer.failure else answer

    def ask_sessions(
        self, positions: Sequence[Position], failure_limit: FailureLimit
    ) -> Iterator[tuple[Reply | Answer, str]]:
        """Put each position; yield the reply, or an Answer with a failure, and what was printed meanwhile."""
        with ThreadPoolExecutor(len(self._sessions)) as threads:
            for result, output in threads.map(partial(self._ask_session, failure_limit), positions):
                failure_limit.skipped += isinstance(result, Answer) and result.detail == NOT_ASKED
                is_lost = isinstance(result, Answer) and result.failure in {Failure.TIMEOUT, Failure.CRASH}
                if not (isinstance(result, Answer) and result.detail == NOT_IN_TIME):
                    failure_limit.record(not is_lost)
                yield result, output

    def _ask_session(self, failure_limit: FailureLimit, position: Position) -> tuple[Reply | Answer, str]:
        if failure_limit.is_reached:
            return Answer(None, Failure.TIMEOUT, NOT_ASKED), ""
        if monotonic() > self.until:
            return Answer(None, Failure.TIMEOUT, NOT_IN_TIME), ""
        session = self._idle.get()
        begin = perf_counter()
        try:
            result: Reply | Answer = Reply(session.question(position), seconds=perf_counter() - begin)
        except SessionFailed as failed:
            result = Answer(None, failed.failure, failed.detail, seconds=perf_counter() - begin)
        finally:
            output = session.printed()
            self._idle.put(session)
        return result, output

    def remarks(self) -> tuple[str, ...]:
        """Return the notes, and that it was given up, if it was."""
        left = (f"it left {plural(self._left, 'process', 'processes')} running, which was ended",) if self._left else ()
        return *self.notes, *self._failure_limit.notes(), *self._retries.notes(), *left

    def close(self) -> None:
        """End all sessions."""
        for session in self._sessions:
            session.close()
            self._left += session.left
        self._sessions.clear()


def detect_reply_format(engine: SessionEngine) -> None:
    """Find out by trials how replies are to be read; raises EngineError, and ends the engine, where no move can be."""
    try:
        trials = make_trials(engine.rules)[:TRIALS]
        asked = [*engine.ask_sessions(trials, FailureLimit(MOST_LOST_TRIALS))]
        results = [(position, result) for position, (result, _) in zip(trials, asked, strict=True)]
        fixed = parse_options(engine.options)
        found = choose_reply_format(Candidate(engine.asked_by), results, engine.rules, fixed)
        if not found.legal and not fixed.move:
            advice = "say how moves are written with --moves"
            if not any(isinstance(result, Reply) for _, result in results):
                advice = "see that it flushes each line it writes, or give it more time with --time"
            raise EngineError(
                f"No legal move could be read from what {engine.name} answers (such as {_describe_result(*asked[0])}); "
                f"{advice}."
            )
    except BaseException:
        engine.close()
        raise
    engine.asked_by = found.convention
    engine.others = tuple(str(convention.reply) for convention in found.others)


def _describe_result(result: Reply | Answer, output: str) -> str:
    if isinstance(result, Reply):
        return repr(result.returned)
    line = last_line(output)
    return f"{result.failure}: {result.detail}{f'; it printed {line!r}' if line else ''}"


def make_text_layout(options: AskOptions) -> Layout:
    """Return how a position is written in text: as this package does (`XO./.X./...`), or as the options say."""
    fixed = parse_options(options)
    board = fixed.board or find_board_format("string with /")
    if not board.is_text:
        raise EngineError(
            f"A line holds a string; --board {board.name!r} can't be one: 'string with /' or 'flat string'."
        )
    return Layout(board, fixed.marks or Marks("X", "O", "."))
