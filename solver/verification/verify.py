"""Verifying an engine: `verify` gives a report, `assert_perfect` raises where there is something to say.

report = verify(best_move, "3,3,3")
float(report)                               # 0 to 1
print(report)                               # where it goes wrong, how badly, and how to beat it
"""

import os
import random
import shlex
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

from solver.engines.contract import Tables, list_engines, make_engine
from solver.errors import EngineError, PositionError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.store.places import default_folder
from solver.tablebase import Prober
from solver.verification.adapters.open import open_engine
from solver.verification.answer_cache import AnswerCache, Distribution
from solver.verification.baseline import read_baseline
from solver.verification.beat import beating
from solver.verification.contract import AskOptions, EngineSpec, EngineUnderTest, Progress
from solver.verification.grade import judge
from solver.verification.groups import grouped
from solver.verification.helpers import check_helpers
from solver.verification.play import Course, explore
from solver.verification.positions import MOST_POSITIONS, every_position, live_counts, live_positions, sample_positions
from solver.verification.report import Report, Scope
from solver.verification.truth import SOLVED_SQUARES, open_truth
from solver.verification.values import compare_values

__all__ = ["SAMPLE", "assert_perfect", "verify"]

SAMPLE = 1000
"""Positions of a sample, where no number is asked for."""

MOST_QUESTIONS = 2000
"""Questions put to find how an engine is beaten, for each side, where not all its positions are asked anyway."""


def verify(
    engine: EngineSpec,
    rules: Rules | str,
    *,
    scope: str | None = None,
    sample: int | None = None,
    seed: int = 0,
    at: object = None,
    tables: Tables = None,
    baseline: str | os.PathLike[str] | None = None,
    options: AskOptions | None = None,
    progress: Progress | None = None,
    **asking: Any,
) -> Report:
    """Hold an engine against the truth and report where it goes wrong, how badly, and how to beat it.

    engine: a function, class, object, module, or a text as for `mnk verify`; or an `EngineUnderTest`, which stays open.
    scope: `all` positions, those that arise in its own `play`, or a `sample`; by default all where they are at most
    MOST_POSITIONS, otherwise a sample. sample: of how many positions (then the scope is one); seed: which.
    at: only these: a position, or a list of positions, each in any notation. tables: where the truth is found, by
    default the default folder; up to 9 squares none is needed. baseline: a report in JSON, as a file; only what got
    worse counts against the engine. options, or its fields by name (`board`, `marks`, `moves`, `repeat`,
    `seconds_per_move`, ...): how to ask. progress(answered, of how many): called now and then.

    Raises EngineError (the engine can't be run, or an option is none), RulesError, PositionError, TableError.
    """
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    asked_as = _ask_options(options, asking, seed)
    known = read_baseline(Path(baseline), rules) if baseline is not None else None
    table = open_truth(rules, tables)
    begun = perf_counter()
    plan = _Plan(rules, table, scope, sample, seed, at)
    opened = engine if isinstance(engine, EngineUnderTest) else open_engine(engine, rules, options=asked_as)
    with nullcontext(opened) if opened is engine else opened as subject:
        interview = AnswerCache(subject, progress, _distribution(engine, rules, table))
        interview.ask(plan.questions)
        courses = plan.courses(interview)
        positions = plan.graded(courses)
        verdicts = [judge(table, position, interview.answers(position)) for position in positions]
        helpers = check_helpers(subject.helpers(), plan.for_helpers(positions))
    return Report(
        rules=rules,
        engine=subject.name,
        convention=subject.convention,
        notes=tuple(subject.remarks()),
        scope=plan.scope,
        verdicts=verdicts,
        groups=grouped(table, verdicts, [position for course in courses for position in course.asked]),
        beatings={course.side: beating(table, course, interview) for course in courses},
        again=_again(engine, rules, subject, asked_as, tables),
        helpers=helpers,
        values=compare_values(verdicts),
        repeat=asked_as.repeat,
        seconds=perf_counter() - begun,
        baseline=known,
    )


def assert_perfect(engine: EngineSpec, rules: Rules | str, *, fastest: bool = False, **more: Any) -> None:
    """Raise AssertionError, whose message is the report, unless an engine keeps the value everywhere.

    fastest: it must also take the shortest win and the longest defence. more: as for `verify`, whose errors it raises.
    """
    __tracebackhide__ = True  # pytest then shows the line that called this
    report = verify(engine, rules, **more)
    perfect = report.passed and (report.is_fastest is not False if fastest else True)
    if not perfect:
        raise AssertionError(f"{report.engine} is not perfect.\n\n{report}")


class _Plan:
    """Which positions are asked, and how far its play is followed."""

    def __init__(
        self, rules: Rules, table: Prober, scope: str | None, sample: int | None, seed: int, at: object
    ) -> None:
        self.rules = rules
        self.positions: Sequence[Position] = []
        if at is not None:
            self.scope = Scope("given")
            self.positions = _given(rules, at)
            return
        counts = {} if scope == "play" else live_counts(rules, table)
        total = sum(counts.values()) or None
        if scope is None:
            scope = "all" if sample is None and total is not None and total <= MOST_POSITIONS else "sample"
        if scope not in {"all", "play", "sample"}:
            raise EngineError(f"There is no scope {scope!r}; choose one of all, play, sample.")
        if sample is not None and (scope != "sample" or sample < 1):
            raise EngineError(f"A sample of {sample} and the scope {scope!r} don't go together.")
        if scope == "sample" and total is not None and (sample or SAMPLE) >= total:
            scope = "all"
        self.scope = Scope(scope, total, seed if scope == "sample" else None)
        if scope == "all":
            self.positions = live_positions(rules)
        elif scope == "sample":
            self.positions = sample_positions(rules, sample or SAMPLE, seed, counts)

    @property
    def questions(self) -> list[Position]:
        """The positions in the order they are asked.

        It is drawn at random, so that an engine which is lost in the early positions only, where there is most to
        search, is not taken for one that never answers (see `solver.verification.failure_limit`).
        """
        order = [*self.positions]
        if self.scope.kind != "given":
            random.Random(0).shuffle(order)
        return order

    def courses(self, interview: AnswerCache) -> list[Course]:
        """Its play as either side: all of it, or with a sample as much as a bounded number of questions shows."""
        if self.scope.kind == "given":
            return []
        if self.scope.kind == "sample":
            return [explore(self.rules, side, interview, MOST_QUESTIONS, until_beaten=True) for side in "XO"]
        return [explore(self.rules, side, interview) for side in "XO"]

    def for_helpers(self, asked: Sequence[Position]) -> Sequence[Position]:
        """Those that helpers are checked in: every one of a small game, else those asked and one move later."""
        if self.scope.kind == "given":
            return []
        if self.rules.squares <= SOLVED_SQUARES:
            return every_position(self.rules)
        return list(dict.fromkeys(p for one in asked for p in (one, *map(one.play, one.legal_moves))))

    def graded(self, courses: Iterable[Course]) -> Sequence[Position]:
        """The positions that a verdict is given on."""
        if self.scope.kind != "play":
            return self.positions
        return sorted({p for course in courses for p in course.asked}, key=lambda p: (p.ply, p.hash))


def _ask_options(options: AskOptions | None, asking: dict[str, Any], seed: int) -> AskOptions:
    names = {field.name for field in fields(AskOptions)}
    unknown = sorted(set(asking) - names)
    if unknown:
        raise EngineError(f"There is no option {unknown[0]!r} of asking; choose one of {', '.join(sorted(names))}.")
    return replace(options or AskOptions(seed=seed), **asking)


def _given(rules: Rules, at: object) -> list[Position]:
    """The positions given, none of them over."""
    given: list[object] = [at]
    if isinstance(at, list | tuple) and at and all(isinstance(one, str | Position) for one in at):
        given = [*at]
    positions = [Position.parse(rules, one) for one in given]
    for position in positions:
        if position.is_over:
            raise PositionError(
                f"The game is over in {position.board}, so there is nothing to ask; give another position."
            )
    return positions


def _distribution(engine: EngineSpec, rules: Rules, table: Prober) -> Distribution | None:
    """The exact probabilities of the moves of one of our engines that chooses at random and knows them, else None."""
    known = isinstance(engine, str) and engine.partition(":")[0] in {info.name for info in list_engines()}
    if not known or "/" in str(engine):
        return None
    ours = make_engine(str(engine), rules, tables=table)
    start = Position.start(rules)
    if ours.deterministic or start.is_over or ours.distribution(start) is None:
        return None

    def distribution(position: Position) -> dict[int | None, Fraction]:
        return {move: chance for move, chance in (ours.distribution(position) or {}).items() if chance}

    return distribution


def _again(engine: EngineSpec, rules: Rules, subject: EngineUnderTest, options: AskOptions, tables: Tables) -> str:
    """What to type to see one verdict again, with `{}` for the position."""
    given = {f.name: getattr(options, f.name) for f in fields(options) if getattr(options, f.name) != f.default}
    if isinstance(engine, str):
        if tables is not None and not isinstance(tables, Prober) and Path(tables) != default_folder():
            given["data"] = tables
        chosen = [f"--{_OPTION_NAMES.get(name, name)} {shlex.quote(str(value))}" for name, value in given.items()]
        words = ["mnk verify", rules.name, shlex.quote(engine), *chosen]
        return f"{_literal(' '.join(words))} --at {{}}"
    name = getattr(engine, "__name__", subject.name)
    chosen_by_name = "".join(f", {key}={value!r}" for key, value in given.items())
    return f"{_literal(f'solver.verify({name}, {rules.name!r}{chosen_by_name}, at=')}'{{}}')"


def _literal(text: str) -> str:
    """Text that `str.format` leaves as it is."""
    return text.replace("{", "{{").replace("}", "}}")


_OPTION_NAMES = {
    "seconds_per_move": "time",
    "seconds_to_start": "start-time",
    "give_up": "give-up",
    "workers": "processes",
}
