"""From planes to pages: keep only the subsets of the size that can occur, in colexicographic order, and count them."""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.permute import Layer
from solver.kernels.squeeze import squeeze_word
from solver.kernels.words import FULL, LAYER, WORD_BITS, ZERO, popcount, valid_places, word_count


@jit
def inside_words(index_bits: int, size: int) -> np.ndarray:
    """int64[word_count]: how many of a subset's `size` squares lie inside each word; -1 where no such subset is."""
    inside = np.empty(word_count(index_bits), dtype=np.int64)
    for w in range(inside.size):
        squares = size - popcount(np.uint64(w))
        inside[w] = squares if 0 <= squares <= min(WORD_BITS, index_bits) else -1
    return inside


@jit
def layer_of(index_bits: int, size: int) -> Layer:
    """Where the bits that `append_layer` writes of the subsets of `size` squares come from."""
    inside = inside_words(index_bits, size)
    starts = np.zeros(inside.size, dtype=np.uint32)
    places = np.zeros(inside.size, dtype=np.uint64)
    valid = valid_places(index_bits)
    at = 0
    for w in range(inside.size):
        starts[w] = at
        if inside[w] < 0:
            inside[w] = 0
            continue
        places[w] = LAYER[inside[w]] & valid
        at += popcount(places[w])
    return Layer(starts, inside, places)


@jit
def layer_plane(index_bits: int, size: int) -> np.ndarray:
    """uint64[word_count]: the plane of all subsets of `size` squares."""
    return layer_of(index_bits, size).places


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
    out[:] = FULL
    for d in range(1, digits.shape[0]):
        digit = digits[d]
        if least >> (d - 1) & 1:
            for w in range(out.size):
                out[w] &= digit[w]
        else:
            for w in range(out.size):
                out[w] |= digit[w]


@jit
def append_layer(plane: np.ndarray, index_bits: int, inside: np.ndarray, stream: np.ndarray, at: int) -> int:
    """Append the bits of all subsets of one size to a bit stream, in colexicographic order.

    `inside` is from `inside_words`. `stream` (uint64[]) must hold zeros from bit `at` on; returns the bit after the
    last one written.
    """
    valid = valid_places(index_bits)
    widths = np.array([popcount(layer & valid) for layer in LAYER])
    for w in range(inside.size):
        if inside[w] < 0:
            continue
        bits = squeeze_word(plane[w], inside[w])
        shift = np.uint64(at & 63)
        stream[at >> 6] |= bits << shift
        if at & 63 != 0:
            stream[(at >> 6) + 1] |= bits >> (np.uint64(64) - shift)
        at += widths[inside[w]]
    return at


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
