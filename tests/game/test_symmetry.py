"""Symmetries: published orders, the whole group on small boards, and unchanged values."""

import random
from collections.abc import Sequence
from itertools import permutations, product
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.game.games import parse_game
from solver.game.lines import Line, mask_of
from solver.game.position import Position
from solver.game.rules import MAX_SQUARES
from solver.game.symmetry import Permutation, compose, generate, listed_group, preserves, symmetry_group, transform
from tests.strategies import GAMES, games

ORDERS = {
    "3,3,3": 8, "4,4,4": 32, "5,5,5": 32, "5,5,4": 8, "4,5,4": 4,
    "3,3,3,torus": 432,  # the affine group of the plane of order 3: every line of that plane is a line
    "4,4,4,torus": 128, "5,5,5,torus": 800, "4,4,4,gravity": 2, "4,4,4,gravity,torus": 8, "2,2,2": 24, "1,25,2": 2,
    "2,5,2": 64,  # in each column the two squares can be swapped
}  # fmt: skip
BOARD_ORDERS = {
    "3,3,3": 8, "4,4,4": 8, "4,5,4": 4, "1,7,3": 2, "1,1,1": 1, "5,5,6": 8, "3,3,3,torus": 72, "3,4,3,torus": 48,
    "4,5,4,gravity": 2, "4,5,4,gravity,torus": 10,
}  # fmt: skip


@pytest.mark.parametrize(("game", "order"), ORDERS.items())
def test_order_of_the_group(game: str, order: int) -> None:
    assert parse_game(game).symmetries.order == order


@pytest.mark.parametrize(("game", "order"), BOARD_ORDERS.items())
def test_order_of_the_boards_own_symmetries(game: str, order: int) -> None:
    assert parse_game(game).board_symmetries.order == order


@pytest.mark.parametrize(
    "game", ["2,3,2", "2,3,2,gravity", "2,3,2,exact", "2,3,2,full", "2,3,3", "1,6,2,torus", "2,2,2", "1,7,4", "7,1,2"]
)
def test_the_group_is_all_permutations_that_preserve_the_rules(game: str) -> None:
    rules = parse_game(game)
    every = permutations(range(rules.squares))
    assert rules.symmetries.elements == tuple(p for p in every if preserves(p, rules.sides, rules.supports))


@pytest.mark.parametrize("game", GAMES)
def test_symmetries_are_a_sorted_group_that_contains_those_of_the_board(game: str) -> None:
    rules = parse_game(game)
    elements = rules.symmetries.elements
    group = set(elements)
    assert elements[0] == rules.board_symmetries.elements[0] == tuple(range(rules.squares))
    assert list(elements) == sorted(group)
    assert group >= set(rules.board_symmetries.elements)
    assert all(preserves(p, rules.sides, rules.supports) for p in group)
    assert all(compose(p, q) in group for p in elements[:9] for q in elements)


@pytest.mark.parametrize("game", ["4,5,5", "5,5,1", "1,25,1", "5,5,6", "5,4,5"])
def test_a_huge_group_is_replaced_by_the_symmetries_of_the_board(game: str) -> None:
    rules = parse_game(game)
    assert rules.symmetries == rules.board_symmetries
    assert rules.symmetries.order <= 8


@pytest.mark.parametrize(
    ("game", "order"), [("affine,5", 12_000), ("projective,5", 372_000), ("clique,9,3", 362_880), ("3,5,4", 10_368)]
)
def test_pages_are_made_under_all_of_a_large_group(game: str, order: int) -> None:
    rules = parse_game(game)
    assert rules.symmetries.order == rules.group.order == order


LARGE_ORDERS = {
    "15,15,5": 8, "19,19,5": 8, "20,18,5": 4, "15,15,5,exact": 8, "6,7,4,gravity": 2, "7,8,4,torus": 4 * 7 * 8,
    "4x4x4,4": 192,  # Silver, "The group of automorphisms of the game of 3-dimensional ticktacktoe", 1967
    "5x5x5,5": 192, "3x3x3x3,3": 2**4 * factorial(4), "6x6x6,6": 48 * 24, "5x5x5,4": 48, "4x4x4,4,gravity": 8,
    "12x12w,4": 2 * 2 * 12, "hexagon,5,4": 12, "triangle,10,4": 6, "progression,50,4": 2, "7,7,4,x=d4": 8,
    "7,7,4,x=a1": 2, "animal,fatty,7,8": 4, "affine,7": 49 * 48 * 42,  # |AGL(2, 7)|
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("game", "order"), LARGE_ORDERS.items())
def test_boards_too_large_for_a_table_have_symmetries(game: str, order: int) -> None:
    rules = parse_game(game)
    group = rules.symmetries
    assert rules.squares > MAX_SQUARES
    assert group.order == rules.board_symmetries.order == order
    assert all(preserves(p, rules.sides, rules.supports) for orbit in group.orbits for p in orbit)
    if order < 2_000:
        elements = group.elements
        check_group(elements, rules.sides, rules.supports)
        assert len(elements) == order


def test_qubic_has_more_symmetries_than_its_cube() -> None:
    rules = parse_game("4x4x4,4")
    cells = list(product(range(4), repeat=3))
    cube = {
        tuple(sum(4 ** (2 - i) * (3 - cell[axis] if flip else cell[axis]) for i, (axis, flip) in enumerate(turn))
              for cell in cells)
        for axes in permutations(range(3)) for turn in product(*[[(axis, False), (axis, True)] for axis in axes])
    }  # fmt: skip
    elements = set(rules.symmetries.elements)
    assert len(cube) == 48
    assert cube < elements
    first = {Position.start(rules).play(square).canonical() for square in range(64)}
    assert len(first) == 2  # the 8 corners and the 8 squares in the middle are alike, and so are the others
    second = {position.play(square).canonical() for position in first for square in position.legal_moves}
    assert len(second) == 35


@pytest.mark.parametrize("game", ["affine,9", pytest.param("clique,26,3", marks=pytest.mark.slow)])
def test_a_search_for_symmetries_that_takes_long_ends_with_the_identity(game: str) -> None:
    rules = parse_game(game)
    assert rules.symmetries.elements == rules.board_symmetries.elements == (tuple(range(rules.squares)),)


def test_rules_of_a_large_board_are_parsed_without_searching_for_symmetries() -> None:
    for game in ("15,15,5,misere", "4x4x4,4,misere", "19,19,5,torus,misere"):
        rules = parse_game(game)
        assert not {"group", "symmetries", "board_symmetries"} & set(vars(rules))
        assert len(rules.flips or ()) <= 5


@pytest.mark.parametrize("game", ["5,5,4", "3,3,3,torus", "clique,6,3", "projective,3", "3,5,4"])
def test_each_symmetry_is_one_product_of_the_steps(game: str) -> None:
    group = parse_game(game).symmetries
    products = [tuple(range(group.squares))]
    settled = group.squares
    for step in group.steps:
        products = [compose(after, before) for before in products for after in step.permutations]
        assert all(p[settled:] == tuple(range(settled, group.squares)) for p in step.permutations)
        settled = step.fixed
    assert sorted(products) == list(group.elements)
    assert all(group.orbit(square) == tuple(sorted({p[square] for p in products})) for square in range(group.squares))


@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,torus", "6,6,3"])
def test_the_group_of_listed_permutations_has_no_others(game: str) -> None:
    flips = parse_game(game).flips
    assert flips
    assert listed_group(generate(flips)).elements == tuple(generate(flips))


AFFINE_PLANE = [
    *(Line(mask_of(5 * x + (slope * x + start) % 5 for x in range(5))) for slope in range(5) for start in range(5)),
    *(Line(mask_of(range(5 * x, 5 * x + 5))) for x in range(5)),
]
HUGE = {
    "every square is a line": ([Line(1 << square) for square in range(12)], 12, factorial(12)),
    "no lines": ([], 25, factorial(25)),
    "a line of one side and one of the other": (
        [Line(1 << a | 1 << b) for a in range(5) for b in range(5, 10)],
        10,
        2 * factorial(5) ** 2,
    ),
    "three disjoint lines": ([Line(0b1111 << 4 * i) for i in range(3)], 12, factorial(3) * factorial(4) ** 3),
    "two disjoint lines and a rest": ([Line(0b11111), Line(0b11 << 5)], 13, factorial(5) * factorial(2) * factorial(6)),
    "the affine plane of order 5": (AFFINE_PLANE, 25, 25 * 480),  # |AGL(2, 5)|
}


@pytest.mark.parametrize("name", HUGE)
def test_a_large_subgroup_of_a_huge_group_is_listed(name: str) -> None:
    lines, squares, order = HUGE[name]
    supports = (-1,) * squares
    group = symmetry_group([lines], supports)
    assert group.order == order
    elements = group.limited(2048).elements
    assert 2048 // squares < len(elements) <= 2048
    assert order % len(elements) == 0
    check_group(elements, [lines], supports)


def check_group(elements: Sequence[Permutation], sides: Sequence[Sequence[Line]], supports: Sequence[int]) -> None:
    everything = set(elements)
    assert elements[0] == tuple(range(len(supports)))
    assert list(elements) == sorted(everything)
    assert all(preserves(p, sides, supports) for p in elements)
    assert all(compose(p, q) in everything for p in random.Random(7).choices(elements, k=9) for q in elements)


def test_stones_that_stand_on_others_are_kept_in_order() -> None:
    # Two columns of two squares each, no lines: the columns can be exchanged, the squares of one can't.
    group = symmetry_group([[]], (2, 3, -1, -1))
    assert group.elements == ((0, 1, 2, 3), (1, 0, 3, 2))
    # Six single squares beside a column of two.
    group = symmetry_group([[]], (1, -1, -1, -1, -1, -1, -1, -1))
    assert group.order == factorial(6)
    assert group.limited(100).order == factorial(4)
    check_group(group.limited(100).elements, [[]], (1, -1, -1, -1, -1, -1, -1, -1))


@given(st.data())
def test_transform_follows_composition(data: st.DataObject) -> None:
    rules = data.draw(games())
    outer, inner = (data.draw(st.sampled_from(rules.symmetries.elements)) for _ in range(2))
    mask = data.draw(st.integers(0, (1 << rules.squares) - 1))
    assert transform(mask, compose(outer, inner)) == transform(transform(mask, inner), outer)
