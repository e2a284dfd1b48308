"""Convert planes to pages and back, copy runs of bits, and count positions.

The planes of a level are of two kinds: for lines of X and for lines of O. A position's bit is set only in planes of one
kind. A page has a sign for each position, which says of which kind, and a count, which says in how many planes. The
count is stored in binary, with one plane for each digit.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.words import FULL, ONE, ZERO, popcount


@jit
def plane_step(plane: int) -> int:
    """Return the `step` of `digit_plane` for a plane of a page: plane 0 is the sign, plane 1 the lowest digit."""
    return 0 if plane == 0 else 1 << (plane - 1)


@jit
def digit_plane(planes: np.ndarray, by_x: int, step: int, live: np.ndarray, out: np.ndarray) -> None:
    """Fill `out` with one digit of every subset's count, or with its sign, but only for the subsets in `live`.

    The planes of each kind (the first `by_x`, and the others) are nested. So the exclusive or of a kind's planes
    step-1, 2*step-1, ... is a binary digit of the number of planes in which a subset is marked: digit d if the step is
    2**d. If the step is 0, the result is the sign, which is the first plane of the second kind.
    """
    if step == 0:
        first_of_o = planes[by_x]
        for w in range(out.size):
            out[w] = first_of_o[w] & live[w]
        return
    out[:] = ZERO
    for p in range(step - 1, by_x, step):
        _exclusive_or(planes[p], out)
    for p in range(by_x + step - 1, planes.shape[0], step):
        _exclusive_or(planes[p], out)
    for w in range(out.size):
        out[w] &= live[w]


@jit
def _exclusive_or(plane: np.ndarray, out: np.ndarray) -> None:
    for w in range(out.size):
        out[w] ^= plane[w]


@jit
def count_plane(digits: np.ndarray, least: int, out: np.ndarray) -> None:
    """Mark in `out` the subsets whose count is at least `least`, which must be at least 1.

    `digits` (uint64[1 + D, words]) contains the sign, then the digits. A comparison with a constant takes one operation
    per digit, beginning with the lowest.
    """
    lowest = digits[1]
    unless = ZERO if least & 1 else FULL
    for w in range(out.size):
        out[w] = lowest[w] | unless
    for d in range(2, digits.shape[0]):
        digit = digits[d]
        if least >> (d - 1) & 1:
            for w in range(out.size):
                out[w] &= digit[w]
        else:
            for w in range(out.size):
                out[w] |= digit[w]


@jit
def read_bits(plane: np.ndarray, at: int, out: np.ndarray) -> None:
    """Fill `out` with consecutive bits of a folded plane, beginning with bit `at`."""
    first, shift = np.uint64(at) >> np.uint64(6), np.uint64(at) & np.uint64(63)
    words, back = plane[first : first + np.uint64(out.size + 1)], np.uint64(63) - shift
    for w in range(np.uint64(out.size)):
        out[w] = (words[w] >> shift) | ((words[w + ONE] << ONE) << back)


@jit
def write_bits(bits: np.ndarray, at: int, plane: np.ndarray) -> None:
    """Write bits to a folded plane, beginning at bit `at`.

    Earlier bits are left unchanged, and the rest of the last word is cleared.
    """
    first, shift = np.uint64(at) >> np.uint64(6), np.uint64(at) & np.uint64(63)
    words, back = plane[first : first + np.uint64(bits.size + 1)], np.uint64(63) - shift
    words[0] = bits[0] << shift | (words[0] if shift else ZERO)
    for w in range(ONE, np.uint64(bits.size)):
        words[w] = (bits[w] << shift) | ((bits[w - ONE] >> ONE) >> back)
    words[bits.size] = (bits[bits.size - 1] >> ONE) >> back


@jit
def cut_bits(words: np.ndarray, bits: int) -> None:
    """Clear the bits of the last word that do not belong to the first `bits` bits of the array."""
    if bits & 63:
        words[words.size - 1] &= (ONE << np.uint64(bits & 63)) - ONE


@jit
def tally_live(planes: np.ndarray, live: np.ndarray, weight: int, tally: np.ndarray) -> None:
    """Count the live subsets in each plane, then all live subsets; add `weight` times each number to `tally`.

    `tally` is int64[P + 1].
    """
    for p in range(planes.shape[0]):
        plane = planes[p]
        found = 0
        for w in range(live.size):
            found += popcount(plane[w] & live[w])
        tally[p] += weight * found
    everything = 0
    for w in range(live.size):
        everything += popcount(live[w])
    tally[planes.shape[0]] += weight * everything
