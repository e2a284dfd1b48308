"""Sets of squares, their images and their ranks, for checks.

A set is a mask of squares, or of index bits, which number the allowed squares in ascending order; see
`solver.store.layout`. The rank of a set is its colexicographic rank among the sets of its size. The images and ranks of
many sets are composed from tables for parts of a set. Each table has at most about the square root of 2**squares
entries.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import jit, jit_allocating, jit_part

CHUNKS = 3  # the parts that a set is mapped by

Ints = npt.NDArray[np.int64]


class CheckBoard(NamedTuple):
    """The rules as arrays.

    Every symmetry is a product that contains one permutation of each factor; factor 0 is applied first.
    """

    squares: int
    plies: int  # the maximum number of stones on the board
    x_lines: Ints  # int64[L, 2], the mask and the guard of each line
    o_lines: Ints  # int64[L', 2]
    symmetries: Ints  # int64[P, squares], the image of each square under each permutation
    images: Ints  # int64[P, 7, 256], the image of each byte of a mask under each permutation
    first: Ints  # int64[S + 1], the first permutation of each factor, then P
    settled: Ints  # int64[S]: no factor after factor i moves square settled[i] or a greater one
    below: Ints  # int64[squares], a mask of the square that must be taken before this one; 0 if there is none
    above: Ints  # int64[squares], a mask of the square that must be taken after this one; 0 if there is none


@jit
def has_line(lines: Ints, stones: int) -> bool:
    """Return whether the stones of one side contain one of `lines` (int64[count, 2]: mask, guard)."""
    for line in range(lines.shape[0]):
        if stones & lines[line, 0] == lines[line, 0] and stones & lines[line, 1] == 0:
            return True
    return False


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


@jit_part
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
def list_larger(board: CheckBoard, lines: Ints, sets: Ints, larger: Ints) -> None:
    """Fill `larger` (int64[P, squares]) with the smallest image of each set plus each square, or -1.

    The entry is -1 if the square is taken, if the square below it is free, or if the result contains one of `lines`.
    """
    for i in range(sets.size):
        for square in range(board.squares):
            mask = sets[i] | 1 << square
            fits = mask != sets[i] and board.below[square] & ~mask == 0
            larger[i, square] = -1
            if fits and not has_line(lines, mask):
                larger[i, square], _ = canonical(board, mask)


@jit_part
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


@jit_allocating
def list_subsets(bits: int, size: int) -> Ints:
    """Return all sets of `size` out of `bits` index bits, by ascending rank: int64[...], empty for size -1."""
    count = 1 if size >= 0 else 0
    for i in range(size):
        count = count * (bits - i) // (i + 1)
    subsets = np.empty(count, np.int64)
    subset = (1 << max(size, 0)) - 1
    for i in range(count):
        subsets[i] = subset
        if subset:  # the next greater number with as many bits (Gosper, HAKMEM 175)
            lowest = subset & -subset
            ripple = subset + lowest
            subset = ripple | (subset ^ ripple) // lowest >> 2
    return subsets


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


@jit
def spread(squares: Ints, bits: int) -> int:
    """Return the mask of the squares whose index bits are set in `bits`."""
    mask = 0
    for i in range(squares.size):
        mask |= (bits >> i & 1) << squares[i]
    return mask


@jit_allocating
def map_bits(board: CheckBoard, squares: Ints, symmetry: Ints, allowed: int) -> Ints:
    """For each of `squares`, return a mask: its image's index bit, where index bits number the `allowed` squares."""
    places, values = np.zeros(board.squares, np.int64), np.empty(squares.size, np.int64)
    place = 0
    for square in range(board.squares):
        if allowed >> square & 1:
            places[square] = place
            place += 1
    for i in range(squares.size):
        values[i] = 1 << places[symmetry[squares[i]]]
    return values


@jit_allocating
def make_chunks(values: Ints) -> tuple[Ints, int]:
    """Return tables (int64[CHUNKS, 2**bits]) for `gather`, and the number of index bits per table."""
    part = (values.size + CHUNKS - 1) // CHUNKS
    chunks = np.zeros((CHUNKS, 1 << part), np.int64)
    for i in range(values.size):
        chunk, size = i // part, 1 << i % part
        for v in range(size):
            chunks[chunk, size + v] = chunks[chunk, v] | values[i]
    return chunks, part


@jit
def gather(chunks: Ints, part: int, bits: int) -> int:
    """Return the union of values[i] over all i in the set `bits`, given `make_chunks(values)`."""
    low = (1 << part) - 1
    return int(chunks[0, bits & low] | chunks[1, bits >> part & low] | chunks[2, bits >> 2 * part])


class Ranks(NamedTuple):
    """Tables for the ranks of sets of one size: a rank is low[the `half` lowest index bits] + high[the other bits]."""

    half: int
    low: Ints  # int64[2**half]
    high: Ints  # int64[2**(bits - half)]


@jit_allocating
def make_ranks(bits: int, size: int) -> Ranks:
    """Return the tables for `rank`, for the sets of `size` out of `bits` index bits."""
    half = (bits + 1) // 2
    low, high = np.empty(1 << half, np.int64), np.empty(1 << bits - half, np.int64)
    sizes, counts = np.zeros_like(low), np.zeros(half + 1, np.int64)  # of parts; by size, the low parts so far
    for part in range(low.size):
        sizes[part] = sizes[part >> 1] + (part & 1)
        low[part] = counts[sizes[part]]
        counts[sizes[part]] += 1
    before = 0  # the sets whose high part is smaller
    for part in range(high.size):
        high[part] = before
        rest = size - sizes[part]
        if 0 <= rest <= half:
            before += counts[rest]
    return Ranks(half, low, high)


@jit
def rank(ranks: Ranks, bits: int) -> int:
    """Return the colexicographic rank of a set among the sets of its size."""
    return int(ranks.low[bits & (1 << ranks.half) - 1] + ranks.high[bits >> ranks.half])
