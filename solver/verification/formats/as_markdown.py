"""A report as Markdown, for an issue, a pull request or the summary of a continuous-integration job."""

from collections.abc import Iterator

from solver.support.english import plural
from solver.verification.checks import checks_of, scope_text
from solver.verification.formats.as_text import MOST_GROUPS, board_of, headline, told, why
from solver.verification.report import Report

__all__ = ["render"]

_MARKS = {True: "yes", False: "**no**", None: "?"}


def render(report: Report) -> str:
    """The report as GitHub-flavoured Markdown."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield f"## {_escaped(headline(report))}"
    yield ""
    yield f"{'Passed' if report.passed else '**Failed**'}, score {report.score:.4f}. Asked: {scope_text(report)}."
    yield f"How it is asked: {_escaped(report.convention)}."
    yield ""
    yield "| question | answer | |"
    yield "| --- | --- | --- |"
    for check in checks_of(report):
        yield f"| {check.name} | {_MARKS[check.passed]} | {_escaped(check.words)} |"
    for group in report.groups[:MOST_GROUPS]:
        yield ""
        yield f"### {told(group)}"
        yield ""
        yield "```text"
        yield board_of(group.example)
        yield from why(group)
        yield report.command(group.example)
        yield "```"
    if len(report.groups) > MOST_GROUPS:
        yield ""
        yield f"And {plural(len(report.groups) - MOST_GROUPS, 'more group')} of blunders."


def _escaped(text: str) -> str:
    """Text in which Markdown and its tables see no signs of theirs."""
    for sign in "\\`*_|<>[]":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", " ")
