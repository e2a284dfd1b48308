"""Solve games with gravity, bit-sliced, and find which of their positions arise in play.

With gravity the set of occupied squares (the *shape*) is given by the heights of the columns, and there are few: 7776
on five columns of five. So here a page holds one shape, and a plane answers a question for every
colouring of its squares at once: bit j says which squares, in ascending order, are X's. A stone on the
square that becomes index bit i of the child leads to the child's colourings with bit i = 1 for X, 0 for O.
Everything else is as in placement.

Only colourings with ceil(ply / 2) X stones are real, and of those only the ones that some order of moves builds; a
forward sweep over the shapes finds these (`reach_shapes`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.layers import Layer, fold
from solver.kernels.lines import mark_supersets, to_index_bits
from solver.kernels.moves import end_game, insert_bit, remove_bit
from solver.kernels.pages import digit_plane, plane_step, tally_live
from solver.kernels.words import ABSENT, FULL, WORD_BITS, ZERO, popcount, word_count


class Columns(NamedTuple):
    """The rules and the numbers of the shapes, the same for a whole solve."""

    rows: int
    columns: int
    lines: np.ndarray  # int64[L], masks
    guards: np.ndarray  # int64[L], masks, 0 unless the rules are exact
    numbers: np.ndarray  # int32[(rows + 1)**columns]: index of a shape among those of its ply, by its `shape_code`
    misere: bool


class Ply(NamedTuple):
    """All shapes with the same number of stones."""

    stones: int
    shapes: np.ndarray  # int64[S], masks of occupied squares
    by_x: int  # planes ended by X's line
    by_o: int  # planes ended by O's line
    digits: int  # binary digits kept of a count
    page_bytes: int
    layer: Layer  # the colourings that can occur


@jit
def height(board: Columns, shape: int, column: int) -> int:
    """Stones in a column."""
    stones = 0
    for row in range(board.rows):
        stones += shape >> (row * board.columns + column) & 1
    return stones


@jit
def shape_code(board: Columns, shape: int) -> int:
    """The heights of the columns as the digits, base rows + 1, of one number."""
    code = 0
    for column in range(board.columns):
        code = code * (board.rows + 1) + height(board, shape, column)
    return code


@jit
def list_shapes(board: Columns) -> np.ndarray:
    """All shapes in the order of their code: int64[(rows + 1)**columns] masks."""
    shapes = np.zeros(board.numbers.size, dtype=np.int64)
    for code in range(shapes.size):
        rest = code
        mask = 0
        for column in range(board.columns - 1, -1, -1):
            for level in range(rest % (board.rows + 1)):
                mask |= 1 << ((board.rows - 1 - level) * board.columns + column)
            rest //= board.rows + 1
        shapes[code] = mask
    return shapes


@jit
def _count_below(shape: int, square: int) -> int:
    """The index bit of a square of the shape: how many of its squares have a smaller number."""
    return popcount(np.uint64(shape & ((1 << square) - 1)))


@jit
def line_colourings(board: Columns, shape: int, stones: int, x_lines: bool, out: np.ndarray) -> None:
    """Fill `out` with the colourings of a shape in which X has (or O has) a line."""
    out[:] = ZERO
    for t in range(board.lines.size):
        line = board.lines[t]
        if line & ~shape == 0:
            own = to_index_bits(line, shape)
            other = to_index_bits(board.guards[t], shape)
            if x_lines:
                mark_supersets(out, stones, own, other)
            else:
                mark_supersets(out, stones, other, own)


@jit
def reach_shapes(
    board: Columns,
    stones: int,
    shapes: np.ndarray,
    before: np.ndarray,
    reached: np.ndarray,
    lineless: np.ndarray,
) -> None:
    """Find the colourings of the shapes with `stones` stones that arise in play.

    `before` is uint64[S', words]: the `lineless` colourings with a stone less. Results, both uint64[S, words]:
    `reached`, those that arise, and `lineless`, those of them where the last move has not completed a line.
    """
    x_moved = stones % 2 == 1
    value = 1 if x_moved else 0
    with_line = np.empty(word_count(stones), dtype=np.uint64)
    for c in range(shapes.size):
        shape = shapes[c]
        reached[c] = ZERO
        for column in range(board.columns):
            stack = height(board, shape, column)
            if stack == 0:
                continue
            square = (board.rows - stack) * board.columns + column
            parent = board.numbers[shape_code(board, shape ^ (1 << square))]
            insert_bit(before[parent], _count_below(shape, square), value, ZERO, stones, reached[c])
        line_colourings(board, shape, stones, x_moved, with_line)
        for w in range(with_line.size):
            lineless[c, w] = reached[c, w] & ~with_line[w]


@jit
def solve_shapes(
    board: Columns,
    ply: Ply,
    first: int,
    last: int,
    child_by_x: int,
    children: np.ndarray,
    lineless: np.ndarray,
    kept: np.ndarray,
    raw: np.ndarray,
    tally: np.ndarray,
) -> None:
    """Solve shapes first..last-1 of a ply.

    `children` is uint64[S', P', words]: the shapes with a stone more, child_by_x planes ended by X's line first; it
    is ignored on the full board. `lineless` is uint64[S, words] from `reach_shapes`. Results: kept
    (uint64[last - first, P, words]), raw (uint8[last - first, page_bytes], the pages as stored) and tally
    (int64[P + 1], added to): the lineless positions for which each plane holds, and all of them.
    """
    x_moves = ply.stones % 2 == 0
    with_line = np.empty(word_count(ply.stones), dtype=np.uint64)
    stream = np.empty((ply.page_bytes + 7) // 8 + 2, dtype=np.uint64)
    plane_bytes = ply.page_bytes // (ply.digits + 1)
    for c in range(first, last):
        shape, planes = ply.shapes[c], kept[c - first]
        _merge_moves(board, ply, shape, child_by_x, children, planes)
        line_colourings(board, shape, ply.stones, not x_moves, with_line)
        end_game(planes, ply.by_x, with_line, not x_moves)
        tally_live(planes, lineless[c], 1, tally)
        for plane in range(ply.digits + 1):
            digit_plane(planes, ply.by_x, plane_step(plane), lineless[c], with_line)
            fold(with_line, ply.layer, stream)
            raw[c - first, plane * plane_bytes : (plane + 1) * plane_bytes] = stream.view(np.uint8)[:plane_bytes]


@jit
def _merge_moves(
    board: Columns, ply: Ply, shape: int, child_by_x: int, children: np.ndarray, planes: np.ndarray
) -> None:
    """Fill `planes` from the shapes a move leads to, ignoring lines of the side that just moved."""
    x_moves = ply.stones % 2 == 0
    value = 1 if x_moves else 0
    flip_x = FULL if x_moves == board.misere else ZERO
    child_by_o = children.shape[1] - child_by_x
    planes[:] = ZERO
    if ply.stones == board.rows * board.columns:
        return
    for column in range(board.columns):
        stack = height(board, shape, column)
        if stack == board.rows:
            continue
        square = (board.rows - 1 - stack) * board.columns + column
        child = shape | 1 << square
        page = children[board.numbers[shape_code(board, child)]]
        i = _count_below(child, square)
        for p in range(child_by_x):
            remove_bit(page[p], i, value, flip_x, ply.stones, planes[p])
        for p in range(child_by_o):
            remove_bit(page[child_by_x + p], i, value, ~flip_x, ply.stones, planes[ply.by_x + p])
        # A horizon the child knows nothing of lies before its ply: nobody has won there yet.
        for p in range(child_by_x, ply.by_x):
            planes[p] |= flip_x
        for p in range(ply.by_x + child_by_o, ply.by_x + ply.by_o):
            planes[p] |= ~flip_x
    for p in range(ply.by_x + ply.by_o):
        planes[p] ^= flip_x if p < ply.by_x else ~flip_x


@jit
def count_fixed(planes: np.ndarray, shapes: np.ndarray, permutation: np.ndarray) -> int:
    """Count the positions of `planes` (uint64[S, words]) that a permutation of the squares leaves as they are."""
    total = 0
    place = np.zeros(32, dtype=np.int64)
    for c in range(shapes.size):
        shape = shapes[c]
        picture = 0
        for s in range(permutation.size):
            if shape >> s & 1:
                picture |= 1 << permutation[s]
                place[s] = _count_below(shape, s)
        if picture != shape:
            continue
        for w in range(planes.shape[1]):
            word = planes[c, w]
            for s in range(permutation.size):
                if word and shape >> s & 1:
                    word &= _equal_bits(w, place[s], place[permutation[s]])
            total += popcount(word)
    return total


@jit
def _equal_bits(w: int, i: int, j: int) -> np.uint64:
    """The places of word w whose index bits i and j are the same."""
    return ~(_bit_pattern(w, i) ^ _bit_pattern(w, j))


@jit
def _bit_pattern(w: int, i: int) -> np.uint64:
    """The places of word w whose index bit i is 1."""
    if i < WORD_BITS:
        return ~ABSENT[i]
    return FULL if w >> (i - WORD_BITS) & 1 else ZERO
