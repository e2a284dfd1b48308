"""Fold and unfold planes. The subsets of one size form a *layer*; folding moves their bits together.

A plane has a bit for every subset of some squares. A *half plane* is for subsets of one size and has no index bit for
the lowest square: the size and the other squares determine whether a subset has that square. A half plane represents as
many subsets of that size as a plane, in half as many words. A *folded plane* has only the bits for subsets of one size,
without gaps. One or two extra words follow them, so that two adjacent words can always be read. In all planes, the
subsets are in colexicographic order. Most of the solving is done on folded planes.

An additional square adds subsets, but does not change the order of the others. So a folded plane is extended to the new
square by moving its bits, in order, to the places (an `Insertion`) of the subsets without that square.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.kernels.extract import LAYER_STAGES, MASKS, bits_at, deposit_word, extract_word, list_stages, word_at
from solver.kernels.jit import jit
from solver.kernels.words import ABSENT, FULL, LAYER, NEIGHBOURS, ONE, WORD_BITS, ZERO, valid_places, word_count

SPARSE = 8  # words of a half plane that take as long as one subset


class Layer(NamedTuple):
    """The subsets of one size: their places in each word of a plane or half plane, and in the folded plane."""

    starts: np.ndarray  # uint32[words + 1], the first bit, and last of all the number of bits
    places: np.ndarray  # uint64[words], the subsets' places in the word
    masks: np.ndarray  # int64[words], the index in extract.MASKS of each word's places
    lower: np.ndarray  # uint64[words], of a half plane: the places of subsets that have the lowest square
    real: np.ndarray  # uint32[R], the words that may contain subsets; all others are empty
    sets: np.ndarray  # int64[C], the subsets as masks of index bits, if they are listed instead of words


class Insertion(NamedTuple):
    """For each of the n squares of a folded plane, the places of the subsets without that square.

    When the square is inserted, the bits of a plane over the other squares move to these places, in order.
    """

    lacks: np.ndarray  # uint64[n, folded words], the subsets without index bit i
    before: np.ndarray  # uint32[n, folded words], the number of these subsets before the word
    stages: np.ndarray  # uint64[n, folded words, STAGES], see extract.deposit_word


def folded_words(bits: int) -> int:
    """Return the number of words of a folded plane that has `bits` bits."""
    return bits // 64 + 2


def is_sparse(index_bits: int, size: int) -> bool:
    """Return True if a layer has so few subsets that it is faster to process them one by one."""
    return SPARSE * (comb(index_bits, size) if size >= 0 else 0) <= word_count(index_bits - 1)


def sparse_layer_of(index_bits: int, size: int) -> Layer:
    """Return a sparse layer: a list of its subsets, without words; see `is_sparse` and kernels.sparse."""
    sets, none = list_subsets(index_bits, size), np.zeros(0, np.uint64)
    return Layer(np.array([sets.size], np.uint32), none, none.view(np.int64), none, none.astype(np.uint32), sets)


def list_subsets(index_bits: int, size: int) -> npt.NDArray[np.int64]:
    """Return all subsets of `size` out of `index_bits` squares, as masks in colexicographic order: int64[C]."""
    subsets = [np.zeros(int(count == 0), np.int64) for count in range(size + 1)]
    for i in range(index_bits):
        for count in range(size, 0, -1):
            subsets[count] = np.concatenate([subsets[count], subsets[count - 1] | 1 << i])
    return subsets[size] if size >= 0 else np.zeros(0, np.int64)


def layer_of(index_bits: int, size: int) -> Layer:
    """Return the layer, in a plane, of all subsets of `size` out of `index_bits` squares."""
    squares = size - np.bitwise_count(np.arange(word_count(index_bits))).astype(np.int64)
    real = (squares >= 0) & (squares < LAYER.size)
    masks = np.where(real, squares, 0)
    places = np.where(real, LAYER[masks] & valid_places(index_bits), ZERO)
    return _layer(places, masks, np.zeros_like(places), real)


def half_layer_of(index_bits: int, size: int) -> Layer:
    """Return the layer, in a half plane, of all subsets of `size` out of `index_bits` squares.

    `index_bits` must be at least 1. `Layer.real` also includes the words of the layer of size `size` - 1, so that the
    result can be used to read both layers.
    """
    squares = size - np.bitwise_count(np.arange(word_count(index_bits - 1))).astype(np.int64)
    real = (squares >= 0) & (squares < NEIGHBOURS.size)
    masks = np.where(real, LAYER.size + squares, 0)
    valid = valid_places(index_bits - 1)
    places = np.where(real, MASKS[masks] & valid, ZERO)
    lower = np.where(real & (squares > 0), LAYER[np.where(real, squares - 1, 0)] & valid, ZERO)
    return _layer(places, masks, lower, (squares >= 0) & (squares <= NEIGHBOURS.size))


def _layer(
    places: npt.NDArray[np.uint64],
    masks: npt.NDArray[np.int64],
    lower: npt.NDArray[np.uint64],
    real: npt.NDArray[np.bool_],
) -> Layer:
    starts = np.zeros(places.size + 1, dtype=np.uint32)
    starts[1:] = np.bitwise_count(places).cumsum(dtype=np.uint32)
    return Layer(starts, places, masks, lower, np.nonzero(real)[0].astype(np.uint32), np.zeros(0, np.int64))


def insertion_of(index_bits: int, layer: Layer) -> Insertion:
    """Return the `Insertion` for the folded planes of a layer.

    `layer` is a layer over `index_bits` squares, in a half plane.
    """
    folded = folded_words(int(layer.starts[-1]))
    lacks = np.zeros((index_bits, folded), dtype=np.uint64)
    before = np.zeros((index_bits, folded), dtype=np.uint32)
    if layer.places.size == 0:
        for i in range(index_bits):
            bits = np.packbits(layer.sets >> i & 1 == 0, bitorder="little")
            lacks[i].view(np.uint8)[: bits.size] = bits
        np.bitwise_count(lacks[:, :-1]).cumsum(axis=1, dtype=np.uint32, out=before[:, 1:])
        return Insertion(lacks, before, list_stages(lacks))
    real = layer.real
    dense = Layer(  # without the empty words, which are most of those of a small size
        np.concatenate([layer.starts[:1], layer.starts[real + 1]]),
        layer.places[real],
        layer.masks[real],
        layer.lower[real],
        np.arange(real.size, dtype=np.uint32),
        layer.sets,
    )
    plane = np.empty_like(dense.places)
    for i in range(index_bits):
        if i == 0:
            plane[:] = ~dense.lower
        elif i <= WORD_BITS:
            plane[:] = ABSENT[i - 1]
        else:
            plane[:] = np.where(real >> (i - 1 - WORD_BITS) & 1, ZERO, FULL)
        fold(plane, dense, lacks[i])
    np.bitwise_count(lacks[:, :-1]).cumsum(axis=1, dtype=np.uint32, out=before[:, 1:])
    return Insertion(lacks, before, list_stages(lacks))


@jit
def fold(plane: np.ndarray, layer: Layer, folded: np.ndarray) -> None:
    """Fold a plane or half plane: write the bits of a layer to the beginning of `folded`.

    `folded` (uint64) must have at least as many words as `folded_words` returns.
    """
    current, at = ZERO, np.uint64(0)
    for r in range(np.uint64(layer.real.size)):
        w = np.uint64(layer.real[r])
        bits = extract_word(plane[w], layer.places[w], LAYER_STAGES, 0, layer.masks[w])
        word, filled = at >> np.uint64(6), at & np.uint64(63)
        at = np.uint64(layer.starts[w + ONE])
        current |= bits << filled
        folded[word] = current
        # No branch, because no processor could predict it. (A word that is full has begun with other bits than these.)
        current = bits >> (np.uint64(64) - filled & np.uint64(63)) if at >> np.uint64(6) != word else current
    word = at >> np.uint64(6)
    folded[word] = current
    folded[word + ONE] = ZERO


@jit
def fold_two(planes: np.ndarray, layer: Layer, one: np.ndarray, two: np.ndarray) -> None:
    """Fold two planes as `fold` does, with shared look-ups. `planes` contains both planes, one after the other."""
    first, second = planes[: layer.places.size], planes[layer.places.size :]
    current, other, at = ZERO, ZERO, np.uint64(0)
    for r in range(np.uint64(layer.real.size)):
        w = np.uint64(layer.real[r])
        mask, places = layer.masks[w], layer.places[w]
        bits = extract_word(first[w], places, LAYER_STAGES, 0, mask)
        more = extract_word(second[w], places, LAYER_STAGES, 0, mask)
        word, filled = at >> np.uint64(6), at & np.uint64(63)
        at = np.uint64(layer.starts[w + ONE])
        current |= bits << filled
        other |= more << filled
        one[word] = current
        two[word] = other
        full, rest = at >> np.uint64(6) != word, np.uint64(64) - filled & np.uint64(63)
        current = bits >> rest if full else current
        other = more >> rest if full else other
    word = at >> np.uint64(6)
    one[word] = current
    two[word] = other
    one[word + ONE] = ZERO
    two[word + ONE] = ZERO


@jit
def unfold_two(one: np.ndarray, two: np.ndarray, layer: Layer, planes: np.ndarray) -> None:
    """Unfold two folded planes into `planes`, which contains two planes or half planes, one after the other.

    Words without subsets of the layer are left unchanged.
    """
    first, second = planes[: layer.places.size], planes[layer.places.size :]
    for r in range(np.uint64(layer.real.size)):
        w = np.uint64(layer.real[r])
        at, mask, places = layer.starts[w], layer.masks[w], layer.places[w]
        first[w] = deposit_word(bits_at(one, at), places, LAYER_STAGES, 0, mask)
        second[w] = deposit_word(bits_at(two, at), places, LAYER_STAGES, 0, mask)


@jit
def insert_square(planes: np.ndarray, i: int, insertion: Insertion, out: np.ndarray) -> None:
    """Insert index bit i into folded planes.

    `planes` (uint64[P, W]) are over one square fewer than `out` (uint64[P, folded words]), for subsets of the same
    size. Fills `out` with the bits of `planes`, and with 0 for the subsets that have bit i.
    """
    lacks, before = insertion.lacks[i], insertion.before[i]
    for p in range(0, planes.shape[0] - 1, 2):  # two planes at a time share the look-ups
        one, two, to_one, to_two = planes[p], planes[p + 1], out[p], out[p + 1]
        for w in range(np.uint64(lacks.size)):
            to_one[w] = deposit_word(word_at(one, before[w]), lacks[w], insertion.stages, i, w)
            to_two[w] = deposit_word(word_at(two, before[w]), lacks[w], insertion.stages, i, w)
    if planes.shape[0] % 2:
        last, to_last = planes[planes.shape[0] - 1], out[planes.shape[0] - 1]
        for w in range(np.uint64(lacks.size)):
            to_last[w] = deposit_word(word_at(last, before[w]), lacks[w], insertion.stages, i, w)
