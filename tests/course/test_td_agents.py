"""The classes of the notebook on temporal-difference learning."""

from collections.abc import Iterator

import numpy as np
import pytest

from solver.course.temporal_difference import Agent, Environment, HumanPlayer, O, X, compute_state_hash, play_game
from solver.engines.learner import Learner
from solver.errors import EngineError
from solver.game.games import parse_game
from solver.verification.positions import live_positions


def test_states_and_who_has_won() -> None:
    env = Environment(3, 3)
    assert len(env.states) == 3**9
    env.board[0] = X
    assert env.states[compute_state_hash(env.board)] == X
    assert env.game_over()
    env.new_game()
    assert not env.game_over()
    assert env.states[compute_state_hash(np.array([[1, -1, 1], [1, -1, -1], [-1, 1, 1]]))] == 0


def test_agents_learn_from_each_other() -> None:
    env = Environment(3, 3, seed=1)
    player1, player2 = Agent(X, env, 0.3, 0.1), Agent(O, env, 0.3, 0.1)
    results = [play_game(player1, player2, env) for _ in range(100)]
    assert set(results) <= {X, O, 0}
    assert X in results
    for agent in (player1, player2):
        learned = [value for value in agent.value.values() if value not in {0, 0.5, 1}]
        assert len(learned) > 50
        assert all(0 < value < 1 for value in learned)
        assert agent.state_history == []


def test_the_same_seed_plays_alike() -> None:
    def values() -> dict[int, float]:
        env = Environment(3, 3, seed=4)
        agents = Agent(X, env, 0.3, 0.5), Agent(O, env, 0.3, 0.5)
        for _ in range(20):
            play_game(*agents, env)
        return agents[0].value

    assert values() == values()


@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,gravity"])
def test_agents_of_a_learner_play_as_it_does_from_either_side(game: str) -> None:
    learner = Learner(parse_game(game), draw=0.5, seed=1)
    learner.train(20_000)
    env = Environment(rules=learner.rules)
    agents = {"X": Agent.of(learner, X, env), "O": Agent.of(learner, O, env)}
    for position in live_positions(learner.rules)[::20]:
        signs = {"X": X, "O": O, ".": 0}
        env.board[...] = np.reshape([signs[cell] for cell in position.cells], env.board.shape)
        agents[position.to_move].play(env)
        assert compute_state_hash(env.board) == position.play(learner.best_move(position)[0]).hash


def test_boards_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    env = Environment(3, 3, seed=1)
    play_game(Agent(X, env, 0.3, 0.1), Agent(O, env, 0.3, 0.1), env, draw=O)
    printed = capsys.readouterr().out
    assert printed.startswith(" -------------\n")
    assert printed.count("X") >= 3
    assert "  O  " in printed


def test_a_person_is_asked_until_the_move_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    env = Environment(3, 3, seed=1)
    answers: Iterator[str] = iter(["5 5", "", "nonsense", " 1   1 "])
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    human = HumanPlayer(X)
    human.play(env)
    assert env.board[1, 1] == X
    human.update(env)
    human.update_state_history(1)
    assert list(answers) == []


def test_large_boards_and_other_games_are_refused() -> None:
    with pytest.raises(EngineError, match="up to 12 squares"):
        Environment(4, 4, 4)
    with pytest.raises(EngineError, match="2,2,2"):
        Agent.of(Learner(parse_game("2,2,2")), X, Environment(3, 3))
