"""The notebook on temporal-difference learning (seed 001, file 001_7ae3d82a53a5d378): what it states.

It prints no result that does not depend on its random numbers.
"""

import inspect
from collections.abc import Iterator

import numpy as np
import pytest

from solver.course import temporal_difference
from solver.course.temporal_difference import (
    Agent,
    Environment,
    HumanPlayer,
    O,
    X,
    compute_state_hash,
    measure_learner,
    play_game,
)
from solver.engines.builtin.td import TemporalDifference
from solver.engines.learner import Learner, winners
from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.kernels.learning import LIVE
from solver.search.small import InMemoryTable
from solver.tablebase import open_tablebase
from solver.verification.positions import live_positions
from tests.commands import TableFile

RULES = parse_game("3,3,3")


def test_states_and_who_has_won() -> None:
    env = Environment(3, 3)
    assert winners(RULES).size == len(env.states) == 19683
    env.board[0] = X
    assert env.states[compute_state_hash(env.board)] == X
    assert env.game_over()
    env.new_game()
    assert not env.game_over()
    assert env.states[compute_state_hash(np.array([[1, -1, 1], [1, -1, -1], [-1, 1, 1]]))] == 0


def test_its_parameters_are_the_defaults() -> None:
    engine = TemporalDifference()
    assert (engine.alpha, engine.epsilon, engine.episodes, engine.draw) == (0.3, 0.1, 10_000, 0)
    defaults = inspect.signature(Learner).parameters
    assert [defaults[name].default for name in ("alpha", "epsilon", "draw")] == [0.3, 0.1, 0]


def test_initial_values() -> None:
    values = Learner(RULES).values
    for board, x_value, o_value in [
        ("XXX/OO./...", 1, 0),
        ("OO./XXX/...", 1, 0),
        ("OOO/XX./X..", 0, 1),
        ("XOX/XOO/OXX", 0, 0),  # a draw is as bad as a loss
        (".../.../...", 0.5, 0.5),
        ("XO./.X./...", 0.5, 0.5),
    ]:
        assert values[:, Position.parse(RULES, board).hash].tolist() == [x_value, o_value]


def test_values_move_towards_the_next_by_alpha() -> None:
    learner = Learner(RULES, epsilon=0)
    learner.train(1)  # without exploring both play the first free square, and X wins: 0 1 2 3 4 5 6
    boards = [Position.from_moves(RULES, range(ply)).hash for ply in range(8)]
    x_values, o_values = learner.values[:, boards[1:]].astype(float)
    expected = 1.0
    for value, other in zip(x_values[::-1], o_values[::-1], strict=True):
        assert value == pytest.approx(expected, abs=1e-6)
        assert other == pytest.approx(1 - expected, abs=1e-6)
        expected = 0.5 + 0.3 * (expected - 0.5)
    assert learner.values[0, 0] == 0.5  # the empty board is nobody's work


def test_the_order_of_the_squares() -> None:
    """Its formula has the first square as the most significant digit; its code, and we, as the least."""
    corner = np.zeros((3, 3))
    corner[0, 0] = 1
    formula = sum(3 ** (8 - square) * int(cell) for square, cell in enumerate(corner.flat))
    code = int(np.sum(corner.reshape(-1) * np.power(3, np.arange(9))))
    assert (formula, code) == (3**8, 1)
    assert compute_state_hash(corner) == Position.parse(RULES, "X../.../...").hash == code
    corner[0, 1] = -1
    assert int(np.sum(corner.reshape(-1) * np.power(3, np.arange(9)))) == -2
    assert compute_state_hash(corner) == 7
    assert winners(RULES)[7] == LIVE


def test_episodes_come_closer_to_the_truth_and_draws_matter() -> None:
    table = InMemoryTable(RULES)
    fair, notebook = Learner(RULES, draw=0.5, seed=1), Learner(RULES, seed=1)
    found = []
    for learner in (fair, notebook):
        measured = []
        for episodes in (0, 10_000, 300_000):
            learner.train(episodes - learner.episodes)
            measured.append(measure_learner(learner, table))
        assert [errors.decisions for errors in measured] == [4520] * 3
        assert sorted(measured, reverse=True) == measured
        assert measured[0].error > measured[1].error > measured[2].error
        found.append(measured[-1].wrong)
    assert found[0] < 100
    assert found[1] > 250


@pytest.mark.parametrize("game", ["3,3,3,misere", "3,4,3,gravity"])
def test_other_games_are_learned(game: str, table_file: TableFile) -> None:
    rules = parse_game(game)
    learner = Learner(rules, draw=0.5)
    with open_tablebase(table_file(game)) as table:
        before = measure_learner(learner, table).wrong
        learner.train(50_000)
        assert measure_learner(learner, table).wrong < before / 2


@pytest.mark.slow
def test_the_experiment() -> None:
    rows = {row.what: row for row in temporal_difference.run()}
    assert all(row.agrees for row in rows.values())
    wrong = [row.ours for what, row in rows.items() if what.startswith("wrong decisions of 4,520")]
    assert len(wrong) == 4
    assert all(isinstance(count, int) and 0 < count < 1000 for count in wrong)


# The classes of the notebook


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
