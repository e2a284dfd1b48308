"""Plots of what tables hold and of how games grow: values by ply, distances, positions."""

from collections.abc import Mapping, Sequence
from typing import Final

from solver.drawing.bars import BY_SIDE, svg_bars
from solver.drawing.chart import Panel, svg_chart
from solver.errors import PictureError
from solver.game.rules import Rules
from solver.tablebase import Tablebase

__all__ = ["MOST_GAMES", "draw_growth", "draw_values"]

MOST_GAMES: Final = 8
"""The most lines that a chart of growth can tell apart."""


def draw_values(table: Tablebase) -> str:
    """Draw for each ply the shares of the positions that X wins, that are drawn and that O wins, as an SVG picture."""
    rows = [(f"ply {row['ply']}: {row['positions']:,}", _shares(row)) for row in table.plies() if row["positions"]]
    note = "The positions after each ply, their number, and what they come to with best play"
    return svg_bars(f"{table.rules}: who wins", rows, parts=BY_SIDE, note=note, dark=True)


def _shares(row: Mapping[str, int | None]) -> tuple[float, float, float]:
    """Give the shares of X, of draws and of O; the table counts for the side to move."""
    won, drawn, lost, all_of_them = (row[name] or 0 for name in ("won", "drawn", "lost", "positions"))
    x, o = (lost, won) if (row["ply"] or 0) % 2 else (won, lost)
    return x / all_of_them, drawn / all_of_them, o / all_of_them


def draw_growth(games: Sequence[Rules]) -> str:
    """Draw the number of positions at each ply of up to MOST_GAMES games, on a logarithmic axis, as an SVG picture.

    Raises PictureError for more games, RulesError for one whose positions can't be counted.
    """
    from solver.count import count_positions  # here, because it loads Numba

    if len(games) > MOST_GAMES:
        raise PictureError(f"{len(games)} games are too many for one chart; give at most {MOST_GAMES}.")
    lines, in_words = {}, []
    for rules in dict.fromkeys(games):
        points = [(count.ply, count.positions) for count in count_positions(rules) if count.positions]
        total, most = sum(number for _, number in points), max(number for _, number in points)
        lines[f"{rules}: {total:,} in all"] = points
        in_words.append(f"{rules} has {total:,} positions, at most {most:,} after a ply.")
    return svg_chart(
        [Panel("Positions that can arise, on a logarithmic scale", lines)],
        title="How many positions games have, by the number of stones",
        x_label="stones on the board",
        log_y=True,
        description=" ".join(in_words),
        dark=True,
    )
