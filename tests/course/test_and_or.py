"""Seed 000_d1d8b7b7018dcee9: and-or search, its ten node counts, its first actions, its strategies, its matches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from solver.course.and_or_search import SEARCHES, run
from solver.engines.builtin.and_or import AndOr, search_board, search_position
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.strategies import Strategy
from tests.conftest import ROOT
from tests.course.nested import nest
from tests.slow_build import oracle

RULES = parse_game("3,3,3")
FACTS = ROOT / "data" / "facts" / "and_or_plans.json"
STRATEGIES = json.loads(FACTS.read_text())["plans"]

# The correct counts where the notebook's search continues after a won game.
RIGHT = {(".../.o./...", False): 1215, (".../.../...", False): 14022}


def first_action(strategy: Strategy | None) -> int | None:
    return strategy.first_move if strategy else None


@pytest.mark.parametrize(("board", "player", "draw_ok", "nodes", "action"), SEARCHES)
def test_nodes_and_first_actions(board: str, player: str, draw_ok: bool, nodes: int, action: int | None) -> None:
    found = search_board(RULES, board, player, draw_ok, late=True)
    assert (found.nodes, first_action(found.strategy)) == (nodes, action)
    right = search_board(RULES, board, player, draw_ok)
    assert (right.nodes, right.strategy) == (RIGHT.get((board, draw_ok), nodes), found.strategy)


@pytest.mark.parametrize("fact", STRATEGIES, ids=lambda fact: f"{fact['board']} {fact['player']} {fact['draw_ok']}")
@pytest.mark.parametrize("remember", [True, False])
def test_printed_strategies(fact: dict[str, Any], remember: bool) -> None:
    strategy = search_board(RULES, fact["board"], fact["player"], fact["draw_ok"], remember=remember).strategy
    printed = repr(nest(strategy) if strategy else None).replace(", ", ",")
    assert printed.startswith(fact["printed"])
    assert not fact["complete"] or printed == fact["printed"]


def test_the_notebook_overlooks_a_win_that_the_search_finds() -> None:
    assert search_board(RULES, "xxo/.../...", "o", draw_ok=False, late=True).strategy is None
    assert first_action(search_board(RULES, "xxo/.../...", "o", draw_ok=False).strategy) == 5


def test_a_strategy_exists_exactly_when_the_value_allows_it() -> None:
    for board in ["start", "xxo/.../...", "x../.o./...", "xo./.../...", "x../.../..o", "xox/.o./..."]:
        position = Position.parse(RULES, board)
        value = oracle("3,3,3").value(position).wdl
        assert (search_position(position, draw_ok=True).strategy is not None) == (value >= 0)
        assert (search_position(position, draw_ok=False).strategy is not None) == (value == 1)


def test_a_strategy_is_searched_once_and_followed() -> None:
    engine = AndOr()
    position = Position.parse(RULES, ".../.X./...")
    assert engine.choose(position).move == 0
    after = position.play(0).play(1)
    assert engine.choose(after).nodes == 0
    assert engine.choose(after).move == AndOr().choose(after).move


def test_without_a_strategy_all_moves_are_equally_likely() -> None:
    position = Position.parse(RULES, "oo./ox./..x".replace("o", "y").replace("x", "o").replace("y", "x"))
    engine = AndOr(seed=3)
    assert engine.choose(position).value == 0
    assert len(engine.distribution(position)) == len(position.legal_moves)


def test_misere_replies_that_lose_are_part_of_the_strategy() -> None:
    rules = parse_game("2,3,2,misere")
    for position in [Position.start(rules).play(0), Position.start(rules).play(0).play(5)]:
        found = search_position(position, draw_ok=False)
        assert (found.strategy is not None) == (oracle(str(rules)).value(position).wdl == 1)


@pytest.mark.slow
def test_the_experiment_agrees() -> None:
    rows = run()
    assert all(row.agrees for row in rows)
    assert len(rows) == 2 * 10 + 3 * 4 + 2
