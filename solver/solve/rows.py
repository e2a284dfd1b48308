"""A small game row by row: every reachable position with its value, its best moves and what a person wants to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver import __version__
from solver.count import walk
from solver.game.rules import Permutation, Rules
from solver.game.squares import square_name
from solver.solve.prepare import prepare
from solver.solve.sweep import Pool, run
from solver.store.bulk import PagedBulk
from solver.store.codec import dense_digest
from solver.store.layout import layout_of
from solver.store.schema import NO_DISTANCE, UNREACHABLE, Metric
from solver.store.writer import TableWriter

Hashes = npt.NDArray[np.int64]
Probe = Callable[[Hashes], tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]]
Row = tuple[int, str, int, str, int, int | None, str, int]

_NO_MOVE = 255


def build_positions(
    target: Path, rules: Rules, metric: Metric, pool: Pool, progress: Callable[[int, int], None]
) -> Path:
    """Write a row for every position; the pages are only the way there. See table.build_table."""
    sweep, statistics = prepare(rules, metric)
    pages: dict[int, bytes] = {}
    total, done = sum(sweep.works), 0
    with TableWriter(target, rules, metric) as writer:
        for batch in run(sweep, pool, _unpacked):
            statistics.add(batch.tallies)
            pages.update(batch.result or {})
            done += batch.work
            progress(done, total)
        table = small_table(rules, PagedBulk(layout_of(rules, metric), pages.__getitem__))
        writer.add_positions(rows(rules, table))
        writer.put_plies(statistics.rows())
        digest = dense_digest(table.dense.tobytes())
        return writer.finish({**statistics.meta(), "digest": digest, "builder": __version__})


def _unpacked(keys: npt.NDArray[np.int64], raw: npt.NDArray[np.uint8]) -> dict[int, bytes]:
    return {key: page.tobytes() for key, page in zip(keys.tolist(), raw, strict=True)}


class SmallTable(NamedTuple):
    """The content of a table of positions."""

    dense: npt.NDArray[np.uint8]  # uint8[3**N], see store.schema
    hashes: Hashes  # int64[P], ascending
    plies: npt.NDArray[np.int64]  # int64[P], stones on the board


def small_table(rules: Rules, probe: Probe) -> SmallTable:
    """Value every position of a game that is small enough to walk; `probe` is as Tablebase.probe_many."""
    dense = np.full(3**rules.squares, UNREACHABLE, dtype=np.uint8)
    levels = list(walk(rules))
    for hashes in levels:
        wdl, distance = probe(hashes)
        dense[hashes] = (wdl + 1) * 16 + np.where(distance < 0, NO_DISTANCE, distance)
    hashes = np.concatenate(levels)
    plies = np.repeat(np.arange(len(levels)), [len(level) for level in levels])
    order = np.argsort(hashes)
    return SmallTable(dense, hashes[order], plies[order])


def rows(rules: Rules, table: SmallTable) -> Iterator[Row]:
    """The rows of `positions`, ascending by hash, in the order of store.schema.POSITIONS_COLUMNS."""
    digits = table.hashes[:, None] // 3 ** np.arange(rules.squares) % 3
    canonical = _canonical(rules.board_symmetries, digits)
    moves = _best_moves(rules, table, digits)
    text_of_moves = {mask: _move_text(rules, mask) for mask in np.unique(moves).tolist()}
    codes = table.dense[table.hashes].astype(np.int64)
    columns = zip(
        table.hashes.tolist(),
        _boards(rules, digits),
        table.plies.tolist(),
        codes.tolist(),
        moves.tolist(),
        canonical.tolist(),
        strict=True,
    )
    for position, board, ply, code, mask, least in columns:
        distance = None if code & 15 == NO_DISTANCE else code & 15
        yield position, board, ply, "XO"[ply % 2], (code >> 4) - 1, distance, text_of_moves[mask], least


def _best_moves(rules: Rules, table: SmallTable, digits: Hashes) -> Hashes:
    """The squares of the best moves of each position as a bitmask, 0 when the game is over."""
    ranks = np.full((len(table.hashes), rules.squares), _NO_MOVE, dtype=np.uint8)
    rank_of_code = _rank_of_code()
    live = ~_is_over(rules, digits, table.plies)
    for square in range(rules.squares):
        free = np.nonzero(live & (digits[:, square] == 0))[0]
        children = table.hashes[free] + (1 + table.plies[free] % 2) * 3**square
        ranks[free, square] = rank_of_code[table.dense[children]]  # a floating stone leads to no position
    best = ranks.min(axis=1, keepdims=True)
    masks: Hashes = ((ranks == best) & (best != _NO_MOVE)) @ (1 << np.arange(rules.squares))
    return masks


def _rank_of_code() -> npt.NDArray[np.uint8]:
    """How good it is to move to a position with this code (smaller is better): as Value.rank, seen by the mover."""
    ranks = np.full(UNREACHABLE + 1, _NO_MOVE, dtype=np.uint8)
    for distance in range(NO_DISTANCE + 1):
        ranks[distance] = distance  # the opponent has lost: the sooner the better
        ranks[16 + distance] = 100
        ranks[32 + distance] = 200 - distance  # the opponent wins: the later the better
    return ranks


def _is_over(rules: Rules, digits: Hashes, plies: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Where the game has ended: a full board, or a line of the side that just moved."""
    bits = 1 << np.arange(rules.squares)
    last_moved = 2 - plies[:, None] % 2
    stones = (digits == last_moved) @ bits
    over: npt.NDArray[np.bool_] = plies == rules.squares
    for line in rules.lines:
        over |= (stones & (line.mask | line.guard)) == line.mask
    return over


def _canonical(symmetries: tuple[Permutation, ...], digits: Hashes) -> Hashes:
    """The smallest hash among the images of each position."""
    images = [digits @ (3 ** np.array(symmetry, dtype=np.int64)) for symmetry in symmetries]
    smallest: Hashes = np.minimum.reduce(images)
    return smallest


def _boards(rules: Rules, digits: Hashes) -> Iterator[str]:
    """The boards as text, such as XO./.X./..."""
    marks = np.array([".", "X", "O"], dtype="U1")[digits]
    for squares in marks:
        text = "".join(squares)
        yield "/".join(text[start : start + rules.n] for start in range(0, rules.squares, rules.n))


def _move_text(rules: Rules, mask: int) -> str:
    return " ".join(square_name(rules, square) for square in range(rules.squares) if mask >> square & 1)
