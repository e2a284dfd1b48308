"""The statistics of a table as cells of text and as HTML: how many positions each ply has and how they end."""

from collections.abc import Mapping, Sequence

from solver.drawing.html import html_block, html_note, html_table

__all__ = ["Plies", "statistics_cells", "statistics_html"]

Plies = Sequence[Mapping[str, int | None]]
"""The statistics of each ply, keyed as the columns of the table `plies`."""

_HEADINGS = {
    "ply": "ply",
    "positions": "positions",
    "canonical": "up to symmetry",
    "won": "won",
    "drawn": "drawn",
    "lost": "lost",
    "terminal": "game over",
    "longest": "longest",
}


def statistics_cells(plies: Plies) -> list[list[str]]:
    """Write the headings, a row for each ply, and the sums."""
    rows = [[_cell(row[name]) for name in _HEADINGS] for row in plies]
    return [[*_HEADINGS.values()], *rows, _total(plies)]


def statistics_html(title: str, plies: Plies) -> str:
    """Write the table as HTML."""
    header, *rows = statistics_cells(plies)
    notes = ["ply: stones on the board. won, drawn, lost: with best play, for the side to move."]
    if any(row["longest"] is not None for row in plies):
        notes.append("longest: the plies to the end, in the longest of the games won or lost there.")
    return html_block(title, html_table(header, rows, left=()), html_note(" ".join(notes)))


def _cell(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _total(plies: Plies) -> list[str]:
    sums = {name: _cell(sum(row[name] or 0 for row in plies)) for name in _HEADINGS if name not in {"ply", "longest"}}
    return [sums.get(name, "all" if name == "ply" else "") for name in _HEADINGS]
