"""The pages of sets under the symmetries, against the images of each set by definition."""

from itertools import pairwise

import numpy as np
import pytest

from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.game.symmetry import transform
from solver.kernels.orbits import FoundPages, find_larger
from solver.solve.placement_solver import index_pages, list_keys
from solver.support.threads import ThreadPool

GAMES = ["3,3,3", "3,4,3,exact", "4,4,4", "3,6,4", "2,5,2,torus", "affine,3"]


def _no_pages(rules: Rules) -> FoundPages:
    return FoundPages(np.full(rules.squares, -1), np.full(rules.squares, -1), np.empty(len(rules.symmetries), np.int64))


@pytest.mark.parametrize("game", GAMES)
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
                [transform(x_set | 1 << square, permutation) for permutation in rules.symmetries]
                for square in range(rules.squares)
            ]
            free = [s for s in range(rules.squares) if not x_set >> s & 1 and min(images[s]) in known]
            found = _no_pages(rules)
            find_larger(index, x_set, sum(1 << square for square in free), found)
            for square in range(rules.squares):
                row, permutation = int(found.rows[square]), int(found.permutations[square])
                if square in free:
                    assert pages[row] == min(images[square])
                    assert permutation == images[square].index(min(images[square]))
                else:
                    assert (row, permutation) == (-1, -1)


def test_a_set_without_a_page_is_an_error() -> None:
    rules = parse_game("3,3,3")
    with ThreadPool() as pool:
        keys = list_keys(rules, pool)[2].keys
    with pytest.raises(KeyError, match="has no page"):
        find_larger(index_pages(rules, keys[1:]), 0, 0b11, _no_pages(rules))  # they are sets of one square
    with pytest.raises(KeyError, match="has no page"):
        find_larger(index_pages(rules, keys[:0]), 1, 0b10, _no_pages(rules))


@pytest.mark.parametrize("game", GAMES)
def test_the_sizes_of_classes_are_the_numbers_of_different_images(game: str) -> None:
    rules = parse_game(game)
    with ThreadPool() as pool:
        for level in list_keys(rules, pool):
            for key, size in [*zip(level.keys.tolist(), level.sizes.tolist(), strict=True)][:50]:
                images = {transform(key, permutation) for permutation in rules.symmetries}
                assert (min(images), len(images)) == (key, size)
