"""Write the findings as Markdown, for an issue, a pull request or the summary of a continuous-integration job."""

from collections.abc import Iterator

from solver.support.english import plural
from solver.verification.criteria import list_criteria
from solver.verification.findings import Findings
from solver.verification.formats import sentences

_MARKS = {True: "yes", False: "**no**", None: "?"}


def render(findings: Findings) -> str:
    """Write GitHub-flavoured Markdown."""
    return "\n".join(_write_lines(findings))


def _write_lines(findings: Findings) -> Iterator[str]:
    yield f"## {_escape(sentences.write_headline(findings))}"
    yield ""
    result = "Passed" if findings.passed else "**Failed**"
    yield f"{result}, score {findings.score:.4f}. Asked: {sentences.write_scope(findings)}."
    yield f"How it is asked: {_escape(findings.convention)}."
    yield ""
    yield "| question | answer | |"
    yield "| --- | --- | --- |"
    for one in list_criteria(findings):
        yield f"| {one.name} | {_MARKS[one.met]} | {_escape(one.details)} |"
    for group in findings.groups[: sentences.MOST_GROUPS]:
        yield ""
        yield f"### {sentences.write_group(group)}"
        yield ""
        yield "```text"
        yield sentences.draw_board(group.example)
        yield from sentences.explain_blunder(group)
        yield findings.command(group.example)
        yield "```"
    more = len(findings.groups) - sentences.MOST_GROUPS
    if more > 0:
        yield ""
        yield f"And {plural(more, 'more group')} of blunders."


def _escape(text: str) -> str:
    """Escape what Markdown and its tables would take for signs of theirs."""
    for sign in "\\`*_|<>[]":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", " ")
