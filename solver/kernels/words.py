"""Basic operations on the 64-bit words of a plane: masks and simple loops.

A plane is a bitmap over all subsets of an ordered list of squares. Subset j is bit `j & 63` of word `j >> 6`. So the
six lowest *index bits* are the place of the bit inside the word, and the others are the number of the word:

    index bit     ... 8   7   6 | 5   4   3   2   1   0
                  word number   | place inside the word

>>> [hex(int(mask)) for mask in ABSENT[:2]]          # the subsets without the square of index bit 0, and of bit 1
['0x5555555555555555', '0x3333333333333333']
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit, jit_part

WORD_BITS = 6
ZERO = np.uint64(0)
ONE = np.uint64(1)
FULL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)

ABSENT = np.array([sum(1 << j for j in range(64) if not j >> i & 1) for i in range(WORD_BITS)], dtype=np.uint64)
"""uint64[6]: ABSENT[i] marks the places whose index bit i is 0 (the square is not in the subset)."""

LAYER = np.array([sum(1 << j for j in range(64) if j.bit_count() == q) for q in range(WORD_BITS + 1)], dtype=np.uint64)
"""uint64[7]: LAYER[q] marks the places of a word whose subset has q squares."""

NEIGHBOURS = np.array([*LAYER, 0], dtype=np.uint64) | np.array([0, *LAYER], dtype=np.uint64)
"""uint64[8]: NEIGHBOURS[q] marks the places of a word whose subset has q squares or q - 1."""


@jit
def word_count(index_bits: int) -> int:
    """Return the number of words, at least 1, of a plane over `index_bits` squares."""
    return 1 << max(index_bits - WORD_BITS, 0)


@jit
def valid_places(index_bits: int) -> np.uint64:
    """Return the bits of a word that represent subsets: all 64, or fewer if there are fewer than six index bits."""
    if index_bits >= WORD_BITS:
        return FULL
    return (ONE << np.uint64(1 << index_bits)) - ONE


@jit_part
def copy(source: np.ndarray, target: np.ndarray) -> None:
    """Fill `target` with the first items of `source`.

    An assignment is slower, because it checks whether the arrays overlap.
    """
    for w in range(target.size):
        target[w] = source[w]


@jit_part
def or_into(source: np.ndarray, target: np.ndarray) -> None:
    """OR the words of `source` into those of `target`."""
    for w in range(target.size):
        target[w] |= source[w]


@jit_part
def invert_kind(planes: np.ndarray, by_x: int, of_x: bool) -> None:
    """Complement the planes of one kind: the first `by_x` if `of_x`, else the others."""
    for p in range(0 if of_x else by_x, by_x if of_x else planes.shape[0]):
        plane = planes[p]
        for w in range(plane.size):
            plane[w] = ~plane[w]
