"""Map and rank sets of squares, for checks.

A set is a mask of index bits, which number the allowed squares in ascending order; see `solver.store.layout`. The image
of a set is the union of the images of its elements. The rank of a set is its colexicographic rank among the sets of its
size. Images and ranks are composed from tables for parts of the set. Each table has at most about the square root of
2**squares entries.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import jit, jit_allocating

CHUNKS = 3  # the parts that a set is mapped by

Ints = npt.NDArray[np.int64]


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


@jit
def spread(squares: Ints, bits: int) -> int:
    """Return the mask of the squares whose index bits are set in `bits`."""
    mask = 0
    for i in range(squares.size):
        mask |= (bits >> i & 1) << squares[i]
    return mask


@jit_allocating
def make_chunks(count: int) -> Ints:
    """Return an uninitialized array for `fill_chunks`: int64[CHUNKS, 2**ceil(count / CHUNKS)]."""
    return np.empty((CHUNKS, 1 << (count + CHUNKS - 1) // CHUNKS), np.int64)


@jit
def fill_chunks(values: Ints, chunks: Ints) -> int:
    """Fill the tables for `gather`, which returns the union of values[i] over all i in a set.

    Returns the number of index bits per table.
    """
    part = (values.size + CHUNKS - 1) // CHUNKS
    for chunk in range(CHUNKS):
        chunks[chunk, 0] = 0
        size = 1
        for i in range(chunk * part, min((chunk + 1) * part, values.size)):
            for v in range(size):
                chunks[chunk, size + v] = chunks[chunk, v] | values[i]
            size *= 2
    return part


@jit
def gather(chunks: Ints, part: int, bits: int) -> int:
    """Return the union of values[i] over all i in the set `bits`; see `fill_chunks`."""
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
    low, high = np.zeros(1 << half, np.int64), np.zeros(1 << bits - half, np.int64)
    binomial = np.zeros((bits + 1, size + 1), np.int64)
    binomial[:, 0] = 1
    for n in range(1, bits + 1):
        for k in range(1, size + 1):
            binomial[n, k] = binomial[n - 1, k - 1] + binomial[n - 1, k]
    for first, ranks in ((0, low), (half, high)):
        for part in range(ranks.size):
            counted = 0  # the elements below the next
            if first:
                counted = size
                for bit in range(bits - half):
                    counted -= part >> bit & 1
            for bit in range(bits):
                if part >> bit & 1 and 0 <= counted < size:
                    counted += 1
                    ranks[part] += binomial[first + bit, counted]
    return Ranks(half, low, high)


@jit
def rank(ranks: Ranks, bits: int) -> int:
    """Return the colexicographic rank of a set among the sets of its size."""
    return int(ranks.low[bits & (1 << ranks.half) - 1] + ranks.high[bits >> ranks.half])
