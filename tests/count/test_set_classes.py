"""Classes of sets under all symmetries, against published numbers of graphs and the Atlas of Graphs."""

from collections import Counter

import numpy as np
import pytest

from solver.count import count_pages, count_positions, set_classes
from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.kernels.orbits import make_group
from solver.support.threads import ThreadPool
from tests.graph_atlas import read_graphs
from tests.small_games import slow_games

TRIANGLE_FREE = {5: 14, 6: 38, 7: 107, 8: 410, 9: 1_897}  # OEIS A006785, by vertices


def lineless_classes(rules: Rules) -> list[tuple[int, int]]:
    """Return the number of classes of sets without a line, and the number of all such sets, by size."""
    lines, group = sorted(rules.x_lines), make_group(rules.symmetries.steps)
    with ThreadPool(1) as pool:
        listed = set_classes._last_sets(group, lines, np.ones(rules.squares, np.int64), rules.squares, pool)
        return [(int((~lined).sum()), int(sizes[~lined].sum())) for _, sizes, lined in listed]


def lineless_sets(rules: Rules, most: int) -> list[int]:
    """Return the number of sets of 0 to `most` squares without a line.

    The kernel counts them within the squares that are free beside one that stands for as many squares.
    """
    counts = []
    classes = set_classes.SetClasses(*(np.array([value]) for value in (1 << rules.squares, 1, False)))
    with ThreadPool(1) as pool:
        for size in range(most + 1):
            sizes = np.array([*[1] * rules.squares, size])
            counts.append(int(set_classes._count_pairs(classes, rules.x_lines, sizes, most, pool)[0, size, 0]))
    return counts


@pytest.mark.parametrize("clique", [3, 4])
def test_classes_are_the_graphs_of_the_atlas(clique: int) -> None:
    edges = Counter(len(graph.edges) for graph in read_graphs(7) if not graph.has_clique(clique))
    found = [classes for classes, _ in lineless_classes(parse_game(f"clique,7,{clique}"))]
    assert {size: classes for size, classes in enumerate(found) if classes} == edges


@pytest.mark.parametrize("game", [f"clique,{n},3" for n in range(5, 9)] + [*slow_games("clique,9,3")])
def test_classes_of_triangle_free_graphs_match_the_published_numbers(game: str) -> None:
    rules = parse_game(game)
    assert sum(classes for classes, _ in lineless_classes(rules)) == TRIANGLE_FREE[int(rules.name.split(",")[1])]


@pytest.mark.parametrize("game", ["clique,6,3", "clique,6,4", "clique,7,4", "affine,4"])
def test_the_sizes_of_all_classes_add_up_to_the_number_of_sets(game: str) -> None:
    rules = parse_game(game)
    by_class = [sets for _, sets in lineless_classes(rules)]
    assert by_class == lineless_sets(rules, len(by_class) - 1)


def test_only_games_with_many_symmetries_or_few_squares_can_be_counted_by_classes() -> None:
    games = {"clique,9,4": True, "4,7,4,torus": True, "hex,5": True, "6,6,4": False}
    assert {game: set_classes.is_supported(parse_game(game)) for game in games} == games
    rules = parse_game("progression,28,3")  # of its 77,138,014 classes of sets, 213,200 have no line
    known = (None, sum(count_pages(rules).solved))
    assert [set_classes.is_supported(rules, classes=classes) for classes in known] == [False, True]
    assert sum(count.positions for count in count_positions(parse_game("clique,8,4"))) == 4_034_383_667_445
