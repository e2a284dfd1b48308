"""Walk the positions of a table with their values and best moves, ply by ply, in NumPy arrays of bounded size.

The walk keeps two plies: the values of the later one, found by `probe_many`, are those of the moves from the
earlier one, so that no position is probed twice. Needs memory for two plies and for the moves between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.count.levels import MOST_POSITIONS, Level, mark_canonical, sweep
from solver.errors import RulesError
from solver.game.arrays import best_moves, move_ranks
from solver.game.rules import Rules
from solver.tablebase import Tablebase

Hashes = npt.NDArray[np.int64]
Values = tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]
Plies = tuple[int, int]  # the first and the last
Progress = Callable[[int, int], None]  # takes how much is done, and of how much

ROWS = 1 << 17  # positions handled together: some 30 MB of intermediate arrays, and a fair row group of Parquet


class Chunk(NamedTuple):
    """1 to ROWS positions of one ply, ascending by hash."""

    ply: int
    hashes: Hashes  # int64[P], base 3
    wdl: npt.NDArray[np.int8]  # int8[P], 1, 0 or -1 for the side to move
    distance: npt.NDArray[np.int16]  # int16[P], plies to the end, -1 where the table does not know
    best: Hashes  # int64[P], the best moves as a bitmask (bit s is square s), 0 where the game is over
    terminal: npt.NDArray[np.bool_]  # bool[P], whether the game is over

    def select(self, chosen: npt.NDArray[np.bool_]) -> Chunk:
        """Select positions by a mask, bool[P]."""
        ply, hashes, wdl, distance, best, terminal = self
        return Chunk(ply, hashes[chosen], wdl[chosen], distance[chosen], best[chosen], terminal[chosen])


def walk_chunks(
    table: Tablebase, plies: Plies | None = None, *, canonical: bool = False, progress: Progress | None = None
) -> Iterator[Chunk]:
    """Walk every position of some plies (default: all), or only those with the smallest hash among their images.

    `progress(done, total)` is called with units of work: one for probing a position, one for what is made of it.
    Raises RulesError when the positions up to the last ply are too many to be walked, and what `probe_many` raises.
    """
    first, last = plies or (0, table.rules.squares)
    counts = [row["positions"] or 0 for row in table.plies()]
    _require_walkable(table.rules, counts, last)
    total, done = sum(counts[first : last + 2]) + sum(counts[first : last + 1]), 0

    def step(more: int) -> None:
        nonlocal done
        done += more
        if progress:
            progress(done, total)

    return _walk(table, first, last, canonical, step)


def _require_walkable(rules: Rules, counts: list[int], last: int) -> None:
    needed = sum(counts[: last + 2])  # best moves follow from the ply after
    if needed <= MOST_POSITIONS:
        return
    most = max(ply for ply in range(len(counts)) if sum(counts[: ply + 2]) <= MOST_POSITIONS)
    raise RulesError(
        f"{rules} has {needed:,} positions up to ply {min(last + 1, rules.squares)}, and "
        f"{MOST_POSITIONS:,} can be visited one by one; choose early plies, up to `--ply 0-{most}`."
    )


def _walk(table: Tablebase, first: int, last: int, canonical: bool, step: Callable[[int], None]) -> Iterator[Chunk]:
    before: Level | None = None
    values: Values = (np.empty(0, np.int8), np.empty(0, np.int16))
    for level in sweep(table.rules):
        later = _probe_level(table, level, step) if level.ply >= first else values
        if before is not None:
            yield from _cut_level(table.rules, before, values, level.hashes, move_ranks(*later), canonical, step)
        if level.ply > last:
            return
        before, values = (level, later) if level.ply >= first else (None, later)
    if before is not None:  # the board is full, and there are no moves
        none = np.empty(0, np.int64)
        yield from _cut_level(table.rules, before, values, none, np.empty(0, np.int16), canonical, step)


def _probe_level(table: Tablebase, level: Level, step: Callable[[int], None]) -> Values:
    wdl, distance = np.empty(len(level.hashes), np.int8), np.empty(len(level.hashes), np.int16)
    for start in range(0, len(level.hashes), ROWS):
        part = slice(start, start + ROWS)
        wdl[part], distance[part] = table.probe_many(level.hashes[part])
        step(len(wdl[part]))
    return wdl, distance


def _cut_level(
    rules: Rules,
    level: Level,
    values: Values,
    children: Hashes,
    ranks: npt.NDArray[np.int16],
    canonical: bool,
    step: Callable[[int], None],
) -> Iterator[Chunk]:
    for start in range(0, len(level.hashes), ROWS):
        part = slice(start, start + ROWS)
        hashes, moves = level.hashes[part], level.moves[part]
        wdl, distance = values[0][part], values[1][part]
        best = best_moves(rules, hashes, level.ply, moves, lambda after: ranks[np.searchsorted(children, after)])
        chunk = Chunk(level.ply, hashes, wdl, distance, best, moves == 0)
        chunk = chunk.select(mark_canonical(rules, hashes)) if canonical else chunk
        if len(chunk.hashes):
            yield chunk
        step(len(hashes))
