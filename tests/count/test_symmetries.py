"""Positions up to all symmetries of a set of lines, in any notation, against enumerated orbits."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from solver.count import automaton, count_positions, walking
from solver.count.records import conjugacy_classes
from solver.game.games import parse_game
from solver.game.json_file import from_json
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.symmetry import compose, symmetry_group, transform
from tests.small_games import slow_games

CANONICAL = {
    "3,3,3": 765,
    "3,3,3,torus": 102,  # up to the 72 symmetries of the board
    "affine,3": 28,  # the same twelve lines, up to all 432
    "3x3w,3": 28, "affine,4": 1_925, "projective,3": 166, "clique,7,3": 175_750, "clique,6,3": 3_729,
}  # fmt: skip
LARGE = pytest.param("projective,4", 20_517, marks=pytest.mark.slow)


@pytest.mark.parametrize(("game", "canonical"), [*CANONICAL.items(), LARGE])
def test_canonical_positions(game: str, canonical: int) -> None:
    assert sum(count.canonical for count in count_positions(parse_game(game))) == canonical


@pytest.mark.parametrize("game", ["affine,4", "projective,3", *slow_games("affine,5", "projective,4", "clique,7,3")])
def test_canonical_positions_of_three_stones_match_enumerated_orbits(game: str) -> None:
    rules = parse_game(game)
    assert rules.board_symmetries.order == rules.group.order > 2_048
    generators = [permutation for orbit in rules.group.orbits for permutation in orbit]
    squares = [1 << square for square in range(rules.squares)]
    left = {(a | b, o) for a, b in combinations(squares, 2) for o in squares if not o & (a | b)}
    orbits = 0
    while left:
        orbits += 1
        queue = [left.pop()]
        for x, o in queue:
            images = {(transform(x, g), transform(o, g)) for g in generators} & left
            left -= images
            queue += images
    assert count_positions(rules)[3].canonical == orbits


@pytest.mark.parametrize("game", ["projective,2", *slow_games("projective,3", "affine,4")])
def test_a_walk_and_an_automaton_count_up_to_the_same_symmetries(game: str) -> None:
    rules = parse_game(game)
    assert walking.count_positions(rules) == [*automaton.count_positions(rules)]


@pytest.mark.parametrize("game", ["3x3w,3", "projective,2", "affine,4", "clique,5,3"])
def test_canonical_counts_do_not_depend_on_the_order_of_lines(game: str) -> None:
    rules = parse_game(game)
    names = [*rules.diagram.names]
    Random(1).shuffle(names)
    lines = [[names[square] for square in squares_of(line.mask)] for line in reversed(rules.lines)]
    other = from_json({"squares": sorted(names), "lines": lines})
    assert [count.canonical for count in count_positions(other)] == [c.canonical for c in count_positions(rules)]


def test_a_position_has_an_image_for_each_symmetry_that_moves_it() -> None:
    rules = parse_game("affine,4")
    first = Position.start(rules).play(5)
    assert first.image_hashes() == {3**square for square in range(16)}
    assert first.canonical() == Position.start(rules).play(0)


def test_permutations_of_five_points_have_a_class_for_each_partition_of_five() -> None:
    group = symmetry_group([[]], (-1,) * 5)
    classes = conjugacy_classes(group)
    assert next(iter(classes)) == (0, 1, 2, 3, 4)
    assert Counter(classes.values()) == Counter([1, 10, 15, 20, 20, 24, 30])


def test_classes_of_a_group_are_closed_under_conjugation() -> None:
    classes = conjugacy_classes(parse_game("3,3,3").board_symmetries)
    group = parse_game("3,3,3").board_symmetries.elements
    assert sorted(classes.values()) == [1, 1, 2, 2, 2]  # of the dihedral group of the square
    for one in classes:
        back = {element: next(g for g in group if compose(g, element) == group[0]) for element in group}
        assert len({compose(compose(element, one), back[element]) for element in group}) == classes[one]


@pytest.mark.parametrize(
    ("box", "rectangle"),
    [("3x4,3", "3,4,3"), ("3wx3w,3", "3,3,3,torus"), ("3x4,3,torus", "3,4,3,torus"), ("4x4,3,misere", "4,4,3,misere")],
)
def test_a_box_of_two_sizes_is_a_rectangle(box: str, rectangle: str) -> None:
    assert parse_game(box) == parse_game(rectangle)
    assert parse_game(box).name == rectangle
