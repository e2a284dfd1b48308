"""Words and planes: every trick against the loop that it replaces."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.kernels.extract import (
    bits_at,
    deposit_by_stages,
    deposit_word,
    extract_by_stages,
    extract_word,
    list_stages,
    word_at,
)
from solver.kernels.layers import (
    fold,
    fold_two,
    folded_words,
    half_layer_of,
    insert_square,
    insertion_of,
    layer_of,
    unfold_two,
)
from solver.kernels.line_planes import buildable_plane, line_plane
from solver.kernels.moves import add_stones
from solver.kernels.pages import count_plane
from solver.kernels.permute import image_order, unfold_permuted
from solver.kernels.threats import count_completions, count_lacking, mark_lines, open_lines
from solver.kernels.words import FULL, valid_places, word_count

Plane = npt.NDArray[np.uint64]
words = st.integers(0, 2**64 - 1)


def pack(bits: list[int]) -> Plane:
    """Return a plane from a 0 or 1 for each subset."""
    padded = np.zeros(-len(bits) % 64 + len(bits), dtype=np.uint8)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.uint64)


def unpack(plane: Plane, index_bits: int) -> list[int]:
    return bits_of(plane, 1 << index_bits)


def random_bits(index_bits: int, seed: int) -> list[int]:
    bits: list[int] = np.random.default_rng(seed).integers(0, 2, 1 << index_bits).tolist()
    return bits


@given(words, words)
def test_bits_are_deposited_in_the_places_of_any_mask(bits: int, mask: int) -> None:
    places = [j for j in range(64) if mask >> j & 1]
    expected = sum((bits >> r & 1) << j for r, j in enumerate(places))
    stages = list_stages(np.array([[mask]], dtype=np.uint64), steps=6)
    for deposit in (deposit_word, deposit_by_stages):  # by the instruction, if there is one, and without it
        assert int(deposit(np.uint64(bits), np.uint64(mask), stages, 0, 0)) == expected
    word, extracted = np.uint64(expected | bits & ~mask), bits & (1 << len(places)) - 1
    for extract in (extract_word, extract_by_stages):
        assert int(extract(word, np.uint64(mask), stages, 0, 0)) == extracted


@given(words, words, st.integers(0, 63))
def test_bits_are_read_across_words(low: int, high: int, at: int) -> None:
    least = (1 << 57) - 1
    pair = np.array([low, high], dtype=np.uint64)
    assert int(bits_at(pair, at)) & least == (low | high << 64) >> at & least
    assert int(word_at(pair, at)) == (low | high << 64) >> at & (1 << 64) - 1


def subsets(index_bits: int, size: int) -> list[int]:
    """The subsets of a size, in colexicographic order."""
    return [j for j in range(1 << index_bits) if j.bit_count() == size]


def folded_of(bits: list[int]) -> Plane:
    """A folded plane, from a bit for each subset of its size."""
    out = np.zeros(folded_words(len(bits)), dtype=np.uint64)
    packed = pack(bits)
    out[: len(packed)] = packed
    return out


def bits_of(folded: Plane, count: int) -> list[int]:
    bits: list[int] = np.unpackbits(folded.view(np.uint8), bitorder="little")[:count].tolist()
    return bits


def half_of(bits: dict[int, int], index_bits: int) -> list[int]:
    """A half plane, from the bits of the subsets of one size."""
    half = [0] * (1 << index_bits - 1)
    for subset, bit in bits.items():
        half[subset >> 1] = bit
    return half


sizes = st.integers(1, 11).flatmap(lambda n: st.tuples(st.just(n), st.integers(-1, n + 1)))
LARGER = [(14, 3), (15, 7), (13, 13)]  # words and eights of words that are empty, and none


def check_folding(index_bits: int, size: int, seed: int) -> None:
    plane = random_bits(index_bits, seed)
    there = subsets(index_bits, size)
    answers = {j: plane[j] for j in there}
    folded = folded_of(list(answers.values()))
    out = np.full_like(folded, FULL)
    fold(pack(plane), layer_of(index_bits, size), out)
    assert out.tolist() == folded.tolist()
    layer = half_layer_of(index_bits, size)
    half = random_bits(index_bits - 1, seed + 1)  # what is not in the layer is ignored
    for subset, bit in answers.items():
        half[subset >> 1] = bit
    both = np.full((2, len(folded)), FULL)
    fold(pack(half), layer, both[0])
    assert both[0].tolist() == folded.tolist()
    fold_two(np.concatenate([pack(half), pack(half)]), layer, both[0], both[1])
    assert both.tolist() == [folded.tolist()] * 2
    planes = np.zeros(2 * word_count(index_bits - 1), dtype=np.uint64)
    unfold_two(folded, folded, layer, planes)
    for unfolded in np.split(planes, 2):
        assert unpack(unfolded, index_bits - 1) == half_of(answers, index_bits)


@given(sizes, st.integers(0, 99))
def test_planes_are_folded_and_unfolded(drawn: tuple[int, int], seed: int) -> None:
    check_folding(*drawn, seed)


@pytest.mark.parametrize(("index_bits", "size"), LARGER)
def test_larger_planes_are_folded_and_unfolded(index_bits: int, size: int) -> None:
    check_folding(index_bits, size, 7)


@given(sizes, st.integers(0, 99))
def test_a_folded_plane_makes_room_for_a_square(drawn: tuple[int, int], seed: int) -> None:
    index_bits, size = drawn
    there = subsets(index_bits, size)
    insertion = insertion_of(index_bits, half_layer_of(index_bits, size))
    rng = np.random.default_rng(seed)
    for i in range(index_bits):
        lacking = [int(not j >> i & 1) for j in there]
        assert bits_of(insertion.lacks[i], len(there)) == lacking
        for planes in (2, 3):
            known = rng.integers(0, 2, (planes, sum(lacking))).tolist()
            out = np.empty((planes, folded_words(len(there))), dtype=np.uint64)
            insert_square(np.array([folded_of(bits) for bits in known]), i, insertion, out)
            for bits, moved in zip(known, out, strict=True):
                rest = iter(bits)
                assert bits_of(moved, len(there)) == [next(rest) if lacks else 0 for lacks in lacking]


@given(
    st.integers(1, 11).flatmap(lambda n: st.tuples(st.permutations(range(n)), st.integers(0, n))), st.integers(0, 99)
)
def test_unfolded_planes_hold_the_subsets_of_one_size_in_the_wanted_order(
    drawn: tuple[list[int], int], seed: int
) -> None:
    source, size = drawn
    n = len(source)
    layer, there = half_layer_of(n, size), subsets(n, size)
    planes = [random_bits(n, seed + p) for p in range(2)]
    one, two = (folded_of([plane[j] for j in there]) for plane in planes)
    out = np.zeros(2 * word_count(n - 1), dtype=np.uint64)
    numbers = np.empty(word_count(n - 1), dtype=np.uint32)
    unfold_permuted(one, two, layer, np.array([*source, 0], dtype=np.int64), n, numbers, out)
    for plane, moved in zip(planes, np.split(out, 2), strict=True):
        wanted = [plane[sum((j >> t & 1) << source[t] for t in range(n))] for j in there]
        folded = np.empty_like(one)
        fold(moved, layer, folded)
        assert bits_of(folded, len(there)) == wanted


@given(sizes, st.integers(0, 99))
def test_one_more_stone_leads_into_a_half_plane(drawn: tuple[int, int], seed: int) -> None:
    index_bits, size = drawn
    before = dict(zip(there := subsets(index_bits, size), random_bits(index_bits, seed)[: len(there)], strict=True))
    target = np.empty(word_count(index_bits - 1), dtype=np.uint64)
    add_stones(pack(half_of(before, index_bits)), target)
    smaller = subsets(index_bits, size - 1)
    reached = {j: max((before[j | 1 << i] for i in range(index_bits) if not j >> i & 1), default=0) for j in smaller}
    found = unpack(target, index_bits - 1)
    assert {j: found[j >> 1] for j in smaller} == reached


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


@given(st.integers(0, 9), st.lists(st.tuples(st.integers(1, 511), st.integers(0, 511)), max_size=5))
def test_lines_as_planes(index_bits: int, drawn: list[tuple[int, int]]) -> None:
    lines = [(mask, guard & ~mask) for mask, guard in drawn if not mask >> index_bits]
    with_line = np.empty(word_count(index_bits), dtype=np.uint64)
    line_plane(np.array(lines, dtype=np.int64).reshape(-1, 2), index_bits, with_line)
    holds = [int(any(j & mask == mask and not j & guard for mask, guard in lines)) for j in range(1 << index_bits)]
    assert unpack(with_line, index_bits) == holds
    plane = np.empty_like(with_line)
    buildable_plane(with_line, index_bits, plane)
    built: list[int] = []
    for j, line in enumerate(holds):
        smaller = [built[j ^ 1 << i] for i in range(index_bits) if j >> i & 1]
        built.append(int(not line and (not smaller or any(smaller))))
    assert unpack(plane, index_bits) == built
    assert all(int(word) & ~int(valid_places(index_bits)) == 0 for word in plane)


@given(sizes, st.integers(0, 2**11 - 1), st.lists(st.tuples(st.integers(1, 2**11 - 1), st.integers(0, 2**11 - 1))))
def test_lines_and_threats_on_folded_planes(drawn: tuple[int, int], taken: int, pairs: list[tuple[int, int]]) -> None:
    index_bits, size = drawn
    there = subsets(index_bits, size)
    lacks = insertion_of(index_bits, half_layer_of(index_bits, size)).lacks
    free = sum(1 << s for s in [s for s in range(24) if not taken >> s & 1][:index_bits])
    kept = [(mask, guard & ~mask) for mask, guard in pairs]
    out = np.empty((len(kept), 2), dtype=np.int64)
    lines = out[: open_lines(free, np.array(kept, dtype=np.int64).reshape(-1, 2), out)]
    squares = [s for s in range(24) if free >> s & 1]
    board = [sum(1 << squares[i] for i in range(index_bits) if j >> i & 1) for j in there]

    def has_line(o: int) -> bool:
        return any(mask & ~o == 0 and guard & o == 0 for mask, guard in kept)

    one_off = np.empty((len(lines), lacks.shape[1]), dtype=np.uint64)
    work, with_line, once, twice = np.empty((4, lacks.shape[1]), dtype=np.uint64)
    mark_lines(lines, lacks, one_off, work, with_line)
    assert bits_of(with_line, len(there)) == [int(has_line(o)) for o in board]
    count_completions(lines, lacks, one_off, work, once, twice)
    ways = [sum(has_line(o | 1 << s) for s in squares if not o >> s & 1) for o in board]
    lineless = [k for k, o in enumerate(board) if not has_line(o)]
    for least, plane in ((1, once), (2, twice)):
        marked = bits_of(plane, len(there))
        assert [marked[k] for k in lineless] == [int(ways[k] >= least) for k in lineless]


@given(sizes, st.integers(0, 2**11 - 1))
def test_squares_that_are_lacking_are_counted(drawn: tuple[int, int], squares: int) -> None:
    index_bits, size = drawn
    there = subsets(index_bits, size)
    squares &= (1 << index_bits) - 1
    lacks = insertion_of(index_bits, half_layer_of(index_bits, size)).lacks
    once, twice = np.empty((2, lacks.shape[1]), dtype=np.uint64)
    count_lacking(squares, lacks, once, twice)
    lacking = [(squares & ~j).bit_count() for j in there]
    assert bits_of(once, len(there)) == [int(n > 0) for n in lacking]
    assert bits_of(twice, len(there)) == [int(n > 1) for n in lacking]
