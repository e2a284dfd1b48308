"""Draw what tables hold and how games grow: values by ply, distances to the end, positions."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from solver.drawing.charts import BY_SIDE, Kind, Panel, Tiles, draw_lines, draw_shares, draw_tiles
from solver.drawing.palette import PALE, SERIES
from solver.errors import PictureError
from solver.game.rules import Rules
from solver.support.english import plural
from solver.tablebase import Tablebase

MOST_GAMES: Final = 8
"""The most lines that a chart of growth can tell apart."""


def draw_values(table: Tablebase) -> str:
    """Draw for each ply the shares of the positions that X wins, that are drawn and that O wins, as an SVG picture."""
    rows = [(f"ply {row['ply']}: {row['positions']:,}", _shares(row)) for row in table.plies() if row["positions"]]
    note = "The positions after each ply, their number, and what they come to with best play"
    return draw_shares(f"{table.rules}: who wins", rows, parts=BY_SIDE, note=note)


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
    return draw_lines(
        [Panel("Positions that can arise, on a logarithmic scale", lines)],
        title="How many positions games have, by the number of stones",
        x_label="stones on the board",
        log_y=True,
        description=" ".join(in_words),
    )


MOST_POSITIONS: Final = 50_000_000
"""The largest game whose positions are all asked for; they take less than a minute."""

Distances = Counter[tuple[int, int, int]]
"""The number of positions by (ply, result for X: 1, 0 or -1, plies to the end)."""

_CHUNK: Final = 1 << 20
_KINDS: Final = {
    1: Kind("X", "X wins with best play", SERIES[0]),
    -1: Kind("O", "O wins with best play", SERIES[1]),
    0: Kind("=", "a draw with best play", PALE),
}


def count_distances(table: Tablebase, progress: Callable[[int, int], None] | None = None) -> Distances:
    """Ask a table every position of its game, finished ones too.

    progress: called with the number of positions that are done, and that of all. Raises PictureError for a table
    without distances or a game of more than MOST_POSITIONS positions, DamagedTable.
    """
    from solver.count import walk  # here, because it loads Numba

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


def draw_distances(rules: Rules, counts: Distances) -> str:
    """Draw the decided positions by ply and distance, the draws by ply, as an SVG picture."""
    results = {result for _, result, _ in counts}
    return draw_tiles(
        [*_tiles(counts)],
        [kind for result, kind in _KINDS.items() if result in results],
        title=f"{rules}: how far away the end is",
        note="Positions by the plies to the end, when the winner hurries and the loser holds out",
        across="stones on the board",
    )


def _tiles(counts: Distances) -> Iterator[Tiles]:
    """Make a line for each distance, the longest first, and one for all draws, whose game ends on a full board.

    Who moves last wins (in misere, loses), so that no ply has wins of both sides at the same distance, but where
    somebody wins a game that nobody finishes: then each side has a line of its own.
    """
    decided: dict[tuple[int, str], dict[int, tuple[int, Kind]]] = {}
    shared = {distance for ply, result, distance in counts if result and (ply, -result, distance) in counts}
    draws: dict[int, tuple[int, Kind]] = {}
    for (ply, result, distance), number in sorted(counts.items()):
        side = f", {_KINDS[result].letter}" if distance in shared else ""
        tiles = decided.setdefault((distance, side), {}) if result else draws
        tiles[ply] = number, _KINDS[result]
    for distance, side in sorted(decided, reverse=True):
        yield Tiles((plural(distance, "ply", "plies") if distance else "over") + side, decided[distance, side])
    if draws:
        yield Tiles("draws", draws)


def _require_countable(table: Tablebase) -> int:
    """Give the number of positions; raise PictureError where distances are not known or positions too many."""
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
