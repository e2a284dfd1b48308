"""List the criteria by which an engine is judged with their results, which every format shows."""

from collections.abc import Iterator
from dataclasses import dataclass

from solver.game.position import Position
from solver.support.english import plural
from solver.verification.findings import Findings
from solver.verification.grade import SEVERITY
from solver.verification.refutation import Refutation
from solver.verification.wording import format_kind, format_line, format_percent

_EVERYWHERE = "in every position asked"


@dataclass(frozen=True)
class Criterion:
    """One criterion with its result."""

    name: str

    met: bool | None
    """None if it can't be told."""

    details: str

    required: bool = False
    """True if the report fails with it."""

    @property
    def mark(self) -> str:
        """`yes`, `no` or `?`."""
        return {True: "yes", False: "no", None: "?"}[self.met]


def list_criteria(findings: Findings) -> list[Criterion]:
    """List the criteria, first whether the engine keeps the value."""
    return [*_list_grades(findings), *_list_refutations(findings), *_list_extras(findings)]


def _list_grades(findings: Findings) -> Iterator[Criterion]:
    faults = [f"{findings.faults[kind]:,} {format_kind(kind)}" for kind in reversed(SEVERITY) if findings.faults[kind]]
    yield Criterion("keeps the value", findings.keeps_the_value, ", ".join(faults) or _EVERYWHERE, required=True)
    counts = {"slow win": findings.slow_wins, "short defence": findings.short_defences}
    slow = ", ".join(plural(count, noun) for noun, count in counts.items() if count)
    details = slow or ("nothing but the faults above" if findings.faults else _EVERYWHERE)
    if findings.is_fastest is None:
        details = "the table knows no distances"
    yield Criterion("shortest win, longest defence", findings.is_fastest, details)
    missed = f"{findings.missed_wins_in_one:,} missed" if findings.missed_wins_in_one else ""
    details = missed or ("nothing but the failures above" if findings.failures else _EVERYWHERE)
    yield Criterion("takes every win in one", findings.takes_wins_in_one, details)


def _list_refutations(findings: Findings) -> Iterator[Criterion]:
    for side, found in findings.refutations.items():
        unbeaten = None if found.beaten is None else not found.beaten
        details = "; ".join(_describe_refutation(findings, found))
        yield Criterion(f"unbeaten as {side}", unbeaten, details, required=not found.lost_anyway)


def _describe_refutation(findings: Findings, found: Refutation) -> Iterator[str]:
    asked = plural(found.positions, "position")
    if found.line is None:
        yield f"proof: every reply tried, {asked}" if found.complete else f"no loss found in {asked}, not all tried"
    else:
        line = format_line(Position.start(findings.rules), found.line, found.mistakes) or "on the empty board"
        if found.forfeit:
            yield f"{format_kind(found.forfeit)}, {'after ' if found.line else ''}{line}"
        else:
            yield f"lost in {plural(len(found.line), 'ply', 'plies')}: {line}"
    if found.lost_anyway:
        yield f"the game is lost for {found.side} anyway"
    if found.expected:
        shares = zip(("wins", "draws", "loses"), found.expected.shares, strict=True)
        expected = ", ".join(f"{verb} {format_percent(share)}" for verb, share in shares)
        source = "exactly" if found.exact else "estimated from its answers"
        yield f"against the opponent that is best against it, it {expected} ({source})"


def _list_extras(findings: Findings) -> Iterator[Criterion]:
    if findings.repeat > 1:
        unstable = f"{findings.unstable:,} of {plural(findings.positions, 'position')} answered in different ways"
        details = unstable if findings.unstable else _EVERYWHERE
        yield Criterion("always answers alike", not findings.unstable, details)
    if findings.asked_solver:
        details = f"it asked this package for its answers: {', '.join(findings.asked_solver)}"
        yield Criterion("answers by itself", False, details, required=not findings.may_ask_solver)
    if findings.changed_boards:
        details = f"changed in {plural(findings.changed_boards, 'position')}"
        yield Criterion("leaves the board alone", False, details)
    for helper in findings.helpers:
        yield Criterion(f"helper {helper.name}", not helper.wrong, helper.summary)
    values = findings.values
    if values:
        yield Criterion(
            "states true values",
            values.agreeing == values.positions,
            f"{format_percent(values.agreement)} of {plural(values.positions, 'value')} agree, "
            f"rank correlation {values.correlation_text} "
            f"(read as values for {values.perspective}, scale {values.scale})",
        )
