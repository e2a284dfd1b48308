"""A chart of the values in a table."""

from solver.drawing.charts import draw_shares
from solver.tablebase import Tablebase


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
