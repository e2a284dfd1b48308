"""Blocks of folded planes: operations on blocks, against the subsets one by one."""

from collections.abc import Iterator
from math import comb

import numpy as np
import pytest

from solver.kernels.blocks import (
    BLOCK,
    SET_HEAD,
    add_square,
    describe_sets,
    first_bit,
    mark_equal,
    mark_sets,
    take_square,
)
from solver.kernels.layers import folded_words
from solver.kernels.pages import cut_bits, read_bits, write_bits
from tests.kernels.test_words import bits_of as unfold
from tests.kernels.test_words import folded_of as fold
from tests.kernels.test_words import subsets

SIZES = [(1, 1), (4, 2), (7, 0), (9, 4), (BLOCK, 2), (BLOCK + 1, BLOCK - 1), (BLOCK + 3, 3)]


def draw(count: int) -> list[int]:
    bits: list[int] = np.random.default_rng(count).integers(0, 2, count).tolist()
    return bits


def blocks(squares: int, size: int) -> Iterator[tuple[int, int, int, int]]:
    """(head, low, squares of the block, first bit) of every block, in order."""
    low, at = min(BLOCK, squares), 0
    for head in range(1 << squares - low):
        inside = size - head.bit_count()
        if 0 <= inside <= low:
            yield head, low, inside, at
            at += comb(low, inside)
    assert at == comb(squares, size)


@pytest.mark.parametrize(("squares", "size"), SIZES)
def test_blocks_are_where_their_subsets_are(squares: int, size: int) -> None:
    ranks = {subset: rank for rank, subset in enumerate(subsets(squares, size))}
    for head, low, inside, at in blocks(squares, size):
        assert first_bit(head, low, inside) == at == ranks[head << low | (1 << inside) - 1]


@pytest.mark.parametrize(("squares", "size"), SIZES)
def test_a_plane_is_read_and_written_block_by_block(squares: int, size: int) -> None:
    bits = draw(comb(squares, size))
    plane, copied = fold(bits), np.full(folded_words(len(bits)), 99, dtype=np.uint64)
    for _, low, inside, at in blocks(squares, size):
        count = comb(low, inside)
        block = np.empty(-(-count // 64), dtype=np.uint64)
        read_bits(plane, at, block)
        cut_bits(block, count)
        assert unfold(block, count) == bits[at : at + count]
        write_bits(block, at, copied)
    assert unfold(copied, len(bits)) == bits


def insert(subset: int, i: int, value: int) -> int:
    """Return a subset with one more index bit."""
    below = (1 << i) - 1
    return (subset & ~below) << 1 | value << i | subset & below


@pytest.mark.parametrize(("squares", "size"), SIZES)
@pytest.mark.parametrize("value", [0, 1])
def test_a_square_is_taken_away(squares: int, size: int, value: int) -> None:
    before, after = subsets(squares, size), subsets(squares + 1, size + value)
    bits = draw(len(after))
    answers = dict(zip(after, bits, strict=True))
    for head, low, inside, at in blocks(squares, size):
        count, bigger = comb(low, inside), comb(low + 1, inside + value)
        out = np.empty((1, folded_words(count)), dtype=np.uint64)
        for i in range(low):
            first = first_bit(head, low + 1, inside + value)
            take_square(fold(bits)[None], first, bigger, inside + value, i, value, out)
            expected = [answers[insert(subset, i, value)] for subset in before[at : at + count]]
            assert unfold(out[0], count) == expected


@pytest.mark.parametrize(("squares", "size"), SIZES)
@pytest.mark.parametrize("value", [0, 1])
def test_a_square_is_added(squares: int, size: int, value: int) -> None:
    if size < value:
        return
    before, after = subsets(squares - 1, size - value), subsets(squares, size)
    bits = draw(len(before))
    for i in range(min(BLOCK, squares)):
        answers = {insert(subset, i, value): bit for subset, bit in zip(before, bits, strict=True)}
        for head, low, inside, at in blocks(squares, size):
            out = np.zeros(-(-comb(low, inside) // 64), dtype=np.uint64)
            if inside >= value:
                add_square(fold(bits), first_bit(head, low - 1, inside - value), inside, i, value, out)
            expected = [answers.get(subset, 0) for subset in after[at : at + comb(low, inside)]]
            assert unfold(out, len(expected)) == expected


@pytest.mark.parametrize(("squares", "size"), SIZES)
def test_sets_and_fixed_subsets_are_marked(squares: int, size: int) -> None:
    everything = subsets(squares, size)
    chance = np.random.default_rng(squares)
    wishes = [(1 << a, (1 << b) & ~(1 << a)) for a, b in chance.integers(0, squares, (3, 2)).tolist()]
    sets = np.zeros((len(wishes), SET_HEAD + squares + 4), dtype=np.int64)
    low = min(BLOCK, squares)
    for row, (wanted, banned) in zip(sets, wishes, strict=True):
        describe_sets(wanted, banned, low, row)
    i, j = sorted(chance.integers(0, squares, 2).tolist())
    for head, _, inside, at in blocks(squares, size):
        count = comb(low, inside)
        here = everything[at : at + count]
        work, out = np.empty((2, -(-count // 64)), dtype=np.uint64)
        mark_sets(sets, head, inside, work, out)
        expected = [int(any(s & wanted and not s & banned for wanted, banned in wishes)) for s in here]
        assert unfold(out, count) == expected
        if i < j:
            out[:] = np.iinfo(np.uint64).max
            mark_equal(head, low, inside, i, j, out)
            assert unfold(out, count) == [int(s >> i & 1 == s >> j & 1) for s in here]
