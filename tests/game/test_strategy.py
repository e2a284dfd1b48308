"""Strategies from the table, against and-or search and the output of a notebook."""

import json
from pathlib import Path
from typing import Any

import pytest

from solver.errors import NotationError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.strategies import StrategyTree, read_board
from solver.search.truth import Truth, open_tablebase
from tests.conftest import ROOT
from tests.slow_build import oracle, slow_build

FACTS = ROOT / "data" / "facts" / "and_or_plans.json"
SEED = json.loads(FACTS.read_text())["plans"]  # seed 000_d1d8b7b7018dcee9
OF_X = [fact for fact in SEED if fact["board"].count("x") == fact["board"].count("o")]  # the others are no positions
RULES = parse_game("3,3,3")


def printed(strategy: StrategyTree) -> str:
    return repr(strategy).replace(", ", ",")


@pytest.mark.parametrize("fact", OF_X, ids=lambda fact: f"{fact['board']} {fact['player']} {fact['draw_ok']}")
def test_strategies_of_the_seed_notebook(tictactoe: Truth, fact: dict[str, Any]) -> None:
    strategy = tictactoe.strategy(Position.parse(RULES, fact["board"]), fact["player"], fact["draw_ok"])
    assert (strategy[0] if strategy else None) == fact["first_action"]
    if fact["complete"]:
        assert printed(strategy) == fact["printed"]
    else:
        assert printed(strategy).startswith(fact["printed"])


# And-or search in its textbook form, on boards as lists of cells; shares nothing with the package.

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def result(board: list[str], player: str) -> str | None:
    for a, b, c in LINES:
        if board[a] == board[b] == board[c] != " ":
            return "win" if board[a] == player else "loss"
    return None if " " in board else "draw"


def after(board: list[str], square: int, player: str) -> list[str]:
    return [*board[:square], player, *board[square + 1 :]]


def or_search(board: list[str], player: str, goals: set[str]) -> StrategyTree:
    ended = result(board, player)
    if ended:
        return ended if ended in goals else None
    for square in [s for s, cell in enumerate(board) if cell == " "]:
        strategy = and_search(after(board, square, player), player, goals)
        if strategy is not None:
            return [square, strategy]
    return None


def and_search(board: list[str], player: str, goals: set[str]) -> StrategyTree:
    ended = result(board, player)
    if ended:
        return ended if ended in goals else None
    other = "o" if player == "x" else "x"
    replies = [after(board, s, other) for s, cell in enumerate(board) if cell == " "]
    if len(replies) == 1 and result(replies[0], player):
        return or_search(replies[0], player, goals)
    strategies = []
    for reply in replies:
        strategy = or_search(reply, player, goals)
        if strategy is None:
            return None
        strategies.append(["if", reply, "then", strategy])
    return strategies


@pytest.mark.slow
@pytest.mark.parametrize("draw_ok", [True, False])
def test_strategies_equal_and_or_search_from_every_position_after_four_plies(tictactoe: Truth, draw_ok: bool) -> None:
    goals = {"win", "draw"} if draw_ok else {"win"}
    positions = [position for position in oracle("3,3,3").reachable() if position.ply >= 4]
    assert len(positions) > 5000
    for position in positions:
        board = [" " if cell == "." else cell.lower() for cell in position.cells]
        for player in "XO":
            search = or_search if player == position.to_move else and_search
            assert tictactoe.strategy(position, player, draw_ok) == search(board, player.lower(), goals)


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
                    follow(position, strategy, player, goals)
        assert strategies > 0 or not draw_ok


def follow(position: Position, strategy: StrategyTree, player: str, goals: set[str]) -> None:
    """Play a strategy against every reply, with the moves of the package."""
    if isinstance(strategy, str):
        while not position.is_over:  # the only reply ends the game
            (only,) = position.legal_moves
            position = position.play(only)
        ended = "draw" if position.outcome == "draw" else "win" if position.outcome == player else "loss"
        assert strategy == ended
        assert ended in goals
        return
    assert strategy is not None
    if position.to_move == player:
        square, answers = strategy
        follow(position.play(square), answers, player, goals)
        return
    replies = [position.play(square) for square in position.legal_moves]
    assert [step[1] for step in strategy] == [
        [" " if cell == "." else cell.lower() for cell in reply.cells] for reply in replies
    ]
    for reply, (_, _, _, then) in zip(replies, strategy, strict=True):
        follow(reply, then, player, goals)


def test_strategies_of_finished_games_are_one_word(tictactoe: Truth) -> None:
    won = Position.parse(RULES, "XXX/OO./...")
    assert tictactoe.strategy(won, "X") == "win"
    assert tictactoe.strategy(won, "O") is None
    assert tictactoe.strategy(won) is None  # O would be to move
    drawn = Position.parse(RULES, "XOX/XXO/OXO")
    assert tictactoe.strategy(drawn, "O", draw_ok=True) == "draw"
    assert tictactoe.strategy(drawn, "X", draw_ok=False) is None


def test_strategies_need_a_player_and_a_board(tictactoe: Truth) -> None:
    with pytest.raises(NotationError, match="neither X nor O"):
        tictactoe.strategy(Position.start(RULES), "Z")
    with pytest.raises(NotationError, match="needs a board"):
        read_board(RULES, "b2 a1")
