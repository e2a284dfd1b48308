"""The lines of a game, and the stones on them, for the searches for threats.

A line with a guard is dead for its owner as soon as he has a stone on the guard, because stones are never removed.

The counts of stones are bit-sliced: bit p of all counts is in plane p, a bit set of lines, so that a few operations on
words count a stone on all lines through its square. Other bit sets list the living lines that lack few stones. They are
read in the order of the lines, so that what a search finds in a position does not depend on the moves that led to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.kernels.bit_sets import lowest
from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part, jit_within
from solver.kernels.words import ONE, ZERO

LEVELS = 3  # living lines that lack at most this many stones are listed

_EMPTY_BOARD = np.uint64(0x94D049BB133111EB)  # its hash: not 0, which marks an empty entry of a table
_BLOCK = 12
_DEAD, _ONES, _TWOS, _FOURS, _FULL, _STONES, _BARRED, _ABSENT, _START, _PLANES = map(np.uint64, (*range(4, 12), 24, 27))
"""Columns of `Board.lines`: in the block of a side, after the lines that lack 0 to 3 stones; and after both blocks."""


class Lines(NamedTuple):
    """The lines. Each is a line of X (side 0), of O (side 1), or of both. Bit sets of lines have W words."""

    squares: np.ndarray  # int16[L, K], the squares of each line, then -1
    lengths: np.ndarray  # int16[L]
    through: np.ndarray  # uint64[S, 3, W]: the lines through each square; those that X, and O, can't complete with it
    touched: np.ndarray  # uint64[S, W + 1]: the number of words of those sets that are not 0, and which these are
    start: np.ndarray  # uint64[W, C]: `Board.lines` of the empty board
    codes: np.ndarray  # uint64[2, S]: random numbers; a position's hash is the XOR of those of its stones
    planes: int  # of each side after the first three
    guards: int  # the planes of each side's stones on guards


class Board(NamedTuple):
    """A position.

    A row of `lines` has a word of each set. Of each side: the living lines that lack 0, 1, 2 and 3 stones, and the dead
    ones; three planes of its stones on each line, all set for a complete line; of the planes after them, the lines that
    are set in all, and those on which there are stones; the lines that it can't complete even if the other side has no
    stones there, and those that are not its lines. Then: three planes of a side without stones. At last, of each side:
    further planes, each before that of a side without stones, and planes of its stones on the guards of its lines.
    """

    cells: np.ndarray  # int8[S]: 0 for an empty square, 1 for X, 2 for O
    lines: np.ndarray  # uint64[W, C]
    hash: np.ndarray  # uint64[1]


def make_lines(squares: int, sides: Sequence[Sequence[tuple[Sequence[int], Sequence[int]]]]) -> Lines:
    """Return the lines of X and of O, each given as its squares and the squares of its guard."""
    x_lines, o_lines = ([(tuple(line), guard) for line, guard in side] for side in sides)
    rows, at = list[tuple[tuple[int, ...], list[Sequence[int] | None]]](), 0  # the guards, or None: no line of a side
    places_of: dict[tuple[int, ...], list[int]] = {}
    for row, (line, _) in enumerate(x_lines):
        places_of.setdefault(line, []).append(row)
    for line, guard in o_lines:  # the lines of each side keep their order
        same = next((row for row in places_of.get(line, ()) if row >= at), None)
        if same is None:
            rows.append((line, [None, guard]))
        else:
            rows += ((other, [other_guard, None]) for other, other_guard in x_lines[at:same])
            rows.append((line, [x_lines[same][1], guard]))
            at = same + 1
    rows += ((line, [guard, None]) for line, guard in x_lines[at:])
    longest = max((len(line) for line, _ in rows), default=0)
    more, words = max(0, longest.bit_length() - 3), (max(len(rows), 1) + 63) // 64
    places, lengths = np.full((64 * words, max(longest, 1)), -1, np.int16), np.zeros(64 * words, np.int16)
    through, absent = np.zeros((squares, 3, words), np.uint64), np.full((words, 2), ~ZERO)
    start = np.zeros((words, 3 + more), np.uint64)
    for row, (line, guards_of) in enumerate(rows):
        word, bit = row // 64, ONE << np.uint64(row % 64)
        places[row, : len(line)], lengths[row] = line, len(line)
        through[line, 0, word] |= bit
        for plane in range(3 + more):
            start[word, plane] |= bit if ~len(line) >> plane & 1 else ZERO
        for side, squares_of_guard in enumerate(guards_of):
            if squares_of_guard is not None:
                absent[word, side] &= ~bit
                through[[*squares_of_guard], 1 + side, word] |= bit
    guards = max((len(guard) for _, guards_of in rows for guard in guards_of if guard), default=0).bit_length()
    touched = np.zeros((squares, words + 1), np.uint64)
    for square in range(squares):
        used = np.flatnonzero(through[square].any(axis=0))
        touched[square, : 1 + len(used)] = [len(used), *used]
    columns, empty = np.zeros((words, int(_PLANES)), np.uint64), np.zeros((words, guards), np.uint64)
    for side in range(2):
        block = columns[:, _BLOCK * side :]
        block[:, int(_ONES) : int(_FULL)], block[:, _BARRED] = start[:, :3], absent[:, side]
        block[:, _FULL], block[:, _ABSENT] = np.bitwise_and.reduce(start[:, 3:], axis=1), absent[:, side]
    columns[:, int(_START) :], further = start[:, :3], start[:, 3:].repeat(2, axis=1)
    codes = np.random.default_rng(0x3B).integers(1, 1 << 63, (2, squares), dtype=np.uint64)
    return Lines(places, lengths, through, touched, np.hstack([columns, *2 * [further, empty]]), codes, more, guards)


def make_board(lines: Lines) -> Board:
    """Return an empty board."""
    board = Board(np.zeros(len(lines.through), np.int8), lines.start.copy(), np.zeros(1, np.uint64))
    set_up(lines, board, board.cells.copy())
    return board


@jit_within
def ready(board: Board, side: int, lacked: int, word: int) -> np.uint64:
    """Return a word of the set of a side's living lines that lack so many stones, from 0 to LEVELS."""
    return board.lines[np.uint64(word), np.uint64(_BLOCK * side + lacked)]


@jit_within
def is_dead(board: Board, side: int, line: int) -> bool:
    """Return True if a line is not a side's, or can't be completed any more."""
    return board.lines[line >> 6, np.uint64(_BLOCK * side) + _DEAD] >> np.uint64(line & 63) & ONE != 0


@jit_within
def _count(rows: np.ndarray, word: np.uint64, column: np.uint64, carry: np.uint64, is_placed: bool) -> np.uint64:
    """Change a plane of counts for a stone that is placed, or taken back. Return what to carry to the next plane."""
    before = rows[word, column]
    after = before ^ carry
    rows[word, column] = after
    return carry & (before if is_placed else after)


@jit_within
def _find_dead(rows: np.ndarray, word: np.uint64, side: int) -> None:
    """Renew a word of a side's dead lines."""
    own, other = np.uint64(_BLOCK * side), np.uint64(_BLOCK * (1 - side))
    stones = rows[word, other + _ONES] ^ rows[word, _START] | rows[word, other + _STONES]
    stones |= rows[word, other + _TWOS] ^ rows[word, _START + np.uint64(1)]
    stones |= rows[word, other + _FOURS] ^ rows[word, _START + np.uint64(2)]
    rows[word, own + _DEAD] = stones | rows[word, own + _BARRED]


@jit_within
def _list(rows: np.ndarray, word: np.uint64, side: int) -> None:
    """Renew a word of each set of a side's living lines that lack few stones."""
    block = np.uint64(_BLOCK * side)
    one, two = rows[word, block + _ONES], rows[word, block + _TWOS]
    full = rows[word, block + _FOURS] & rows[word, block + _FULL] & ~rows[word, block + _DEAD]
    odd, even = full & one, full & ~one
    rows[word, block] = odd & two
    rows[word, block + np.uint64(1)] = even & two
    rows[word, block + np.uint64(2)] = odd & ~two
    rows[word, block + np.uint64(3)] = even & ~two


@jit_part
def _count_more(
    rows: np.ndarray,
    word: np.uint64,
    side: int,
    carry: np.uint64,
    kept: np.uint64,
    planes: int,
    guards: int,
    is_placed: bool,
) -> None:
    """Change the other planes of long lines, and those of guards. Most games have none.

    carry: from the first three planes. kept: the lines whose guard has the square.
    """
    block, column = np.uint64(_BLOCK * side), _PLANES + np.uint64(side * (2 * planes + guards))
    full, stones, barred = ~ZERO, ZERO, rows[word, block + _ABSENT]
    for _ in range(planes):
        carry = _count(rows, word, column, carry, is_placed)
        full &= rows[word, column]
        stones |= rows[word, column] ^ rows[word, column + np.uint64(1)]
        column += np.uint64(2)
    for _ in range(guards):
        kept = _count(rows, word, column, kept, is_placed)
        barred |= rows[word, column]
        column += np.uint64(1)
    rows[word, block + _FULL], rows[word, block + _STONES], rows[word, block + _BARRED] = full, stones, barred
    _find_dead(rows, word, side)


@jit_part
def _change(
    through: np.ndarray,
    touched: np.ndarray,
    rows: np.ndarray,
    square: np.uint64,
    side: int,
    planes: int,
    guards: int,
    is_placed: bool,
    bars: bool,
) -> None:
    """Change `Board.lines` for a stone that is placed, or taken back. bars: whether it counts on guards.

    There is no loop over planes, and indices are unsigned: with a loop, and checks of signs, it took twice as long.
    """
    block = np.uint64(_BLOCK * side)
    for at in range(np.uint64(1), touched[square, np.uint64(0)] + np.uint64(1)):
        word = touched[square, at]
        carry = _count(rows, word, block + _ONES, through[square, np.uint64(0), word], is_placed)
        carry = _count(rows, word, block + _TWOS, carry, is_placed)
        carry = _count(rows, word, block + _FOURS, carry, is_placed)
        if planes + guards:
            kept = through[square, np.uint64(1 + side), word] if bars else ZERO
            _count_more(rows, word, side, carry, kept, planes, guards, is_placed)
        _find_dead(rows, word, 1 - side)
        _list(rows, word, 0)
        _list(rows, word, 1)


@jit_part
def change(lines: Lines, board: Board, square: int, side: int, is_placed: bool, bars: bool) -> None:
    """Place a stone of a side, or take it back. bars: whether it counts on the guards of the side's own lines.

    A stone that may not be there, because the side can choose another square, must not bar its lines.
    """
    board.cells[square] = side + 1 if is_placed else 0
    board.hash[0] ^= lines.codes[side, square]
    place, planes, guards = np.uint64(square), lines.planes, lines.guards
    _change(lines.through, lines.touched, board.lines, place, side, planes, guards, is_placed, bars)


@jit
def put(lines: Lines, board: Board, square: int, side: int) -> None:
    """Place a stone of a side (0 for X, 1 for O)."""
    change(lines, board, square, side, True, True)


@jit
def take(lines: Lines, board: Board, square: int, side: int) -> None:
    """Take back a stone of a side."""
    change(lines, board, square, side, False, True)


@jit
def set_up(lines: Lines, board: Board, cells: np.ndarray) -> None:
    """Set up a position. cells: int8[S]: 0 for an empty square, 1 for X, 2 for O."""
    board.hash[0] = _EMPTY_BOARD
    for word in range(len(lines.start)):
        for column in range(lines.start.shape[1]):
            board.lines[word, column] = lines.start[word, column]
        for side in range(2):
            _find_dead(board.lines, np.uint64(word), side)
            _list(board.lines, np.uint64(word), side)
    for square in range(len(cells)):
        board.cells[square] = 0
        if cells[square]:
            put(lines, board, square, cells[square] - 1)


@jit_part
def weigh(lines: Lines, board: Board, square: int, weights: np.ndarray, x_factor: int, o_factor: int) -> int:
    """Return the weights of the living lines of both sides through a square, times the factor of each side.

    weights: int64[6], by the number of stones that a line lacks; the last one for more than four.
    """
    total = 0
    for at in range(np.uint64(1), lines.touched[square, 0] + np.uint64(1)):
        word = lines.touched[square, at]
        for side in range(2):
            block = np.uint64(_BLOCK * side)
            living, points = lines.through[square, 0, word] & ~board.lines[word, block + _DEAD], 0
            for lacked in range(LEVELS + 1):
                bits = living & board.lines[word, block + np.uint64(lacked)]
                points += weights[lacked] * popcount(bits)
                living ^= bits
            four = living & board.lines[word, block + _ONES] & board.lines[word, block + _TWOS]
            four &= ~board.lines[word, block + _FOURS] & board.lines[word, block + _FULL]
            points += weights[4] * popcount(four) + weights[5] * popcount(living ^ four)
            total += points * (o_factor if side else x_factor)
    return total


@jit_part
def has_line(board: Board, side: int) -> bool:
    """Return True if a side has completed a line."""
    for word in range(len(board.lines)):
        if ready(board, side, 0, word):
            return True
    return False


@jit_part
def completions(lines: Lines, board: Board, side: int) -> tuple[int, int]:
    """Return two different squares that complete a line of a side; -1 in place of those that do not exist."""
    first = -1
    for word in range(len(board.lines)):
        bits = ready(board, side, 1, word)
        while bits:
            square = empty_square(lines, board, (word << 6) + lowest(bits), 0)
            bits &= bits - ONE
            if first < 0:
                first = square
            elif square != first:
                return first, square
    return first, -1


@jit_part
def empty_square(lines: Lines, board: Board, line: int, start: int) -> int:
    """Return the first empty square of a line from an index on."""
    while board.cells[lines.squares[line, start]]:
        start += 1
    return int(lines.squares[line, start])


@jit_within
def other_empty(lines: Lines, board: Board, line: int, square: int) -> int:
    """Return the first empty square of a line that is not the given one."""
    at = 0
    while board.cells[lines.squares[line, at]] or lines.squares[line, at] == square:
        at += 1
    return int(lines.squares[line, at])
