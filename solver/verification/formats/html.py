"""Write the findings as one HTML page that needs nothing else, or as a piece of HTML for a notebook.

It holds the criteria with results, and blunders as pictures; on light and dark paper alike.
"""

from collections.abc import Iterable, Iterator
from html import escape

from solver.game.diagrams import line_strokes
from solver.support.drawing.board import Label, draw_board
from solver.support.drawing.canvas import svg
from solver.support.drawing.html import CODE, RULE, html_block, html_note, html_table
from solver.support.english import plural
from solver.verification.criteria import list_criteria
from solver.verification.findings import Findings, Unverified
from solver.verification.formats import sentences
from solver.verification.grade import BlunderGroup

MOST_PICTURES = 50
"""Groups of blunders that the page shows."""

_STYLE = """
:root { color-scheme: light dark }
body { font-family: system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem }
"""
_GROUP = f"display:flex;flex-wrap:wrap;gap:1.5rem;border-top:{RULE};padding:1rem 0"


def render_html(findings: Findings) -> str:
    """Write a page with all criteria and up to MOST_PICTURES groups of blunders."""
    return _render_page(sentences.write_headline(findings), _write_parts(findings, MOST_PICTURES))


def render_html_error(unverified: Unverified) -> str:
    """Write a page that says why."""
    return _render_page(unverified.headline, [f"<p><strong>Not verified.</strong> {escape(unverified.message)}</p>"])


def _render_page(headline: str, parts: Iterable[str]) -> str:
    """Write a page with a headline, given as text, and parts, given as HTML."""
    title = escape(headline)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>',
            f"<body><main><h1>{title}</h1>",
            *parts,
            "</main></body></html>",
        ]
    )


def render_piece(findings: Findings, pictures: int) -> str:
    """Write a piece of a page, with so many groups of blunders."""
    return html_block(sentences.write_headline(findings), *_write_parts(findings, pictures))


def _write_parts(findings: Findings, pictures: int) -> Iterator[str]:
    yield f"<p><strong>{'Passed' if findings.passed else 'Failed'}</strong>.</p>"
    rows = [(one.name, one.mark, one.details) for one in list_criteria(findings)]
    rows += [(name, "", score) for name, score in sentences.write_scores(findings).items()]
    yield html_table([], rows, left=(0, 1, 2))
    yield html_note(f"Asked: {sentences.write_scope(findings)}.")
    if findings.isolation:
        yield html_note(f"Run: {findings.isolation}.")
    yield html_note(f"How it is asked: {findings.convention}.")
    for line in (*findings.told, *sentences.write_readings(findings)):
        yield html_note(f"{line.strip()}.")
    for group in findings.groups[:pictures]:
        yield _draw_group(findings, group)
    if findings.groups:
        yield html_note(sentences.write_legend(findings.groups[:pictures]))
    more = len(findings.groups) - pictures
    if more > 0:
        yield f"<p>And {plural(more, 'more group')} of blunders; the formats json and csv have them all.</p>"


def _draw_group(findings: Findings, group: BlunderGroup) -> str:
    verdict = group.example
    position = verdict.position
    title = sentences.write_group(group)
    picture = draw_board(
        position.rules.diagram,
        position.cells,
        title=f"{position.board}: {title}",
        labels={square: Label(value.label, value.category) for square, value in verdict.options},
        highlight=[] if verdict.answer.move is None else [verdict.answer.move],
        strokes=line_strokes(position.rules),
    )
    lines = "<br>".join(escape(line) for line in sentences.explain_blunder(group))
    words = f'<div style="flex:1;min-width:18rem"><p><strong>{escape(title)}</strong></p><p>{lines}</p>'
    command = f'<p><code style="{CODE};color:inherit">{escape(findings.command(verdict))}</code></p></div>'
    return f'<section style="{_GROUP}"><div>{svg(picture)}</div>{words}{command}</section>'
