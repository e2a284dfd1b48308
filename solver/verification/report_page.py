"""Write a report as one self-contained HTML page, or as a piece of HTML for a notebook."""

from collections.abc import Iterator
from html import escape

from solver.drawing.board import Label, draw_board
from solver.drawing.canvas import svg
from solver.drawing.html import CODE, RULE, html_block, html_note, html_table
from solver.errors import printable
from solver.game.diagrams import line_strokes
from solver.support.english import plural
from solver.verification import text
from solver.verification.findings import Findings, NotGraded
from solver.verification.grade import BlunderGroup

MOST_PICTURES = 12  # the most positions that the page shows

_STYLE = (
    ":root{color-scheme:light dark}body{font-family:system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}"
    "th,td{text-align:left;vertical-align:top;padding:.2em .7em}"
)
_GROUP = f"display:flex;flex-wrap:wrap;gap:1.5rem;border-top:{RULE};padding:1rem 0"


def render_html(found: Findings | NotGraded) -> str:
    """Return a page with all criteria and up to MOST_PICTURES positions, or with the reason why nothing was graded."""
    return write_page(text.write_headline(found), "\n".join(_write_parts(found, MOST_PICTURES)))


def write_page(title: str, content: str) -> str:
    """Return a page of HTML with a title in plain text."""
    title = escape(title)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"</head>\n<body><main><h1>{title}</h1>\n{content}\n</main></body></html>"
    )


def render_piece(findings: Findings, pictures: int) -> str:
    """Return a fragment of HTML with at most `pictures` positions."""
    return printable(html_block(text.write_headline(findings), *_write_parts(findings, pictures)), None)


def _write_parts(findings: Findings | NotGraded, pictures: int) -> Iterator[str]:
    rows = [(one.name, one.mark, one.details) for one in text.list_criteria(findings)]
    if isinstance(findings, NotGraded):
        yield html_table([], rows, left=(0, 1, 2))
        return
    yield f"<p><strong>{escape(text.write_result(findings))}</strong></p>"
    yield html_table([], [*rows, ("score", "", text.write_score(findings))], left=(0, 1, 2))
    for line in text.describe_run(findings):
        yield html_note(f"{line}.")
    if failures := "\n".join(text.write_failures(findings)).strip():
        yield f"<pre>{escape(failures)}</pre>"
    groups = text.distinct_groups(findings)
    for group in groups[:pictures]:
        yield _draw_group(findings, group)
    if groups:
        yield html_note(text.write_legend(groups[:pictures], findings.rules))
    if len(groups) > pictures:
        more = plural(len(groups) - pictures, "more position")
        yield f"<p>And {more} up to symmetry; the JSON report lists them all.</p>"


def _draw_group(findings: Findings, group: BlunderGroup) -> str:
    verdict, title = group.verdicts[0], text.write_group(group)
    position = verdict.position
    picture = draw_board(
        position.rules.diagram,
        position.cells,
        title=f"{position.board}: {title}",
        labels={square: Label(value.label, value.category) for square, value in verdict.labels.items()},
        highlight=[] if verdict.answer.move is None else [verdict.answer.move],
        strokes=line_strokes(position.rules),
    )
    lines = "<br>".join(escape(line) for line in text.explain_blunder(group))
    words = f'<div style="flex:1;min-width:18rem"><p><strong>{escape(title)}</strong></p><p>{lines}</p>'
    command = f'<p><code style="{CODE};color:inherit">{escape(findings.command_for(verdict))}</code></p></div>'
    return f'<section style="{_GROUP}"><div>{svg(picture)}</div>{words}{command}</section>'
