"""A report as a list of questions with answers, which every form of it shows."""

from collections.abc import Iterator
from dataclasses import dataclass

from solver.game.position import Position
from solver.support.english import plural
from solver.verification.beat import Beating
from solver.verification.grade import SEVERITY
from solver.verification.report import Report
from solver.verification.wording import percent, played_line, words_of

__all__ = ["Check", "checks_of", "scope_text"]

_EVERYWHERE = "in every position asked"


@dataclass(frozen=True)
class Check:
    """One question: its name, whether it is passed (None: it can't be told), and the answer in words.

    required: whether the report fails with it.
    """

    name: str
    passed: bool | None
    words: str
    required: bool = False

    @property
    def mark(self) -> str:
        """`yes`, `no` or `?`."""
        return {True: "yes", False: "no", None: "?"}[self.passed]


def checks_of(report: Report) -> list[Check]:
    """The questions, first whether it keeps the value."""
    return [*_grades(report), *_beatings(report), *_extras(report)]


def scope_text(report: Report) -> str:
    """Which positions were asked, in words."""
    scope, count = report.scope, plural(report.positions, "position")
    times = f", each {plural(report.repeat, 'time')}" if report.repeat > 1 else ""
    if scope.kind == "sample":
        of = f" of {scope.total:,}" if scope.total else ""
        return f"a sample of {count}{of} with a move to make (seed {scope.seed}){times}"
    return {
        "all": f"every position with a move to make, {count}{times}",
        "play": f"every position that arises when it plays X or O against any replies, {count}{times}",
        "given": f"{count} given{times}",
    }[scope.kind]


def _grades(report: Report) -> Iterator[Check]:
    faults = [f"{report.faults[kind]:,} {words_of(kind)}" for kind in reversed(SEVERITY) if report.faults[kind]]
    yield Check("keeps the value", report.keeps_the_value, ", ".join(faults) or _EVERYWHERE, required=True)
    slow = [
        plural(count, noun)
        for count, noun in ((report.slow_wins, "slow win"), (report.short_defences, "short defence"))
        if count
    ]
    words = ", ".join(slow) or ("nothing but the faults above" if report.faults else _EVERYWHERE)
    yield Check(
        "shortest win, longest defence",
        report.is_fastest,
        "the table knows no distances" if report.is_fastest is None else words,
    )
    missed = f"{report.missed_wins_in_one:,} missed" if report.missed_wins_in_one else ""
    words = missed or ("nothing but the failures above" if report.failures else _EVERYWHERE)
    yield Check("takes every win in one", report.takes_wins_in_one, words)


def _beatings(report: Report) -> Iterator[Check]:
    for side, beating in report.beatings.items():
        unbeaten = None if beating.beaten is None else not beating.beaten
        required = not beating.lost_anyway
        yield Check(f"unbeaten as {side}", unbeaten, _beating_text(report, beating), required)


def _beating_text(report: Report, beating: Beating) -> str:
    parts = []
    if beating.line is None:
        asked = plural(beating.positions, "position")
        found = f"proof: every reply tried, {asked}" if beating.complete else f"no loss found in {asked}, not all tried"
        parts.append(found)
    else:
        line = played_line(Position.start(report.rules), beating.line, beating.mistakes)
        count = plural(len(beating.line), "ply", "plies")
        end = f"{beating.forfeit}, ".replace("_", " ") if beating.forfeit else ""
        where = f"after {line}" if beating.forfeit and beating.line else line or "on the empty board"
        parts.append(f"{end}{where}" if beating.forfeit else f"lost in {count}: {where}")
    if beating.lost_anyway:
        parts.append(f"the game is lost for {beating.side} anyway")
    if beating.expected:
        shares = zip(("wins", "draws", "loses"), beating.expected.shares, strict=True)
        shown = ", ".join(f"{verb} {percent(share)}" for verb, share in shares)
        source = "exactly" if beating.exact else "estimated from its answers"
        parts.append(f"against the opponent that is best against it, it {shown} ({source})")
    return "; ".join(parts)


def _extras(report: Report) -> Iterator[Check]:
    if report.repeat > 1:
        words = f"{report.unstable:,} of {plural(report.positions, 'position')} answered in different ways"
        yield Check("always answers alike", not report.unstable, words if report.unstable else _EVERYWHERE)
    if report.changed_boards:
        yield Check("leaves the board alone", False, f"changed in {plural(report.changed_boards, 'position')}")
    for helper in report.helpers:
        yield Check(f"helper {helper.name}", not helper.wrong, helper.words)
    values = report.values
    if values:
        correlation = "none" if values.correlation is None else f"{values.correlation:.3f}"
        yield Check(
            "states true values",
            values.agreeing == values.positions,
            f"{percent(values.agreement)} of {plural(values.positions, 'value')} agree, rank correlation {correlation} "
            f"(read as values for {values.perspective}, scale {values.scale})",
        )
