"""Ask engines that run inside Python processes of ours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from time import monotonic
from typing import Any, Final, cast

from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.threads import CAN_START, available_cores
from solver.support.workers.contract import Worker
from solver.support.workers.inprocess import InProcessWorker
from solver.support.workers.isolated import IsolatedWorker, Isolation
from solver.support.workers.isolated_child import Note
from solver.support.workers.pool import LossKind, Lost, Reply, WorkerPool
from solver.verification.adapters.audit import ASKED, SIGNALLED, watch_process
from solver.verification.adapters.chance import seed_process
from solver.verification.adapters.questions import Question, QuestionRunner, read_reply, write_question
from solver.verification.adapters.retries import Retries
from solver.verification.adapters.sandbox import SANDBOXED, wrap
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
from solver.verification.conventions.convention import Convention

MOST_NOTES: Final = 20
"""Kinds of notes, and notes of a kind, that are kept."""

MOST_CHUNKS, LEAST_CHUNK = 16, 16
"""Into how many parts questions are cut at most, and of how many at least. Each part is answered from a fresh start, so
that answers don't depend on how many processes there are."""

_SENTENCES: Final = {
    SIGNALLED: "it tried to {} a process that is not its own, which was refused",
    "left": "it left {} running, which was ended",
    "threads": (
        "it has started threads, so it is not begun anew for each part of the questions: "
        "if it keeps what it was asked, its answers depend on --processes"
    ),
    "unasked": "it sent messages that were not asked for, which were dropped",
}

IN_PROCESS: Final = (
    "in this process, as no other can be started: its time and memory are not bounded, it can change what judges it, "
    "and whether it asks this package is not seen"
)

RunnerMaker = Callable[[Rules], QuestionRunner]
"""Makes a runner in a process, to which it can be sent; raises EngineError, and what the engine raises."""


@dataclass(frozen=True)
class _RunnerRecipe:
    """Makes what answers questions in a process."""

    make: RunnerMaker
    rules: Rules
    seed: int | None
    """The seed of all that it draws, for an engine that is not ours."""

    def open(self, note: Note) -> QuestionRunner:
        """Make it; what an engine that is not ours does is watched from now on."""
        if self.seed is not None:
            seed_process(self.seed)
            watch_process(note)
        return self.make(self.rules)


class PooledEngine(EngineUnderTest):
    """An engine in a pool of workers."""

    def __init__(
        self,
        name: str,
        make: RunnerMaker,
        rules: Rules,
        options: AskOptions,
        *,
        convention: str = "",
        asked_by: Convention | None = None,
        is_object: bool = False,
        is_ours: bool = False,
        needs: Sequence[str] = (),
    ) -> None:
        self.name, self.rules, self.options = name, rules, options
        self.convention = convention
        self.asked_by = asked_by or Convention()
        """How it is asked, and how its replies are read."""
        self._failure_limit = FailureLimit(options.give_up)
        self._placed = 0  # answers that put a stone on the board given
        self._retries = Retries()
        self._noted: dict[str, dict[str, None]] = {}
        recipe = _RunnerRecipe(make, rules, None if is_ours or not CAN_START else options.seed)
        start: Callable[[], Worker]
        if CAN_START:
            isolation = Isolation(
                seconds_to_start=options.seconds_to_start,
                memory=options.memory,
                is_copy=is_object,
                environment={"PYTHONHASHSEED": str(options.seed % (1 << 32))},
                wrapper=wrap(needs, options.hidden) if options.sandbox and not is_ours else (),
            )
            self.isolation = SANDBOXED if isolation.wrapper else "in processes of its own, without a sandbox"
            start = partial(IsolatedWorker, recipe, isolation, self._note)
        else:
            self.isolation = IN_PROCESS
            start = partial(InProcessWorker, recipe, self._note)
        self._pool = WorkerPool(start, (options.workers or available_cores()) if CAN_START else 1)
        try:
            self._pool.start()
            self.prepare(self._pool.facts)
        except BaseException:
            self.close()
            raise

    def prepare(self, facts: Any) -> None:
        """Find out how it is to be asked from the facts of the runner, where it has to be. Raises EngineError."""

    def _note(self, kind: str, text: str) -> None:
        """Keep what an engine's process told, or what was seen of it."""
        texts = self._noted.setdefault(kind, {}) if len(self._noted) < MOST_NOTES else {}
        if len(texts) < MOST_NOTES:
            texts[text] = None

    def ask(self, positions: Sequence[Position], progress: Progress | None = None) -> list[Answer]:
        """Return one answer for each position, in order."""
        repeat, limit, by = max(1, self.options.repeat), self.options.seconds_per_move, self.asked_by
        questions = [Question("answer", by, position, attempt) for position in positions for attempt in range(repeat)]
        answers: list[Answer] = self.put_questions(questions, limit, self._failure_limit, progress=progress)

        def put_alone(number: int) -> Answer:
            [answer] = self.put_questions(questions[number : number + 1], limit, FailureLimit(0))
            return cast(Answer, answer)

        self._retries.ask(answers, put_alone, self.until)
        self._placed += sum(answer.has_placed for answer in answers)
        return group_answers(answers, repeat)

    @property
    def asked_solver(self) -> tuple[str, ...]:
        """What it did to have this package answer."""
        return (*self._noted.get(ASKED, ()),)

    def remarks(self) -> tuple[str, ...]:
        """Return the notes, and that it was given up, if it was."""
        placed = (f"it puts its stone on the board that it is given ({self._placed:,} times)",) if self._placed else ()
        texts = (
            sentence.format(", ".join(self._noted[kind]))
            for kind, sentence in _SENTENCES.items()
            if kind in self._noted
        )
        return *self.notes, *placed, *self._failure_limit.notes(), *self._retries.notes(), *texts

    def put_questions(
        self,
        questions: Sequence[Question],
        limit: float,
        failure_limit: FailureLimit,
        *,
        is_fresh: bool = True,
        budget: float | None = None,
        progress: Progress | None = None,
    ) -> list[Any]:
        """Return the results of questions, in their order; an Answer that says so for what was lost.

        limit: seconds for each. is_fresh: each part of them is asked from a fresh start. budget: seconds for all; later
        ones, and those beyond the failure limit, are not asked.
        """
        total = len(questions)
        replies = self._pool.run(
            map(write_question, questions),
            total,
            chunk=max(LEAST_CHUNK, -(-total // MOST_CHUNKS)) if is_fresh else None,
            limit=limit,
            budget=min(inf if budget is None else budget, self.until - monotonic()),
            stop=failure_limit,
            progress=progress,
        )
        return [
            _read(question, reply, limit, NOT_ASKED if failure_limit.is_reached else NOT_IN_TIME)
            for question, reply in zip(questions, replies, strict=True)
        ]

    def close(self) -> None:
        """End its processes."""
        self._pool.close()


def _read(question: Question, reply: Reply, limit: float, unasked: str) -> Any:
    """The result, with what was printed if it tells of a failure; unasked: why it may not have been asked."""
    result: Any
    if isinstance(reply.result, Lost):
        result = _failed_answer(reply.result, limit, unasked)
    else:
        result = read_reply(question, reply.result, reply.seconds)
    if reply.output and isinstance(result, Answer) and result.failure:
        return replace(result, output=reply.output)
    return result


def _failed_answer(lost: Lost, limit: float, unasked: str) -> Answer:
    if lost.kind is LossKind.CRASH:
        return Answer(None, Failure.CRASH, f"it {lost.ending}")
    details = {
        LossKind.TIMEOUT: f"no answer within {limit:g} s",
        LossKind.LATE: f"answered only after {limit:g} s",
        LossKind.NOT_BEGUN: unasked,
    }
    return Answer(None, Failure.TIMEOUT, details[lost.kind])
