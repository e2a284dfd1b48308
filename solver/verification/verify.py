"""Verify an engine: `verify` returns a report; `assert_perfect` raises AssertionError with the report.

report = verify(best_move, "3,3,3")
float(report)                               # 0 to 1
print(report)                               # where it errs, how badly, and how to beat it
"""

import os
import random
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import takewhile
from math import inf, isfinite
from pathlib import Path
from secrets import randbelow
from time import monotonic
from typing import Any, Final, TypedDict, Unpack

from solver.engines.engine import Tables
from solver.errors import EngineError, GraderError, TooSlow, in_one_line, quoted
from solver.game.game_files import is_file_game, read_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.truth import Truth, open_truth
from solver.support.english import plural
from solver.support.progress import Progress
from solver.support.sessions import MOST_FAILED, Limits
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.convention import OPTIONS, ORDERS, write_option
from solver.verification.find_engine import AskOptions, EngineSpec, EngineUnderTest
from solver.verification.findings import Baseline, Findings
from solver.verification.formats import encode_findings, write_report
from solver.verification.grade import Verdict, group_blunders, judge
from solver.verification.positions import Scope, choose_positions, read_positions
from solver.verification.refutation import find_refutation
from solver.verification.report_page import render_piece

BUDGET: Final = 300.0  # seconds for a verification by default

FEWEST: Final = 300  # positions for a grade if time runs out; of engines that err in 1 % of them, 5 % go unnoticed

MOST_ASKED: Final = 2000  # the most positions to search for a loss as each side, if only a sample is graded

_REPEATED: Final = 20  # positions that are asked again, to find out whether the moves are the same

_SEEDS: Final = 10**15  # the number of seeds to draw from; an engine could try out a million

_SEVERAL: Final = 10  # positions: if all answers there are failures, nothing is graded

_MISUNDERSTOOD: Final = {Failure.ILLEGAL, Failure.WRONG_TYPE, Failure.EXCEPTION}
"""The failures of a function if its convention is wrong; a program that expects other lines may also wait or end."""

_OPEN: Final = 4  # moves in a position that shows whether an engine uses the player and the marks

_ASKING, _PLAYING = 0.75, 0.95  # shares of the budget: the end of the requests, and of the search for losses


class Report(Findings):
    """Findings to print or display; `float(report)` is the score, and `bool(report)` is whether the engine passes."""

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
        """Show the grades and the worst blunders in a notebook; `format("html")` shows more."""
        return render_piece(self, pictures=2)

    def format(self, name: str = "text") -> str:
        """Write the report as text, json, junit, gradescope or html. Raises EngineError for another format."""
        return write_report(self, name)

    def json(self) -> dict[str, Any]:
        """Return the report as a JSON-compatible object."""
        return encode_findings(self)


class VerifyOptions(TypedDict, total=False):
    """The options of `verify`. None stands for the default."""

    board: str | None
    """The form of the board, as `mnk verify --board` takes it."""
    marks: str | Sequence[object] | None
    """The marks of X, of O and of an empty square: a sequence, or a string such as `X,O,space`."""
    player: str | Sequence[object] | None
    """The names of X and O if the engine takes the side to move; `mark` if they are the marks, otherwise `none`."""
    moves: str | None
    """The form of the engine's moves, as `mnk verify --moves` takes it."""
    order: str | None
    """The order of the squares, as `mnk verify --order` takes it."""
    profile: str | None
    """The convention of a well-known source, as `mnk verify --profile` takes it; options above change parts of it."""
    side: str | None
    """Grade the engine as this side alone, `X` or `O`."""
    at: object
    """The positions to play, each in any notation; by default all or a sample."""
    sample: int | None
    """The number of positions to play; by default all if there are at most 20,000, otherwise 1,000."""
    seed: int | None
    """The seed of the sample and the order of positions, drawn at random; and of random choices, 0 by default."""
    time: float | None
    """Seconds for a move, more than 0; 10 by default."""
    budget: float | None
    """Seconds in total, more than 0; 300 by default. Then the positions played so far are graded."""
    sandbox: bool | None
    """Run the engine in a sandbox (Linux, bubblewrap)."""
    tables: Tables
    """The tables with the true values, by default the default folder; up to 9 squares no table is needed."""
    baseline: str | os.PathLike[str] | None
    """The path of a report in JSON; then only faults that are worse count."""
    points: float | None
    """The points of a full score, more than 0; 100 by default."""
    name: str | None
    """The name of the engine in the report, by default as it was given."""
    hidden: Sequence[str] | None
    """Files and folders that a sandbox hides from the engine, such as other submissions."""
    progress: Progress | None
    """Called now and then with the number of positions answered, and their total."""


def verify(engine: EngineSpec, rules: Rules | str, **options: Unpack[VerifyOptions]) -> Report:
    """Compare an engine with the truth, and report where it errs, how badly, and how to beat it.

    engine: a function, class or object, or a string as `mnk verify` accepts it. options: see `VerifyOptions`; they must
    state the whole convention of a function. Unless they are given, positions are left out if the value of the engine's
    move is unknown.

    Raises EngineError (the engine can't be run or called), GraderError (no sandbox, or an option is invalid or missing;
    the message may suggest a convention), RulesError, PositionError, TableError.
    """
    begun, began = monotonic(), datetime.now(UTC)
    game = rules if isinstance(rules, str) else rules.name
    rules = read_game(rules) if isinstance(rules, str) else rules
    known = {*VerifyOptions.__annotations__}
    if unknown := sorted({*options} - known):
        raise TypeError(f"verify() has no option {unknown[0]!r}; it has {', '.join(sorted(known))}")
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    _require_numbers(given)
    budget = given.get("budget", BUDGET)
    side, tables = given.get("side"), given.get("tables")
    baseline = Baseline.read(Path(given["baseline"]), rules) if "baseline" in given else None
    sample, seed = _choose_sample(given, baseline)
    with ExitStack() as stack:
        truth = stack.enter_context(open_truth(rules, tables))
        ask_options = AskOptions(
            {name: given[name] for name in OPTIONS if name in given},
            Limits.for_moves(given.get("time", Limits.seconds_per_move)),
            given.get("seed", 0),
            bool(given.get("sandbox")),
            side,
            [*given.get("hidden", ()), *([os.fspath(given["baseline"])] if "baseline" in given else [])],
            partial(_keeps, truth),
            str(tables) if isinstance(tables, str | os.PathLike) else None,
            in_python=not isinstance(engine, str)
            or isinstance(tables, str | os.PathLike),  # only `verify` has `tables`
            name=given.get("name"),
        )
        opened = engine if isinstance(engine, EngineUnderTest) else EngineUnderTest(engine, rules, ask_options)
        stack.enter_context(nullcontext() if opened is engine else opened)
        if opened.has_protocol and (unused := sorted({*given} & {*OPTIONS} - {"moves"})):
            raise GraderError(
                f"{opened.name} is not a function, so {unused[0]} can't be stated; state only its moves. A program "
                "reads lines such as `XO./.X./... O`, and a server JSON; for any other, write a wrapper: "
                "mnk verify --template wrapper.py."
            )
        if "at" not in given:
            truth.require_table()
            scope, positions = choose_positions(rules, truth, sample, seed, side)
        else:
            scope, positions = Scope("given"), read_positions(rules, given["at"])
        order = [*positions]
        if scope.kind != "given":  # in the order of plies, early positions could take the whole budget of a slow engine
            random.Random(seed).shuffle(order)
        opened.until = begun + _ASKING * budget
        asked = order
        if not opened.ask(order, given.get("progress")):
            # Only up to the first that was not answered: an engine could be late where it would err.
            asked = [*takewhile(opened.answers.__contains__, order)]
            positions = [*filter({*asked}.__contains__, positions)]
            if len(positions) < (fewest := len(order) if scope.kind == "given" else min(FEWEST, len(order))):
                raise _explain_lateness(opened, len(positions), fewest, monotonic() - begun)
            scope = replace(scope, kind="sample", is_cut=True)
        opened.until = begun + _PLAYING * budget
        judged = [judge(truth, position, opened.answers[position]) for position in positions]
        verdicts = [verdict for verdict in judged if verdict]
        unknown = [position for position, verdict in zip(positions, judged, strict=True) if not verdict]
        _require_values(unknown, len(judged), len(order), scope)
        doubts = _list_doubts(opened, asked, verdicts, scope)
        is_part = scope.kind == "given" or scope.empty is not None or scope.is_forced
        sides = "" if is_part else scope.side or "XO"
        most = MOST_ASKED if scope.kind == "sample" else None
        played = {side: find_refutation(truth, rules, side, opened, most) for side in sides}
        if scope.kind == "all" and len(verdicts) < len(judged):
            scope = replace(scope, kind="sample")
        groups = group_blunders(truth, verdicts, [position for _, asked in played.values() for position in asked])
    return Report(
        rules=rules,
        engine=in_one_line(opened.name),
        convention=opened.convention,
        isolation=opened.isolation,
        notes=(*doubts, *_list_notes(opened, verdicts, scope, budget, len(unknown))),
        scope=scope,
        verdicts=verdicts,
        groups=groups,
        refutations={side: found for side, (found, _) in played.items()},
        command=_write_command(engine, game, opened, given),
        seconds=monotonic() - begun,
        began=began,
        most_points=float(given.get("points", Findings.most_points)),
        baseline=baseline,
    )


def _require_values(unknown: Sequence[Position], asked: int, planned: int, scope: Scope) -> None:
    """Raise GraderError if the values of too many moves are unknown for a grade."""
    is_given = scope.kind == "given"  # who states positions expects all of them to count
    fewest = asked if is_given else max(1, min(FEWEST, 9 * planned // 10))
    if not unknown or asked - len(unknown) >= fewest:
        return
    advice = f"a grade needs {plural(fewest, 'known value')}; ask for a larger sample, or give later positions"
    error = GraderError(
        f"The value of the engine's move is unknown in {plural(len(unknown), 'position')} of {asked:,}, such as "
        f"{unknown[0].board}; {'give later ones' if is_given else advice}."
    )
    raise _after(asked, error)


def _after(positions: int, error: EngineError | GraderError) -> EngineError | GraderError:
    """Return an error with the number of positions in which the engine was asked before."""
    error.positions = positions
    return error


def _keeps(truth: Truth, position: Position, answer: EngineAnswer) -> bool:
    verdict = judge(truth, position, answer)
    return verdict is not None and verdict.fault is None


def _explain_lateness(engine: EngineUnderTest, asked: int, fewest: int, seconds: float) -> Exception:
    """Return the error for an engine with too few answers: its own if most of them failed."""
    failed = [answer for answer in engine.answers.values() if answer.failure]
    needed = plural(fewest, "position")
    few = f"it was asked the first {plural(asked, 'position')} in {seconds:.0f} s, and a grade needs {needed}"
    if 2 * len(failed) > len(engine.answers):
        kind, count = Counter(answer.failure for answer in failed).most_common(1)[0]
        first = next(answer for answer in failed if answer.failure is kind)
        tried = plural(len(engine.answers), "position")
        said = f"{engine.name} fails: in {count:,} of {tried} it {first}; {few}."
        return _after(asked, EngineError(said))
    said = (
        f"{engine.name} could not be graded: too slow; {few}. Its author must make it faster, or the grader must give "
    )
    return _after(asked, TooSlow(f"{said}it a larger budget."))


def _list_doubts(
    engine: EngineUnderTest, asked: Sequence[Position], verdicts: Sequence[Verdict], scope: Scope
) -> list[str]:
    """Return notes on an engine that is asked some positions again, also under other conventions.

    Raises GraderError if none of several answers is a legal move: a wrong convention is likelier than such an engine.
    """
    write = partial(write_option, in_python=engine.in_python)
    illegal = [position for position in asked if engine.answers[position].failure is Failure.ILLEGAL]
    orders: list[str] = []
    if engine.names_squares and illegal and 10 * len(illegal) >= len(asked):
        orders = [order for order in ORDERS if engine.fits_order(order, illegal[:_REPEATED])]
    wrongly_asked = {*Failure} if engine.has_protocol else _MISUNDERSTOOD
    failing = sum(engine.answers[position].failure in wrongly_asked for position in asked)
    if len(asked) >= _SEVERAL and failing == len(asked):
        raise _explain_failures(engine, verdicts, orders, write)
    said = " or ".join(write("order", order) for order in orders)
    notes = [f"its moves are legal with {said} in positions where they are illegal now"] if orders else []
    if len(asked) >= _SEVERAL and 10 * failing >= 9 * len(asked):
        what = "other requests" if engine.has_protocol else "another convention"
        notes.append(f"it fails in {failing:,} of {plural(len(asked), 'position')}, so it may expect {what}")
    if scope.kind == "given":
        return notes
    again = asked[-_REPEATED:]
    if changed := engine.count_changes(again):
        notes.append(
            f"not reproducible: asked again in {plural(len(again), 'position')} by new processes, it answered "
            f"differently in {changed}; its answers depend on chance, or on the positions asked before (state kept "
            "between positions)"
        )
    is_faulty = any(verdict.fault for verdict in verdicts)
    several = [position for position in asked if len(position.legal_moves) >= _OPEN]
    # Of both sides, because an engine that finds its side by counting the stones may see the exchange as one side only.
    again = [one for side in "XO" for one in [one for one in several if one.to_move == side][-_REPEATED:]]
    tried = plural(len(again), "position")
    if is_faulty and engine.ignores_player(again):
        notes.append(
            f"in {tried}, its moves do not depend on the second argument, which names the player; if it has other "
            f"values, such as True and False, state them: {write('player', 'True,False')}"
        )
    if is_faulty and engine.ignores_marks(again):
        notes.append(f"in {tried}, exchanging the marks of X and O changes no move, so it may expect other marks")
    wrong, right = (
        [verdict.position for verdict in verdicts if bool(verdict.fault) is is_wrong][-_REPEATED:]
        for is_wrong in (True, False)
    )
    if len(wrong) >= _OPEN:
        notes += [
            f"with {form.write(in_python=engine.in_python)} it keeps the value in {kept} of {len(wrong)} "
            "positions where it errs now, so its convention may be that"
            for form, kept in engine.find_better(wrong, right)
        ]
    return notes


def _explain_failures(
    engine: EngineUnderTest, verdicts: Sequence[Verdict], orders: Sequence[str], write: Callable[[str, str], str]
) -> Exception:
    """Return the error for an engine without a legal move."""
    first = verdicts[0]
    advice = "State another convention, or none for a suggestion; its author may also have to correct it."
    if engine.has_protocol:
        advice = (
            "It may not run on this machine, or expect other requests: a program reads lines such as "
            "`XO./.X./... O`; write a wrapper: mnk verify --template wrapper.py."
        )
    has_moved = any(verdict.answer.failure in {Failure.ILLEGAL, Failure.WRONG_TYPE} for verdict in verdicts)
    fitting = [("moves", form) for form in engine.fitting if has_moved] + [("order", order) for order in orders]
    if fitting:
        advice = f"Its moves are legal with {' or '.join(write(what, form) for what, form in fitting)}."
    printed = next((one.answer.output for one in verdicts if one.answer.output), "").strip().splitlines()
    cause = [line.strip() for line in printed if "error" in line.lower()] or printed
    said = f" Its output: {quoted(cause[-1].strip())}." if cause else ""
    error = GraderError(
        f"{engine.name} could not be graded: it gave no legal move in {plural(len(verdicts), 'position')}. In "
        f"{first.position.board}, with {first.position.to_move} to move, it {first.answer}.{said} {advice}"
    )
    return _after(len(verdicts), error)


def _choose_sample(given: Mapping[str, Any], baseline: Baseline | None) -> tuple[int | None, int]:
    """Return the size of the sample, if one is asked for, and the seed of the sample and the order of positions."""
    if baseline and baseline.seed is not None and not {"sample", "seed"} & {*given}:
        return baseline.sample, baseline.seed  # the same positions as there
    return given.get("sample"), given.get("seed", randbelow(_SEEDS))  # which an engine can't know


def _require_numbers(given: Mapping[str, Any]) -> None:
    """Raise GraderError for an option that is not a number of its kind; NaN is above and below no number."""
    for name in ("time", "budget", "points", "sample", "seed"):
        number, is_whole = given.get(name, 1), name in {"sample", "seed"}
        is_number = isinstance(number, int if is_whole else int | float) and not isinstance(number, bool)
        if not is_number or not (name == "seed" or 0 < number < inf):
            expected = "a whole number" if is_whole else "a number"
            raise GraderError(f"The option {name} is {quoted(number)}; give {expected}{' above 0' * (name != 'seed')}.")


def assert_perfect(engine: EngineSpec, rules: Rules | str, **options: Unpack[VerifyOptions]) -> None:
    """Raise AssertionError with the report unless an engine passes (`Report.passed`), or an error of `verify`."""
    __tracebackhide__ = True  # pytest then shows the line that called this
    report = verify(engine, rules, **options)
    if not report.passed:
        raise AssertionError(f"{report.engine} is not perfect.\n\n{report}")


def _list_notes(
    engine: EngineUnderTest, verdicts: Sequence[Verdict], scope: Scope, budget: float, unknown: int
) -> list[str]:
    write = partial(write_option, in_python=engine.in_python)
    notes, faults = [], [verdict.fault for verdict in verdicts if verdict.fault]
    if unknown:
        notes.append(f"{plural(unknown, 'position')} left out, because the value of the engine's move is unknown")
    if engine.optional and faults:
        notes.append(
            f"the optional argument {engine.optional} was given the side to move; if it is something else, such as a "
            f"depth, state {write('player', 'none')}"
        )
    if engine.second:
        notes.append(
            f"the function also takes {engine.second}, which it was not given; if that is the side to move, "
            f"state another player, such as {write('player', 'mark')}"
        )
    if unread := sum(one.answer.value is not None and not isfinite(one.answer.value) for one in verdicts):
        notes.append(f"{plural(unread, 'stated value')} left out, because they are not finite numbers")
    if engine.gave_up:
        notes.append(
            f"after {MOST_FAILED} time-outs or crashes in a row as one side, it was asked no more as that side; the "
            "other positions of the side count as such failures"
        )
    if scope.is_cut:
        notes.append(f"a sample of as many positions as there was time for in {budget:g} s (option budget)")
    if engine.fitting and {Failure.ILLEGAL, Failure.WRONG_TYPE} & {*faults}:
        forms = " or ".join(write("moves", form) for form in engine.fitting)
        notes.append(f"all its moves are legal with {forms}")
    if faults and all(fault is Failure.TIMEOUT for fault in faults):
        notes.append("all faults are time-outs: it may need more time or input for a move, or not flush its output")
    return notes


def _write_command(engine: EngineSpec, game: str, opened: EngineUnderTest, given: Mapping[str, Any]) -> tuple[str, str]:
    """Return the text before and after the board in a command, for a shell or for Python, that asks the engine."""
    path = given.get("tables")
    tables = {"tables": str(path)} if isinstance(path, str | os.PathLike) else {}
    if not opened.in_python:
        words = ["mnk", "verify", game, opened.name]
        more = [word for name in ("seed", "time") if name in given for word in (f"--{name}", str(given[name]))]
        more += ["--sandbox"] * bool(given.get("sandbox"))
        command = " ".join(filter(None, [shlex.join(words), opened.options, shlex.join(more)]))
        return f"{command} --at ", ""
    named = repr(opened.name) if isinstance(engine, str) else opened.name if opened.name.isidentifier() else "engine"
    stated = {name: given[name] for name in (*OPTIONS, "seed", "time", "sandbox") if name in given}
    more = [f"{key}={part!r}" for key, part in {**stated, **tables}.items()]
    words = [named, "rules" if is_file_game(game) else repr(game), *more]
    return f"solver.verify({', '.join(words)}, at='", "')"
