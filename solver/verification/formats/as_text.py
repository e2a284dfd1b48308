"""A report for the terminal: the questions with answers, then the worst blunders, each with its board."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from solver.drawing.text import text_board
from solver.game.squares import square_name
from solver.game.value import legend
from solver.support.english import plural
from solver.verification.checks import checks_of, scope_text
from solver.verification.grade import Blunder, Verdict
from solver.verification.groups import Group
from solver.verification.report import Report
from solver.verification.wording import moves_text, percent, played_line, words_of

__all__ = ["MOST_GROUPS", "board_of", "headline", "legend_of", "render", "told", "why"]

MOST_GROUPS = 5
"""Groups of blunders that are shown; the JSON has them all."""

MOST_LINES, MOST_COLUMNS = 5, 120  # of what an engine printed


def render(report: Report) -> str:
    """The report as lines of text."""
    return "\n".join(_lines(report))


def headline(report: Report) -> str:
    """The result in one line."""
    wrong = report.blunders + report.failures
    asked = plural(report.positions, "position")
    found = f"wrong in {wrong:,} of {asked}" if wrong else f"keeps the value in {asked}"
    return f"{report.engine} on {report.rules}: {found}"


def _lines(report: Report) -> Iterator[str]:
    yield headline(report)
    yield ""
    yield f"How it is asked: {report.convention}"
    yield from (f"  {note}" for note in report.notes)
    yield f"Asked: {scope_text(report)}"
    yield ""
    yield from _checks(report)
    if report.groups:
        yield ""
        yield legend_of(report.groups[:MOST_GROUPS], more="; (its move)")
    for number, group in enumerate(report.groups[:MOST_GROUPS], 1):
        yield ""
        yield from _group(number, group, report)
    more = report.groups[MOST_GROUPS:]
    if more:
        count = plural(sum(len(group.verdicts) for group in more), "blunder")
        yield ""
        yield f"... and {plural(len(more), 'more group')} with {count}; --format json has all."
    yield from _failures(report)
    yield from _quick_reminder(report)
    yield ""
    yield _verdict(report)


def _checks(report: Report) -> Iterator[str]:
    checks = checks_of(report)
    width = max(len(check.name) for check in checks)
    for check in checks:
        yield f"{check.name:<{width}}  {check.mark:<3}  {check.words}".rstrip()
    score = f"{report.score:.4f}"
    interval = report.interval
    if interval:
        score += f"  (95% confidence: {interval[0]:.4f} to {interval[1]:.4f} over all positions)"
    yield f"{'score':<{width}}  {score}"


def _group(number: int, group: Group, report: Report) -> Iterator[str]:
    yield f"{number}. {told(group)}"
    yield from (f"   {line}" for line in board_of(group.example).splitlines())
    yield from (f"   {line}" for line in why(group))
    yield f"   {report.command(group.example)}"


def told(group: Group) -> str:
    """A group in one line: its kind, how many orientations fail, whether it arises in its own games."""
    of = f" asked, of {group.orientations}" if group.asked < group.orientations else ""
    failing = f"{len(group.verdicts)} of {plural(group.asked, 'orientation')}{of}"
    arising = f", {group.in_play} of them in its own games" if group.in_play else ""
    return f"{words_of(group.kind).capitalize()}, in {failing}{arising}"


def legend_of(groups: Sequence[Group], more: str = "") -> str:
    """What the labels on the boards of these groups mean."""
    return legend((value.label for group in groups for _, value in group.example.options), more)


def board_of(verdict: Verdict) -> str:
    """The board, each empty square with what a move there is worth, the move played in parentheses."""
    rules = verdict.position.rules
    return text_board(
        rules.m,
        rules.n,
        verdict.position.cells,
        labels={square: value.label for square, value in verdict.options},
        highlight=[] if verdict.played is None or verdict.answer.move is None else [verdict.answer.move],
    )


def why(group: Group) -> Iterator[str]:
    """What it played, what is best, the line that punishes it, and the orientations that fail."""
    verdict = group.example
    position, move = verdict.position, verdict.answer.move
    rules = position.rules
    if move is None:
        return
    best = moves_text(rules, verdict.best)
    yield f"{position.to_move} plays {square_name(rules, move)}; best: {best} ({verdict.value})"
    yield f"Then {played_line(position.play(move), group.line)}"
    others = [one for one in group.verdicts[1:] if one.answer.move is not None]
    if others:
        shown = [f"{one.position.board} {moves_text(rules, [one.answer.move or 0])}" for one in others[:3]]
        yield f"Also {', '.join(shown)}{', ...' if len(others) > 3 else ''}"


def _failures(report: Report) -> Iterator[str]:
    """One example of every kind of failure, with its own words."""
    kinds: defaultdict[str, list[Verdict]] = defaultdict(list)
    for verdict in report.worse:
        if verdict.fault and not isinstance(verdict.fault, Blunder):
            kinds[verdict.fault.value].append(verdict)
    for kind, verdicts in kinds.items():
        first = verdicts[0]
        yield ""
        yield f"{words_of(kind).capitalize()} in {plural(len(verdicts), 'position')}, first in {first.position.board}"
        if first.answer.detail:
            yield f"   {first.answer.detail}"
        yield from _printed(first)
        yield f"   {report.command(first)}"


def _printed(verdict: Verdict) -> Iterator[str]:
    """The last lines that the engine printed before it failed."""
    lines = [line for line in verdict.answer.output.splitlines() if line.strip()]
    if lines:
        yield "   It printed:"
        yield from (f"   | {line.rstrip()[:MOST_COLUMNS]}" for line in lines[-MOST_LINES:])


def _quick_reminder(report: Report) -> Iterator[str]:
    """Where nothing else is wrong: an example of a win that was missed."""
    missed = next((verdict for verdict in report.verdicts if verdict.missed_win_in_one), None)
    if report.faults or missed is None or missed.answer.move is None:
        return
    rules = missed.position.rules
    chosen, best = square_name(rules, missed.answer.move), moves_text(rules, missed.best)
    yield ""
    yield f"A win in one that it misses: {missed.position.to_move} plays {chosen} instead of {best}"
    yield from (f"   {line}" for line in board_of(missed).splitlines())
    yield f"   {report.command(missed)}"


def _verdict(report: Report) -> str:
    if report.baseline is not None:
        if report.worse:
            return f"Failed: {plural(len(report.worse), 'position')} worse than in {report.baseline.name}."
        return f"{'Nothing is' if report.passed else 'Failed: its games are'} worse than in {report.baseline.name}."
    if report.passed:
        return "Passed: it keeps the value." if report.scope.kind == "all" else "Passed, as far as it was asked."
    return f"Failed: it keeps the value in {percent(report.score)} of the positions asked."
