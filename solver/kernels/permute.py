"""Permute the index bits of a page: convert folded planes for one image of the board to half planes for another.

A permutation of index bits is given as `source` (int64[n]): index bit t of the result is index bit `source[t]` of the
input. Permuting takes four steps, each a pass over whole words. The high bits, which form the word number, are permuted
while unfolding, by fetching the words in their new order. A high and a low bit are exchanged by swapping halves of
words. The low bits are permuted by delta swaps inside words (Knuth, TAOCP 4A, section 7.1.3). Finally, if the half
planes of the two images leave out different squares, these two squares are exchanged.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.kernels.extract import LAYER_STAGES, bits_at, deposit_word
from solver.kernels.jit import jit, jit_part
from solver.kernels.layers import Layer
from solver.kernels.words import ABSENT, WORD_BITS


@jit
def image_order(free: int, image_free: int, permutation: np.ndarray, place: np.ndarray, source: np.ndarray) -> int:
    """Fill `source` with the permutation that converts planes over `image_free` to planes over `free`.

    `image_free` is the image of the squares `free`, and `permutation[s]` is the image of square s. `place` (int64[N])
    is scratch space. Returns the number of index bits.
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
def unfold_permuted(
    one: np.ndarray, two: np.ndarray, layer: Layer, source: np.ndarray, n: int, numbers: np.ndarray, planes: np.ndarray
) -> None:
    """Unfold two folded planes to half planes over n squares, with permuted index bits.

    Index bit t of the result is index bit source[t] of the folded planes. `planes` (uint64[2 * word_count(n - 1)])
    receives the half planes, one after the other; their bits outside the layer are meaningless. `source` is
    overwritten. `numbers` (uint32[word_count(n - 1)]) is scratch space.
    """
    out = _leave_out(source, n)
    n -= 1
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
    _number_words(source, n, low, numbers)
    _fetch_words(one, two, layer, numbers, planes)
    # A plane is a power of two words long, so the swaps run over both planes as if they were one.
    for k in range(swaps):
        _swap_low_high(planes, pairs >> (8 * k) & 7, pairs >> (8 * k + 3) & 31)
    for t in range(low):
        other = source[t]
        if other != t:
            _swap_low(planes, t, other)
            for later in range(t + 1, low):  # the bit that was wanted from t is now at `other`
                if source[later] == t:
                    source[later] = other
            source[t] = t
    if out:
        words = numbers.size
        _exchange_lowest(planes[:words], out - 1, layer.lower)
        _exchange_lowest(planes[words:], out - 1, layer.lower)


@jit_part
def _leave_out(source: np.ndarray, n: int) -> int:
    """Reduce `source` to a permutation of the n - 1 index bits of half planes, which leave out index bit 0.

    Returns t, the index bit that the input's index bit 0 should become. If t > 0, the input's bit that should become
    bit 0 becomes bit t instead, and bits 0 and t must be exchanged at the end.
    """
    out = 0
    while source[out] != 0:
        out += 1
    source[out] = source[0]
    for t in range(1, n):
        source[t - 1] = source[t] - 1
    return out


@jit_part
def _exchange_lowest(plane: np.ndarray, i: int, lower: np.ndarray) -> None:
    """Exchange the square of index bit i with the lowest square, which has no index bit in a half plane.

    Only the bits of subsets that contain exactly one of these two squares move. `lower` marks those that contain the
    lowest square. Each changes places with the subset that contains the square of index bit i instead.
    """
    if i >= WORD_BITS:
        run = np.uint64(1 << (i - WORD_BITS))
        for start in range(np.uint64(0), np.uint64(plane.size), run + run):
            pair, places = plane[start : start + run + run], lower[start : start + run]
            for w in range(run):
                moving = (pair[w] ^ pair[w + run]) & places[w]
                pair[w] ^= moving
                pair[w + run] ^= moving
        return
    shift, absent = np.uint64(1 << i), ABSENT[i]
    for w in range(plane.size):
        word = plane[w]
        moving = ((word >> shift) ^ word) & lower[w] & absent
        plane[w] = word ^ moving ^ (moving << shift)


@jit_part
def _number_words(source: np.ndarray, n: int, low: int, numbers: np.ndarray) -> None:
    """For each word to write, number w, store in `numbers[w]` the number r of the word to read.

    Bit t of w is bit source[low + t] - low of r.
    """
    numbers[0] = 0
    for t in range(n - low):
        bit = np.uint32(1 << (source[low + t] - low))
        known, new = numbers[: 1 << t], numbers[1 << t : 2 << t]
        for w in range(new.size):
            new[w] = known[w] | bit


@jit_part
def _fetch_words(one: np.ndarray, two: np.ndarray, layer: Layer, numbers: np.ndarray, planes: np.ndarray) -> None:
    """Unfold the words of two folded planes in the order of `numbers`.

    Words without subsets of the layer are left unchanged.
    """
    first, second = planes[: numbers.size], planes[numbers.size :]
    for r in range(np.uint64(layer.real.size)):
        w = layer.real[r]
        word = np.uint64(numbers[w])  # unsigned, or the compiler checks whether an index counts from the end
        at, mask, places = layer.starts[word], layer.masks[word], layer.places[word]
        first[w] = deposit_word(bits_at(one, at), places, LAYER_STAGES, 0, mask)
        second[w] = deposit_word(bits_at(two, at), places, LAYER_STAGES, 0, mask)


@jit_part
def _swap_low_high(plane: np.ndarray, i: int, b: int) -> None:
    """Exchange index bit i < 6 with bit b of the word number."""
    # The shortest runs by name: with a constant length, the compiler uses wide vectors for pairs of words.
    if b == 0:
        _swap_words(plane, i)
    elif b == 1:
        _swap_pairs(plane, i)
    else:
        _swap_long_runs(plane, i, 1 << b)


def _swap_runs(run: int) -> Callable[[np.ndarray, int], None]:
    """Return a kernel that exchanges index bit i with a bit of the word's number: the one whose place value is `run`.

    The words form pairs of adjacent runs of `run` words. Bits are exchanged between the two runs of each pair.
    """
    length = np.uint64(run)

    @jit
    def swap(plane: np.ndarray, i: int) -> None:
        shift = np.uint64(1 << i)
        absent = ABSENT[i]
        for block in range(np.uint64(plane.size) // (length + length)):
            start = block * (length + length)
            for w in range(start, start + length):
                lower, upper = plane[w], plane[w + length]
                moving = ((lower >> shift) ^ upper) & absent
                plane[w + length] = upper ^ moving
                plane[w] = lower ^ (moving << shift)

    return swap


_swap_words, _swap_pairs = _swap_runs(1), _swap_runs(2)


@jit_part
def _swap_long_runs(plane: np.ndarray, i: int, run: int) -> None:
    """Do the same as a kernel from `_swap_runs`, for longer runs.

    Each pair of runs is a single slice, from which the compiler infers that the two runs don't overlap.
    """
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


@jit_part
def _swap_low(plane: np.ndarray, i: int, j: int) -> None:
    """Exchange index bits i and j, where i < j < 6."""
    shift = np.uint64((1 << j) - (1 << i))
    mask = ABSENT[j] & ~ABSENT[i]
    for w in range(plane.size):
        word = plane[w]
        moving = ((word >> shift) ^ word) & mask
        plane[w] = word ^ moving ^ (moving << shift)
