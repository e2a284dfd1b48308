"""Recompute every value of a table from the values one move later: plain loops over positions.

This is the opposite of the kernels that solve: no planes, no words, one position after the other. It shares
no code with them, so that a mistake would have to be made twice to go unnoticed.

Values are *scores*, one byte a position, in the one order on which both sides agree: X takes the greatest,
O the least (see `solver.check.board`); DRAW is a score. Sets of squares are written in index bits (the
allowed squares in ascending order) and have colexicographic ranks, as `solver.store.layout` describes them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import jit

DRAW = 128
LIVE, OVER = 1, 2  # the marks of what can arise: play goes on, or a line has ended it; 0 can't arise

# A set in index bits is looked up by parts: CHUNK bits where it is mapped, LOW and the rest where it is ranked.
CHUNK, CHUNKS = 9, 3
LOW = 13
MOST_BITS = 25

Bytes = npt.NDArray[np.uint8]
Masks = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]


class Board(NamedTuple):
    """The rules as arrays.

    marks: uint8[2**squares], for the stones of one side; with gravity only OVER counts.
    symmetries: int64[G, squares], the image of each square. images: int32[G, 4, 256], the image of each byte
    of a mask. low, high: int32[2**LOW] and int32[MOST_BITS + 2, 2**(MOST_BITS - LOW)]; a set of `size` bits
    has rank low[its low bits] + high[size, the rest]. below, above: int32[squares], masks of the square that
    must be taken before this one, and of the one that must be taken after it (0 if there is none).
    """

    squares: int
    marks: Bytes
    symmetries: Ints
    images: Masks
    low: Masks
    high: Masks
    below: Masks
    above: Masks


class Pages(NamedTuple):
    """The pages whose keys have `stones` squares, P of them with C positions each.

    keys: int32[P] ascending. weights: int64[P], the images of each key. scores: uint8[P, C].
    marks: uint8[P, C] with gravity, else uint8[0, 0].
    """

    stones: int
    keys: Masks
    weights: Ints
    scores: Bytes
    marks: Bytes


@jit
def mark_lines(lines: Ints, marks: Bytes) -> None:
    """Mark every set of squares OVER if it holds a line (int64[count, 2], mask and guard), else LIVE."""
    for stones in range(marks.size):
        marks[stones] = LIVE
        for line in range(lines.shape[0]):
            if stones & lines[line, 0] == lines[line, 0] and stones & lines[line, 1] == 0:
                marks[stones] = OVER
                break


@jit
def unmark_unbuildable(marks: Bytes) -> None:
    """Clear the mark of every set that no order of stones leads to because each completes a line too early."""
    for stones in range(1, marks.size):
        rest, found = stones, False
        while rest and not found:
            found = marks[stones & ~(rest & -rest)] == LIVE
            rest &= rest - 1
        if not found:
            marks[stones] = 0


@jit
def image(board: Board, element: int, mask: int) -> int:
    """The image of a mask under one symmetry."""
    tables = board.images[element]
    low, high = tables[0, mask & 255] | tables[1, mask >> 8 & 255], tables[2, mask >> 16 & 255]
    return int(low | high | tables[3, mask >> 24 & 255])


@jit
def canonical(board: Board, mask: int) -> tuple[int, int]:
    """The smallest image of a mask, and a symmetry that takes it there."""
    smallest, element = mask, 0
    for g in range(board.images.shape[0]):
        found = image(board, g, mask)
        if found < smallest:
            smallest, element = found, g
    return smallest, element


@jit
def count_images(board: Board, masks: Masks, weights: Ints) -> None:
    """Fill `weights` with the number of images of each mask, or 0 if it is not the smallest of them."""
    order = board.images.shape[0]
    for i in range(masks.size):
        fixed = 0
        for g in range(order):
            found = image(board, g, masks[i])
            if found < masks[i]:
                fixed = 0
                break
            fixed += found == masks[i]
        weights[i] = order // fixed if fixed else 0


@jit
def list_subsets(bits: int, size: int) -> Masks:
    """The sets of `size` among `bits` index bits, int32, in the order of their ranks; none for size -1."""
    count = 1 if size >= 0 else 0
    for i in range(size):
        count = count * (bits - i) // (i + 1)
    subsets = np.empty(count, np.int32)
    subset = (1 << max(size, 0)) - 1
    for i in range(count):
        subsets[i] = subset
        if subset:  # the next greater number with as many bits (Gosper, HAKMEM 175)
            lowest = subset & -subset
            ripple = subset + lowest
            subset = ripple | (subset ^ ripple) // lowest >> 2
    return subsets


@jit
def list_squares(board: Board, mask: int) -> Ints:
    """The squares of a mask, ascending: square of each index bit."""
    squares = np.empty(board.squares, np.int64)
    count = 0
    for square in range(board.squares):
        if mask >> square & 1:
            squares[count] = square
            count += 1
    return squares[:count]


@jit
def fill_chunks(values: Ints, chunks: Masks) -> None:
    """Make the tables (int32[CHUNKS, 2**CHUNK]) by which `gather` finds the union of values[i] over a set of i."""
    for chunk in range(CHUNKS):
        chunks[chunk, 0] = 0
        size = 1
        for i in range(chunk * CHUNK, min((chunk + 1) * CHUNK, values.size)):
            for v in range(size):
                chunks[chunk, size + v] = chunks[chunk, v] | values[i]
            size *= 2


@jit
def gather(chunks: Masks, bits: int) -> int:
    """The union of values over the set `bits`, see `fill_chunks`."""
    part = (1 << CHUNK) - 1
    return int(chunks[0, bits & part] | chunks[1, bits >> CHUNK & part] | chunks[2, bits >> 2 * CHUNK])


@jit
def rank(board: Board, high: Masks, bits: int) -> int:
    """The rank of a set among those of its size; `high` is board.high[size]."""
    return int(board.low[bits & (1 << LOW) - 1] + high[bits >> LOW])


@jit
def map_bits(board: Board, squares: Ints, element: int, allowed: int, values: Ints) -> None:
    """Fill `values` with the index bit, among the `allowed` squares, of the image of each of `squares`."""
    places = np.zeros(board.squares, np.int64)
    place = 0
    for square in range(board.squares):
        if allowed >> square & 1:
            places[square] = place
            place += 1
    for i in range(squares.size):
        values[i] = 1 << places[board.symmetries[element, squares[i]]]


@jit
def unpack(raw: Bytes, score_of: Bytes, scores: Bytes) -> bool:
    """Turn the bit planes of a page (uint8[planes, bytes]) into scores (uint8[C]); False if padding bits are set.

    score_of: uint8[2**planes], the score behind each code, whose bit p comes from plane p.
    """
    planes, count = raw.shape[0], scores.size
    for position in range(count):
        code = 0
        for plane in range(planes):
            code |= (raw[plane, position >> 3] >> (position & 7) & 1) << plane
        scores[position] = score_of[code]
    for plane in range(planes):
        if count & 7 and raw[plane, count >> 3] >> (count & 7):
            return False
    return True


@jit
def compare(scores: Bytes, marks: Bytes, expected: Bytes, first: int, weight: int, tally: Ints, found: Ints) -> None:
    """Compare stored scores with expected ones; positions that are not LIVE have no bits, which reads as DRAW.

    Adds `weight` to tally[score] (int64[256]) of each live position. found: int64[4], live positions,
    disagreements, rank of the first one (`first` + its index), the score expected there.
    """
    for i in range(scores.size):
        wanted = DRAW
        if marks[i] == LIVE:
            wanted = expected[i]
            tally[scores[i]] += weight
            found[0] += 1
        if scores[i] != wanted:
            if found[1] == 0:
                found[2], found[3] = first + i, wanted
            found[1] += 1
