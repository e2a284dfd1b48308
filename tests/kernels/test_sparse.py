"""Layers that list their subsets, against the subsets by definition and against half planes."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.kernels.layers import folded_words, half_layer_of, insertion_of, sparse_layer_of
from solver.kernels.sparse import add_stones_sparse, permute_sparse

SIZES = [(1, 0), (3, -1), (5, 2), (9, 3), (12, 4), (14, 0)]


def subsets(bits: int, size: int) -> list[int]:
    return sorted(sum(1 << bit for bit in each) for each in combinations(range(bits), size)) if size >= 0 else []


def planes_of(sets: list[int], chosen: list[set[int]]) -> np.ndarray:
    planes = np.zeros((len(chosen), folded_words(len(sets))), np.uint64)
    for plane, members in zip(planes, chosen, strict=True):
        for rank, subset in enumerate(sets):
            plane[rank >> 6] |= np.uint64((subset in members) << (rank & 63))
    return planes


@pytest.mark.parametrize(("bits", "size"), SIZES)
def test_insertions_are_those_of_half_planes(bits: int, size: int) -> None:
    sparse, dense = sparse_layer_of(bits, size), half_layer_of(bits, size)
    assert sparse.sets.tolist() == subsets(bits, size)
    assert sparse.starts[-1] == dense.starts[-1] == len(subsets(bits, size))
    for one, other in zip(insertion_of(bits, sparse), insertion_of(bits, dense), strict=True):
        assert np.array_equal(one, other)


@given(st.sampled_from([(5, 2), (9, 3), (11, 4)]), st.randoms(use_true_random=False))
def test_planes_are_permuted_and_stones_added_as_by_definition(shape: tuple[int, int], random: object) -> None:
    bits, size = shape
    chance = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    sets, larger = subsets(bits, size), subsets(bits, size + 1)
    source = chance.permutation(bits)
    chosen = [{subset for subset in sets if chance.random() < 0.3} for _ in range(3)]
    planes = planes_of(sets, chosen)
    out = np.empty_like(planes)
    permute_sparse(planes, np.array(sets), source, out)
    moved = {subset: sum(1 << int(source[bit]) for bit in range(bits) if subset >> bit & 1) for subset in sets}
    assert np.array_equal(out, planes_of(sets, [{s for s in sets if moved[s] in one} for one in chosen]))
    chosen = [{subset for subset in larger if chance.random() < 0.1} for _ in range(2)]
    out = np.empty((2, planes.shape[1]), np.uint64)
    add_stones_sparse(planes_of(larger, chosen), np.array(sets), bits, out)
    smaller = [{s for s in sets if any(s | 1 << i in one and not s >> i & 1 for i in range(bits))} for one in chosen]
    assert np.array_equal(out, planes_of(sets, smaller))
