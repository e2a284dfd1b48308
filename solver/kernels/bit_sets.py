"""Sets of small numbers, such as squares: uint64 arrays in which bit `n & 63` of word `n >> 6` stands for n."""

from __future__ import annotations

import numpy as np

from solver.kernels.instructions import popcount
from solver.kernels.jit import jit_within
from solver.kernels.words import ONE, ZERO


@jit_within
def lowest(word: np.uint64) -> int:
    """Return the number of the lowest bit that is set in a word other than 0."""
    return popcount(~word & (word - ONE))


@jit_within
def has(words: np.ndarray, element: int) -> bool:
    """Return whether a set contains an element."""
    return words[np.uint32(element >> 6)] >> np.uint64(element & 63) & ONE != ZERO


@jit_within
def add(words: np.ndarray, element: int) -> None:
    """Add an element to a set."""
    words[np.uint32(element >> 6)] |= ONE << np.uint64(element & 63)


@jit_within
def size(words: np.ndarray) -> int:
    """Return the number of elements of a set."""
    count = 0
    for w in range(words.size):
        count += popcount(words[w])
    return count


@jit_within
def size_of_common(first: np.ndarray, second: np.ndarray) -> int:
    """Return the number of elements that two sets have in common."""
    count = 0
    for w in range(first.size):
        count += popcount(first[w] & second[w])
    return count
