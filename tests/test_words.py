"""Words and planes: every trick against the loop it stands for."""

from math import comb

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.kernels.lines import buildable_plane, line_plane
from solver.kernels.moves import count_absent, count_moves, insert_bit, remove_bit
from solver.kernels.pages import append_layer, count_plane, layer_of
from solver.kernels.permute import image_order, unfold_planes
from solver.kernels.squeeze import (
    bits_at,
    bits_by_words,
    squeeze_by_stages,
    squeeze_word,
    unsqueeze_by_stages,
    unsqueeze_word,
)
from solver.kernels.words import FULL, LAYER, ZERO, gather, popcount, spread, valid_places, word_count

Plane = npt.NDArray[np.uint64]
words = st.integers(0, 2**64 - 1)


def pack(bits: list[int]) -> Plane:
    """A plane from one 0 or 1 a subset."""
    padded = np.zeros(-len(bits) % 64 + len(bits), dtype=np.uint8)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.uint64)


def unpack(plane: Plane, index_bits: int) -> list[int]:
    bits: list[int] = np.unpackbits(plane.view(np.uint8), bitorder="little")[: 1 << index_bits].tolist()
    return bits


def random_bits(index_bits: int, seed: int) -> list[int]:
    bits: list[int] = np.random.default_rng(seed).integers(0, 2, 1 << index_bits).tolist()
    return bits


@given(words)
def test_popcount(word: int) -> None:
    assert popcount(np.uint64(word)) == word.bit_count()


@given(words, st.integers(0, 5))
def test_spread_moves_place_j_to_j_with_a_zero_inserted(word: int, i: int) -> None:
    expected = sum((word >> j & 1) << ((j >> i << i + 1) | (j & ((1 << i) - 1))) for j in range(32))
    assert int(spread(np.uint64(word), i)) == expected
    assert int(gather(np.uint64(expected), i)) == word & 0xFFFFFFFF


@given(words, st.integers(0, 6))
def test_squeeze_word_keeps_one_layer_in_order(word: int, size: int) -> None:
    layer = [j for j in range(64) if j.bit_count() == size]
    expected = sum((word >> j & 1) << r for r, j in enumerate(layer))
    assert (
        int(squeeze_word(np.uint64(word), size, LAYER[size])) == expected
    )  # the processor's instruction, where there is one
    assert int(squeeze_by_stages(np.uint64(word), size, LAYER[size])) == expected


@given(words, st.integers(0, 6), words)
def test_unsqueezed_words_have_the_bits_of_a_layer_where_they_were(word: int, size: int, above: int) -> None:
    layer = LAYER[size]
    bits = int(squeeze_word(np.uint64(word), size, LAYER[size]))
    bits |= above << int(layer).bit_count() & (1 << 64) - 1  # of the subsets that follow, and not looked at
    assert int(unsqueeze_word(np.uint64(bits), size, layer)) == word & int(layer)
    assert int(unsqueeze_by_stages(np.uint64(bits), size, layer)) == word & int(layer)


@given(words, words, st.integers(0, 63))
def test_bits_are_read_across_words(low: int, high: int, at: int) -> None:
    least = (1 << 57) - 1
    pair = np.array([low, high], dtype=np.uint64)
    assert int(bits_at(pair, at)) & least == (low | high << 64) >> at & least
    assert int(bits_by_words(pair, at)) & least == (low | high << 64) >> at & least


@given(st.integers(0, 10).flatmap(lambda n: st.permutations(range(n))), st.integers(0, 10), st.integers(0, 99))
def test_unfolded_planes_hold_the_subsets_of_one_size_in_the_wanted_order(
    source: list[int], size: int, seed: int
) -> None:
    n = len(source)
    layer = layer_of(n, size)
    planes = [random_bits(n, seed + p) for p in range(3)]
    folded = np.zeros((3, 2 + comb(n, size) // 64), dtype=np.uint64)
    for bits, stream in zip(planes, folded, strict=True):
        append_layer(pack(bits), layer, stream, 0)
    out = np.zeros(3 * word_count(n), dtype=np.uint64)
    numbers = np.empty(word_count(n), dtype=np.uint32)
    unfold_planes(folded, layer, np.array([*source, 0], dtype=np.int64), n, numbers, out)
    for bits, moved in zip(planes, np.split(out, 3), strict=True):
        read = [sum((j >> t & 1) << source[t] for t in range(n)) for j in range(1 << n)]
        assert unpack(moved, n) == [bits[j] if j.bit_count() == size else 0 for j in read]


@given(st.lists(st.integers(0, 13), min_size=64, max_size=64), st.integers(1, 13))
def test_counts_are_compared_digit_by_digit(counts: list[int], least: int) -> None:
    digits = [pack([count >> d & 1 for count in counts]) for d in range(4)]
    out = np.zeros(1, dtype=np.uint64)
    count_plane(np.stack([np.zeros(1, dtype=np.uint64), *digits]), least, out)
    assert unpack(out, 6) == [int(count >= least) for count in counts]


def test_image_order_follows_the_squares() -> None:
    source = np.zeros(8, dtype=np.int64)
    # Squares 0, 1, 3 are free and go to 2, 3, 1: index bits 0, 1, 2 of the image are squares 1, 2, 3.
    assert image_order(0b01011, 0b01110, np.array([2, 3, 0, 1, 4]), np.empty_like(source), source) == 3
    assert source[:3].tolist() == [1, 2, 0]


@pytest.mark.parametrize("index_bits", range(1, 10))
@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("flip", [ZERO, FULL])
def test_a_bit_comes_in_and_goes_out(index_bits: int, value: int, flip: np.uint64) -> None:
    for i in range(index_bits):
        bits = random_bits(index_bits - 1, i)
        other = random_bits(index_bits, i + 50)
        target = pack(other)
        insert_bit(pack(bits), i, value, flip, index_bits, target)
        flipped = [bit ^ int(flip != 0) for bit in bits]
        below = (1 << i) - 1
        expected = [
            bit | (flipped[j >> 1 & ~below | j & below] if j >> i & 1 == value else 0) for j, bit in enumerate(other)
        ]
        assert unpack(target, index_bits) == expected
        back = np.zeros(word_count(index_bits - 1), dtype=np.uint64)
        remove_bit(pack(other), i, value, flip, index_bits - 1, back)
        wanted = [
            other[(j & ~below) << 1 | value << i | j & below] ^ int(flip != 0) for j in range(1 << index_bits - 1)
        ]
        assert unpack(back, index_bits - 1) == wanted


@given(st.integers(0, 9), st.lists(st.tuples(st.integers(1, 511), st.integers(0, 511)), max_size=5))
def test_lines_as_planes(index_bits: int, drawn: list[tuple[int, int]]) -> None:
    free = (1 << index_bits) - 1
    lines = [(mask, guard & ~mask) for mask, guard in drawn]
    masks, guards = (np.array([line[i] for line in lines], dtype=np.int64) for i in (0, 1))
    with_line = np.empty(word_count(index_bits), dtype=np.uint64)
    line_plane(free, index_bits, masks, guards, with_line)
    holds = [int(any(j & mask == mask and not j & guard for mask, guard in lines)) for j in range(1 << index_bits)]
    assert unpack(with_line, index_bits) == holds
    for exact in (False, True):
        plane = np.empty_like(with_line)
        buildable_plane(with_line, index_bits, exact, plane)
        built: list[int] = []
        for j, line in enumerate(holds):
            smaller = [built[j ^ 1 << i] for i in range(index_bits) if j >> i & 1]
            built.append(int(not line and (not exact or not smaller or any(smaller))))
        assert unpack(plane, index_bits) == built
        assert all(int(word) & ~int(valid_places(index_bits)) == 0 for word in plane)


@pytest.mark.parametrize("index_bits", range(1, 10))
def test_moves_into_a_plane_are_counted(index_bits: int) -> None:
    bits = random_bits(index_bits, index_bits)
    one, two = np.empty((2, word_count(index_bits)), dtype=np.uint64)
    count_moves(pack(bits), index_bits, one, two)
    ways = [sum(bits[j | 1 << i] for i in range(index_bits) if not j >> i & 1) for j in range(1 << index_bits)]
    assert (unpack(one, index_bits), unpack(two, index_bits)) == (
        [int(n > 0) for n in ways],
        [int(n > 1) for n in ways],
    )


@given(st.integers(0, 511))
def test_absent_squares_are_counted(squares: int) -> None:
    one, two = np.empty((2, word_count(9)), dtype=np.uint64)
    count_absent(squares, one, two)
    lacking = [(squares & ~j).bit_count() for j in range(1 << 9)]
    assert (unpack(one, 9), unpack(two, 9)) == ([int(n > 0) for n in lacking], [int(n > 1) for n in lacking])
