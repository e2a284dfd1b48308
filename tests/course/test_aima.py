"""Seed 004_a8f07fdda5ead75c: Game, GameState and TicTacToe(h, v, k), their players, and Monte Carlo tree search."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solver.course.aima import TicTacToe, engine_player, play_game, run
from solver.engines.builtin.mcts import MonteCarlo
from solver.errors import IllegalMove
from solver.game.aima_game import GameState
from solver.game.games import parse_game
from solver.game.position import Position

RULES = parse_game("3,3,3")


def played(game: TicTacToe, *moves: tuple[int, int]) -> GameState:
    state = game.initial
    for move in moves:
        state = game.result(state, move)
    return state


def test_the_initial_state() -> None:
    game = TicTacToe()
    assert game.initial == GameState(to_move="X", utility=0, board={}, moves=game.actions(game.initial))
    assert game.actions(game.initial) == [(x, y) for x in (1, 2, 3) for y in (1, 2, 3)]
    assert (game.h, game.v, game.k) == (3, 3, 3)
    assert not game.terminal_test(game.initial)


def test_a_move_gives_a_new_state() -> None:
    game = TicTacToe()
    state = game.result(game.initial, (2, 2))
    assert (state.to_move, state.utility, state.board) == ("O", 0, {(2, 2): "X"})
    assert (2, 2) not in state.moves
    assert game.initial.board == {}
    assert game.to_move(state) == "O"


@pytest.mark.parametrize("move", [(2, 2), (0, 1), (4, 1), None])
def test_an_illegal_move_changes_nothing(move: Any) -> None:
    game = TicTacToe()
    state = game.result(game.initial, (2, 2))
    assert game.result(state, move) is state


def test_utility_and_end() -> None:
    game = TicTacToe()
    won = played(game, (1, 1), (2, 1), (1, 2), (2, 2), (1, 3))
    assert game.terminal_test(won)
    assert (won.utility, game.utility(won, "X"), game.utility(won, "O")) == (1, 1, -1)
    assert game.result(won, (3, 3)) is won
    lost = played(game, (1, 1), (2, 1), (1, 2), (2, 2), (3, 3), (2, 3))
    assert (lost.utility, game.utility(lost, "O")) == (-1, 1)
    drawn = played(game, (1, 1), (1, 2), (1, 3), (2, 2), (2, 1), (2, 3), (3, 2), (3, 1), (3, 3))
    assert game.terminal_test(drawn)
    assert drawn.utility == 0


def test_rectangles_and_variants() -> None:
    game = TicTacToe(2, 4, 3, gravity=True)
    assert game.actions(game.initial) == [(2, 1), (2, 2), (2, 3), (2, 4)]
    assert (1, 2) in game.actions(played(game, (2, 2)))
    misere = TicTacToe(1, 3, 2, misere=True)
    assert played(misere, (1, 1), (1, 3), (1, 2)).utility == -1


@pytest.mark.parametrize(
    "name",
    [
        "3,3,3",
        "2,4,3,gravity",
        "3,3,2,misere",
        "3,4,3,torus",
        "1,6,3,exact",
        "3,3,3,maker",
        "3,3,3,plies=5",
        "3,4,3,full,gravity",
    ],
)  # fmt: skip
def test_the_game_is_that_of_the_rules(name: str) -> None:
    rules, draw = parse_game(name), random.Random(name)
    game = TicTacToe(*map(int, name.split(",")[:3]), **dict.fromkeys(rules.variants, True))
    assert repr(game) == f"<TicTacToe {name}>"
    for _ in range(20):
        state, position = game.initial, Position.start(rules)
        while not position.is_over:
            assert [*map(game.square, game.actions(state))] == [*position.legal_moves]
            assert not game.terminal_test(state)
            assert game.position(state) == position
            square = draw.choice(position.legal_moves)
            state, position = game.result(state, game.move(square)), position.play(square)
        assert game.terminal_test(state)
        assert state.utility == {"X": 1, "O": -1, "draw": 0}[position.outcome or ""]


def test_engines_are_players_of_every_variant() -> None:
    game = TicTacToe()
    state = played(game, (1, 1), (2, 1), (1, 2), (2, 2))
    assert engine_player("mcts:playouts=200,seed=7", game)(game, state) == (1, 3)
    assert game.position(state) == Position.parse(game.rules, "XX./OO./...")
    other = TicTacToe(3, 4, 3, gravity=True)
    assert play_game(other, dict.fromkeys("XO", engine_player("minimax", other))).utility == 1


def test_an_illegal_move_ends_a_game_with_an_error() -> None:
    with pytest.raises(IllegalMove, match=r"player O made the move \(1, 1\)"):
        play_game(TicTacToe(), dict.fromkeys("XO", lambda game, state: (1, 1)))


# Monte Carlo tree search


def test_the_parameters_of_the_notebook_are_the_defaults() -> None:
    engine = MonteCarlo()
    assert (engine.constant, engine.playouts) == (1.4, 1000)


def test_the_experiment() -> None:
    assert all(row.agrees for row in run())


def test_the_number_in_a_row_is_that_of_the_game() -> None:
    assert (TicTacToe(2, 2, 3).k, TicTacToe(3, 4, 3, torus=True).k) == (3, 3)
