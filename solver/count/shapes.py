"""Count positions with gravity, by a forward sweep over the shapes that columns of stones can have.

A shape is a set of occupied squares. Each shape has a bit plane that marks which colourings of the shape can arise in
play. The plane is computed from those of the shapes with one stone fewer (see kernels.gravity). Shapes are few, so this
method reaches boards that are far too large to walk. Up to symmetry, positions are counted by Burnside's lemma: the
mean, over the symmetries, of the number of positions that a symmetry leaves unchanged.
"""

from collections.abc import Iterator
from itertools import islice
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.count.records import Endings, PlyCount, occupied_sets, ply_count
from solver.game.arrays import line_array
from solver.game.rules import Rules, require_buildable
from solver.kernels import gravity
from solver.kernels.layers import folded_words
from solver.support.threads import ThreadPool

Ints = npt.NDArray[np.int64]
Planes = npt.NDArray[np.uint64]

_MOST_WORDS = 1 << 28
"""The most words of a game's planes for which a forecast counts positions: this takes a core about 10 s, and 500 MB."""


class Shapes(NamedTuple):
    """The shapes of one ply, and their reachable colourings."""

    masks: Ints  # int64[S], the occupied squares
    lineless: Planes  # uint64[S, words]: folded planes of the reachable colourings without a line
    tally: Ints  # int64[G, 2]: the colourings that each symmetry leaves unchanged, without a line and with one


def columns(rules: Rules) -> tuple[gravity.ColumnBoard, list[Ints]]:
    """Return (the board for the kernels, each ply's shapes); shapes are sorted by the heights of their columns."""
    height = rules.squares // rules.stride
    numbers = np.zeros((height + 1) ** rules.stride, dtype=np.int32)
    of_x, of_o = line_array(rules.x_lines), line_array(rules.o_lines)
    board = gravity.ColumnBoard(height, rules.stride, of_x, of_o, numbers, rules.misere)
    masks = gravity.list_shapes(board)
    stones = np.bitwise_count(masks)
    by_ply = []
    for ply in range(rules.squares + 1):
        codes = np.nonzero(stones == ply)[0]
        numbers[codes] = np.arange(codes.size)
        by_ply.append(masks[codes])
    return board, by_ply


def sweep(rules: Rules, pool: ThreadPool) -> Iterator[Shapes]:
    """Yield the shapes of plies 0, 1, ..., with their reachable colourings. Only two plies are in memory at a time."""
    board, by_ply = columns(rules)
    symmetries = np.array(rules.board_symmetries.elements, dtype=np.int64)
    start = np.array([[1, 0]], dtype=np.uint64)
    before = Shapes(by_ply[0], start, np.array([[1, 0]] * len(symmetries)))
    yield before
    for ply, masks in enumerate(by_ply[1:], 1):
        before = _reach(board, ply, masks, symmetries, before, pool)
        yield before


def _reach(
    board: gravity.ColumnBoard, ply: int, masks: Ints, symmetries: Ints, before: Shapes, pool: ThreadPool
) -> Shapes:
    """Return the shapes of a ply with their reachable colourings, given those of the previous ply."""
    lineless = np.empty((masks.size, folded_words(comb(ply, (ply + 1) // 2))), dtype=np.uint64)

    def reach(first: int, last: int) -> Ints:
        tally = np.zeros_like(before.tally)
        gravity.reach_shapes(board, ply, masks[first:last], symmetries, before.lineless, lineless[first:last], tally)
        return tally

    work = board.columns * lineless.shape[1]
    tally = sum(pool.map_ranges(reach, masks.size, work), np.zeros_like(before.tally))
    return Shapes(masks, lineless, tally)


def count_ply(rules: Rules, ply: int, shapes: Shapes) -> PlyCount:
    """Count the positions of one ply, both in total and up to the symmetries of the board."""
    tallies = []
    for lineless, lined in (shapes.tally[0].tolist(), (shapes.tally.sum(axis=0) // len(shapes.tally)).tolist()):
        at_end = ply == rules.plies
        tallies.append(Endings(live=0 if at_end else lineless, lined=lined, full=lineless if at_end else 0))
    return ply_count(rules, ply, *tallies)


def count_positions(rules: Rules, plies: int | None = None) -> list[PlyCount]:
    """Return the counts of each ply's positions in a game with gravity, up to ply `plies` (default: all plies).

    Raises RulesError if the board is too large for a whole table, unless `plies` is given.
    """
    if plies is None:
        require_buildable(rules)
    with ThreadPool() as pool:
        swept = islice(sweep(rules, pool), None if plies is None else plies + 1)
        return [count_ply(rules, ply, shapes) for ply, shapes in enumerate(swept)]


def takes_long(rules: Rules) -> bool:
    """Return True if counting exceeds a limit that corresponds to about ten seconds and 500 MB."""
    words = sum(count * folded_words(comb(ply, (ply + 1) // 2)) for ply, count in enumerate(occupied_sets(rules)))
    return words > _MOST_WORDS
