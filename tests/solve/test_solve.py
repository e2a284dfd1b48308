"""The kernels against the slow twin, position by position, on every small game and variant."""

import pytest

from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.solve.positions_table import solve_pages
from solver.solve.solvers import make_solver, prepare
from solver.store.layout import layout_of
from solver.store.schema import METRICS, Metric
from solver.support.threads import ThreadPool
from tests.slow_build import oracle
from tests.small_games import SMALL_GAMES
from tests.uncompiled import assert_pass_uncompiled


def solve(rules: Rules, metric: Metric, threads: int = 2) -> dict[int, bytes]:
    work: list[int] = []
    with ThreadPool(threads) as pool:
        game = prepare(rules, metric, pool)
        solver = make_solver(game.shards.build, dict(game.inputs(None)).__getitem__)
        pages, _ = solve_pages(game.shards, solver, pool, work.append)
    assert work[-1] == game.shards.build.work
    return pages


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", SMALL_GAMES)
def test_every_position_has_the_value_of_the_slow_twin(game: str, metric: Metric) -> None:
    known = oracle(game)
    layout = layout_of(known.rules, metric)
    pages = solve(known.rules, metric)
    for position in known.reachable():
        if not position.is_over:
            expected = known.value(position)
            value = layout.answer(position, pages.__getitem__)
            assert value == (expected if metric == "distance" else expected._replace(distance=None)), position.board


def test_pages_do_not_depend_on_threads() -> None:
    rules = parse_game("3,4,3,misere")
    assert solve(rules, "distance", threads=1) == solve(rules, "distance", threads=3)


@pytest.mark.slow
def test_the_kernels_pass_without_the_compiler() -> None:
    games = ("1,2,2", "2,2,2", "2,2,3", "2,3,2,exact,torus", "3,2,2,misere", "3,3,2,exact,gravity")
    test = test_every_position_has_the_value_of_the_slow_twin.__name__
    assert_pass_uncompiled(__file__, *(f"{test}[{game}-{metric}]" for game in games for metric in METRICS))
