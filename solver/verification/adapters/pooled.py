"""Ask engines that run inside Python processes of ours."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.threads import available_cores
from solver.support.workers import LossKind, Lost, Reply, Sheet, WorkerOptions, WorkerPool
from solver.verification.contract import Answer, AskOptions, EngineUnderTest, Failure, Progress
from solver.verification.failure_limit import NOT_ASKED, FailureLimit

__all__ = ["PooledEngine", "Question", "Respondent", "RespondentRecipe"]

QUESTIONS_EACH: Final = 16
"""Another worker is started for so many questions."""

Question = tuple[str, Any, Position, int]
"""Kind, convention (or another way to ask), position, attempt."""


class Respondent(Protocol):
    """An engine inside its process."""

    facts: Any

    def respond(self, kind: str, way: Any, position: Position, attempt: int, /) -> Any:
        """Answer one question."""


class RespondentRecipe(Protocol):
    """Makes a respondent; it can be sent to another process, or is there already when that is forked."""

    def open(self, rules: Rules) -> Respondent:
        """Make it; raises EngineError and whatever its code raises."""


@dataclass(frozen=True)
class _RunnerRecipe:
    """Makes what answers questions in a worker. Positions cross as their stones, which is quicker."""

    recipe: RespondentRecipe
    game: str

    def open(self, sheet: Sheet) -> "_Runner":
        del sheet
        rules = Rules.parse(self.game)
        return _Runner(self.recipe.open(rules), rules)


class _Runner:
    def __init__(self, respondent: Respondent, rules: Rules) -> None:
        self._respondent, self._rules = respondent, rules
        self.facts = respondent.facts

    def run(self, job: tuple[str, Any, int, int, int]) -> Any:
        kind, way, x, o, attempt = job
        return self._respondent.respond(kind, way, Position._of(self._rules, x, o), attempt)


class PooledEngine(EngineUnderTest):
    """An engine in a pool of workers. `way` is what each is told with a question: how it is to be put."""

    def __init__(
        self, name: str, recipe: RespondentRecipe, rules: Rules, options: AskOptions, *, live: bool = False
    ) -> None:
        self.name, self.rules, self.options = name, rules, options
        self.convention = ""
        self.way: Any = None
        self._failure_limit = FailureLimit(options.give_up)
        settings = WorkerOptions(
            size=options.workers or available_cores(),
            jobs_each=QUESTIONS_EACH,
            start="fork" if live else "spawn_bare",
            seconds_to_start=options.seconds_to_start,
            memory=options.memory,
            captures_output=True,
        )
        self._pool = WorkerPool(_RunnerRecipe(recipe, rules.name), settings)
        try:
            self._pool.start()
            self.settle(self._pool.facts)
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def settle(self, facts: Any) -> None:
        """Find out how it is to be asked, from the facts of the respondent. Raises EngineError."""

    def ask(self, positions: Sequence[Position], progress: Progress | None = None) -> list[Answer]:
        """One answer for each position, in order; those of further attempts in `others`."""
        repeat = max(1, self.options.repeat)
        found: list[Answer] = self.do("answer", positions, range(repeat), progress, self._failure_limit)
        if repeat == 1:
            return found
        return [combined(found[start : start + repeat]) for start in range(0, len(found), repeat)]

    def remarks(self) -> tuple[str, ...]:
        """The notes, and that it was given up, if it was."""
        return *self.notes, *self._failure_limit.notes()

    def do(
        self,
        kind: str,
        positions: Sequence[Position],
        attempts: Sequence[int],
        progress: Progress | None = None,
        failure_limit: FailureLimit | None = None,
    ) -> list[Any]:
        """The results of one kind of question for positions; an Answer that says so for what was lost."""
        questions = [(kind, self.way, position, attempt) for position in positions for attempt in attempts]
        failure_limit = failure_limit or FailureLimit(self.options.give_up)
        return self.put(questions, self.options.seconds_per_move, failure_limit, progress=progress)

    def put(
        self,
        questions: Sequence[Question],
        limit: float,
        failure_limit: FailureLimit,
        *,
        budget: float | None = None,
        progress: Progress | None = None,
    ) -> list[Any]:
        """The results of questions, in their order; an Answer that says so for what was lost.

        limit: seconds for each. budget: seconds for all; later ones, and those beyond the failure limit, are not asked.
        """
        jobs = [(kind, way, position.x, position.o, attempt) for kind, way, position, attempt in questions]
        replies = self._pool.run(jobs, len(jobs), limit=limit, budget=budget, stop=failure_limit, progress=progress)
        results = []
        for reply in replies:
            if isinstance(reply.result, Lost) and reply.result.kind is LossKind.NOT_BEGUN:
                failure_limit.skipped += 1
            results.append(_read_reply(reply, limit))
        return results

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


def combined(answers: Sequence[Answer]) -> Answer:
    """The answers to one question, as the first with the others."""
    return replace(answers[0], others=tuple(answers[1:]))
