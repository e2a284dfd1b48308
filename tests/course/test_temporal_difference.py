"""The notebook on temporal-difference learning (seed 001, file 001_7ae3d82a53a5d378): what it states.

It prints no result that does not depend on its random numbers.
"""

import inspect

import pytest

from solver.course import temporal_difference
from solver.course.temporal_difference import measure_learner
from solver.engines.builtin.td import TemporalDifference
from solver.engines.learner import Learner
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.sources import SmallSearch
from solver.search.truth import Truth, open_tablebase
from tests.commands import TableFile

RULES = parse_game("3,3,3")


def test_the_parameters_of_the_notebook_are_the_defaults() -> None:
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
    assert learner.values[0, 0] == 0.5  # no side moved to the empty board


def test_episodes_come_closer_to_the_truth_and_draws_matter() -> None:
    table = Truth(RULES, [SmallSearch(RULES)])
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


def test_the_experiment() -> None:
    assert all(row.agrees for row in temporal_difference.run())
