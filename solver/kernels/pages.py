"""From planes to pages: keep only the subsets of the size that can occur, in colexicographic order, and count them."""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.permute import Layer
from solver.kernels.squeeze import squeeze_word
from solver.kernels.words import FULL, LAYER, ONE, WORD_BITS, ZERO, popcount, valid_places, word_count


@jit
def layer_of(index_bits: int, size: int) -> Layer:
    """Where the bits that `append_layer` writes of the subsets of `size` squares come from."""
    words = word_count(index_bits)
    starts = np.zeros(words + 1, dtype=np.uint32)
    inside = np.zeros(words, dtype=np.int64)
    places = np.zeros(words, dtype=np.uint64)
    valid = valid_places(index_bits)
    for w in range(words):
        squares = size - popcount(np.uint64(w))
        if 0 <= squares <= min(WORD_BITS, index_bits):
            inside[w] = squares
            places[w] = LAYER[squares] & valid
        starts[w + 1] = starts[w] + popcount(places[w])
    return Layer(starts, inside, places)


@jit
def digit_plane(planes: np.ndarray, by_x: int, step: int, live: np.ndarray, out: np.ndarray) -> None:
    """Fill `out` with a digit of every subset's count, or with its sign, within `live`.

    As the planes of either kind (the first `by_x`, and the others) are nested, the exclusive or of planes step-1,
    2*step-1, ... is a binary digit of how many hold: digit d for step 2**d. Step 0 stands for the sign, the first of
    the others.
    """
    out[:] = ZERO
    for p in range(planes.shape[0]):
        number = p + 1 if p < by_x else p + 1 - by_x
        wanted = (p == by_x) if step == 0 else number % step == 0
        if wanted:
            plane = planes[p]
            for w in range(out.size):
                out[w] ^= plane[w]
    for w in range(out.size):
        out[w] &= live[w]


@jit
def count_plane(digits: np.ndarray, least: int, out: np.ndarray) -> None:
    """Fill `out` with where the count is at least `least` >= 1; `digits` is uint64[1 + D, words], a sign first.

    A comparison with a constant takes one operation a digit, the lowest first.
    """
    if least & 1:
        out[:] = digits[1]
    else:
        out[:] = FULL
    for d in range(2, digits.shape[0]):
        digit = digits[d]
        if least >> (d - 1) & 1:
            for w in range(out.size):
                out[w] &= digit[w]
        else:
            for w in range(out.size):
                out[w] |= digit[w]


@jit
def append_layer(plane: np.ndarray, layer: Layer, stream: np.ndarray, at: int) -> int:
    """Append the bits of a layer to a bit stream, in colexicographic order.

    `stream` (uint64[]) must hold zeros from bit `at` on, and a word more than is written; returns the bit after the
    last one written.
    """
    word, filled = np.uint64(at >> 6), np.uint64(at & 63)
    current = stream[word]
    for w in range(np.uint64(plane.size)):
        bits = squeeze_word(plane[w], layer.inside[w], layer.places[w])
        width = np.uint64(layer.starts[w + ONE] - layer.starts[w])
        full = current | bits << filled
        stream[word] = full
        filled += width
        # No branch, because no processor could foresee it.
        carried = filled >> np.uint64(6)
        filled &= np.uint64(63)
        current = bits >> (width - filled & np.uint64(63)) if carried else full
        word += carried
    stream[word] = current
    return at + layer.starts[plane.size]


@jit
def tally_layer(planes: np.ndarray, live: np.ndarray, layer: np.ndarray, weight: int, tally: np.ndarray) -> None:
    """Add to `tally` (int64[P + 1]) `weight` times the live subsets of a layer in each plane; last, of all."""
    for p in range(planes.shape[0]):
        plane = planes[p]
        found = 0
        for w in range(live.size):
            found += popcount(plane[w] & live[w] & layer[w])
        tally[p] += weight * found
    everything = 0
    for w in range(live.size):
        everything += popcount(live[w] & layer[w])
    tally[planes.shape[0]] += weight * everything
