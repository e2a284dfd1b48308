"""The parts that a check is made of."""

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from solver.check.board import NONSENSE, Scores, board_of, list_keys
from solver.game.rules import Rules
from solver.game.symmetry import transform
from solver.kernels import recheck
from solver.store.layout import colex_rank, layout_of
from solver.store.schema import METRICS, Metric
from tests.page_geometry import page_keys
from tests.small_games import SMALL_GAMES


@pytest.mark.parametrize("bits", [0, 1, 5, 14, 20])
def test_subsets_come_in_the_order_of_their_ranks(bits: int) -> None:
    board = board_of(Rules.parse("2,2,2"), has_gravity=False)
    for size in range(min(bits, 6) + 1):
        subsets = recheck.list_subsets(bits, size).tolist()
        assert subsets == sorted(sum(1 << bit for bit in chosen) for chosen in combinations(range(bits), size))
        for index in {0, len(subsets) // 2, len(subsets) - 1}:
            assert recheck.rank(board, board.high[size], subsets[index]) == index
            assert colex_rank(int(subsets[index]), (1 << 25) - 1) == index
    assert recheck.list_subsets(bits, -1).size == 0


@pytest.mark.parametrize("game", ["4,4,4", "3,3,3,torus", "4,5,4", "5,5,4,gravity"])
def test_images_are_those_of_the_symmetries(game: str) -> None:
    rules, chance = Rules.parse(game), random.Random(3)
    board = board_of(Rules.parse(game), has_gravity=rules.gravity)
    for mask in [0, (1 << rules.squares) - 1, *(chance.getrandbits(rules.squares) for _ in range(20))]:
        images = [transform(mask, symmetry) for symmetry in rules.symmetries]
        assert [recheck.image(board, g, mask) for g in range(len(images))] == images
        smallest, element = recheck.canonical(board, mask)
        assert smallest == min(images) == images[element]


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_marks_tell_what_one_side_can_build(game: str) -> None:
    rules = Rules.parse(game)
    board = board_of(rules, has_gravity=False)
    built = set(building(rules, 0))
    for stones in range(1 << rules.squares):
        lined = any(stones & mask == mask and not stones & guard for mask, guard in rules.lines)
        assert board.marks[stones] == (0 if stones not in built else recheck.OVER if lined else recheck.LIVE)


def building(rules: Rules, stones: int) -> Iterator[int]:
    """The sets that one side can have, when it stops at its first line."""
    queue = {stones}
    while queue:
        yield from queue
        lined = {s for s in queue if any(s & mask == mask and not s & guard for mask, guard in rules.lines)}
        queue = {s | 1 << q for s in queue - lined for q in range(rules.squares) if not s >> q & 1}


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_the_images_of_all_keys_are_all_sets(game: str) -> None:
    rules = Rules.parse(game)
    layout = layout_of(rules, "distance")
    levels = list_keys(rules, board_of(rules, layout.has_gravity), layout.has_gravity)
    keys = np.concatenate([level.keys for level in levels]).tolist()
    weights = np.concatenate([level.weights for level in levels]).tolist()
    for key, weight in zip(keys, weights, strict=True):
        images = {transform(key, symmetry) for symmetry in rules.symmetries}
        assert (min(images), len(images)) == (key, weight)
    if not rules.exact or layout.has_gravity:
        assert sorted(keys) == page_keys(layout)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", "4,4,4"])
def test_scores_say_what_codes_say(game: str, metric: Metric) -> None:
    rules = Rules.parse(game)
    scores, layout = Scores(rules, metric), layout_of(rules, metric)
    digits = layout.page_size(0).digits
    for ply in range(rules.squares):
        meanings = layout.values(ply)
        for code, score in enumerate(scores.of_codes(digits).tolist()):
            if meanings[code] is not None:
                assert scores.value(score, ply) == meanings[code]
    assert scores.of_codes(digits)[1] == NONSENSE  # a draw has no sign
