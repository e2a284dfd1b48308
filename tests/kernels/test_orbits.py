"""The pages of sets under the symmetries, against the images of each set by definition."""

from itertools import pairwise
from math import comb

import numpy as np
import pytest

from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.game.symmetry import transform
from solver.kernels.orbits import FoundPages, count_images, find_larger, group_scratch, list_children, make_group
from solver.solve.placement_solver import index_pages, list_keys
from solver.support.threads import ThreadPool
from tests.small_games import slow_games

GAMES = ["3,3,3", "3,4,3,exact", "4,4,4", "2,5,2,torus", "affine,3", "clique,6,3"]
GRAPHS = {6: 156, 7: 1_044, 8: 12_346, 9: 274_668}  # with so many points: https://oeis.org/A000088


def _no_pages(rules: Rules) -> FoundPages:
    squares, group = np.arange(rules.squares), make_group(rules.symmetries.steps)
    return FoundPages(
        np.full(rules.squares, -1), np.tile(squares, (rules.squares, 1)), squares.copy(), group_scratch(group)
    )


@pytest.mark.parametrize("game", [*GAMES, *slow_games("3,6,4", "affine,4")])
def test_a_set_with_one_more_square_has_the_page_of_its_smallest_image(game: str) -> None:
    rules = parse_game(game)
    with ThreadPool() as pool:
        levels = list_keys(rules, pool)
    random = np.random.default_rng(1)
    for level, larger in pairwise(levels):
        pages = larger.keys.tolist()
        index, known = index_pages(rules, larger.keys), set(pages)
        for x_set in random.permutation(level.keys)[:20].tolist():
            images = [
                min(transform(x_set | 1 << square, permutation) for permutation in rules.symmetries.elements)
                for square in range(rules.squares)
            ]
            free = [s for s in range(rules.squares) if not x_set >> s & 1 and images[s] in known]
            found = _no_pages(rules)
            find_larger(index, x_set, sum(1 << square for square in free), found)
            for square in range(rules.squares):
                row, permutation = int(found.rows[square]), tuple(found.permutations[square].tolist())
                if square in free:
                    assert pages[row] == images[square] == transform(x_set | 1 << square, permutation)
                    assert permutation in rules.symmetries.elements
                else:
                    assert (row, permutation) == (-1, tuple(range(rules.squares)))


def test_a_set_without_a_page_is_an_error() -> None:
    rules = parse_game("3,3,3")
    with ThreadPool() as pool:
        keys = list_keys(rules, pool)[2].keys
    with pytest.raises(KeyError, match="has no page"):
        find_larger(index_pages(rules, keys[1:]), 0, 0b11, _no_pages(rules))  # they are sets of one square
    with pytest.raises(KeyError, match="has no page"):
        find_larger(index_pages(rules, keys[:0]), 1, 0b10, _no_pages(rules))


@pytest.mark.parametrize("game", [*GAMES, "3,6,4", "affine,4"])
def test_the_sizes_of_classes_are_the_numbers_of_different_images(game: str) -> None:
    rules = parse_game(game)
    with ThreadPool() as pool:
        for level in list_keys(rules, pool):
            for key, size in [*zip(level.keys.tolist(), level.sizes.tolist(), strict=True)][:50]:
                images = {transform(key, permutation) for permutation in rules.symmetries.elements}
                assert (min(images), len(images)) == (key, size)


@pytest.mark.parametrize("points", [6, 7, *slow_games("8", "9")])
def test_the_sets_of_edges_up_to_all_symmetries_are_the_graphs(points: int) -> None:
    rules = parse_game(f"clique,{points},3")
    levels, group = [np.zeros(1, np.int64)], make_group(rules.symmetries.steps)
    scratch, none = group_scratch(group), np.zeros((0, 2), np.int64)
    for _ in range(rules.squares):
        children = np.empty(levels[-1].size * rules.squares, np.int64)
        levels.append(np.unique(children[: list_children(group, scratch, none, levels[-1], children)]))
    assert sum(level.size for level in levels) == GRAPHS[int(points)]
    for size, level in enumerate(levels[:20]):
        sizes = np.empty(level.size, np.int32)
        count_images(group, scratch, rules.symmetries.order, level, sizes)
        assert sizes.sum() == comb(rules.squares, size)
