"""Recompute every value of a table from the values one ply later, in plain loops over positions.

Unlike the kernels that solve games, this module uses neither planes nor words, and processes one position after
another. It shares no code with those kernels. So a mistake goes unnoticed only if it was made twice.

Values are *scores*, one byte per position. The order of the scores is the same for both sides: X prefers the greatest,
O the least (see `solver.check.page_check`). Sets of squares are masks of index bits (see `recheck_sets`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import jit, jit_allocating
from solver.kernels.recheck_sets import Ints, spread

DRAW = 128
LIVE, OVER = 1, 2  # marks of reachable positions: unfinished, or ended by a line; 0: unreachable

Bytes = npt.NDArray[np.uint8]


class CheckBoard(NamedTuple):
    """The rules as arrays.

    plies: the maximum number of stones on the board.
    x_lines, o_lines: int64[L, 2], the mask and the guard of each line.
    symmetries: int64[P, squares], the image of each square under each permutation. Every symmetry is a product that
    contains one permutation of each factor; factor 0 is applied first.
    images: int64[P, 7, 256], the image of each byte of a mask under each permutation.
    first: int64[S + 1], the first permutation of each factor, then P.
    settled: int64[S]: no factor after factor i moves square settled[i] or a greater one.
    below, above: int64[squares], masks of the square that must be taken before this one, and of the square that must be
    taken after it; 0 if there is none.
    """

    squares: int
    plies: int
    x_lines: Ints
    o_lines: Ints
    symmetries: Ints
    images: Ints
    first: Ints
    settled: Ints
    below: Ints
    above: Ints


class Pages(NamedTuple):
    """The P pages whose keys have `stones` squares, with C positions each.

    keys: int64[P], ascending.
    smaller: int64, the keys of the pages with one square fewer.
    weights: int64[P], the number of images of each key.
    scores: uint8[P, C].
    marks: uint8[P, C] with gravity, otherwise uint8[0, 0].
    """

    stones: int
    keys: Ints
    smaller: Ints
    weights: Ints
    scores: Bytes
    marks: Bytes


@jit
def has_line(lines: Ints, stones: int) -> bool:
    """Return whether the stones of one side contain one of `lines` (int64[count, 2]: mask, guard)."""
    for line in range(lines.shape[0]):
        if stones & lines[line, 0] == lines[line, 0] and stones & lines[line, 1] == 0:
            return True
    return False


@jit_allocating
def lines_among(lines: Ints, squares: Ints) -> Ints:
    """Return the lines that lie on the given squares, with their guards on these squares: int64[count, 2].

    Lines and guards are masks of index bits.
    """
    allowed = spread(squares, (1 << squares.size) - 1)
    found = np.zeros(lines.shape, np.int64)
    count = 0
    for line in range(lines.shape[0]):
        if lines[line, 0] & ~allowed:
            continue
        for i in range(squares.size):
            for part in range(2):
                found[count, part] |= (lines[line, part] >> squares[i] & 1) << i
        count += 1
    return found[:count]


@jit
def completing(lines: Ints, stones: int) -> int:
    """Return the squares on which one more stone completes a line. The stones must not contain a line yet."""
    found = 0
    for line in range(lines.shape[0]):
        missing = lines[line, 0] & ~stones
        if missing & (missing - 1) == 0 and stones & lines[line, 1] == 0:
            found |= missing
    return found


@jit
def mark_sets(board: CheckBoard, squares: Ints, lines: Ints, keys: Ints, sets: Ints, marks: Bytes) -> None:
    """Fill `marks` for the sets of one side's stones: LIVE, OVER, or 0 for unreachable.

    sets: masks of index bits of `squares`.
    lines: the result of `lines_among`.
    keys: the smallest images of all LIVE sets of this size. They are used for sets that contain a row only as part of a
    longer row, which is not a line. Such a set is reachable only if its stones can be placed in some order without
    making a line.
    """
    for r in range(sets.size):
        marks[r] = LIVE
        for line in range(lines.shape[0]):
            if sets[r] & lines[line, 0] == lines[line, 0]:
                marks[r] = 0
                if sets[r] & lines[line, 1] == 0:
                    marks[r] = OVER
                    break
        if marks[r] == 0:
            key, _ = canonical(board, spread(squares, sets[r]))
            place = find(keys, key)
            if place < keys.size and keys[place] == key:
                marks[r] = LIVE


@jit
def find(keys: Ints, key: int) -> int:
    """Return the index of the first key that is at least `key`. The keys are in ascending order."""
    first, last = 0, keys.size
    while first < last:
        middle = (first + last) >> 1
        if keys[middle] < key:
            first = middle + 1
        else:
            last = middle
    return first


@jit
def list_larger(board: CheckBoard, keys: Ints, with_lines: bool, larger: Ints) -> None:
    """Fill `larger` (int64[P, squares]) with the smallest image of each key plus each square, or -1.

    The entry is -1 if the square is taken, if the square below it is free, or, unless `with_lines`, if the result
    contains a line of X.
    """
    for i in range(keys.size):
        for square in range(board.squares):
            mask = keys[i] | 1 << square
            fits = mask != keys[i] and board.below[square] & ~mask == 0
            larger[i, square] = -1
            if fits and (with_lines or not has_line(board.x_lines, mask)):
                larger[i, square], _ = canonical(board, mask)


@jit_allocating
def canonical(board: CheckBoard, mask: int) -> tuple[int, Ints]:
    """Return the smallest image of a mask, and a symmetry (int64[squares]) that maps the mask to it."""
    numbers, found, smallest = np.full(board.settled.size + 1, -1), np.zeros(board.settled.size, np.int64), -1
    image, factor = np.empty(numbers.size, np.int64), 0
    image[0] = mask
    while factor >= 0:  # depth first
        if factor == board.settled.size:
            if smallest < 0 or image[factor] < smallest:
                smallest = image[factor]
                found[:] = numbers[:-1]
            factor -= 1
        elif next_image(board, factor, numbers, image):
            settled = board.settled[factor]
            if smallest < 0 or image[factor + 1] >> settled <= smallest >> settled:
                factor += 1
        else:
            factor -= 1
    symmetry = np.arange(board.squares)
    for i in range(found.size):
        for square in range(board.squares):
            symmetry[square] = board.symmetries[board.first[i] + found[i], symmetry[square]]
    return smallest, symmetry


@jit
def next_image(board: CheckBoard, factor: int, numbers: Ints, image: Ints) -> bool:
    """Store in image[factor + 1] the image of image[factor] under the next permutation of a factor.

    Returns False after the last permutation.
    """
    numbers[factor] += 1
    element = board.first[factor] + numbers[factor]
    if element == board.first[factor + 1]:
        numbers[factor] = -1
        return False
    found, byte, mask = 0, 0, image[factor]
    while mask:
        found |= board.images[element, byte, mask & 255]
        mask >>= 8
        byte += 1
    image[factor + 1] = found
    return True


@jit_allocating
def count_images(board: CheckBoard, masks: Ints, weights: Ints) -> None:
    """Fill `weights` with the number of distinct images of each mask."""
    numbers = np.full(board.settled.size + 1, -1)
    image = np.empty(numbers.size, np.int64)
    order = 1
    for factor in range(board.settled.size):
        order *= board.first[factor + 1] - board.first[factor]
    for i in range(masks.size):
        fixed = factor = 0
        image[0] = masks[i]
        while factor >= 0:
            if factor == board.settled.size:
                fixed += 1  # every square is settled, so it is the mask
                factor -= 1
            elif next_image(board, factor, numbers, image):
                settled = board.settled[factor]
                factor += image[factor + 1] >> settled == masks[i] >> settled
            else:
                factor -= 1
        weights[i] = order // fixed


@jit_allocating
def list_squares(board: CheckBoard, mask: int) -> Ints:
    """Return the squares of a mask in ascending order, so that item i is the square of index bit i."""
    squares = np.empty(board.squares, np.int64)
    count = 0
    for square in range(board.squares):
        if mask >> square & 1:
            squares[count] = square
            count += 1
    return squares[:count]


@jit_allocating
def map_bits(board: CheckBoard, squares: Ints, symmetry: Ints, allowed: int, values: Ints) -> None:
    """For each of `squares`, store a mask in `values`: the index bit of the square's image.

    Index bits number the `allowed` squares.
    """
    places = np.zeros(board.squares, np.int64)
    place = 0
    for square in range(board.squares):
        if allowed >> square & 1:
            places[square] = place
            place += 1
    for i in range(squares.size):
        values[i] = 1 << places[symmetry[squares[i]]]


@jit
def unpack(raw: Bytes, score_of: Bytes, scores: Bytes) -> bool:
    """Convert the bit planes of a page, `raw` (uint8[planes, bytes]), to `scores` (uint8[C]).

    score_of: uint8[2**planes], the score for each code. Bit p of a position's code is in plane p. Returns False if a
    padding bit is set.
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
    """Compare stored scores with expected ones.

    The bits of positions that are not LIVE must be zero, which means DRAW. For each live position, `weight` is added to
    tally[score] (int64[256]). Updates `found` (int64[4]): the number of live positions, the number of disagreements,
    the rank of the first disagreement (`first` plus its index), and the score expected there.
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
