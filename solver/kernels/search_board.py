"""Bitboards of the search: columns of bits with a sentinel bit on top, and functions that find lines on them.

A board of m rows fills each column with m + 1 bits, the lowest row first; the top bit, the sentinel, is not a square,
so a shift by one step of a row never reaches a square of the next column. On 6 rows and 7 columns:

     6 13 20 27 34 41 48    sentinels
     5 12 19 26 33 40 47    top row
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42    bottom row

A step up is 1 bit, to the right m + 1, down to the right m, and up to the right m + 2. Adding the bottom row to the
squares taken carries through each column to its first free bit: with stones on 0, 1 and 7, `0b10000011 + bottom` has
the bits 2, 8 and 14, 21, 28, 35, 42. Arithmetic stays inside a column because a sentinel takes the carry.

Every word is np.uint64, because Numba combines an unsigned and a signed number to a float.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from solver.kernels.jit import jit_within

ONE = np.uint64(1)

Word: TypeAlias = np.uint64


class Board(NamedTuple):
    """The size of a board, encoded in its type as the lengths of tuples.

    Each size is compiled separately, with its masks as constants.
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
    """Make a board whose (rows + 1) * columns bits fit in 64."""
    return Board((0,) * rows, (0,) * columns, (0,) * length)


@jit_within
def make_grid(board: Board) -> Grid:
    """Make the grid of a board."""
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
    """Return the squares that complete a line in one direction, and perhaps sentinels."""
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
    """Return the first square of each line within `squares` in one direction."""
    if len(grid.line) == 4:
        pairs = squares & (squares >> step)
        return pairs & (pairs >> (step << ONE))
    found = squares
    for _ in range(1, len(grid.line)):
        found = squares & (found >> step)
    return found


@jit_within
def slanted_lines(grid: Grid, squares: Word) -> Word:
    """Return the first square of each line within `squares` that is not vertical; 0 if no such line exists."""
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
    """Return all squares of each column from the lowest of `squares` in it upwards."""
    # Per column: the bits of `marked` and those of its negative; the sentinel keeps the carry inside the column.
    marked = squares | grid.sentinels
    return (marked | ((grid.board & ~squares) + grid.bottom)) & grid.board


@jit_within
def safe_moves(grid: Grid, taken: Word, threats: Word) -> Word:
    """Return the moves after which the other side, with these `threats`, can't win at once; none if all lose."""
    moves = playable(grid, taken)
    forced = moves & threats
    if forced:
        moves = forced
    lost = forced & (forced - ONE)  # two squares to take at once
    return np.uint64(0) if lost else moves & ~(threats >> ONE)


@jit_within
def never_filled(grid: Grid, own: Word, other: Word) -> Word:
    """Return the squares that no game can fill, given the squares on which each side completes a line.

    The game ends below these squares. It ends on a square on which both sides win, or on the upper of two adjacent
    squares on which the same side wins.
    """
    last = (own & other) | ((own & (own >> ONE)) << ONE) | ((other & (other >> ONE)) << ONE)
    return (from_lowest(grid, last) << ONE) & grid.board
