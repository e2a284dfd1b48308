"""Seed 004_a8f07fdda5ead75c: Game, GameState and TicTacToe(h, v, k), their players, and Monte Carlo tree search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from solver.course.aima import (
    Game,
    GameState,
    TicTacToe,
    _search,
    alpha_beta_player,
    alphabeta_search,
    engine_player,
    mcts_player,
    min_max_player,
    minimax_search,
    play_game,
    player,
    query_player,
    random_player,
    run,
)
from solver.engines import playing
from solver.engines.builtin.mcts import MonteCarlo
from solver.engines.engine import make_engine
from solver.errors import EngineError, IllegalMove
from solver.game.games import parse_game
from solver.game.position import Position

RULES = parse_game("3,3,3")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr("builtins.input", lambda prompt="": lines.pop(0))
    return lines


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
    assert repr(game) == "<TicTacToe>"


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


def test_display(capsys: pytest.CaptureFixture[str]) -> None:
    game = TicTacToe(2, 3, 2)
    game.display(played(game, (1, 1), (2, 3)))
    assert capsys.readouterr().out == "X . . \n. . O \n"


def test_rectangles_and_variants() -> None:
    game = TicTacToe(2, 4, 3, gravity=True)
    assert game.actions(game.initial) == [(2, 1), (2, 2), (2, 3), (2, 4)]
    assert (1, 2) in game.actions(played(game, (2, 2)))
    misere = TicTacToe(1, 3, 2, misere=True)
    assert played(misere, (1, 1), (1, 3), (1, 2)).utility == -1


def test_k_in_row_and_compute_utility_take_boards_made_by_hand() -> None:
    game = TicTacToe(4, 4, 3)
    board = {(1, 1): "O", (2, 2): "O", (3, 3): "O", (1, 2): "X"}
    assert game.k_in_row(board, (2, 2), "O", (1, 1))
    assert not game.k_in_row(board, (2, 2), "O", (0, 1))
    assert game.compute_utility(board, (2, 2), "O") == -1
    assert game.compute_utility(board, (1, 2), "X") == 0


def test_states_and_positions() -> None:
    game = TicTacToe()
    state = played(game, (1, 1), (2, 2))
    assert game.position(state) == Position.parse(game.rules, "X../.O./...")
    assert game.state(game.position(state)) == state
    # O has begun here, so it is X in the position.
    assert game.position(GameState("X", 0, {(2, 2): "O"}, [])) == Position.parse(game.rules, ".../.X./...")


def test_minimax_and_alpha_beta_draw(capsys: pytest.CaptureFixture[str]) -> None:
    state = play_game(TicTacToe(), {"X": alpha_beta_player, "O": min_max_player}, verbose=True)
    assert state.utility == 0
    out = capsys.readouterr().out
    assert out.count("alpha-beta pruning algorithm") == 5
    assert out.count("minimax search algorithm") == 4
    assert "Player X move: (1, 1)\ncurrent state:\nX . . \n" in out
    assert out.endswith("Draw Game!\n")


def test_the_time_printed_is_that_of_the_search(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0]
    monkeypatch.setattr("solver.course.aima.perf_counter", lambda: clock[0])

    class Slow(Nim):
        def result(self, state: Any, move: int) -> Any:
            clock[0] += 1  # second
            return super().result(state, move)

    assert min_max_player(Slow(), ("A", 2)) == 2
    assert capsys.readouterr().out == "Elapsed time for minimax search algorithm: 3000000 microseconds.\n"


def test_the_compiled_walk_is_the_search() -> None:
    game = TicTacToe()
    state = played(game, (1, 1), (3, 3))
    assert minimax_search(game, state) == _search(game, state, prune=False) == alphabeta_search(game, state)
    made = GameState("X", 0, {(1, 1): "X", (1, 2): "X", (2, 2): "X"}, [(1, 3), (2, 1), (2, 3), (3, 1), (3, 2), (3, 3)])
    assert minimax_search(game, made) == (1, (1, 3))  # no game leads to this state


def test_random_and_search_players(capsys: pytest.CaptureFixture[str]) -> None:
    random.seed(5)
    game = TicTacToe()
    for _ in range(2):
        assert play_game(game, {"X": random_player, "O": min_max_player}).utility <= 0
        assert game.play_game(mcts_player, random_player) >= 0
    assert "monte carlo tree search algorithm" in capsys.readouterr().out


def test_engines_are_players() -> None:
    strategy = engine_player("mcts:playouts=200,seed=7")
    game = TicTacToe()
    state = played(game, (1, 1), (2, 1), (1, 2), (2, 2))
    for search in (strategy, player(minimax_search), player(alphabeta_search)):
        assert search(game, state) == (1, 3)
    drop = TicTacToe(3, 4, 3, gravity=True)
    minimax = engine_player("minimax")
    assert play_game(drop, {"X": minimax, "O": minimax}).utility == 1
    with pytest.raises(EngineError, match="no engine"):
        engine_player("nobody")
    with pytest.raises(EngineError, match="plays TicTacToe"):
        strategy(Nim(), Nim.initial)


def test_a_person_is_asked_until_the_move_is_legal(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    game = TicTacToe()
    typed += ["hello", "(4, 4)", "__import__('os')", "(1, 1)", "2,1", "(1, 2)", "(2, 2)", "(1, 3)"]
    assert play_game(game, {"X": query_player, "O": query_player}).utility == 1
    assert capsys.readouterr().out.count("is not among the available moves") == 3
    full = played(game, (1, 1), (1, 2), (1, 3), (2, 2), (2, 1), (2, 3), (3, 2), (3, 1), (3, 3))
    assert query_player(game, full) is None
    assert random_player(game, full) is None


def test_an_illegal_move_ends_a_game_with_an_error() -> None:
    game = TicTacToe()
    with pytest.raises(IllegalMove, match=r"player O made the move \(1, 1\)"):
        play_game(game, {"X": lambda game, state: (1, 1), "O": lambda game, state: (1, 1)})
    with pytest.raises(IllegalMove, match="not allowed"):
        game.play_game(random_player, lambda game, state: None)


class Nim(Game):
    """Take 1 or 2; who takes the last has won. States are (player, left)."""

    initial = ("A", 4)

    def actions(self, state: Any) -> Iterator[int]:
        return (taken for taken in (1, 2) if taken <= state[1])

    def result(self, state: Any, move: int) -> Any:
        return ("B" if state[0] == "A" else "A", state[1] - move)

    def utility(self, state: Any, player: Any) -> float:
        return -1 if state[0] == player else 1

    def to_move(self, state: Any) -> Any:
        return state[0]


def test_other_games_are_searched_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    game = Nim()
    assert minimax_search(game, game.initial) == alphabeta_search(game, game.initial) == (1, 1)
    assert minimax_search(game, ("B", 3))[0] == -1
    assert game.play_game(min_max_player, random_player) == 1
    assert capsys.readouterr().out.endswith("0)\n")


# Monte Carlo tree search


def test_its_parameters_are_the_defaults() -> None:
    engine = MonteCarlo()
    assert (engine.constant, engine.playouts, engine.reuse) == (1.4, 1000, False)


def test_its_game() -> None:
    """Alpha-beta search to the end against tree search: neither can lose."""
    for seed in range(5):
        x, o = make_engine("alphabeta", RULES), make_engine("mcts:seed=1", RULES)
        assert playing.play_game(x, o, Position.start(RULES), seed=seed).outcome == "draw"
        assert playing.play_game(o, x, Position.start(RULES), seed=seed).outcome == "draw"


@pytest.mark.slow
def test_the_experiment() -> None:
    found = run()
    assert all(row.agrees for row in found)
    rows = {row.what: row.ours for row in found}
    assert [ours for what, ours in rows.items() if "20 games" in what] == ["0 20 0", "0 20 0"]
    fair = [ours for what, ours in rows.items() if what.endswith("half a win")]
    as_loss = [ours for what, ours in rows.items() if what.endswith("a loss, as there")]
    assert len(fair) == len(as_loss) == 3
    assert all(isinstance(a, int) and isinstance(b, int) and a < b for a, b in zip(fair, as_loss, strict=True))
