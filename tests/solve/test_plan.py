"""A build solves exactly its plan, with any solver."""

from itertools import pairwise

import pytest

from solver.count import count_pages
from solver.game.games import parse_game
from solver.solve.plan import horizons, plan_build
from solver.solve.solvers import prepare
from solver.store.layout import layout_of
from solver.store.schema import METRICS, Metric
from solver.support.threads import ThreadPool
from tests.page_geometry import page_keys
from tests.small_games import MID_GAMES, SMALL_GAMES


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", [*SMALL_GAMES, *MID_GAMES])
def test_pages_counted_by_burnside_are_those_the_solver_finds(game: str, metric: Metric) -> None:
    rules = parse_game(game)
    planned = plan_build(rules, metric)
    with ThreadPool(2) as pool:
        found = prepare(rules, metric, pool).shards.build
    if count_pages(rules).exact:
        assert planned == found
    else:  # exact: sets without a line that can only be reached through sets with a line
        assert all(bound.pages >= level.pages for bound, level in zip(planned.levels, found.levels, strict=True))


@pytest.mark.sampled
@pytest.mark.parametrize("game", SMALL_GAMES)
def test_the_stored_pages_are_the_keys_of_the_layout(game: str) -> None:
    rules = parse_game(game)
    levels = plan_build(rules, "wdl").levels[::-1]
    keys = page_keys(layout_of(rules, "wdl"))
    if rules.exact and not layout_of(rules, "wdl").has_gravity:  # a set may have no line now, and one on the way
        assert sum(level.stored for level in levels) <= len(keys)
    else:
        found = [sum(key.bit_count() == level.stones for key in keys) for level in levels]
        assert [level.stored for level in levels] == found


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["1,1,1", "3,3,3", "4,4,4", "4,5,4", "5,5,4", "5,5,4,gravity"])
def test_partitions_cover_every_level_once(game: str) -> None:
    plan = plan_build(parse_game(game), "wdl")
    for level in plan.levels:
        partitions = list(level.partitions())
        assert partitions[0].first == 0
        assert partitions[-1].last == level.pages
        assert all(before.last == after.first for before, after in pairwise(partitions))
        assert sum(partition.work for partition in partitions) == level.work
        assert all(partition.first < partition.last for partition in partitions)


def test_a_large_level_has_many_partitions_of_some_hundredths_of_a_second() -> None:
    plan = plan_build(parse_game("5,5,4"), "wdl")
    longest = max(partition.work for level in plan.levels for partition in level.partitions())
    assert longest <= 1 << 24
    assert sum(1 for level in plan.levels for _ in level.partitions()) > 500


def test_a_level_reads_the_one_before_it() -> None:
    levels = plan_build(parse_game("4,4,4"), "distance").levels
    assert [level.number for level in levels] == [*range(9)]
    assert [level.stones for level in levels] == [*range(8, -1, -1)]
    assert [level.read_pages for level in levels] == [0, *(level.pages for level in levels[:-1])]


def test_horizons_are_the_plies_at_which_a_line_can_be_made() -> None:
    rules = parse_game("4,4,4")
    assert horizons(rules, "distance", 0) == (5, 5)  # X at 7, 9, 11, 13, 15; O at 8, 10, 12, 14, 16
    assert horizons(rules, "distance", 10) == (3, 4)  # X at 11, 13, 15; O has just won, or at 12, 14, 16
    assert horizons(rules, "wdl", 0) == (1, 1)
