"""A chart of the values in a table."""

from typing import TYPE_CHECKING, Final

from solver.drawing.charts import draw_chart
from solver.tablebase import Tablebase

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FILLS: Final = {"X wins": "#0b4f7d", "draws": "#d9d4c7", "O wins": "#b3440a"}
_LEAST_SHARE: Final = 0.07  # the least share whose bar fits its percentage
_NOTE: Final = "The positions after each ply, their number, and their result with best play"


def draw_values(table: Tablebase) -> str:
    """Return a chart as SVG: for each ply, the shares of positions that X wins, that are drawn, and that O wins.

    Raises MissingExtra if matplotlib is not installed.
    """
    rows = []
    for row in table.plies():
        won, drawn, lost, total = (row[name] or 0 for name in ("won", "drawn", "lost", "positions"))
        x, o = (lost, won) if (row["ply"] or 0) % 2 else (won, lost)  # the table counts for the side to move
        if total:
            rows.append((f"ply {row['ply']}: {total:,}", (x / total, drawn / total, o / total)))

    def plot(figure: "Figure") -> None:
        axes = figure.subplots()
        axes.set_title(_NOTE)
        axes.set_axis_off()
        for place, (part, fill) in enumerate(_FILLS.items()):
            widths = [shares[place] for _, shares in rows]
            lefts = [sum(shares[:place]) for _, shares in rows]
            bars = axes.barh(range(len(rows)), widths, left=lefts, color=fill, label=part)
            labels = [f"{width:.0%}" if width >= _LEAST_SHARE else "" for width in widths]
            axes.bar_label(bars, labels, label_type="center", color="black" if part == "draws" else "white")
        for place, (label, _) in enumerate(rows):
            axes.text(-0.01, place, label, ha="right", va="center")
        axes.set_xlim(0, 1)
        axes.invert_yaxis()
        figure.legend(loc="outside lower left", ncols=len(_FILLS))

    shares = (
        f"{label}: {', '.join(f'{part} {share:.1%}' for part, share in zip(_FILLS, parts, strict=True))}"
        for label, parts in rows
    )
    return draw_chart(f"{table.rules}: who wins", 7.5, 1.3 + 0.34 * len(rows), plot, f"{_NOTE}. {'; '.join(shares)}")
