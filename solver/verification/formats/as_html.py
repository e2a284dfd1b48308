"""A report as one HTML page that needs nothing else: the questions with answers, and blunders as pictures."""

from collections.abc import Iterator
from html import escape

from solver.render.svg import svg_board
from solver.verification.checks import checks_of, scope_text
from solver.verification.formats.as_text import headline, told, why
from solver.verification.groups import Group
from solver.verification.report import Report
from solver.verification.wording import plural

__all__ = ["MOST_PICTURES", "render"]

MOST_PICTURES = 50

_STYLE = """
.mnk { font-family: system-ui, sans-serif; color: #3b3834; max-width: 60rem; margin: 0 auto; padding: 1rem; }
.mnk table { border-collapse: collapse; }
.mnk th, .mnk td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; }
.mnk section { display: flex; flex-wrap: wrap; gap: 1.5rem; border-top: 1px solid #dcd7ca; padding: 1rem 0; }
.mnk code { background: #f5f4f1; padding: .1rem .3rem; }
"""


def render(report: Report) -> str:
    """The report as a page."""
    title = escape(headline(report))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>',
            f'<body><main class="mnk"><h1>{title}</h1>',
            *_summary(report),
            *(line for group in report.groups[:MOST_PICTURES] for line in _group(report, group)),
            *_rest(report),
            "</main></body></html>",
        ]
    )


def _summary(report: Report) -> Iterator[str]:
    yield f"<p><strong>{'Passed' if report.passed else 'Failed'}</strong>, score {report.score:.4f}.</p>"
    yield f"<p>Asked: {escape(scope_text(report))}.<br>How it is asked: {escape(report.convention)}.</p>"
    yield "<table>"
    for check in checks_of(report):
        yield f"<tr><th>{escape(check.name)}</th><td>{check.mark}</td><td>{escape(check.words)}</td></tr>"
    yield "</table>"


def _group(report: Report, group: Group) -> Iterator[str]:
    verdict = group.example
    position = verdict.position
    picture = svg_board(
        position.rules.m,
        position.rules.n,
        position.cells,
        title=f"{position.board}: {told(group)}",
        labels={square: value.label for square, value in verdict.options},
        highlight=[] if verdict.answer.move is None else [verdict.answer.move],
    )
    told_why = "<br>".join(escape(line) for line in why(group))
    yield f"<section><div>{picture}</div><div><h2>{escape(told(group))}</h2><p>{told_why}</p>"
    yield f"<p><code>{escape(report.command(verdict))}</code></p></div></section>"


def _rest(report: Report) -> Iterator[str]:
    more = len(report.groups) - MOST_PICTURES
    if more > 0:
        yield f"<p>And {plural(more, 'more group')} of blunders.</p>"
