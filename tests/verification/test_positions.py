"""All positions of a game, and uniform samples of them."""

from collections import Counter

import pytest

from solver.count import count_positions
from solver.game.rules import Rules
from solver.verification.positions import PlyCount, count_plies, live_positions, sample_positions
from tests.verification.fakes import THREE

VARIANTS = ["3,3,3", "3,3,3,gravity", "3,3,3,misere", "2,4,2,exact", "3,3,3,torus", "1,7,3", "2,2,3"]


@pytest.mark.parametrize("game", VARIANTS)
def test_all_positions_with_a_move_to_make_are_asked(game: str) -> None:
    rules = Rules.parse(game)
    counts = {c.ply: PlyCount(c.positions, c.positions - c.terminal) for c in count_positions(rules)}
    positions = live_positions(rules)
    assert len(set(positions)) == len(positions) == sum(count.live for count in counts.values())
    assert count_plies(rules, None) == counts


@pytest.mark.parametrize("game", ["2,3,2", "2,3,2,gravity", "1,4,2,exact"])
def test_a_sample_is_uniform_over_positions(game: str) -> None:
    rules = Rules.parse(game)
    live = live_positions(rules)
    counts = count_plies(rules, None)
    drawn = Counter(p for seed in range(600) for p in sample_positions(rules, 1, seed, counts))
    assert set(drawn) <= set(live)
    expected = 600 / len(live)
    chi_squared = sum((drawn[position] - expected) ** 2 / expected for position in live)
    degrees = len(live) - 1
    assert chi_squared < degrees + 4 * (2 * degrees) ** 0.5  # seeded: it is the same in every run


def test_a_sample_follows_from_its_seed_and_has_no_position_twice() -> None:
    counts = count_plies(THREE, None)
    sample = sample_positions(THREE, 200, 7, counts)
    assert len(set(sample)) == 200
    assert sample == sample_positions(THREE, 200, 7, counts)
    assert sample != sample_positions(THREE, 200, 8, counts)
