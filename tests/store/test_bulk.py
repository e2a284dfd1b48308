"""Bulk probes and single probes of the same invented pages agree, on boards that no slow twin can solve."""

from functools import cache

import numpy as np
import pytest

from solver.check.sample_check import draw
from solver.errors import ImpossiblePosition
from solver.game.games import parse_game
from solver.game.lines import mask_of, squares_of
from solver.game.position import Position
from solver.search.truth import Truth
from solver.store.bulk import PagedBulk
from solver.store.layout import PageLayout, last_ply, layout_of
from solver.store.schema import METRICS, Metric

MOST_POSITIONS = 1 << 16  # of a page: the pages of the middle game are too large to invent
GAMES = ["3,9,4", "4,8,4,gravity", "3,11,3,misere", "6,6,4", "6,6,4,exact", "2,18,3,torus", "6,6,1"]


def invented_page(layout: PageLayout, key: int) -> bytes:
    """Random bits that encode a value at every ply of the page."""
    size, chance = layout.page_size(key), np.random.default_rng(key)
    ply = key.bit_count() * (1 if layout.has_gravity else 2)
    ends = np.array([(last_ply(layout.squares, sign) - ply + 1) // 2 for sign in (0, 1)])  # for X's line, for O's
    signs = chance.integers(0, 2, size.positions)
    counts = chance.integers(0, (np.minimum(ends, 1) if layout.metric == "wdl" else ends)[signs] + 1)
    signs *= counts > 0
    bits = [signs, *(counts >> digit & 1 for digit in range(size.digits))]
    return b"".join(np.packbits(plane.astype(np.uint8), bitorder="little").tobytes() for plane in bits)


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", GAMES)
def test_bulk_probes_agree_with_single_ones(game: str, metric: Metric) -> None:
    rules = parse_game(game)
    layout = layout_of(rules, metric)

    @cache
    def page(key: int) -> bytes:
        return invented_page(layout, key)

    def is_readable(position: Position) -> bool:
        key = layout.locate(position)[0]
        # Positions that the symmetries of a key exchange have equal values in a table, but not on an invented page.
        has_symmetry = sum(mask_of(e[s] for s in squares_of(key)) == key for e in rules.symmetries.elements) > 1
        return not has_symmetry and layout.page_size(key).positions <= MOST_POSITIONS

    readable = [p for stones in draw(rules, 160, seed=1) if is_readable(p := Position(rules, *stones))]
    assert len(readable) > 20 or game == "6,6,1"
    expected = [layout.answer(position, page) for position in readable]
    wdl, distance = PagedBulk(layout, page)(np.array([position.hash for position in readable]))
    assert wdl.tolist() == [value.wdl for value in expected]
    assert distance.tolist() == [-1 if value.distance is None else value.distance for value in expected]


@pytest.mark.parametrize("number", [-1, 3**36, 2, 3**35 + 3**34])
def test_impossible_hashes_of_a_large_board(number: int) -> None:
    bulk = PagedBulk(layout_of(parse_game("6,6,4"), "wdl"), bytes)
    with pytest.raises(ImpossiblePosition, match=f"hash {number} "):
        bulk(np.array([0, number]) if number else np.array([number]))


@pytest.mark.parametrize("number", [2**63, 2**70, -(2**70)])
def test_a_hash_beyond_64_bits_is_named(number: int, tictactoe: Truth) -> None:
    with pytest.raises(ImpossiblePosition, match=f"The hash {number} is not"):
        tictactoe.table.probe_many([number])
