"""Planes with their index bits permuted: how a page is read that was kept for another image of the board.

A permutation of index bits is given as `source` (int64[n]): index bit t of the wanted plane is index bit
`source[t]` of the kept one. It is done in three moves, each a pass over whole words: the high bits (word numbers)
by gathering words, the bits that change between high and low by swapping half words, the low ones by delta swaps
inside words (Knuth, TAOCP 4A, section 7.1.3).
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.words import ABSENT, ONE, WORD_BITS, ZERO

_TABLE_BITS = 6
"""Word numbers are mapped by two tables, of their low six bits and of the rest (at most 25 - 6 - 6 = 13 bits)."""


@jit
def image_order(free: int, image_free: int, permutation: np.ndarray, source: np.ndarray) -> int:
    """Fill `source` for reading a plane over `free` from the one kept over its image `image_free`.

    `permutation[s]` is the image of square s. Returns the number of index bits.
    """
    place = np.empty(32, dtype=np.int64)
    count = 0
    for s in range(permutation.size):
        if image_free >> s & 1:
            place[s] = count
            count += 1
    t = 0
    for s in range(permutation.size):
        if free >> s & 1:
            source[t] = place[permutation[s]]
            t += 1
    return count


@jit
def is_identity(source: np.ndarray, n: int) -> bool:
    """Whether `source` leaves all n index bits in place."""
    for t in range(n):
        if source[t] != t:
            return False
    return True


@jit
def permute_planes(kept: np.ndarray, source: np.ndarray, n: int, out: np.ndarray) -> None:
    """Write to `out` the planes of n index bits whose bit t is bit source[t] of those in `kept`.

    `kept` is uint64[P, word_count(n)], `out` uint64[P * word_count(n)], the same planes end to end. `source` is
    used up: on return it is the identity.
    """
    low = min(WORD_BITS, n)
    # Pair each low bit that comes from above with a high bit that comes from below, and do those swaps last.
    swap_low = np.empty(WORD_BITS, dtype=np.int64)
    swap_high = np.empty(WORD_BITS, dtype=np.int64)
    swaps = 0
    above = low
    for t in range(low):
        if source[t] >= low:
            while source[above] >= low:
                above += 1
            swap_low[swaps] = source[above]
            swap_high[swaps] = above - low
            source[above], source[t] = source[t], source[above]
            swaps += 1
    _gather_words(kept, source, n, low, out)
    # A plane is a power of two words long, so the swaps run over all planes as if they were one.
    for k in range(swaps):
        _swap_low_high(out, swap_low[k], swap_high[k])
    for t in range(low):
        other = source[t]
        if other != t:
            _swap_low(out, out.size, t, other)
            for later in range(t + 1, low):  # what was wanted from t is now at `other`
                if source[later] == t:
                    source[later] = other
            source[t] = t


@jit
def _gather_words(kept: np.ndarray, source: np.ndarray, n: int, low: int, out: np.ndarray) -> None:
    """Permute the word numbers: bit t of the number written is bit source[t] of the number read."""
    high = n - low
    inner = min(_TABLE_BITS, high)
    # Unsigned indices and slices spare the compiler the question whether an index counts from the end.
    inner_table = np.zeros(1 << inner, dtype=np.uint64)
    for w in range(1, 1 << inner):
        for t in range(inner):
            if w >> t & 1:
                inner_table[w] |= ONE << np.uint64(source[low + t] - low)
    for block in range(1 << (high - inner)):
        base = ZERO
        for t in range(inner, high):
            if block >> (t - inner) & 1:
                base |= ONE << np.uint64(source[low + t] - low)
        for p in range(kept.shape[0]):
            row = kept[p]
            start = (p << high) + (block << inner)
            target = out[start : start + inner_table.size]
            for w in range(inner_table.size):
                target[w] = row[base | inner_table[w]]


@jit
def _swap_low_high(plane: np.ndarray, i: int, b: int) -> None:
    """Exchange index bit i < 6 with bit b of the word number."""
    # Short runs by name: with a constant length the compiler unrolls them into wide vectors.
    if b == 0:
        _swap_runs(plane, plane, i, 1)
    elif b == 1:
        _swap_runs(plane, plane, i, 2)
    elif b == 2:
        _swap_runs(plane, plane, i, 4)
    else:
        _swap_runs(plane, plane, i, 1 << b)


@jit
def _swap_runs(lowers: np.ndarray, uppers: np.ndarray, i: int, run: int) -> None:
    """Exchange index bit i across each pair of neighbouring runs of words (both arguments are the same array)."""
    shift = np.uint64(1 << i)
    absent = ABSENT[i]
    length = np.uint64(run)
    for block in range(np.uint64(lowers.size // (2 * run))):
        start = block * (length + length)
        for w in range(start, start + length):
            lower = lowers[w]
            upper = uppers[w + length]
            moving = ((lower >> shift) ^ upper) & absent
            uppers[w + length] = upper ^ moving
            lowers[w] = lower ^ (moving << shift)


@jit
def _swap_low(plane: np.ndarray, words: int, i: int, j: int) -> None:
    """Exchange index bits i < j < 6."""
    shift = np.uint64((1 << j) - (1 << i))
    mask = ABSENT[j] & ~ABSENT[i]
    for w in range(words):
        word = plane[w]
        moving = ((word >> shift) ^ word) & mask
        plane[w] = word ^ moving ^ (moving << shift)
