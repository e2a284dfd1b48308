"""Ask engines that run inside Python processes of ours."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.contract import Answer, AskOptions, EngineUnderTest, Progress
from solver.verification.failure_limit import FailureLimit
from solver.verification.pool import Lost, Pool
from solver.verification.worker import Setup, WorkRecipe

__all__ = ["PooledEngine"]


class PooledEngine(EngineUnderTest):
    """An engine in a pool of workers. `way` is what each is told with a question: how it is to be put."""

    def __init__(self, name: str, recipe: WorkRecipe, rules: Rules, options: AskOptions, *, live: bool = False) -> None:
        self.name, self.rules, self.options = name, rules, options
        self.convention = ""
        self.way: Any = None
        self._failure_limit = FailureLimit(options.give_up)
        setup = Setup(recipe, rules.name, options.memory)
        self._pool = Pool(setup, live=live, size=options.workers, seconds_to_start=options.seconds_to_start)
        try:
            self._pool.start()
            self.settle(self._pool)
        except BaseException:
            self.close()
            raise

    def settle(self, pool: Pool) -> None:
        """Find out how it is to be asked. Raises EngineError."""

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
        """The results of one kind of task for positions; an Answer that says so for what was lost."""
        tasks = [(attempt, position) for position in positions for attempt in attempts]
        numbered = [(n, kind, self.way, position.x, position.o, a) for n, (a, position) in enumerate(tasks)]
        failure_limit = failure_limit or FailureLimit(self.options.give_up)
        results = self._pool.run(
            numbered, self.options.seconds_per_move, failure_limit=failure_limit, progress=progress
        )
        return [_answer(one) if isinstance(one, Lost) else one for one in results]

    def close(self) -> None:
        """End its processes."""
        self._pool.close()


def _answer(lost: Lost) -> Answer:
    return Answer(None, lost.failure, lost.detail, output=lost.output)


def combined(answers: Sequence[Answer]) -> Answer:
    """The answers to one question, as the first with the others."""
    return replace(answers[0], others=tuple(answers[1:]))
