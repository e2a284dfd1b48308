"""Python engines: a function, class, object or module of this process, `FILE.py:NAME`, `MODULE:NAME`."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from solver.errors import EngineError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.pooled import PooledEngine
from solver.verification.contract import AskOptions, EngineUnderTest, Helper
from solver.verification.conventions import Convention, check_options
from solver.verification.detection import Settled, settle
from solver.verification.entry import HELPERS, Facts
from solver.verification.failure_limit import FailureLimit
from solver.verification.loading import FileRecipe, LiveRecipe, ModuleRecipe, Recipe
from solver.verification.python_engine import PythonRecipe
from solver.verification.trials import Trial

__all__ = ["PythonEngineUnderTest", "open_python"]

TRIAL: Final = 0.4  # seconds for a reply while conventions are tried
BUDGET: Final = 6.0  # seconds for a batch of trials
_TABLES: Final = {".npz", ".csv", ".tsv", ".json", ".jsonl", ".gz"}
MOST_LOST_TRIALS: Final = 45  # in a row; a board of the wrong kind may well send an engine round in circles


def open_python(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """The subject; raises EngineError when there is no such engine, or no way to ask it."""
    check_options(options)
    recipe = _recipe(spec)
    return PythonEngineUnderTest(_name(spec), recipe, rules, options)


class PythonEngineUnderTest(PooledEngine):
    """A Python engine, and the convention that was worked out."""

    facts: Facts

    def __init__(self, name: str, recipe: Recipe, rules: Rules, options: AskOptions) -> None:
        live = isinstance(recipe, LiveRecipe)
        super().__init__(name, PythonRecipe(recipe, options.seed), rules, options, live=live)

    def settle(self, facts: Facts) -> None:
        """Try conventions until one is found; slow engines are given their full time in a second round."""
        self.facts = facts
        options = self.options
        try:
            settled = self._settled(min(TRIAL, options.seconds_per_move), FailureLimit(MOST_LOST_TRIALS))
        except EngineError:
            if options.seconds_per_move <= TRIAL:
                raise
            settled = self._settled(options.seconds_per_move, FailureLimit(options.give_up))
        self.way = settled.convention
        self.convention = settled.convention.words(self.facts.roles)
        self.notes = settled.notes

    def _settled(self, limit: float, failure_limit: FailureLimit) -> Settled:
        """The convention, found by trials with so many seconds for each; raises EngineError."""
        return settle(partial(self._try, limit, failure_limit), self.facts, self.rules, self.options)

    def _try(
        self, limit: float, failure_limit: FailureLimit, asked: Sequence[tuple[Convention, Trial]]
    ) -> Sequence[Any]:
        questions = [("try", way, trial.position, 0) for way, trial in asked]
        replies = self.put(questions, limit, failure_limit, budget=max(BUDGET, 4 * limit))
        if failure_limit.is_reached:
            raise EngineError(
                f"The engine gave no answer within {limit:g} s to {failure_limit.most} questions in a row, however it "
                "was asked; if it needs more time, give it more with --time."
            )
        return replies

    def helpers(self) -> Mapping[str, Helper]:
        """The helpers of its module."""
        return {what: partial(self._help, what) for what, _ in self.facts.helpers if what in HELPERS}

    def _help(self, what: str, positions: Sequence[Position]) -> list[Any]:
        return self.do(what, positions, range(1))


def _recipe(spec: object) -> Recipe:
    if not isinstance(spec, str):
        if not (callable(spec) or isinstance(spec, ModuleType) or hasattr(spec, "__dict__")):
            raise EngineError(f"{quoted(spec)} is no engine; give a function, a class, an object, a module or a text.")
        return LiveRecipe(spec)
    text = spec.strip()
    path, is_file, name = text.partition(".py")
    if is_file and (not name or name.startswith(":")):
        file = Path(path + ".py").expanduser()
        if not file.is_file():
            raise EngineError(f"There is no file {quoted(file)}; write FILE.py:NAME, such as agent.py:best_move.")
        return FileRecipe(str(file.resolve()), name[1:])
    if Path(text).suffix in _TABLES:
        raise EngineError(
            f"{quoted(text)} is a table, not an engine; hold it against ours with mnk verify-table"
            f"{f', or let it play as td:file={text}' if text.endswith('.npz') else ''}."
        )
    module, _, name = text.partition(":")
    if not all(part.isidentifier() for part in module.split(".")):
        raise EngineError(
            f"{quoted(text)} is no engine; write FILE.py:NAME, MODULE:NAME, cmd:COMMAND, gomocup:COMMAND, "
            "openspiel:BOT, http://... or the name of one of ours (mnk engines)."
        )
    return ModuleRecipe(module, name)


def _name(spec: object) -> str:
    return spec.strip() if isinstance(spec, str) else str(getattr(spec, "__name__", type(spec).__name__))
