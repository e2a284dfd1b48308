"""The parts of a check."""

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from solver.check.page_check import NONSENSE, Scores, check_board, list_sets
from solver.game.games import parse_game
from solver.game.lines import Line, completed
from solver.game.lines import completing as completing_squares
from solver.game.symmetry import transform
from solver.kernels import recheck, recheck_sets
from solver.store.layout import colex_rank, layout_of
from solver.store.schema import METRICS, Metric
from tests.page_geometry import page_keys
from tests.small_games import SMALL_GAMES


@pytest.mark.parametrize("bits", [0, 1, 5, 14, 20])
def test_subsets_come_in_the_order_of_their_ranks(bits: int) -> None:
    for size in range(min(bits, 6) + 1):
        subsets, ranks = recheck_sets.list_subsets(bits, size).tolist(), recheck_sets.make_ranks(bits, size)
        assert subsets == sorted(sum(1 << bit for bit in chosen) for chosen in combinations(range(bits), size))
        for index in {0, len(subsets) // 2, len(subsets) - 1}:
            assert recheck_sets.rank(ranks, subsets[index]) == index
            assert colex_rank(int(subsets[index]), (1 << 25) - 1) == index
    assert recheck_sets.list_subsets(bits, -1).size == 0


@pytest.mark.parametrize(("bits", "size"), [(36, 2), (35, 17), (27, 9), (36, 18)])
def test_ranks_of_sets_that_are_too_many_to_list(bits: int, size: int) -> None:
    ranks, chance = recheck_sets.make_ranks(bits, size), random.Random(size)
    for _ in range(50):
        bits_set = sum(1 << bit for bit in chance.sample(range(bits), size))
        assert recheck_sets.rank(ranks, bits_set) == colex_rank(bits_set, (1 << bits) - 1)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 8, 17, 36])
def test_unions_are_gathered_from_three_parts(count: int) -> None:
    values, chance = np.left_shift(1, np.arange(count)[::-1]), random.Random(count)
    chunks, part = recheck_sets.make_chunks(values)
    for _ in range(20):
        bits = chance.getrandbits(count) if count else 0
        union = sum(int(values[i]) for i in range(count) if bits >> i & 1)
        assert recheck_sets.gather(chunks, part, bits) == union


@pytest.mark.parametrize("game", ["4,4,4", "3,3,3,torus", "4,5,4", "5,5,4,gravity", "6,6,4", "clique,6,3"])
def test_images_are_those_of_the_symmetries(game: str) -> None:
    rules, chance = parse_game(game), random.Random(3)
    board = check_board(rules)
    for mask in [0, (1 << rules.squares) - 1, *(chance.getrandbits(rules.squares) for _ in range(20))]:
        images = [transform(mask, symmetry) for symmetry in rules.symmetries.elements]
        smallest, symmetry = recheck_sets.canonical(board, mask)
        assert smallest == min(images) == transform(mask, tuple(symmetry.tolist()))
        assert tuple(symmetry.tolist()) in rules.symmetries.elements


PLACEMENT_GAMES = [game for game in SMALL_GAMES if "gravity" not in game]


@pytest.mark.parametrize("game", [*PLACEMENT_GAMES, "3,3,2,exact,x=a1", "3,3,2,exact,o=b2", "1,9,3,exact,maker"])
def test_marks_of_sets_that_one_side_can_build(game: str) -> None:
    rules = parse_game(game)
    board, squares = check_board(rules), np.arange(rules.squares)
    for side, given in ((rules.x_lines, board.x_lines), (rules.o_lines, board.o_lines)):
        lines, built = recheck.lines_among(given, squares), set(building(rules.squares, side))
        for size, known in enumerate(list_sets(board, given, rules.squares // 2)):
            sets = recheck_sets.list_subsets(rules.squares, size)
            marks = np.empty(sets.size, np.uint8)
            recheck.mark_sets(board, squares, lines, known, sets, marks)
            for stones, mark in zip(sets.tolist(), marks.tolist(), strict=True):
                expected = recheck.OVER if completed(side, stones) else recheck.LIVE if stones in built else 0
                assert mark == expected


@pytest.mark.parametrize("game", ["3,3,3", "2,4,2,exact,misere", "4,4,3,exact,torus", "6,6,4"])
def test_lines_of_the_free_squares(game: str) -> None:
    rules, chance = parse_game(game), random.Random(5)
    board = check_board(rules)
    for _ in range(20):
        taken = chance.getrandbits(rules.squares) & chance.getrandbits(rules.squares)
        stones = chance.getrandbits(rules.squares) & chance.getrandbits(rules.squares) & ~taken
        squares = recheck_sets.list_squares(board, ~taken)
        lines = recheck.lines_among(board.o_lines, squares)
        in_bits = sum((stones >> int(square) & 1) << i for i, square in enumerate(squares))
        assert recheck_sets.spread(squares, in_bits) == stones
        lined = completed(rules.lines, stones) != 0
        assert recheck_sets.has_line(lines, in_bits) == lined
        if not lined:
            completing = recheck_sets.spread(squares, recheck.completing(lines, in_bits))
            assert completing == completing_squares(rules.lines, stones, taken | stones)


def building(squares: int, lines: tuple[Line, ...]) -> Iterator[int]:
    """Yield the sets that one side can have if it stops at its first line."""
    queue = {0}
    while queue:
        yield from queue
        queue = {s | 1 << q for s in queue if not completed(lines, s) for q in range(squares) if not s >> q & 1}


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_the_images_of_all_keys_are_all_sets(game: str) -> None:
    rules = parse_game(game)
    board, layout = check_board(rules), layout_of(rules, "distance")
    no_lines, half = board.x_lines[:0], rules.squares // 2
    levels = (
        list_sets(board, no_lines, rules.squares - 1) if layout.has_gravity else list_sets(board, board.x_lines, half)
    )
    keys = np.concatenate(levels)
    weights = np.empty(keys.size, np.int64)
    recheck_sets.count_images(board, keys, weights)
    for key, weight in zip(keys.tolist(), weights.tolist(), strict=True):
        images = {transform(key, symmetry) for symmetry in rules.symmetries.elements}
        assert (min(images), len(images)) == (key, weight)
    if not rules.exact or layout.has_gravity:
        assert sorted(keys.tolist()) == page_keys(layout)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", "4,4,4"])
def test_scores_agree_with_codes(game: str, metric: Metric) -> None:
    rules = parse_game(game)
    scores, layout = Scores(rules, metric), layout_of(rules, metric)
    digits = layout.page_size(0).digits
    for ply in range(rules.squares):
        meanings = layout.values(ply)
        for code, score in enumerate(scores.of_codes(digits).tolist()):
            if meanings[code] is not None:
                assert scores.value(score, ply) == meanings[code]
    assert scores.of_codes(digits)[1] == NONSENSE  # a draw has no sign
