"""Solve games with gravity, bit-sliced, and find their reachable positions.

With gravity, the heights of the columns determine the set of taken squares (the *shape*). There are few shapes: 7776 on
five columns of five squares. So each page belongs to one shape, and a folded plane has a bit for each colouring of the
shape. A *colouring* is a set of ceil(stones / 2) squares of the shape, those taken by X. The colourings are in
colexicographic order (see `layers`). A stone leads to a child, a shape with one more square, which is index bit i of
the child. A stone of X leads to the child's colourings that have bit i, a stone of O to those that lack it. In both
cases, these colourings are in the same order as the parent's. Everything else is as in the module `placement`.

Only some of the colourings can be reached by a sequence of moves; a forward sweep over the shapes finds them
(`reach_shapes`). The bits of all others are meaningless. In a reachable colouring, a line of the side that moved last
contains a stone that is on top of a column. So no other lines are checked.

Shapes are processed block by block (see `blocks`), so that everything that a block needs fits into the first-level
cache.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.blocks import (
    BINOMIALS,
    BLOCK,
    BLOCK_WORDS,
    SET_HEAD,
    add_square,
    describe_sets,
    first_bit,
    mark_equal,
    mark_sets,
    take_square,
)
from solver.kernels.instructions import popcount
from solver.kernels.jit import jit_allocating, jit_part
from solver.kernels.line_planes import to_index_bits
from solver.kernels.moves import end_game
from solver.kernels.pages import cut_bits, merge_page, page_plane, read_bits, tally_live, write_bits
from solver.kernels.words import FULL, ZERO, invert_kind, or_into


class ColumnBoard(NamedTuple):
    """The rules, and the index of each shape among those of its ply. They are the same for a whole build."""

    rows: int
    columns: int
    x_lines: np.ndarray  # int64[L, 2]: the mask and the guard of each line; a guard is 0 unless the rules are exact
    o_lines: np.ndarray  # int64[L', 2]
    numbers: np.ndarray  # int32[(rows + 1)**columns]: index of a shape among those of its ply, by its `shape_code`
    misere: bool


class ShapeLevel(NamedTuple):
    """All shapes with the same number of stones."""

    stones: int
    shapes: np.ndarray  # int64[S], masks of occupied squares
    by_x: int  # planes ended by X's line
    by_o: int  # planes ended by O's line
    digits: int  # binary digits kept of a count


@jit_part
def height(board: ColumnBoard, shape: int, column: int) -> int:
    """Return the number of stones in a column of a shape."""
    stones = 0
    for row in range(board.rows):
        stones += shape >> (row * board.columns + column) & 1
    return stones


@jit_part
def shape_code(board: ColumnBoard, shape: int) -> int:
    """Return the number whose digits in base rows + 1 are the heights of the columns."""
    code = 0
    for column in range(board.columns):
        code = code * (board.rows + 1) + height(board, shape, column)
    return code


@jit_allocating
def list_shapes(board: ColumnBoard) -> np.ndarray:
    """Return the masks of all shapes, in the order of their codes: int64[(rows + 1)**columns]."""
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


@jit_part
def _count_below(shape: int, square: int) -> int:
    """Return the index bit of a square: the number of squares of the shape that precede it."""
    return popcount(np.uint64(shape & ((1 << square) - 1)))


@jit_part
def _list_neighbours(board: ColumnBoard, shape: int, change: int, found: np.ndarray) -> int:
    """List the shapes with one more stone (`change` 1) or one fewer (`change` 0); return how many there are.

    Fills a row of `found` (int64[columns, 2]) for each: the shape's index in its ply, and the index bit of the stone
    that is added or removed.
    """
    count = 0
    for column in range(board.columns):
        stack = height(board, shape, column)
        if stack < board.rows if change else stack > 0:
            square = (board.rows - stack - change) * board.columns + column
            found[count, 0] = board.numbers[shape_code(board, shape ^ 1 << square)]
            found[count, 1] = _count_below(shape, square)
            count += 1
    return count


@jit_part
def _list_lines(board: ColumnBoard, shape: int, of_x: bool, low: int, lines: np.ndarray) -> int:
    """List the lines of X (if `of_x`) or O that the last move could have completed; return their number.

    For each line, `describe_sets` fills a row of `lines` with a description of the colourings that contain it.
    """
    tops = 0
    for column in range(board.columns):
        stack = height(board, shape, column)
        if stack > 0:
            tops |= 1 << ((board.rows - stack) * board.columns + column)
    count = 0
    own_lines = board.x_lines if of_x else board.o_lines
    for t in range(own_lines.shape[0]):
        line = own_lines[t, 0]
        if line & ~shape == 0 and line & tops:
            own, guard = to_index_bits(line, shape), to_index_bits(own_lines[t, 1], shape)
            wanted, banned = (own, guard) if of_x else (guard, own)
            describe_sets(wanted, banned, low, lines[count])
            count += 1
    return count


@jit_allocating
def _make_lines(board: ColumnBoard) -> np.ndarray:
    """Return an uninitialized array that `_list_lines` can fill."""
    most = max(board.x_lines.shape[0], board.o_lines.shape[0])
    return np.empty((most, SET_HEAD + board.rows * board.columns + 4), dtype=np.int64)


@jit_allocating
def reach_shapes(
    board: ColumnBoard,
    stones: int,
    shapes: np.ndarray,
    permutations: np.ndarray,
    before: np.ndarray,
    lineless: np.ndarray,
    tally: np.ndarray,
) -> None:
    """Find and count the reachable colourings of shapes with `stones` stones (at least one).

    `before` (uint64[S', W']) is the result for all shapes with one stone fewer. Fills `lineless` (uint64[S, W]) with
    the reachable colourings that contain no line. For each of `permutations` (int64[G, squares]), adds two numbers to
    its row of `tally` (int64[G, 2]): how many colourings without a line the permutation leaves unchanged, and how many
    with a line.
    """
    low, size, value = min(BLOCK, stones), (stones + 1) // 2, stones % 2
    parents, lines = np.empty((board.columns, 2), dtype=np.int64), _make_lines(board)
    image = np.empty(stones, dtype=np.int64)
    scratch = np.empty((4, BLOCK_WORDS), dtype=np.uint64)
    for c in range(shapes.size):
        shape = shapes[c]
        from_shapes = parents[: _list_neighbours(board, shape, 0, parents)]
        completed = lines[: _list_lines(board, shape, value == 1, low, lines)]
        lineless[c, lineless.shape[1] - 1] = ZERO
        at = 0
        for head in range(1 << (stones - low)):
            in_block = size - popcount(np.uint64(head))
            if in_block < 0 or in_block > low:
                continue
            bits = BINOMIALS[low, in_block]
            words = (bits + 63) >> 6
            reached, with_line = scratch[0][:words], scratch[1][:words]
            fixed, work = scratch[2][:words], scratch[3][:words]
            reached[:] = ZERO
            for s in range(from_shapes.shape[0]):
                plane = before[from_shapes[s, 0]]
                _merge_parent(plane, from_shapes[s, 1], value, head, low, in_block, work, reached)
            cut_bits(reached, bits)
            mark_sets(completed, head, in_block, work, with_line)
            for g in range(permutations.shape[0]):
                if _fill_image(shape, permutations[g], image):
                    _mark_fixed(head, low, in_block, image, fixed)
                    for w in range(words):
                        tally[g, 0] += popcount(reached[w] & fixed[w] & ~with_line[w])
                        tally[g, 1] += popcount(reached[w] & fixed[w] & with_line[w])
            for w in range(words):
                reached[w] &= ~with_line[w]
            write_bits(reached, at, lineless[c])
            at += bits


@jit_part
def _merge_parent(
    plane: np.ndarray, i: int, value: int, head: int, low: int, size: int, work: np.ndarray, reached: np.ndarray
) -> None:
    """Add to the block `reached` the results of placing a stone on index bit i in each colouring of a parent's plane.

    `value` is 1 if the stone is X's, 0 if it is O's.
    """
    if i < low:
        if size >= value:
            at = first_bit(head, low - 1, size - value)
            add_square(plane, at, size, i, value, reached)
    elif head >> (i - low) & 1 == value:
        above, below = head >> (i - low + 1), head & (1 << (i - low)) - 1
        at = first_bit(above << (i - low) | below, low, size)
        read_bits(plane, at, work)
        or_into(work, reached)


@jit_part
def _fill_image(shape: int, permutation: np.ndarray, image: np.ndarray) -> bool:
    """Fill `image` with the image of each index bit of a shape; return False if the permutation changes the shape."""
    bit = 0
    for square in range(permutation.size):
        if shape >> square & 1:
            if not shape >> permutation[square] & 1:
                return False
            image[bit] = _count_below(shape, permutation[square])
            bit += 1
    return True


@jit_part
def _mark_fixed(head: int, low: int, size: int, image: np.ndarray, out: np.ndarray) -> None:
    """Fill a block with the colourings that do not change when each index bit i moves to image[i]."""
    out[:] = FULL
    for i in range(image.size):
        if image[i] != i:
            mark_equal(head, low, size, min(i, image[i]), max(i, image[i]), out)


@jit_allocating
def solve_shapes(
    board: ColumnBoard,
    ply: ShapeLevel,
    below: ShapeLevel,
    first: int,
    last: int,
    children: np.ndarray,
    sizes: np.ndarray,
    lineless: np.ndarray,
    kept: np.ndarray,
    tally: np.ndarray,
) -> None:
    """Solve shapes first..last-1 of a ply, given the solved shapes of `below`, which have one more stone.

    `children` (uint64[S', digits' + 1, W']) contains the kept values of `below`. If the board is full, `children` and
    `below` are ignored. `sizes` (int64[last - first]) is the number of shapes in the class of each canonical shape, and
    0 for other shapes. `lineless` (uint64[C, W]) is the result of `reach_shapes`, for the canonical shapes only.

    Fills `kept` (uint64[last - first, digits + 1, W]) with a sign and the digits of a count (see pages). Adds to
    `tally` (int64[P + 1]) numbers of positions without a line: for each plane, those that it marks, and in the last
    entry, all of them.
    """
    low, size = min(BLOCK, ply.stones), (ply.stones + 1) // 2
    x_moved = ply.stones % 2 == 1
    value, flip_x = 1 - ply.stones % 2, FULL if x_moved != board.misere else ZERO
    moves, lines = np.empty((board.columns, 2), dtype=np.int64), _make_lines(board)
    planes_scratch = np.empty((ply.by_x + ply.by_o) * BLOCK_WORDS, dtype=np.uint64)
    taken_scratch = np.empty((below.digits + 1) * BLOCK_WORDS, dtype=np.uint64)
    scratch = np.empty((3, BLOCK_WORDS), dtype=np.uint64)
    everything = np.full(BLOCK_WORDS, FULL, dtype=np.uint64)
    row = -1
    for c in range(first, last):
        shape, own, weight = ply.shapes[c], kept[c - first], sizes[c - first]
        row += weight > 0
        to_shapes = moves[: _list_neighbours(board, shape, 1, moves)]
        completed = lines[: _list_lines(board, shape, x_moved, low, lines)]
        own[:, own.shape[1] - 1] = ZERO
        at = 0
        for head in range(1 << (ply.stones - low)):
            in_block = size - popcount(np.uint64(head))
            if in_block < 0 or in_block > low:
                continue
            bits = BINOMIALS[low, in_block]
            words = (bits + 63) >> 6
            live, with_line, work = scratch[0][:words], scratch[1][:words], scratch[2][:words]
            planes = planes_scratch[: (ply.by_x + ply.by_o) * words].reshape((ply.by_x + ply.by_o, words))
            taken = taken_scratch[: (below.digits + 1) * (words + 1)].reshape((below.digits + 1, words + 1))
            planes[:] = ZERO
            for m in range(to_shapes.shape[0]):
                _take_child(children[to_shapes[m, 0]], to_shapes[m, 1], value, head, low, in_block, taken)
                merge_page(taken, below.by_x, below.by_o, everything, flip_x, work, planes, ply.by_x)
            if to_shapes.shape[0] > 0:
                invert_kind(planes, ply.by_x, flip_x == FULL)
            # A horizon that the children lack lies before their ply: nobody has won there yet.
            planes[below.by_x : ply.by_x] = ZERO
            planes[ply.by_x + below.by_o :] = ZERO
            mark_sets(completed, head, in_block, work, with_line)
            end_game(planes, ply.by_x, with_line, x_moved)
            for plane in range(ply.digits + 1):
                page_plane(planes, ply.by_x, plane, everything, work)
                cut_bits(work, bits)
                write_bits(work, at, own[plane])
            if weight:
                read_bits(lineless[row], at, live)
                cut_bits(live, bits)
                tally_live(planes, live, weight, tally)
            at += bits


@jit_part
def _take_child(page: np.ndarray, i: int, value: int, head: int, low: int, size: int, out: np.ndarray) -> None:
    """Fill a block, `out` (uint64[P, words + 1]), with the values after a stone is placed on index bit i.

    `page` belongs to the shape with this stone. `value` is 1 if the stone is X's, 0 if it is O's.
    """
    if i < low:
        at = first_bit(head, low + 1, size + value)
        take_square(page, at, BINOMIALS[low + 1, size + value], size + value, i, value, out)
    else:
        above, below = head >> (i - low), head & (1 << (i - low)) - 1
        at = first_bit((above << 1 | value) << (i - low) | below, low, size)
        for p in range(page.shape[0]):
            read_bits(page[p], at, out[p][: out.shape[1] - 1])
