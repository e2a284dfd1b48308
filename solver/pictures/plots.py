"""Charts of the values in a table, and of the number of positions of games."""

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Final

from solver.drawing.charts import COLOURS, draw_chart, draw_shares
from solver.errors import PictureError
from solver.game.rules import Rules
from solver.tablebase import Tablebase

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DASHES: Final = ("solid", "dashed", "dotted", "dashdot")  # lines differ without colour too

MOST_GAMES: Final = 8
"""The most lines that a reader of a chart can tell apart."""


def draw_values(table: Tablebase) -> str:
    """Return a chart of the shares of positions that X wins, that are drawn and that O wins at each ply, as SVG."""
    rows = []
    for row in table.plies():
        won, drawn, lost, total = (row[name] or 0 for name in ("won", "drawn", "lost", "positions"))
        x, o = (lost, won) if (row["ply"] or 0) % 2 else (won, lost)  # the table counts for the side to move
        if total:
            rows.append((f"ply {row['ply']}: {total:,}", (x / total, drawn / total, o / total)))
    note = "The positions after each ply, their number, and their result with best play"
    return draw_shares(f"{table.rules}: who wins", rows, parts=("X wins", "draws", "O wins"), note=note)


def draw_growth(games: Sequence[Rules]) -> str:
    """Return a chart of the number of positions of up to MOST_GAMES games at each ply, as SVG.

    Raises PictureError for more games, RulesError for a game whose positions can't be counted.
    """
    from solver.count import count_positions  # loads Numba

    if len(games) > MOST_GAMES:
        raise PictureError(f"{len(games)} games are too many for one chart; give at most {MOST_GAMES}.")
    lines, words = {}, []
    for rules in dict.fromkeys(games):
        points = [(count.ply, count.positions) for count in count_positions(rules) if count.positions]
        total, most = sum(number for _, number in points), max(number for _, number in points)
        lines[f"{rules}: {total:,} in all"] = points
        words.append(f"{rules} has {total:,} positions, at most {most:,} after a ply.")

    def plot(figure: "Figure") -> None:
        axes = figure.subplots()
        axes.set_title("Positions that can arise, on a logarithmic scale")
        for (name, points), colour, dashes in zip(lines.items(), COLOURS, cycle(_DASHES), strict=False):
            axes.plot(*zip(*points, strict=True), label=name, color=colour, linestyle=dashes)
        axes.set_yscale("log")
        axes.set_ylim(bottom=1)
        axes.set_xlabel("stones on the board")
        figure.legend(loc="outside lower left", ncols=2)

    return draw_chart("How many positions games have, by the number of stones", 7.5, 4, plot, " ".join(words))
