"""Tables and notes as pieces of HTML, mostly for notebooks, and the statistics of a solved game.

Pieces use the colours of the enclosing web page, and borders that are visible on light and dark pages. Styles are
attributes, so pieces on one web page do not affect each other.
"""

from collections.abc import Collection, Mapping, Sequence
from html import escape

RULE = "1px solid rgba(128,128,128,.45)"  # the CSS style of a line between elements
CODE = "background:rgba(128,128,128,.18);padding:.1em .35em;border-radius:.25em"  # the CSS style of commands and code

_TABLE = "border-collapse:collapse;color:inherit;font-variant-numeric:tabular-nums"
_CELL = "padding:.2em .7em;vertical-align:top;color:inherit;background:transparent;border:0"
_HEAD = f"border-bottom:{RULE};font-weight:600"


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: Collection[int] = (0,)) -> str:
    """Return rows of plain text as an HTML table. Columns in `left` are left-aligned; other columns are right-aligned.

    The first cell of a row is its heading. If `header` is empty, only the rows are shown.
    """
    aligned = ["left" if n in left else "right" for n in range(max(map(len, [header, *rows])))]
    heads = "".join(_cell('th scope="col"', *cell, _HEAD) for cell in zip(header, aligned, strict=False))
    head = f"<thead><tr>{heads}</tr></thead>" if header else ""
    body = ""
    for row in rows:
        first, *others = zip(row, aligned, strict=False)
        cells = [_cell('th scope="row"', *first, "font-weight:400"), *(_cell("td", *cell) for cell in others)]
        body += f"<tr>{''.join(cells)}</tr>"
    return f'<table style="{_TABLE}">{head}<tbody>{body}</tbody></table>'


def html_note(text: str) -> str:
    """Return a line of small text that explains the piece above it."""
    return f'<div style="opacity:.75;font-size:90%;padding:.3em 0">{escape(text)}</div>'


def html_block(title: str, *parts: str) -> str:
    """Return pieces of HTML, one below another, under a title in plain text."""
    head = f'<div style="font-weight:600;padding:.2em 0">{escape(title)}</div>'
    return f'<div style="font-family:system-ui,sans-serif;color:inherit;overflow-x:auto">{head}{"".join(parts)}</div>'


def _cell(tag: str, text: str, align: str, style: str = "") -> str:
    return f'<{tag} style="{_CELL};text-align:{align};{style}">{escape(text)}</{tag[:2]}>'


Plies = Sequence[Mapping[str, int | None]]
"""The statistics of each ply: dictionaries whose keys are the columns of the table `plies`."""

_COLUMNS = ("ply", "positions", "canonical", "won", "drawn", "lost", "terminal", "longest")
_HEADINGS = ("ply", "positions", "up to symmetry", "won", "drawn", "lost", "game over", "longest")


def statistics_cells(plies: Plies) -> list[list[str]]:
    """Return the statistics as rows of strings: the headings, a row for each ply, and the sums."""
    rows = [["-" if row[name] is None else f"{row[name]:,}" for name in _COLUMNS] for row in plies]
    sums = [f"{sum(row[name] or 0 for row in plies):,}" for name in _COLUMNS[1:-1]]
    return [[*_HEADINGS], *rows, ["all", *sums, ""]]


def explain_statistics(plies: Plies) -> list[str]:
    """Return sentences that explain the headings of the statistics."""
    notes = ["ply: stones on the board. won, drawn, lost: with best play, for the side to move."]
    if any(row["longest"] is not None for row in plies):
        notes.append("longest: the plies to the end of the longest game won or lost there.")
    return notes


def statistics_html(title: str, plies: Plies) -> str:
    """Return the statistics as HTML."""
    header, *rows = statistics_cells(plies)
    return html_block(title, html_table(header, rows, left=()), html_note(" ".join(explain_statistics(plies))))
