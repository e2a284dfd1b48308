"""Charts of a table, by ply or by the distance to the end, and of the number of positions of games."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from solver.errors import PictureError
from solver.game.rules import Rules
from solver.support.drawing.charts import Panel, draw_chart, draw_lines, draw_shares
from solver.tablebase import Tablebase

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_GAMES: Final = 8
"""The most lines that a reader of a chart can tell apart."""

MOST_POSITIONS: Final = 50_000_000
"""The most positions that are looked up one by one; they take less than a minute."""

_CHUNK: Final = 1 << 20

Distances = Counter[tuple[int, int, int]]
"""The number of positions by (ply, result for X: 1, 0 or -1, plies to the end)."""


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


def count_distances(table: Tablebase, progress: Callable[[int, int], None] | None = None) -> Distances:
    """Count the positions of a game, including finished ones, by ply, result and distance to the end.

    progress: called with the number of positions that are done, and that of all. Raises PictureError for a table
    without distances or a game of more than MOST_POSITIONS positions, DamagedTable.
    """
    from solver.count import walk  # loads Numba

    total = _require_countable(table)
    counts: Distances = Counter()
    done = 0
    for ply, hashes in enumerate(walk(table.rules)):
        for first in range(0, len(hashes), _CHUNK):
            wdl, distance = table.probe_many(hashes[first : first + _CHUNK])
            for_x = -wdl if ply % 2 else wdl
            pairs, numbers = np.unique(np.stack([for_x, distance]), axis=1, return_counts=True)
            for (result, plies), number in zip(pairs.T.tolist(), numbers.tolist(), strict=True):
                counts[ply, result, plies] += number
            done += len(wdl)
            if progress:
                progress(done, total)
    return counts


def _require_countable(table: Tablebase) -> int:
    """Return the number of positions of a table, if they can be counted by distance."""
    if table.metric != "distance":
        raise PictureError(
            f"The table of {table.rules} holds no distances; choose `--plot values`, "
            f"or build it again with `mnk build {table.rules} --metric distance --force`."
        )
    total = sum(row["positions"] or 0 for row in table.plies())
    if total > MOST_POSITIONS:
        raise PictureError(
            f"{table.rules} has {total:,} positions, too many to look up one by one; "
            f"choose `--plot values` or a game of up to {MOST_POSITIONS:,}."
        )
    return total


def draw_distances(rules: Rules, counts: Distances) -> str:
    """Return a chart of the number of positions that X and that O wins by their distance to the end, as SVG."""
    plies = range(1 + max((distance for _, result, distance in counts if result), default=0))
    sides = [(name, [_sum_counts(counts, result, at) for at in plies]) for name, result in (("X", 1), ("O", -1))]
    draws = sum(number for (_, result, _), number in counts.items() if not result)

    def plot(figure: "Figure") -> None:
        axes = figure.subplots()
        axes.set_title("Won positions by the plies to the end, when the winner hurries and the loser holds out")
        for shift, colour, (name, numbers) in zip((-0.2, 0.2), ("#0b4f7d", "#b3440a"), sides, strict=True):
            bars = axes.bar([at + shift for at in plies], numbers, 0.4, color=colour, label=f"{name} wins")
            axes.bar_label(
                bars, [f"{number:,}" if number else "" for number in numbers], fontsize=7, rotation=90, padding=2
            )
        axes.set_yscale("symlog")
        axes.margins(y=0.15)
        axes.set_xticks(plies)
        axes.set_xlabel("plies to the end")
        figure.legend(loc="outside lower left", ncols=2)

    words = [f"{at}: {x:,} (X), {o:,} (O)" for at, x, o in zip(plies, sides[0][1], sides[1][1], strict=True)]
    description = f"Won positions by the plies to the end: {'; '.join(words)}. {draws:,} positions are drawn."
    return draw_chart(f"{rules}: how far away the end is", max(7.5, 1 + 0.5 * len(plies)), 4, plot, description)


def _sum_counts(counts: Distances, result: int, distance: int) -> int:
    return sum(number for (_, *found), number in counts.items() if found == [result, distance])
