"""Convert planes to pages and back, copy runs of bits, and count positions.

The planes of a level are of two kinds: for lines of X and for lines of O. A position's bit is set only in planes of one
kind. For each position, a page has a sign, which identifies this kind, and a count of the planes in which the bit is
set. The count is stored in binary, with one plane of the page for each digit.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part
from solver.kernels.words import FULL, ONE, ZERO


@jit_part
def page_plane(planes: np.ndarray, by_x: int, number: int, live: np.ndarray, out: np.ndarray) -> None:
    """Fill `out` with plane `number` of a page, but only for the subsets in `live`.

    Plane 0 of a page is the sign, and plane d + 1 is binary digit d of the count. The first `by_x` input planes are of
    the first kind, and the others of the second. The planes of each kind are nested, so digit d is the exclusive or of
    every 2**d-th input plane of each kind. The sign is the first input plane of the second kind.
    """
    out[:] = ZERO
    step = 1 << max(number - 1, 0)
    for p in range(planes.shape[0]):
        place = p + 1 if p < by_x else p - by_x + 1  # among the planes of its kind
        if p == by_x if number == 0 else place & (step - 1) == 0:
            plane = planes[p]
            for w in range(out.size):
                out[w] ^= plane[w]
    for w in range(out.size):
        out[w] &= live[w]


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


@jit_part
def merge_page(
    child: np.ndarray,
    child_by_x: int,
    child_by_o: int,
    lacks: np.ndarray,
    flip_x: np.uint64,
    plane: np.ndarray,
    planes: np.ndarray,
    by_x: int,
) -> None:
    """Expand the page of a child (uint64[D, W]) to planes, and OR them into `planes`, for the subsets in `lacks`.

    `flip_x` is all ones to complement the planes of the first kind (the first `by_x`), or zero to complement those of
    the second kind. `plane` is scratch space.
    """
    for p in range(max(child_by_x, child_by_o)):
        count_plane(child, p + 1, plane)
        if p < child_by_x:
            _merge_plane(plane, child[0], FULL, flip_x, lacks, planes[p])
        if p < child_by_o:
            _merge_plane(plane, child[0], ZERO, ~flip_x, lacks, planes[by_x + p])


@jit_part
def _merge_plane(
    plane: np.ndarray, sign: np.ndarray, sign_flip: np.uint64, flip: np.uint64, lacks: np.ndarray, target: np.ndarray
) -> None:
    """OR a child's plane into `target`, for the subsets in `lacks`.

    If `sign_flip` is all ones, only the bits of subsets whose sign is not set are used; if it is zero, only those of
    subsets whose sign is set. The other bits count as 0. Then all bits are complemented if `flip` is all ones.
    """
    for w in range(target.size):
        target[w] |= ((plane[w] & (sign[w] ^ sign_flip)) ^ flip) & lacks[w]


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


@jit_part
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
