"""The search's memory: keys that positions with the same value share, and a table of bounds on their scores.

In a key, each square has one bit in each of two words. On a taken square, they encode the owner of the stone if the
stone still matters. A stone is forgotten if its side can no longer complete a line through it. Lines through squares
that are never filled, or on which the side completes another line, do not count. On free squares, the bits mark where
each side completes a line. These marks are moved up by one bit, to make room for a bit that marks the first free square
of the column. This bit is set in both words, which never happens for a stone.

    column with stones X . O (the middle one forgotten) and a threat of O two squares above them, X to move

    own     0 0 0 1 | 0 0 1      bit 3: the first free square
    other   0 1 0 1 | 1 0 0      bit 5: the threat on square 4, moved up

The table stores the whole key, so a result is never used for another key. Given the first word of the key, `_mix` maps
the second word one-to-one to a number with as many bits. This number's high bits select the bucket, and its low bits
are stored. A bucket has two entries of two words each. A new result that took at least as much work as the first entry
becomes the first entry, and the old one becomes the second; any other result replaces the second entry.

    first word    the first word of the key, XOR the second word of the entry
    second word   rest of the key | work, 5 bits | upper bound + 32, 6 bits | lower bound + 32, 6 bits

Threads may share a table: an entry that two of them write at the same time matches no key.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.instructions import bit_length, prefetch
from solver.kernels.jit import jit_within
from solver.kernels.search_board import ONE, Grid, Word, never_filled, on_lines

_DATA_BITS = np.uint64(17)
_BOUND = np.uint64(63)
_WORK = np.uint64(31)
_FIRST_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)  # odd numbers from xxHash
_SECOND_FACTOR = np.uint64(0x9E3779B185EBCA87)


class Bounds(NamedTuple):
    """A hash table of bounds on the scores of positions."""

    words: np.ndarray  # uint64[4 << bits], 0 at first: buckets of two entries of two words
    rest_bits: Word  # the bits of a word of the key that are not the number of its bucket


def make_bounds(rows: int, columns: int, size: int) -> Bounds:
    """Return an empty table of at most `size` bytes, unless the board requires a larger one."""
    bits = (rows + 1) * columns
    bucket_bits = min(max(size // 32, 1).bit_length() - 1, bits)
    bucket_bits = max(bucket_bits, bits + int(_DATA_BITS) - 64, 0)
    return Bounds(np.zeros(4 << bucket_bits, dtype=np.uint64), np.uint64(bits - bucket_bits))


@jit_within
def make_key(grid: Grid, own: Word, other: Word, own_threats: Word, other_threats: Word) -> tuple[Word, Word]:
    """Return the key of a position, given the stones and the threats of the side to move and of the other side."""
    taken = own | other
    never = never_filled(grid, own_threats, other_threats)
    own_threats &= ~never
    other_threats &= ~never
    free = grid.board & ~taken & ~never
    first_free = taken + grid.bottom
    own_alive = on_lines(grid, (own | free) & ~own_threats) & own
    other_alive = on_lines(grid, (other | free) & ~other_threats) & other
    return own_alive | (own_threats << ONE) | first_free, other_alive | (other_threats << ONE) | first_free


@jit_within
def mirror_key(grid: Grid, first: Word, second: Word) -> tuple[Word, Word]:
    """Return the smaller of a key and its mirror image."""
    step = grid.diagonals[0]
    column = (ONE << step) - ONE
    first_rest, second_rest, first_image, second_image = first, second, np.uint64(0), np.uint64(0)
    for _ in range(grid.columns):
        first_image = (first_image << step) | (first_rest & column)
        second_image = (second_image << step) | (second_rest & column)
        first_rest >>= step
        second_rest >>= step
    if first_image < first or (first_image == first and second_image < second):
        return first_image, second_image
    return first, second


@jit_within
def _mix(grid: Grid, first: Word, second: Word) -> Word:
    return (second * _SECOND_FACTOR ^ first * _FIRST_FACTOR) & (grid.board | grid.sentinels)


@jit_within
def prefetch_bucket(grid: Grid, table: Bounds, first: Word, second: Word) -> None:
    """Load the bucket of a key into the processor's cache before the bucket is needed."""
    prefetch(table.words, (_mix(grid, first, second) >> table.rest_bits) << np.uint64(2))


@jit_within
def look_up(grid: Grid, table: Bounds, first: Word, second: Word, least: int, most: int) -> tuple[int, int]:
    """Return the bounds `least` and `most` of a key's score, narrowed by those in the table, if it contains the key."""
    mixed = _mix(grid, first, second)
    at = (mixed >> table.rest_bits) << np.uint64(2)
    rest = mixed & ((ONE << table.rest_bits) - ONE)
    for entry in (at, at + np.uint64(2)):
        data = table.words[entry + ONE]
        if table.words[entry] ^ data == first and data >> _DATA_BITS == rest:
            return _narrow(data, least, most)
    return least, most


@jit_within
def _narrow(data: Word, least: int, most: int) -> tuple[int, int]:
    """Return the bounds `least` and `most`, narrowed by those in the second word of an entry."""
    low, high = np.int64(data & _BOUND), np.int64(data >> np.uint64(6) & _BOUND)  # int() would stay unsigned in Numba
    return max(least, int(low) - 32), min(most, int(high) - 32)


@jit_within
def store(grid: Grid, table: Bounds, first: Word, second: Word, least: int, most: int, nodes: int) -> None:
    """Store the bounds of a key's score, which is at least `least` and at most `most`.

    `nodes` is the number of positions that were searched to find them.
    """
    mixed = _mix(grid, first, second)
    at = (mixed >> table.rest_bits) << np.uint64(2)
    rest = mixed & ((ONE << table.rest_bits) - ONE)
    work = min(bit_length(np.uint64(nodes)), 31)
    words = table.words
    for entry in (at, at + np.uint64(2)):
        data = words[entry + ONE]
        if words[entry] ^ data == first and data >> _DATA_BITS == rest:
            least, most = _narrow(data, least, most)
            _write(words, entry, first, rest, least, most, work)
            return
    if work >= np.int64(words[at + ONE] >> np.uint64(12) & _WORK):
        words[at + np.uint64(2)] = words[at]
        words[at + np.uint64(3)] = words[at + ONE]
        _write(words, at, first, rest, least, most, work)
    else:
        _write(words, at + np.uint64(2), first, rest, least, most, work)


@jit_within
def _write(words: np.ndarray, entry: Word, first: Word, rest: Word, least: int, most: int, work: int) -> None:
    data = rest << _DATA_BITS | np.uint64(work << 12 | (most + 32) << 6 | least + 32)
    words[entry] = first ^ data
    words[entry + ONE] = data
