"""Mark subsets of the free squares: those that contain a line, and those that can be built stone by stone."""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit, jit_part
from solver.kernels.words import ABSENT, ONE, WORD_BITS, ZERO, valid_places, word_count


@jit_part
def mark_supersets(plane: np.ndarray, index_bits: int, wanted: int, banned: int) -> None:
    """Add to `plane` every subset that has all index bits of `wanted` and none of `banned`."""
    inside = valid_places(index_bits)
    for i in range(min(WORD_BITS, index_bits)):
        if wanted >> i & 1:
            inside &= ~ABSENT[i]
        elif banned >> i & 1:
            inside &= ABSENT[i]
    needed = wanted >> WORD_BITS
    rest = (word_count(index_bits) - 1) & ~needed & ~(banned >> WORD_BITS)
    part = rest
    while True:
        plane[needed | part] |= inside
        if part == 0:
            break
        part = (part - 1) & rest


@jit_part
def to_index_bits(squares: int, free: int) -> int:
    """Convert squares to index bits: bit t of the result is 1 if the t-th square of `free` is in `squares`."""
    bits = 0
    t = 0
    while free:
        lowest = free & -free
        if squares & lowest:
            bits |= 1 << t
        t += 1
        free ^= lowest
    return bits


@jit
def line_plane(lines: np.ndarray, index_bits: int, out: np.ndarray) -> None:
    """Fill `out` (uint64[word_count]) with the subsets that contain a line and none of its guard squares.

    `lines` (int64[L, 2]: mask, guard) consist of index bits.
    """
    for w in range(word_count(index_bits)):
        out[w] = ZERO
    for t in range(lines.shape[0]):
        mark_supersets(out, index_bits, lines[t, 0], lines[t, 1])


@jit
def buildable_plane(with_line: np.ndarray, index_bits: int, out: np.ndarray) -> None:
    """Fill `out` with the subsets that can be built stone by stone without ever containing a line.

    If lines are not exact, these are simply all subsets without a line. A subset without a line is marked if removing
    one of its stones leaves a marked subset. Words are visited in ascending order, and six rounds handle the six index
    bits inside a word.
    """
    places = valid_places(index_bits)
    for w in range(word_count(index_bits)):
        lineless = ~with_line[w] & places
        found = ONE if w == 0 else ZERO
        for b in range(index_bits - WORD_BITS):
            if w >> b & 1:
                found |= out[w ^ (1 << b)]
        for _ in range(WORD_BITS):
            built = found & lineless
            for i in range(WORD_BITS):
                found |= (built & ABSENT[i]) << np.uint64(1 << i)
        out[w] = found & lineless
