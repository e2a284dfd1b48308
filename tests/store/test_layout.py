"""The layout of pages: every position has one place, and every place one position."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.game.games import parse_game
from solver.game.symmetry import transform
from solver.game.value import Value
from solver.store.layout import BINOMIAL, CODES, Images, MeaninglessBits, PageSize, colex_rank, colex_set, layout_of
from solver.store.schema import METRICS, Metric
from tests.page_geometry import list_stones, page_keys
from tests.slow_build import oracle, raw_page, sign_and_count

GAMES = [
    *("3,3,3", "2,4,2", "1,6,3", "2,3,2,exact", "3,3,3,misere", "3,3,3,torus", "2,4,2,full", "2,2,3", "1,5,3,gravity"),
    *("2,3,2,gravity", "3,3,3,gravity", "3,2,2,gravity,torus", "3,3,2,gravity,misere"),
]
BUILDABLE = [*GAMES, "4,4,4", "4,5,4", "5,5,4", "5,5,5", "4,4,3,torus", "4,5,4,gravity", "4,4,4,gravity,misere"]
LARGE = ["3,9,4", "4,8,4,gravity", "3,11,3,misere", "6,6,4", "2,18,3,torus"]


# Ranks


@pytest.mark.parametrize("size", range(6))
def test_colex_ranks_order_sets_as_integers(size: int) -> None:
    sets = sorted(sum(1 << square for square in chosen) for chosen in combinations(range(8), size))
    assert [colex_rank(bits, 0xFF) for bits in sets] == list(range(comb(8, size)))
    assert [colex_set(rank, size) for rank in range(len(sets))] == sets


@given(st.integers(0, (1 << 36) - 1))
def test_colex_round_trip(bits: int) -> None:
    assert colex_set(colex_rank(bits, (1 << 36) - 1), bits.bit_count()) == bits
    assert all(BINOMIAL[n][k] == comb(n, k) for n in range(37) for k in range(38))


# Symmetric images


@given(st.sampled_from(["3,3,3", "4,4,4", "3,3,3,torus", "4,5,4", "5,5,5", "4,5,4,gravity", *LARGE]), st.data())
def test_images_match_the_permutations(game: str, data: st.DataObject) -> None:
    rules = parse_game(game)
    mask = data.draw(st.integers(0, (1 << rules.squares) - 1))
    images, elements = Images(rules.symmetries), rules.symmetries.elements
    smallest, element = images.canonical(mask)
    assert smallest == images.image(mask, element) == min(transform(mask, symmetry) for symmetry in elements)
    found = tuple(images.image(1 << square, element).bit_length() - 1 for square in range(rules.squares))
    assert found in elements
    assert transform(mask, found) == smallest


# Pages


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_pages_have_every_unfinished_position_once_up_to_symmetry(game: str) -> None:
    rules = parse_game(game)
    layout = layout_of(rules, "distance")
    places: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for position in [position for position in oracle(game).reachable() if not position.is_over]:
        places.setdefault(layout.locate(position), set()).add((position.x, position.o))
    keys = set(page_keys(layout))
    for (key, rank), stones in places.items():
        assert key in keys
        assert rank < layout.page_size(key).positions
        x, o = next(iter(stones))
        orbit = {(transform(x, p), transform(o, p)) for p in rules.symmetries.elements}
        assert stones <= orbit
        assert list(list_stones(layout, key))[rank] in orbit


@pytest.mark.parametrize(
    ("game", "metric", "key", "size"),
    [
        # X can end the game at ply 1, 3, 5, 7, 9: five plies and the draw take three digits.
        ("3,3,3", "distance", 0, (1, 3, 4)),
        # X at ply 9 only, O at ply 8 only.
        ("3,3,3", "distance", 0b1111, (15, 1, 4)),
        ("3,3,3", "wdl", 0b11, (28, 1, 8)),
        ("4,4,4", "distance", 0b111, (364, 3, 184)),
        ("5,5,4", "wdl", 0xFF, (43758, 1, 10940)),
        ("4,5,4,gravity", "distance", 0b11111 << 15, (10, 4, 10)),
        ("4,5,4,gravity", "wdl", 0, (1, 1, 2)),
    ],
)
def test_sizes_of_pages(game: str, metric: Metric, key: int, size: tuple[int, int, int]) -> None:
    assert layout_of(parse_game(game), metric).page_size(key) == PageSize(*size)


# Values


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", [*BUILDABLE, *LARGE])
def test_every_possible_value_has_a_code(game: str, metric: Metric) -> None:
    rules = parse_game(game)
    layout = layout_of(rules, metric)
    for ply in range(rules.squares):
        key = (1 << (ply if layout.has_gravity else (ply + 1) // 2)) - 1
        digits = layout.page_size(key).digits
        mover_wins = [Value(1, distance) for distance in range(1, rules.squares - ply + 1, 2)]
        mover_loses = [Value(-1, distance) for distance in range(2, rules.squares - ply + 1, 2)]
        if rules.misere:  # the side that makes the line loses
            wins, loses = mover_loses, mover_wins
            mover_wins, mover_loses = [Value(1, v.distance) for v in wins], [Value(-1, v.distance) for v in loses]
        for value in (*mover_wins, *mover_loses, Value(0, rules.squares - ply)):
            sign, count = sign_and_count(rules, metric, ply, value)
            assert count < 1 << digits
            assert 2 * count + sign < CODES
            assert layout.values(ply)[2 * count + sign] == (value if metric == "distance" else Value(value.wdl))


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_positions_decided_by_threats_have_no_bits(game: str) -> None:
    known = oracle(game)
    layout = layout_of(known.rules, "distance")
    live = [position for position in known.reachable() if not position.is_over]
    decided = [position for position in live if layout.decided_by_threats(position)]
    pages = {key: raw_page(known, layout, key) for key in {layout.locate(position)[0] for position in decided}}
    assert bool(decided) == (layout.has_threats and game != "2,2,3")
    for position in decided:
        key, rank = layout.locate(position)
        value = known.value(position)
        assert layout.decided_by_threats(position) == value
        assert (value.wdl, value.distance) in {(1, 1), (-1, 2)}
        assert not any(
            pages[key][(rank >> 3) :: layout.page_size(key).plane_bytes][d] >> (rank & 7) & 1 for d in range(2)
        )
    if layout.has_threats:  # no other position is won at once or lost in one move
        values = [known.value(position) for position in set(live) - set(decided)]
        assert all((value.wdl, value.distance) not in {(1, 1), (-1, 2)} for value in values)


def test_meaningless_bits_are_refused() -> None:
    layout = layout_of(parse_game("3,3,3"), "distance")
    size = layout.page_size(0)
    assert layout.value(bytes(size.raw_bytes), size, 0, 0) == Value(0, 9)
    with pytest.raises(MeaninglessBits):
        layout.value(b"\xff" * size.raw_bytes, size, 0, 0)
    with pytest.raises(MeaninglessBits):  # a draw that ends by a line of O
        layout.value(b"\x01" + bytes(size.raw_bytes - 1), size, 0, 0)


def test_the_worked_page() -> None:
    layout = layout_of(parse_game("2,2,2,misere"), "distance")
    assert raw_page(oracle("2,2,2,misere"), layout, 0b0001) == bytes([0b0000, 0b1111, 0b0000])
    assert list(list_stones(layout, 0b0001)) == [(1, 0), (1, 0b0010), (1, 0b0100), (1, 0b1000)]
