"""Permute pages and move O one subset at a time, where a half plane would be far longer than the layer of its subsets.

On 36 squares, half planes of the first levels have up to 2**29 words, for a few thousand positions.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.blocks import BINOMIALS
from solver.kernels.jit import jit
from solver.kernels.words import ONE, ZERO, popcount


@jit
def rank_of(subset: int) -> int:
    """Return the colexicographic rank of a subset among those of its size."""
    rank = size = 0
    while subset:
        lowest = subset & -subset
        subset ^= lowest
        size += 1
        rank += BINOMIALS[popcount(np.uint64(lowest - 1)), size]
    return rank


@jit
def permute_sparse(planes: np.ndarray, sets: np.ndarray, source: np.ndarray, out: np.ndarray) -> None:
    """Fill the folded planes `out` (uint64[P, W]). Index bit t of `out` is index bit source[t] of `planes`."""
    out[:] = ZERO
    for r in range(sets.size):
        rest, image = sets[r], 0
        while rest:
            lowest = rest & -rest
            rest ^= lowest
            image |= 1 << source[popcount(np.uint64(lowest - 1))]
        rank = rank_of(image)
        for p in range(planes.shape[0]):
            out[p, r >> 6] |= (planes[p, rank >> 6] >> np.uint64(rank & 63) & ONE) << np.uint64(r & 63)


@jit
def add_stones_sparse(planes: np.ndarray, sets: np.ndarray, index_bits: int, out: np.ndarray) -> None:
    """Fill `out` (uint64[P, W]), for each of `sets`, with the OR over the subsets in `planes` with one more square."""
    out[:] = ZERO
    for r in range(sets.size):
        for i in range(index_bits):
            if not sets[r] >> i & 1:
                rank = rank_of(sets[r] | 1 << i)
                for p in range(planes.shape[0]):
                    out[p, r >> 6] |= (planes[p, rank >> 6] >> np.uint64(rank & 63) & ONE) << np.uint64(r & 63)
