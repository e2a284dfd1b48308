"""Verify an engine: `verify` gives a report, `assert_perfect` raises an error that is the report.

report = verify(best_move, "3,3,3")
float(report)                               # 0 to 1
print(report)                               # where it goes wrong, how badly, and how to beat it
"""

import os
import random
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import fields, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from solver.engines.engine import Tables, make_engine
from solver.errors import EngineError, quoted
from solver.game.files import read_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.store.paths import default_folder
from solver.tablebase import Prober
from solver.verification.adapters.open import is_ours, open_engine
from solver.verification.budget import ASKING, PLAYING, ask_twice, bound, cut_scope, describe_time, leave_time
from solver.verification.contract import AnswerCache, AskOptions, Distribution, EngineSpec, EngineUnderTest, Progress
from solver.verification.conventions.profiles import find_profile
from solver.verification.findings import SCORES, Findings, read_baseline
from solver.verification.formats import format_findings
from solver.verification.formats.data import encode_findings
from solver.verification.formats.html import render_piece
from solver.verification.grade import group_blunders, judge
from solver.verification.helpers import check_helpers
from solver.verification.positions import VISITED_SQUARES, Scope, choose_positions, every_position, read_positions
from solver.verification.readings import grade_readings
from solver.verification.refutation import PlayTree, explore_play, find_refutation
from solver.verification.stated_values import compare_verdicts
from solver.verification.truth import open_truth

_GROUPS_IN_NOTEBOOK = 2

MOST_QUESTIONS = 2000
"""Questions put to find how an engine is beaten, for each side, where not all its positions are asked anyway."""


class Report(Findings):
    """The findings, which can be printed, written in a format, or shown in a notebook.

    `float(report)` is the score, `bool(report)` whether the engine passes.
    """

    def __float__(self) -> float:
        return self.score

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        verdict = "passed" if self.passed else "failed"
        return f"<Report of {self.engine} on {self.rules}: {verdict}, score {self.score:.4f}>"

    def _repr_html_(self) -> str:
        """Show the answers and the worst groups of blunders in a notebook; `format("html")` has more."""
        return render_piece(self, _GROUPS_IN_NOTEBOOK)

    def format(self, name: str = "text") -> str:
        """Write the report in one of `solver.verification.formats.FORMATS`. Raises EngineError for another name."""
        return format_findings(self, name)

    def json(self) -> dict[str, Any]:
        """Return the report as an object for JSON."""
        return encode_findings(self)


def verify(
    engine: EngineSpec,
    rules: Rules | str,
    *,
    scope: str | None = None,
    sample: int | None = None,
    seed: int = 0,
    at: object = None,
    side: str | None = None,
    budget: float | None = None,
    tables: Tables = None,
    baseline: str | os.PathLike[str] | None = None,
    points: float = 100.0,
    score: str = "all",
    options: AskOptions | None = None,
    progress: Progress | None = None,
    **asking: Any,
) -> Report:
    """Hold an engine against the truth and report where it goes wrong, how badly, and how to beat it.

    engine: a function, class, object, module, or a text as for `mnk verify`; or an `EngineUnderTest`, which stays open.
    scope: `all` positions, those that arise in its own `play`, or a `sample`; by default all where they are at most
    `positions.MOST_POSITIONS`, otherwise a sample.
    sample: of how many positions (then the scope is one); seed: which.
    at: only these: a position, or a list of positions, each in any notation.
    side: `X` or `O`: ask only where that side moves, and grade it as that side alone.
    budget: seconds in all; where that is too little for every position, it is asked in as many as there is time for.
    tables: where the truth is found, by default the default folder; up to 9 squares none is needed.
    baseline: a report in JSON, as a file; only what got worse counts against the engine.
    points: those of a full score; score: which, `all` positions or the `critical` ones, where some move is wrong.
    options, or its fields by name (`board`, `marks`, `moves`, `repeat`, `seconds_per_move`, ...): how to ask.
    progress(answered, of how many): called now and then.

    Raises EngineError (the engine can't be run, or an option is none), RulesError, PositionError, TableError.
    """
    rules = read_game(rules) if isinstance(rules, str) else rules
    options = _read_options(options, asking, seed)
    if side is None and options.profile is not None:
        side = find_profile(options.profile).side
    if score not in SCORES:
        raise EngineError(f"There is no score {quoted(score)}; choose one of {', '.join(SCORES)}.")
    known = read_baseline(Path(baseline), rules) if baseline is not None else None
    truth = open_truth(rules, tables)
    begun, began = monotonic(), datetime.now(UTC)
    if at is None:
        chosen, positions = choose_positions(rules, truth, scope, sample, seed, side)
    else:
        chosen, positions = Scope("given"), read_positions(rules, at)
    bounded = bound(options, budget)
    if options.sandbox and tables is not None and not isinstance(tables, Prober):
        bounded = replace(bounded, hidden=(str(tables),))
    opened = engine if isinstance(engine, EngineUnderTest) else open_engine(engine, rules, options=bounded)
    with nullcontext() if opened is engine else opened:
        leave = partial(leave_time, opened, begun, budget)
        cache = AnswerCache(opened, progress, _find_distribution(engine, rules, truth))
        leave(ASKING)
        if not cache.ask(_order_questions(positions, chosen)):
            chosen, positions = cut_scope(chosen, positions, cache, seed)
        differing = ask_twice(cache, _order_questions(positions, chosen), options)
        leave(PLAYING)
        trees = _explore_sides(rules, chosen, cache)
        in_play = [position for tree in trees for position in tree.asked]
        if chosen.kind == "play":
            positions = sorted({*in_play}, key=lambda position: (position.ply, position.hash))
        verdicts = [judge(truth, position, cache.answers(position)) for position in positions]
        leave(1)
        readings = grade_readings(opened.readings(), verdicts, truth)
        helpers = check_helpers(opened.helpers(), _choose_helper_positions(rules, chosen, positions))
    return Report(
        rules=rules,
        engine=opened.name,
        convention=opened.convention,
        notes=(*opened.remarks(), *differing, *describe_time(verdicts, chosen, budget)),
        told=opened.told,
        others=opened.others,
        readings=readings,
        scope=chosen,
        verdicts=verdicts,
        groups=group_blunders(truth, verdicts, in_play),
        refutations={tree.side: find_refutation(truth, tree, cache) for tree in trees},
        repeat_command=_write_command(engine, rules, opened, options, tables),
        helpers=helpers,
        values=compare_verdicts(verdicts),
        repeat=options.repeat,
        seconds=monotonic() - begun,
        began=began,
        most_points=points,
        graded=score,
        baseline=known,
        isolation=opened.isolation,
        asked_solver=opened.asked_solver,
        may_ask_solver=options.allow_solver,
    )


def assert_perfect(engine: EngineSpec, rules: Rules | str, *, fastest: bool = False, **more: Any) -> None:
    """Raise AssertionError, whose message is the report, unless an engine keeps the value everywhere.

    fastest: it must also take the shortest win and the longest defence. more: as for `verify`, whose errors it raises.
    """
    __tracebackhide__ = True  # pytest then shows the line that called this
    report = verify(engine, rules, **more)
    if not report.passed or (fastest and report.is_fastest is False):
        raise AssertionError(f"{report.engine} is not perfect.\n\n{report}")


def _read_options(options: AskOptions | None, asking: dict[str, Any], seed: int) -> AskOptions:
    names = {field.name for field in fields(AskOptions)}
    unknown = sorted(set(asking) - names)
    if unknown:
        raise EngineError(f"There is no option {unknown[0]!r} of asking; choose one of {', '.join(sorted(names))}.")
    return replace(options or AskOptions(seed=seed), **asking)


def _order_questions(positions: Sequence[Position], scope: Scope) -> Sequence[Position]:
    """Put the positions, unless they were given, into a random order.

    Otherwise an engine which is lost in the early positions only, where there is most to search, would be taken for
    one that never answers (see `solver.verification.contract.FailureLimit`).
    """
    order = [*positions]
    if scope.kind != "given":
        random.Random(0).shuffle(order)
    return order


def _explore_sides(rules: Rules, scope: Scope, cache: AnswerCache) -> list[PlayTree]:
    """Follow its play as either side: all of it, or with a sample as much as a bounded number of questions shows."""
    if scope.kind == "given" or scope.empty is not None:
        return []
    sides = scope.side or "XO"
    if scope.kind == "sample":
        return [explore_play(rules, side, cache, MOST_QUESTIONS, until_beaten=True) for side in sides]
    return [explore_play(rules, side, cache) for side in sides]


def _choose_helper_positions(rules: Rules, scope: Scope, asked: Sequence[Position]) -> Sequence[Position]:
    """Choose every position of a small game, otherwise those asked and those one move later."""
    if scope.kind == "given":
        return []
    if rules.squares <= VISITED_SQUARES:
        return every_position(rules)
    return list(dict.fromkeys(p for one in asked for p in (one, *map(one.play, one.legal_moves))))


def _find_distribution(engine: EngineSpec, rules: Rules, truth: Prober) -> Distribution | None:
    """Return the exact probabilities of the moves of one of our engines that chooses at random and knows them."""
    if not isinstance(engine, str) or "/" in engine or not is_ours(engine):
        return None
    ours = make_engine(engine, rules, tables=truth)
    start = Position.start(rules)
    if ours.deterministic or start.is_over or ours.distribution(start) is None:
        return None

    def distribution(position: Position) -> dict[int | None, Fraction]:
        return {move: chance for move, chance in (ours.distribution(position) or {}).items() if chance}

    return distribution


def _write_command(
    engine: EngineSpec, rules: Rules, opened: EngineUnderTest, options: AskOptions, tables: Tables
) -> tuple[str, str]:
    """Write what to type before and after a position to see its verdict again."""
    usual = AskOptions()
    names = [field.name for field in fields(options)]
    given = {name: value for name in names if (value := getattr(options, name)) != getattr(usual, name)}
    if not isinstance(engine, str):
        name = getattr(engine, "__name__", opened.name)
        more = "".join(f", {key}={value!r}" for key, value in given.items())
        return f"solver.verify({name}, {rules.name!r}{more}, at='", "')"
    if tables is not None and not isinstance(tables, Prober) and Path(tables) != default_folder():
        given["data"] = tables
    for_it = [f"--arg {shlex.quote(f'{name}={value}')}" for name, value in given.pop("arguments", {}).items()]
    chosen = [_write_option(_OPTION_NAMES.get(name, name), value) for name, value in given.items()] + for_it
    return " ".join(["mnk verify", rules.name, shlex.quote(engine), *chosen, "--at "]), ""


def _write_option(name: str, value: object) -> str:
    return f"--{name}" if value is True else f"--{name} {shlex.quote(str(value))}"


_OPTION_NAMES = {
    "allow_solver": "allow-solver",
    "seconds_per_move": "time",
    "seconds_to_start": "start-time",
    "give_up": "give-up",
    "workers": "processes",
}
