"""Strategies from the table, against and-or search, the output of a notebook, and every reply."""

import json
from pathlib import Path
from typing import Any

import pytest

from solver.engines.builtin.and_or import search_position
from solver.errors import NotationError, Unsettled
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.strategies import Strategy, find_strategy, follow_moves, read_board
from solver.game.value import Value
from solver.search.truth import Truth, open_tablebase
from tests.conftest import ROOT
from tests.course.nested import nest
from tests.slow_build import oracle, slow_build

FACTS = ROOT / "data" / "facts" / "and_or_plans.json"
SEED = json.loads(FACTS.read_text())["plans"]  # seed 000_d1d8b7b7018dcee9
OF_X = [fact for fact in SEED if fact["board"].count("x") == fact["board"].count("o")]  # the others are no positions
RULES = parse_game("3,3,3")


@pytest.mark.parametrize("fact", OF_X, ids=lambda fact: f"{fact['board']} {fact['player']} {fact['draw_ok']}")
def test_strategies_of_the_seed_notebook(tictactoe: Truth, fact: dict[str, Any]) -> None:
    strategy = tictactoe.strategy(Position.parse(RULES, fact["board"]), fact["player"], fact["draw_ok"])
    assert (strategy.first_move if strategy else None) == fact["first_action"]
    printed = repr(nest(strategy) if strategy else None).replace(", ", ",")
    assert printed == fact["printed"] if fact["complete"] else printed.startswith(fact["printed"])


@pytest.mark.sampled
@pytest.mark.parametrize("draw_ok", [True, False])
def test_the_table_has_the_strategies_that_and_or_search_finds(tictactoe: Truth, draw_ok: bool) -> None:
    for position in oracle("3,3,3").reachable():
        if position.ply >= 3:
            found = search_position(position, draw_ok, remember=True).strategy
            assert tictactoe.strategy(position, draw_ok=draw_ok) == found


@pytest.mark.sampled
@pytest.mark.parametrize("player", ["X", "O"])
def test_strategy_exists_exactly_when_the_value_allows_it(tictactoe: Truth, player: str) -> None:
    for position in oracle("3,3,3").reachable():
        wdl = tictactoe.probe(position).wdl * (1 if player == position.to_move else -1)
        assert (tictactoe.strategy(position, player, draw_ok=True) is not None) == (wdl >= 0)
        assert (tictactoe.strategy(position, player, draw_ok=False) is not None) == (wdl == 1)


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3,misere", "3,3,3,gravity", "2,4,2,exact", "2,4,3,gravity,misere"])
@pytest.mark.parametrize("draw_ok", [True, False])
def test_a_strategy_reaches_its_goal_in_variants(tmp_path: Path, game: str, draw_ok: bool) -> None:
    goals = {"win", "draw"} if draw_ok else {"win"}
    with open_tablebase(slow_build(game, tmp_path)) as table:
        start = Position.start(table.rules)
        strategies = 0
        for position in [start, *(start.play(square) for square in start.legal_moves)]:
            for player in "XO":
                strategy = table.strategy(position, player, draw_ok)
                if strategy is not None:
                    strategies += 1
                    follow(strategy, goals)
        assert strategies > 0 or not draw_ok


def follow(strategy: Strategy, goals: set[str]) -> None:
    """Play a strategy against every reply, with the moves of the package; it has no move elsewhere."""
    todo, seen = [strategy.start], set[Position]()
    while todo:
        position = todo.pop()
        if position.is_over:
            outcome = position.outcome
            assert ("draw" if outcome == "draw" else "win" if outcome == strategy.player else "loss") in goals
        elif position.to_move == strategy.player:
            seen.add(position)
            todo.append(position.play(strategy.moves[position]))
        else:
            todo += [position.play(square) for square in position.legal_moves]
    assert seen == set(strategy.moves)


def test_strategies_of_finished_games_have_no_moves(tictactoe: Truth) -> None:
    won = Position.parse(RULES, "XXX/OO./...")
    assert tictactoe.strategy(won, "X") == Strategy(won, "X", {})
    assert tictactoe.strategy(won, "O") is None
    assert tictactoe.strategy(won) is None  # O would be to move
    drawn = Position.parse(RULES, "XOX/XXO/OXO")
    strategy = tictactoe.strategy(drawn, "O", draw_ok=True)
    assert strategy == Strategy(drawn, "O", {})
    assert (strategy.end(drawn), nest(strategy), str(strategy)) == ("draw", "draw", "O draws.")
    assert tictactoe.strategy(drawn, "X", draw_ok=False) is None


def test_a_strategy_is_a_graph() -> None:
    start = Position.start(RULES)
    strategy = follow_moves(start, "O", lambda at: at.legal_moves[0] if at.to_move == "O" else None)
    assert strategy.first_move is None
    assert strategy.after(start) == start
    assert len(strategy.replies(start)) == 9
    assert all(strategy.after(position) == position.play(move) for position, move in strategy.moves.items())
    assert list(strategy.moves)[:2] == [start.play(0), start.play(0).play(1).play(2)]  # each before what follows it
    assert {1, 3, 5, 7} == {position.ply for position in strategy.moves}
    first = follow_moves(start, "X", {start: 4}.get)
    assert (dict(first.moves), first.replies(start.play(4).play(0))) == ({start: 4}, {})


@pytest.mark.parametrize(("unknown", "move"), [((), 3), ((3,), 4), ((2, 3, 4), 6), ((3, 4, 6), None)])
def test_a_move_of_unknown_value_is_avoided_if_another_wins(
    tictactoe: Truth, unknown: tuple[int, ...], move: int | None
) -> None:
    """X wins by 3, 4 and 6. Without any of them, nobody knows whether X wins."""
    start = Position.parse(RULES, "XO./.../...")

    def probe(position: Position) -> Value:
        if position in [start.play(square) for square in unknown]:
            raise Unsettled("no time")
        return tictactoe.probe(position)

    if move is None:
        with pytest.raises(Unsettled, match="no time"):
            find_strategy(probe, start, draw_ok=False)
        return
    strategy = find_strategy(probe, start, draw_ok=False)
    assert strategy
    assert strategy.first_move == move
    follow(strategy, {"win"})


def test_strategies_need_a_player_and_a_board(tictactoe: Truth) -> None:
    with pytest.raises(NotationError, match="neither X nor O"):
        tictactoe.strategy(Position.start(RULES), "Z")
    with pytest.raises(NotationError, match="needs a board"):
        read_board(RULES, "b2 a1")
