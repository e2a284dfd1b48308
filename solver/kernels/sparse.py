"""Permute pages and add stones of O one subset at a time, for layers that have few subsets.

Half planes would be far longer than such a layer. On 36 squares, the half planes of the first levels would have up to
2**29 words, for a few thousand positions.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.blocks import BINOMIALS
from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part
from solver.kernels.words import ONE, ZERO


@jit_part
def rank_of(subset: int) -> int:
    """Return the colexicographic rank of a subset among the subsets of its size."""
    rank = size = 0
    while subset:
        lowest = subset & -subset
        subset ^= lowest
        size += 1
        rank += BINOMIALS[popcount(np.uint64(lowest - 1)), size]
    return rank


@jit
def permute_sparse(planes: np.ndarray, sets: np.ndarray, source: np.ndarray, out: np.ndarray) -> None:
    """Permute folded planes: index bit t of `out` (uint64[P, W]) is index bit source[t] of `planes`.

    `sets` are the subsets of the layer, as masks of index bits.
    """
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
    """Fill `out` (uint64[P, W]): for each of `sets`, OR the bits in `planes` of the sets that have one square more."""
    out[:] = ZERO
    for r in range(sets.size):
        for i in range(index_bits):
            if not sets[r] >> i & 1:
                rank = rank_of(sets[r] | 1 << i)
                for p in range(planes.shape[0]):
                    out[p, r >> 6] |= (planes[p, rank >> 6] >> np.uint64(rank & 63) & ONE) << np.uint64(r & 63)
