"""From planes to pages: keep only the subsets of the size that can occur, in colexicographic order, and count them."""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.words import LAYER, LAYER_SIZE, ONE, WORD_BITS, ZERO, popcount, squeeze_word, word_count


@jit
def append_layer(
    planes: np.ndarray,
    by_x: int,
    step: int,
    live: np.ndarray,
    index_bits: int,
    size: int,
    stream: np.ndarray,
    at: int,
) -> int:
    """Append the bits of all subsets of `size` squares to a bit stream, in colexicographic order.

    The bit of a subset is the exclusive or of planes step-1, 2*step-1, ... of those ended by X's line (the first
    `by_x`) and likewise of the others, within `live`: as the planes are nested, that is a binary digit of how many
    hold (digit d for step 2**d). Step 0 stands for the sign: the first of the others alone. `stream` (uint64[])
    must hold zeros from bit `at` on; returns the bit after the last one written.
    """
    low = min(WORD_BITS, index_bits)
    for w in range(word_count(index_bits)):
        inside = size - popcount(np.uint64(w))
        if inside < 0 or inside > low:
            continue
        word = ZERO
        if step == 0:
            if planes.shape[0] > by_x:
                word = planes[by_x, w]
        else:
            for p in range(step - 1, by_x, step):
                word ^= planes[p, w]
            for p in range(by_x + step - 1, planes.shape[0], step):
                word ^= planes[p, w]
        bits = squeeze_word(word & live[w], inside)
        shift = np.uint64(at & 63)
        stream[at >> 6] |= bits << shift
        if at & 63 != 0:
            stream[(at >> 6) + 1] |= bits >> (np.uint64(64) - shift)
        at += _choose_low(low, inside)
    return at


@jit
def _choose_low(low: int, inside: int) -> int:
    """Number of subsets of `inside` out of `low` <= 6 squares."""
    if low == WORD_BITS:
        return LAYER_SIZE[inside]
    return popcount(LAYER[inside] & ((ONE << np.uint64(1 << low)) - ONE))


@jit
def tally_layer(
    planes: np.ndarray, live: np.ndarray, index_bits: int, size: int, weight: int, tally: np.ndarray
) -> None:
    """Add to `tally` (int64[P + 1]) `weight` times the live subsets of `size` squares of each plane; last, of all."""
    low = min(WORD_BITS, index_bits)
    for w in range(word_count(index_bits)):
        inside = size - popcount(np.uint64(w))
        if inside < 0 or inside > low:
            continue
        real = live[w] & LAYER[inside]
        if real == ZERO:
            continue
        for p in range(planes.shape[0]):
            tally[p] += weight * popcount(planes[p, w] & real)
        tally[planes.shape[0]] += weight * popcount(real)
