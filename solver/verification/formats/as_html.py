"""A report as one HTML page that needs nothing else, or as a piece of HTML for a notebook.

The questions with answers, and blunders as pictures; on light and dark paper alike.
"""

from collections.abc import Iterator
from html import escape

from solver.drawing.html import CODE, RULE, html_block, html_note, html_table
from solver.drawing.svg import svg_board
from solver.support.english import plural
from solver.verification.checks import checks_of, scope_text
from solver.verification.formats.as_text import headline, legend_of, told, why
from solver.verification.groups import Group
from solver.verification.report import Report

__all__ = ["MOST_PICTURES", "render", "render_piece"]

MOST_PICTURES = 50
"""Groups of blunders that the page shows."""

_STYLE = """
:root { color-scheme: light dark }
body { font-family: system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem }
"""
_GROUP = f"display:flex;flex-wrap:wrap;gap:1.5rem;border-top:{RULE};padding:1rem 0"


def render(report: Report) -> str:
    """The report as a page."""
    title = escape(headline(report))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>',
            f"<body><main><h1>{title}</h1>",
            *_parts(report, MOST_PICTURES),
            "</main></body></html>",
        ]
    )


def render_piece(report: Report, pictures: int) -> str:
    """The report as a piece of a page, with so many groups of blunders."""
    return html_block(headline(report), *_parts(report, pictures))


def _parts(report: Report, pictures: int) -> Iterator[str]:
    yield from _summary(report)
    for group in report.groups[:pictures]:
        yield _group(report, group)
    yield from _rest(report, pictures)


def _summary(report: Report) -> Iterator[str]:
    yield f"<p><strong>{'Passed' if report.passed else 'Failed'}</strong>, score {report.score:.4f}.</p>"
    rows = [(check.name, check.mark, check.words) for check in checks_of(report)]
    yield html_table([], rows, left=(0, 1, 2))
    yield html_note(f"Asked: {scope_text(report)}.")
    yield html_note(f"How it is asked: {report.convention}.")


def _group(report: Report, group: Group) -> str:
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
    lines = "<br>".join(escape(line) for line in why(group))
    words = f'<div style="flex:1;min-width:18rem"><p><strong>{escape(told(group))}</strong></p><p>{lines}</p>'
    command = f'<p><code style="{CODE};color:inherit">{escape(report.command(verdict))}</code></p></div>'
    return f'<section style="{_GROUP}"><div>{picture}</div>{words}{command}</section>'


def _rest(report: Report, pictures: int) -> Iterator[str]:
    if report.groups:
        yield html_note(legend_of(report.groups[:pictures]))
    more = len(report.groups) - pictures
    if more > 0:
        yield f"<p>And {plural(more, 'more group')} of blunders; the formats json and csv have them all.</p>"
