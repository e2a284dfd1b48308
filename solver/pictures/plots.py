"""Charts of the values in a table, and of the number of positions of games."""

from collections.abc import Mapping, Sequence
from typing import Final

from solver.errors import PictureError
from solver.game.rules import Rules
from solver.support.drawing.charts import Panel, draw_lines, draw_shares
from solver.tablebase import Tablebase

MOST_GAMES: Final = 8
"""The most lines that a reader of a chart can tell apart."""


def draw_values(table: Tablebase) -> str:
    """Return a chart of the shares of positions that X wins, that are drawn and that O wins at each ply, as SVG."""
    rows = [(f"ply {row['ply']}: {row['positions']:,}", _shares(row)) for row in table.plies() if row["positions"]]
    note = "The positions after each ply, their number, and their result with best play"
    return draw_shares(f"{table.rules}: who wins", rows, parts=("X wins", "draws", "O wins"), note=note)


def _shares(row: Mapping[str, int | None]) -> tuple[float, float, float]:
    """Return the shares of X, of draws and of O; the table counts for the side to move."""
    won, drawn, lost, total = (row[name] or 0 for name in ("won", "drawn", "lost", "positions"))
    x, o = (lost, won) if (row["ply"] or 0) % 2 else (won, lost)
    return x / total, drawn / total, o / total


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
    return draw_lines(
        [Panel("Positions that can arise, on a logarithmic scale", lines)],
        title="How many positions games have, by the number of stones",
        x_label="stones on the board",
        log_y=True,
        description=" ".join(words),
    )
