"""Process folded planes of any length block by block, with tables whose size does not depend on that length.

A folded plane over n squares has a bit for each subset of a given size; the subsets are ordered as integers (see
layers). So subsets that differ only in the lowest BLOCK squares are neighbours and form a *block*. The index bits above
those squares are the same throughout a block and identify it; they are the block's *head*. Within a block, the subsets
take a given number of those lowest squares, in all possible ways and in order. If a square is removed or added, each
block of the result is filled from a single run of bits of the input.

A plane over fewer than BLOCK squares is a single block: its subsets are the first ones of a block over BLOCK squares.
So one table serves all planes. The tables are constants of the compiled code. If they were passed as arguments, Numba
would count the references to them, and counting would take longer than processing many blocks.
"""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from solver.kernels.extract import STAGES, deposit_word, extract_word, list_stages, word_at
from solver.kernels.jit import jit
from solver.kernels.words import FULL, ONE, ZERO, or_into

BLOCK = 12 if STAGES else 15
"""Squares of a block. The tables, which have one more square, should fit into the second-level cache."""

BLOCK_WORDS = comb(BLOCK, BLOCK // 2) // 64 + 2
"""Words of the longest block, plus one."""

BINOMIALS = np.array([[comb(n, size) for size in range(65)] for n in range(65)], dtype=np.int64)
"""int64[65, 65]: the subsets of some size of n squares."""

_SIZES = range(BLOCK + 2)

_FIRST = np.array([sum(comb(BLOCK + 1, less) // 64 + 1 for less in range(size)) for size in _SIZES], dtype=np.int64)
"""int64[BLOCK + 2]: the first word of each size in the tables below, whose subsets are of BLOCK + 1 squares, folded."""


def _mark_places() -> npt.NDArray[np.uint64]:
    """Return bit masks that select subsets of BLOCK + 1 squares: uint64[2 * (BLOCK + 1), words].

    Row i marks the subsets without index bit i, and row BLOCK + 1 + i marks those with it.
    """
    squares = np.arange(BLOCK + 1)[:, None]
    subsets = np.arange(1 << len(squares))
    places = np.zeros((2 * len(squares), _FIRST[-1] + 1), dtype=np.uint64)
    for size in _SIZES:
        chosen = (subsets[np.bitwise_count(subsets) == size] >> squares & 1).astype(bool)
        bits = np.packbits(np.concatenate([~chosen, chosen]), axis=1, bitorder="little")
        places[:, _FIRST[size] :].view(np.uint8)[:, : bits.shape[1]] = bits
    return places


def _count_places() -> npt.NDArray[np.uint16]:
    """Return, for each word of `_PLACES`, the number of marked bits up to its end: uint16[2 * (BLOCK + 1), words].

    The count starts again at the first word of each size.
    """
    counts = np.bitwise_count(_PLACES)
    return np.concatenate(
        [part.cumsum(axis=1, dtype=np.uint16) for part in np.split(counts, _FIRST[1:], axis=1)], axis=1
    )


_PLACES = _mark_places()
_UNTIL = _count_places()
_PLACE_STAGES = list_stages(_PLACES)


@jit
def first_bit(head: int, low: int, size: int) -> int:
    """Return the index of a block's first bit: the rank of its first subset among all subsets of the same size.

    Each of the subsets has the squares of `head`, the block's head, and `size` of the `low` lowest squares.
    """
    at = 0
    while head:
        taken = head & 1
        size += taken
        at += BINOMIALS[low, size] * taken
        low += 1
        head >>= 1
    return at


@jit
def take_square(planes: np.ndarray, at: int, bits: int, size: int, i: int, value: int, out: np.ndarray) -> None:
    """Fill `out` with a block's bits for the subsets that have index bit i (`value` 1) or lack it (`value` 0).

    The block begins at bit `at` of each of `planes` (uint64[P, W]) and has `bits` bits, for subsets of `size` squares.
    Each row of `out` (uint64[P, w]) must be one word longer than the part that is filled.
    """
    row, first, words = value * (BLOCK + 1) + i, np.uint64(_FIRST[size]), np.uint64((bits + 63) >> 6)
    start, shift = np.uint64(at) >> np.uint64(6), np.uint64(at) & np.uint64(63)
    back = np.uint64(63) - shift
    for p in range(planes.shape[0]):
        plane, filling = planes[p][start:], out[p]
        current, end, here = ZERO, np.uint64(0), plane[0]
        for w in range(words):
            place, following = first + w, plane[w + ONE]
            found = (here >> shift) | ((following << ONE) << back)
            found = extract_word(found, _PLACES[row, place], _PLACE_STAGES, row, place)
            here = following
            word, filled = end >> np.uint64(6), end & np.uint64(63)
            end = np.uint64(_UNTIL[row, place])
            current |= found << filled
            filling[word] = current
            current = (found >> ONE) >> (np.uint64(63) - filled) if end >> np.uint64(6) != word else current
        filling[end >> np.uint64(6)] = current


@jit
def add_square(plane: np.ndarray, at: int, size: int, i: int, value: int, out: np.ndarray) -> None:
    """OR consecutive bits of a plane, beginning with bit `at`, into `out`, a block for subsets of `size` squares.

    The bits go, in order, to the places of the subsets that have index bit i (`value` 1) or lack it (`value` 0).
    """
    row, first = value * (BLOCK + 1) + i, np.uint64(_FIRST[size])
    here = np.uint64(at)
    for w in range(np.uint64(out.size)):
        place = first + w
        out[w] |= deposit_word(word_at(plane, here), _PLACES[row, place], _PLACE_STAGES, row, place)
        here = np.uint64(at) + np.uint64(_UNTIL[row, place])


SET_HEAD = 3
"""The entries before the rows in a description of sets, see `describe_sets`."""


@jit
def describe_sets(wanted: int, banned: int, low: int, out: np.ndarray) -> None:
    """Encode a condition for `mark_sets`: a subset has all index bits of `wanted` and none of `banned`.

    Fills `out` (int64[SET_HEAD + index bits + 4]). The first two entries are the bits of `wanted` and `banned` above
    the `low` lowest: the conditions on a block's head. The third is the number of entries after it. Each of these is
    the index of a row of `_PLACES` that must mark the subset. The last index is repeated until their number is
    divisible by four.
    """
    count = SET_HEAD
    out[0], out[1] = wanted >> low, banned >> low
    for i in range(low):
        if (wanted | banned) >> i & 1:
            out[count] = (wanted >> i & 1) * (BLOCK + 1) + i
            count += 1
    while (count - SET_HEAD) % 4:
        out[count] = out[count - 1]
        count += 1
    out[2] = count - SET_HEAD


@jit
def mark_sets(sets: np.ndarray, head: int, size: int, work: np.ndarray, out: np.ndarray) -> None:
    """Fill `out`, a block for subsets of `size` squares, with the subsets that meet at least one of the conditions.

    `sets` (int64[L, ...]) contains the conditions, encoded by `describe_sets`. `head` identifies the block. `work` is
    scratch space of the same length as `out`.
    """
    first, words = np.uint64(_FIRST[size]), np.uint64(out.size)
    out[:] = ZERO
    for t in range(sets.shape[0]):
        if sets[t, 0] & ~head or sets[t, 1] & head:
            continue
        work[:] = FULL
        for r in range(SET_HEAD, SET_HEAD + sets[t, 2], 4):  # four at a time, as most lines have
            a, b, c, d = sets[t, r], sets[t, r + 1], sets[t, r + 2], sets[t, r + 3]
            for w in range(words):
                work[w] &= _PLACES[a, first + w] & _PLACES[b, first + w] & _PLACES[c, first + w] & _PLACES[d, first + w]
        or_into(work, out)


@jit
def mark_equal(head: int, low: int, size: int, i: int, j: int, out: np.ndarray) -> None:
    """Remove from a block the subsets that have exactly one of the index bits i and j, where i < j."""
    first, words, squares = np.uint64(_FIRST[size]), np.uint64(out.size), BLOCK + 1
    if j < low:
        for w in range(words):
            place = first + w
            out[w] &= ~(_PLACES[squares + i, place] ^ _PLACES[squares + j, place])
        return
    value = np.int64(head >> (j - low) & 1)
    if i < low:
        for w in range(words):
            out[w] &= _PLACES[value * squares + i, first + w]
    elif head >> (i - low) & 1 != value:
        out[:] = ZERO
