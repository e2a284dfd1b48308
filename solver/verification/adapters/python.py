"""Ask Python engines: a function, class, object or module of this process, `FILE.py:NAME`, `MODULE:NAME`."""

import random
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any, Final

from solver.errors import EngineError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.facts import decode_facts
from solver.verification.adapters.loading import list_folders
from solver.verification.adapters.pooled import PooledEngine
from solver.verification.adapters.python_engine import PythonEngine
from solver.verification.adapters.python_source import EngineSource, FileSource, ModuleSource, ObjectSource
from solver.verification.adapters.questions import Question
from solver.verification.contract import Answer, AskOptions, EngineUnderTest, Failure, FailureLimit, Helper, Reading
from solver.verification.conventions.candidates import parse_options
from solver.verification.conventions.convention import Convention
from solver.verification.conventions.detection import detect_convention
from solver.verification.conventions.doubts import Detected
from solver.verification.conventions.parameters import Signature

_FILE: Final = re.compile(r"(.*\.(?:py|ipynb))(?::(.*))?", re.DOTALL)
TRIAL: Final = 0.4  # seconds for a reply while conventions are tried
ROUNDS: Final = (20.0, 40.0)  # seconds for all trials of a round; what is not asked by then has no reply
HELPER: Final = 30.0  # seconds for all questions to a helper
_TABLES: Final = {".npz", ".csv", ".tsv", ".json", ".jsonl", ".gz"}
MOST_LOST_TRIALS: Final = 45  # in a row; a board of the wrong kind may well send an engine round in circles


def open_python(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """Open a Python engine; raises EngineError when there is no such engine, or no way to ask it."""
    name = spec.strip() if isinstance(spec, str) else str(getattr(spec, "__name__", type(spec).__name__))
    return PythonEngineUnderTest(name, _find_source(spec, options), rules, options)


class PythonEngineUnderTest(PooledEngine):
    """A Python engine, asked by the convention that was found."""

    def __init__(self, name: str, source: EngineSource, rules: Rules, options: AskOptions) -> None:
        self._fixed = parse_options(options)
        make = partial(PythonEngine, source, options.seed)
        needs: list[str] = []
        if isinstance(source, FileSource):
            needs = [source.path, *map(str, list_folders(Path(source.path)))]
        elif isinstance(source, ObjectSource) and options.sandbox:
            raise EngineError("An object of this process can't be put into a sandbox; give it as FILE.py:NAME.")
        super().__init__(name, make, rules, options, is_object=isinstance(source, ObjectSource), needs=needs)

    def prepare(self, facts: Any) -> None:
        """Try conventions until one is found; slow engines are given their full time in a second round."""
        try:
            self._signature = signature = decode_facts(Signature, facts)
        except ValueError as error:
            raise EngineError(f"What the process of {self.name} says of the engine can't be read ({error}).") from error
        options = self.options
        self._detect_until = monotonic() + options.seconds_to_detect
        try:
            found = self._detect(min(TRIAL, options.seconds_per_move), FailureLimit(MOST_LOST_TRIALS), ROUNDS[0])
        except EngineError:
            if options.seconds_per_move <= TRIAL or monotonic() > self._detect_until:
                raise
            found = self._detect(options.seconds_per_move, FailureLimit(options.give_up), ROUNDS[1])
        self.asked_by, self._detected = found.convention, found
        self.convention = found.convention.describe(signature.arguments)
        self.told, self.others, self.notes = found.told, found.others, (*signature.notes, *found.notes)

    def _detect(self, limit: float, failure_limit: FailureLimit, seconds: float) -> Detected:
        """Find the convention by trials with so many seconds for each, and for all; raises EngineError."""
        until = min(monotonic() + seconds, self._detect_until)
        ask = partial(self._try, limit, failure_limit, until)
        try:
            return detect_convention(ask, self._signature, self.rules, self._fixed)
        except EngineError as error:
            if monotonic() <= until:
                raise
            seconds = min(seconds, self.options.seconds_to_detect)
            raise EngineError(f"The {seconds:g} s to find out how it is asked are over. {error}") from None

    def _try(
        self, limit: float, failure_limit: FailureLimit, until: float, asked: Sequence[tuple[Convention, Position]]
    ) -> Sequence[Any]:
        questions = [Question("try", convention, position) for convention, position in asked]
        budget = max(0.0, until - monotonic())
        replies = self.put_questions(questions, limit, failure_limit, is_fresh=False, budget=budget)
        if failure_limit.is_reached:
            ends = [reply.detail for reply in replies if isinstance(reply, Answer) and reply.failure is Failure.CRASH]
            if ends:
                raise EngineError(f"The engine gave no answer, however it was asked: {ends[-1]}.")
            raise EngineError(
                f"The engine gave no answer within {limit:g} s to {failure_limit.most} questions in a row, however it "
                "was asked; if it needs more time, give it more with --time."
            )
        return replies

    def helpers(self) -> Mapping[str, Helper]:
        """Return the helpers of its module that can be judged: none where its marks are not certain."""
        found = self._detected
        kinds = self._signature.helpers if found.is_certain else ()
        if any(reading.sides != "XO" for reading in found.alternatives):
            kinds = tuple(kind for kind in kinds if kind != "utility")  # it may be from its own side
        return {kind: partial(self._ask_helper, kind) for kind in kinds}

    def _ask_helper(self, kind: str, positions: Sequence[Position]) -> list[Any]:
        """Ask a helper in as many of the positions as there is time for, in a random order."""
        order = random.Random(0).sample(range(len(positions)), len(positions))
        questions = [Question(kind, self.asked_by, positions[place]) for place in order]
        limit = FailureLimit(self.options.give_up)
        answers = self.put_questions(questions, self.options.seconds_per_move, limit, budget=HELPER)
        return [answer for _, answer in sorted(zip(order, answers, strict=True), key=lambda pair: pair[0])]

    def readings(self) -> Sequence[Reading]:
        """Return the other ways to understand it that its form leaves."""
        return [
            Reading(one.condition, one.sides, one.anew if one.convention else "", partial(self._ask_as, one.convention))
            for one in self._detected.alternatives
        ]

    def _ask_as(self, convention: Convention | None, positions: Sequence[Position]) -> list[Answer]:
        by = convention or self.asked_by
        questions = [Question("answer", by, position) for position in positions]
        return self.put_questions(questions, self.options.seconds_per_move, FailureLimit(self.options.give_up))


def _find_source(spec: object, options: AskOptions) -> EngineSource:
    if not isinstance(spec, str):
        if not (callable(spec) or isinstance(spec, ModuleType) or hasattr(spec, "__dict__")):
            raise EngineError(f"{quoted(spec)} is no engine; give a function, a class, an object, a module or a text.")
        return ObjectSource(spec, options.arguments)
    text = spec.strip()
    found = _FILE.fullmatch(text)
    if found:
        file = Path(found[1]).expanduser()
        if not file.is_file():
            raise EngineError(f"There is no file {quoted(file)}; write FILE.py:NAME, such as agent.py:best_move.")
        return FileSource(str(file.resolve()), found[2] or "", options.arguments, options.seconds_to_start / 4)
    if Path(text).suffix in _TABLES:
        raise EngineError(f"{quoted(text)} is a table, not an engine; hold it against ours with mnk verify-table.")
    module, _, name = text.partition(":")
    if not all(part.isidentifier() for part in module.split(".")):
        raise EngineError(
            f"{quoted(text)} is no engine; write FILE.py:NAME, MODULE:NAME, cmd:COMMAND, gomocup:COMMAND, "
            "openspiel:BOT, http://... or the name of one of ours (mnk engines)."
        )
    return ModuleSource(module, name, options.arguments)
