"""Pages unfolded: from the bits kept of another image of the board to planes with their index bits permuted.

A permutation of index bits is given as `source` (int64[n]): index bit t of the wanted plane is index bit
`source[t]` of the kept one. It is done in three moves, each a pass over whole words: the high bits (word numbers)
while unfolding, by fetching words in their new order, the bits that change between high and low by swapping half
words, the low ones by delta swaps inside words (Knuth, TAOCP 4A, section 7.1.3).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.squeeze import bits_at, unsqueeze_word
from solver.kernels.words import ABSENT, WORD_BITS


class Layer(NamedTuple):
    """Where the subsets of one size lie in a folded plane, word by word of the unfolded one."""

    starts: np.ndarray  # uint32[words + 1], the first bit, and last of all the number of bits
    inside: np.ndarray  # int64[words], how many squares of the subset are index bits inside the word; 0 where none is
    places: np.ndarray  # uint64[words], the subsets' places in the word


@jit
def image_order(free: int, image_free: int, permutation: np.ndarray, place: np.ndarray, source: np.ndarray) -> int:
    """Fill `source` for reading a plane over `free` from the one kept over its image `image_free`.

    `permutation[s]` is the image of square s. `place` is int64[N] to work in. Returns the number of index bits.
    """
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
def unfold_planes(
    folded: np.ndarray, layer: Layer, source: np.ndarray, n: int, numbers: np.ndarray, out: np.ndarray
) -> None:
    """Write to `out` the planes of n index bits whose bit t is bit source[t] of those in `folded`.

    `folded` is uint64[P, folded_words], the bits of a layer alone (see pages.append_layer), `out` uint64[P *
    word_count(n)], planes end to end, with zeros outside the layer. `source` is used up: on return it is the identity.
    `numbers` is uint32[word_count(n)] to work in.
    """
    low = min(WORD_BITS, n)
    # Pair each low bit that comes from above with a high bit that comes from below, and do those swaps last.
    pairs = swaps = 0  # the pairs, a byte each: an array would take longer to make than to fill
    above = low
    for t in range(low):
        if source[t] >= low:
            while source[above] >= low:
                above += 1
            pairs |= (source[above] | (above - low) << 3) << (8 * swaps)
            source[above], source[t] = source[t], source[above]
            swaps += 1
    _fetch_words(folded, layer, source, n, low, numbers, out)
    # A plane is a power of two words long, so the swaps run over all planes as if they were one.
    for k in range(swaps):
        _swap_low_high(out, pairs >> (8 * k) & 7, pairs >> (8 * k + 3) & 31)
    for t in range(low):
        other = source[t]
        if other != t:
            _swap_low(out, out.size, t, other)
            for later in range(t + 1, low):  # what was wanted from t is now at `other`
                if source[later] == t:
                    source[later] = other
            source[t] = t


@jit
def _fetch_words(
    folded: np.ndarray, layer: Layer, source: np.ndarray, n: int, low: int, numbers: np.ndarray, out: np.ndarray
) -> None:
    """Unfold words in the order of the permuted numbers: bit t of the one written is bit source[t] of the one read."""
    words = 1 << (n - low)
    numbers[0] = 0
    for t in range(n - low):
        for w in range(1 << t):
            numbers[(1 << t) + w] = numbers[w] | np.uint32(1 << (source[low + t] - low))
    for p in range(0, folded.shape[0] - 1, 2):  # two planes at a time share the look-ups
        one, two = folded[p], folded[p + 1]
        to_one, to_two = out[p * words : (p + 1) * words], out[(p + 1) * words : (p + 2) * words]
        for w in range(words):
            word = np.uint64(numbers[w])  # unsigned, or the compiler asks whether an index counts from the end
            at, inside, places = layer.starts[word], layer.inside[word], layer.places[word]
            to_one[w] = unsqueeze_word(bits_at(one, at), inside, places)
            to_two[w] = unsqueeze_word(bits_at(two, at), inside, places)
    if folded.shape[0] % 2:
        last = folded[folded.shape[0] - 1]
        to_last = out[(folded.shape[0] - 1) * words : folded.shape[0] * words]
        for w in range(words):
            word = np.uint64(numbers[w])
            bits = bits_at(last, layer.starts[word])
            to_last[w] = unsqueeze_word(bits, layer.inside[word], layer.places[word])


@jit
def _swap_low_high(plane: np.ndarray, i: int, b: int) -> None:
    """Exchange index bit i < 6 with bit b of the word number."""
    # The shortest runs by name: with a constant length the compiler deals pairs of words out to wide vectors.
    if b == 0:
        _swap_runs(plane, i, 1)
    elif b == 1:
        _swap_runs(plane, i, 2)
    else:
        _swap_long_runs(plane, i, 1 << b)


@jit
def _swap_runs(plane: np.ndarray, i: int, run: int) -> None:
    """Exchange index bit i across each pair of neighbouring runs of words."""
    shift = np.uint64(1 << i)
    absent = ABSENT[i]
    length = np.uint64(run)
    for block in range(np.uint64(plane.size // (2 * run))):
        start = block * (length + length)
        for w in range(start, start + length):
            lower, upper = plane[w], plane[w + length]
            moving = ((lower >> shift) ^ upper) & absent
            plane[w + length] = upper ^ moving
            plane[w] = lower ^ (moving << shift)


@jit
def _swap_long_runs(plane: np.ndarray, i: int, run: int) -> None:
    """As `_swap_runs`; in a slice of its own the compiler sees that the two runs of a pair don't overlap."""
    shift = np.uint64(1 << i)
    absent = ABSENT[i]
    length = np.uint64(run)
    for start in range(np.uint64(0), np.uint64(plane.size), length + length):
        pair = plane[start : start + length + length]
        for w in range(length):
            lower, upper = pair[w], pair[w + length]
            moving = ((lower >> shift) ^ upper) & absent
            pair[w + length] = upper ^ moving
            pair[w] = lower ^ (moving << shift)


@jit
def _swap_low(plane: np.ndarray, words: int, i: int, j: int) -> None:
    """Exchange index bits i < j < 6."""
    shift = np.uint64((1 << j) - (1 << i))
    mask = ABSENT[j] & ~ABSENT[i]
    for w in range(words):
        word = plane[w]
        moving = ((word >> shift) ^ word) & mask
        plane[w] = word ^ moving ^ (moving << shift)
