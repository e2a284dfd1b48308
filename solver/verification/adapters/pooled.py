"""Ask engines that run inside Python processes of ours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.threads import available_cores
from solver.support.workers import LossKind, Lost, Reply, Sheet, WorkerOptions, WorkerPool
from solver.support.workers.child import Runner, StartMethod
from solver.verification.contract import (
    NOT_ASKED,
    Answer,
    AskOptions,
    EngineUnderTest,
    Failure,
    FailureLimit,
    Progress,
    group_answers,
)
from solver.verification.conventions.convention import Convention

QUESTIONS_EACH: Final = 16
"""Another worker is started for so many questions."""

Question = tuple[str, Any, Position, int]
"""Kind, Convention (None where a runner knows its own), position, attempt."""


RunnerMaker = Callable[[Rules], Runner]
"""Makes a runner of Questions in a worker, to which it can be sent; raises EngineError, and what the engine raises."""


@dataclass(frozen=True)
class _RunnerRecipe:
    """Makes what answers questions in a worker."""

    make: RunnerMaker
    rules: Rules

    def open(self, sheet: Sheet) -> Runner:
        del sheet
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
        start: StartMethod = "spawn_bare",
    ) -> None:
        self.name, self.rules, self.options = name, rules, options
        self.convention = convention
        self.asked_by: Convention | None = None
        """The convention that runners are told with each question, where they have to be told."""
        self._failure_limit = FailureLimit(options.give_up)
        self._placed = 0  # answers that put a stone on the board given
        settings = WorkerOptions(
            size=options.workers or available_cores(),
            jobs_each=QUESTIONS_EACH,
            start=start,
            seconds_to_start=options.seconds_to_start,
            memory=options.memory,
            captures_output=True,
        )
        self._pool = WorkerPool(_RunnerRecipe(make, rules), settings)
        try:
            self._pool.start()
            self.prepare(self._pool.facts)
        except BaseException:
            self.close()
            raise

    def prepare(self, facts: Any) -> None:
        """Find out how it is to be asked from the facts of the runner, where it has to be. Raises EngineError."""

    def ask(self, positions: Sequence[Position], progress: Progress | None = None) -> list[Answer]:
        """Return one answer for each position, in order."""
        repeat = max(1, self.options.repeat)
        answers = self.ask_kind("answer", positions, repeat, self._failure_limit, progress)
        self._placed += sum(answer.has_placed for answer in answers)
        return group_answers(answers, repeat)

    def ask_kind(
        self,
        kind: str,
        positions: Sequence[Position],
        repeat: int = 1,
        failure_limit: FailureLimit | None = None,
        progress: Progress | None = None,
    ) -> list[Any]:
        """Return the results of one kind of question, `repeat` for each position; an Answer for what was lost."""
        questions = [(kind, self.asked_by, position, attempt) for position in positions for attempt in range(repeat)]
        failure_limit = failure_limit or FailureLimit(self.options.give_up)
        return self.put_questions(questions, self.options.seconds_per_move, failure_limit, progress=progress)

    def remarks(self) -> tuple[str, ...]:
        """Return the notes, and that it was given up, if it was."""
        placed = (f"it puts its stone on the board that it is given ({self._placed:,} times)",) if self._placed else ()
        return *self.notes, *placed, *self._failure_limit.notes()

    def put_questions(
        self,
        questions: Sequence[Question],
        limit: float,
        failure_limit: FailureLimit,
        *,
        budget: float | None = None,
        progress: Progress | None = None,
    ) -> list[Any]:
        """Return the results of questions, in their order; an Answer that says so for what was lost.

        limit: seconds for each. budget: seconds for all; later ones, and those beyond the failure limit, are not asked.
        """
        replies = self._pool.run(
            questions, len(questions), limit=limit, budget=budget, stop=failure_limit, progress=progress
        )
        return [_read_reply(reply, limit) for reply in replies]

    def close(self) -> None:
        """End its processes."""
        self._pool.close()


def _read_reply(reply: Reply, limit: float) -> Any:
    """The result, with what was printed if it tells of a failure."""
    result = _failed_answer(reply.result, limit) if isinstance(reply.result, Lost) else reply.result
    fails = isinstance(result, Answer) and result.failure
    return replace(result, output=reply.output) if fails and reply.output else result


def _failed_answer(lost: Lost, limit: float) -> Answer:
    if lost.kind is LossKind.CRASH:
        return Answer(None, Failure.CRASH, f"its process ended ({lost.ending})")
    details = {
        LossKind.TIMEOUT: f"no answer within {limit:g} s",
        LossKind.LATE: f"answered only after {limit:g} s",
        LossKind.NOT_BEGUN: NOT_ASKED,
    }
    return Answer(None, Failure.TIMEOUT, details[lost.kind])
