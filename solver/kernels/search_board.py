"""Bitboards for the search: columns of bits, each with a sentinel bit on top, and functions that find lines.

On a board of m rows, each column has m + 1 bits, the lowest row first. The top bit, the *sentinel*, is not a square. So
a shift by one row never moves a square into the next column. On 6 rows and 7 columns:

     6 13 20 27 34 41 48    sentinels
     5 12 19 26 33 40 47    top row
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42    bottom row

A step up is 1 bit, a step to the right m + 1, down to the right m, and up to the right m + 2. When the bottom row is
added to the taken squares, a carry runs up each column to its first free bit: with stones on 0, 1 and 7,
`0b10000011 + bottom` has the bits 2, 8 and 14, 21, 28, 35, 42. Arithmetic stays inside a column because the sentinel
takes the carry.

Every word is an np.uint64, because Numba computes with floats if an unsigned and a signed number are combined.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from solver.kernels.jit import jit_within

ONE = np.uint64(1)

Word: TypeAlias = np.uint64


class Board(NamedTuple):
    """The size of a board, encoded as the lengths of tuples.

    These lengths are part of the record's type, so kernels are compiled for each size, with its masks as constants.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    line: tuple[int, ...]


class Grid(NamedTuple):
    """The masks and shifts of one board."""

    squares: int
    columns: int
    lanes: int  # the number of columns, rounded up to whole vectors
    line: tuple[int, ...]  # its length is that of a line
    diagonals: tuple[Word, Word, Word]  # the steps to the right, down to the right, up to the right
    column: Word  # the squares of the first column
    bottom: Word  # the lowest square of each column
    top: Word  # the highest
    sentinels: Word
    board: Word  # all squares
    odd_rows: Word  # the second row, the fourth and so on, sentinels included


def make_board(rows: int, columns: int, length: int) -> Board:
    """Return a board. Its (rows + 1) * columns bits must fit in 64."""
    return Board((0,) * rows, (0,) * columns, (0,) * length)


@jit_within
def make_grid(board: Board) -> Grid:
    """Return the masks and shifts of a board."""
    rows, columns = len(board.rows), len(board.columns)
    step = np.uint64(rows + 1)
    every = ~np.uint64(0) >> (np.uint64(64) - step * np.uint64(columns))
    column = (ONE << np.uint64(rows)) - ONE
    bottom = every // (column + column + ONE)  # a bit for each column: 1 + 2 ** step + 4 ** step ...
    return Grid(
        squares=rows * columns,
        columns=columns,
        lanes=(columns + 7) & ~7,
        line=board.line,
        diagonals=(step, step - ONE, step + ONE),
        column=column,
        bottom=bottom,
        top=bottom << (step - np.uint64(2)),
        sentinels=bottom << (step - ONE),
        board=bottom * column,
        odd_rows=bottom * (np.uint64(0xAAAAAAAAAAAAAAAA) & (column + column + ONE)),
    )


@jit_within
def playable(grid: Grid, taken: Word) -> Word:
    """Return the squares on which the next stone can land."""
    return (taken + grid.bottom) & grid.board


@jit_within
def completing(grid: Grid, stones: Word) -> Word:
    """Return the squares, taken or not, on which one more stone completes a line of `stones`."""
    found = stones << ONE
    for _ in range(2, len(grid.line)):
        found = (found & stones) << ONE
    found |= _completing_along(grid, stones, grid.diagonals[0])
    found |= _completing_along(grid, stones, grid.diagonals[1])
    found |= _completing_along(grid, stones, grid.diagonals[2])
    return found & grid.board


@jit_within
def _completing_along(grid: Grid, stones: Word, step: Word) -> Word:
    """Return the squares that complete a line in the direction `step`; the result may include sentinels."""
    if len(grid.line) == 4:
        left, right = stones << step, stones >> step
        left_two, right_two = left & (left << step), right & (right >> step)
        three = step * np.uint64(3)
        return (left_two & ((stones << three) | right)) | (right_two & ((stones >> three) | left))
    found, left = np.uint64(0), grid.board
    for before in range(len(grid.line)):
        right = grid.board
        for _ in range(before + 1, len(grid.line)):
            right = (right & stones) >> step
        found |= left & right
        left = (left & stones) << step
    return found


@jit_within
def starts_along(grid: Grid, squares: Word, step: Word) -> Word:
    """Return the first square of each line that lies within `squares` in the direction `step`."""
    if len(grid.line) == 4:
        pairs = squares & (squares >> step)
        return pairs & (pairs >> (step << ONE))
    found = squares
    for _ in range(1, len(grid.line)):
        found = squares & (found >> step)
    return found


@jit_within
def slanted_lines(grid: Grid, squares: Word) -> Word:
    """Return the first squares of all lines within `squares`, except vertical lines; 0 if there are none."""
    found = starts_along(grid, squares, grid.diagonals[0]) | starts_along(grid, squares, grid.diagonals[1])
    return found | starts_along(grid, squares, grid.diagonals[2])


@jit_within
def on_lines(grid: Grid, squares: Word) -> Word:
    """Return the squares of all lines that lie within `squares`."""
    return (
        _on_lines_along(grid, squares, ONE)
        | _on_lines_along(grid, squares, grid.diagonals[0])
        | _on_lines_along(grid, squares, grid.diagonals[1])
        | _on_lines_along(grid, squares, grid.diagonals[2])
    )


@jit_within
def _on_lines_along(grid: Grid, squares: Word, step: Word) -> Word:
    covered = starts_along(grid, squares, step)
    if len(grid.line) == 4:
        covered |= covered << step
        return covered | (covered << (step << ONE))
    for _ in range(1, len(grid.line)):
        covered |= covered << step
    return covered


@jit_within
def from_lowest(grid: Grid, squares: Word) -> Word:
    """Return, for each column, the lowest of `squares` in it and all squares above that one."""
    # Per column: the bits of `marked` and those of its negative; the sentinel keeps the carry inside the column.
    marked = squares | grid.sentinels
    return (marked | ((grid.board & ~squares) + grid.bottom)) & grid.board


@jit_within
def safe_moves(grid: Grid, taken: Word, threats: Word) -> Word:
    """Return the moves after which the other side can't win with its next move, or 0 if there are none.

    `threats` are the squares on which the other side completes a line.
    """
    moves = playable(grid, taken)
    forced = moves & threats
    if forced:
        moves = forced
    lost = forced & (forced - ONE)  # two squares to take at once
    return np.uint64(0) if lost else moves & ~(threats >> ONE)


@jit_within
def never_filled(grid: Grid, own: Word, other: Word) -> Word:
    """Return the squares that no game can fill, given the squares on which each side completes a line.

    A column has no further moves after a square on which both sides win, or after the upper of two adjacent squares on
    which the same side wins, because the game is over by then. The squares above are never filled.
    """
    last = (own & other) | ((own & (own >> ONE)) << ONE) | ((other & (other >> ONE)) << ONE)
    return (from_lowest(grid, last) << ONE) & grid.board
