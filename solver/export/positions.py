"""The positions of a table with their values and best moves, ply by ply, in NumPy arrays of bounded size.

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

__all__ = ["Chunk", "Plies", "chunks", "work_of"]

Hashes = npt.NDArray[np.int64]
Values = tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]
Plies = tuple[int, int]  # the first and the last

ROWS = 1 << 17  # positions handled together: some 30 MB of intermediate arrays, and a fair row group of Parquet


class Chunk(NamedTuple):
    """1 to ROWS positions of one ply, ascending by hash.

    hashes: int64[P], base 3. wdl: int8[P], 1, 0 or -1 for the side to move. distance: int16[P], plies to the end, -1
    where the table does not know. best: int64[P], the squares of the best moves as a bitmask (bit s is square s), 0
    where the game is over. terminal: bool[P], whether it is.
    """

    ply: int
    hashes: Hashes
    wdl: npt.NDArray[np.int8]
    distance: npt.NDArray[np.int16]
    best: Hashes
    terminal: npt.NDArray[np.bool_]

    def only(self, chosen: npt.NDArray[np.bool_]) -> Chunk:
        """The positions chosen by a mask, bool[P]."""
        ply, hashes, wdl, distance, best, terminal = self
        return Chunk(ply, hashes[chosen], wdl[chosen], distance[chosen], best[chosen], terminal[chosen])


def chunks(
    table: Tablebase,
    plies: Plies | None = None,
    *,
    canonical: bool = False,
    step: Callable[[int], None] = lambda _done: None,
) -> Iterator[Chunk]:
    """Every position of some plies (default: all), or only those with the smallest hash among their images.

    `step(n)` is called after n units of the work that `work_of` counts. Raises RulesError when the positions up to
    the last ply are too many to be walked, and what `probe_many` raises.
    """
    first, last = plies or (0, table.rules.squares)
    _require_walkable(table, last)
    return _walk(table, first, last, canonical, step)


def work_of(table: Tablebase, plies: Plies | None = None) -> int:
    """The units of work of `chunks`: one for probing a position, one for what is made of it."""
    first, last = plies or (0, table.rules.squares)
    counts = _counts(table)
    return sum(counts[first : last + 2]) + sum(counts[first : last + 1])


def _require_walkable(table: Tablebase, last: int) -> None:
    counts = _counts(table)
    needed = sum(counts[: last + 2])  # best moves are told by the ply after
    if needed <= MOST_POSITIONS:
        return
    most = max(ply for ply in range(len(counts)) if sum(counts[: ply + 2]) <= MOST_POSITIONS)
    raise RulesError(
        f"{table.rules} has {needed:,} positions up to ply {min(last + 1, table.rules.squares)}, and "
        f"{MOST_POSITIONS:,} can be visited one by one; choose early plies, up to `--ply 0-{most}`."
    )


def _counts(table: Tablebase) -> list[int]:
    return [row["positions"] or 0 for row in table.plies()]


def _walk(table: Tablebase, first: int, last: int, canonical: bool, step: Callable[[int], None]) -> Iterator[Chunk]:
    before: Level | None = None
    values: Values = (np.empty(0, np.int8), np.empty(0, np.int16))
    for level in sweep(table.rules):
        later = _probe(table, level, step) if level.ply >= first else values
        if before is not None:
            yield from _level_chunks(table.rules, before, values, level.hashes, move_ranks(*later), canonical, step)
        if level.ply > last:
            return
        before, values = (level, later) if level.ply >= first else (None, later)
    if before is not None:  # the board is full, and there are no moves
        none = np.empty(0, np.int64)
        yield from _level_chunks(table.rules, before, values, none, np.empty(0, np.int16), canonical, step)


def _probe(table: Tablebase, level: Level, step: Callable[[int], None]) -> Values:
    wdl, distance = np.empty(len(level.hashes), np.int8), np.empty(len(level.hashes), np.int16)
    for start in range(0, len(level.hashes), ROWS):
        part = slice(start, start + ROWS)
        wdl[part], distance[part] = table.probe_many(level.hashes[part])
        step(len(wdl[part]))
    return wdl, distance


def _level_chunks(
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
        chunk = chunk.only(mark_canonical(rules, hashes)) if canonical else chunk
        if len(chunk.hashes):
            yield chunk
        step(len(hashes))
