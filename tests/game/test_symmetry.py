"""Symmetries: published orders, the whole group on small boards, and that nothing else changes."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.game.rules import MAX_SYMMETRIES, Rules
from solver.game.symmetry import compose, preserves, transform
from tests.strategies import GAMES, games

ORDERS = {
    "3,3,3": 8,
    "4,4,4": 32,
    "5,5,5": 32,
    "5,5,4": 8,
    "4,5,4": 4,
    "3,3,3,torus": 432,  # the affine group of the plane of order 3: every line of that plane is a line
    "4,4,4,torus": 128,
    "5,5,5,torus": 800,
    "4,4,4,gravity": 2,
    "4,4,4,gravity,torus": 8,
    "2,2,2": 24,
    "1,25,2": 2,
    "2,5,2": 64,  # in each column the two squares can be swapped
}
BOARD_ORDERS = {
    "3,3,3": 8,
    "4,4,4": 8,
    "4,5,4": 4,
    "1,7,3": 2,
    "1,1,1": 1,
    "5,5,6": 8,
    "3,3,3,torus": 72,
    "3,4,3,torus": 48,
    "4,5,4,gravity": 2,
    "4,5,4,gravity,torus": 10,
}


@pytest.mark.parametrize(("game", "order"), ORDERS.items())
def test_order_of_the_group(game: str, order: int) -> None:
    assert len(Rules.parse(game).symmetries) == order


@pytest.mark.parametrize(("game", "order"), BOARD_ORDERS.items())
def test_order_of_the_boards_own_symmetries(game: str, order: int) -> None:
    assert len(Rules.parse(game).board_symmetries) == order


@pytest.mark.parametrize(
    "game",
    [
        "2,3,2",
        "2,3,2,gravity",
        "2,3,2,exact",
        "2,3,2,full",
        "2,3,3",
        "1,6,2,torus",
        "2,2,2",
        "1,7,4",
        "7,1,2",
    ],
)
def test_the_group_is_all_permutations_that_preserve_the_rules(game: str) -> None:
    rules = Rules.parse(game)
    every = permutations(range(rules.squares))
    assert rules.symmetries == tuple(p for p in every if preserves(p, rules.lines, rules.supports))


@pytest.mark.parametrize("game", GAMES)
def test_symmetries_are_a_sorted_group_that_contains_those_of_the_board(game: str) -> None:
    rules = Rules.parse(game)
    group = set(rules.symmetries)
    assert rules.symmetries[0] == rules.board_symmetries[0] == tuple(range(rules.squares))
    assert list(rules.symmetries) == sorted(group)
    assert group >= set(rules.board_symmetries)
    assert all(preserves(p, rules.lines, rules.supports) for p in group)
    assert all(compose(p, q) in group for p in rules.symmetries[:9] for q in rules.symmetries)


@pytest.mark.parametrize("game", ["4,5,5", "5,5,1", "1,25,1", "5,5,6", "3,5,4", "5,4,5"])
def test_a_group_beyond_all_bounds_is_replaced_by_that_of_the_board(game: str) -> None:
    rules = Rules.parse(game)
    assert rules.symmetries == rules.board_symmetries
    assert len(rules.symmetries) <= MAX_SYMMETRIES


def test_gravity_keeps_a_board_upright() -> None:
    assert Rules.parse("2,3,3,gravity").board_symmetries == ((0, 1, 2, 3, 4, 5), (2, 1, 0, 5, 4, 3))


def test_rotating_tictactoe() -> None:
    quarter_turn = (2, 5, 8, 1, 4, 7, 0, 3, 6)
    assert quarter_turn in Rules.parse("3,3,3").board_symmetries
    assert transform(0b000_000_111, quarter_turn) == 0b100_100_100


@given(st.data())
def test_transform_follows_composition(data: st.DataObject) -> None:
    rules = data.draw(games())
    outer, inner = (data.draw(st.sampled_from(rules.symmetries)) for _ in range(2))
    mask = data.draw(st.integers(0, (1 << rules.squares) - 1))
    assert transform(mask, compose(outer, inner)) == transform(transform(mask, inner), outer)
