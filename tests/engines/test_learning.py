"""Temporal-difference learning: against the agents in plain Python, saving, curves, and the engine `td`."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from solver.count import walk
from solver.course.td_agents import Agent, Environment, O, X, play_game
from solver.engines.curve import (
    ReferenceResults,
    draw_curves,
    list_milestones,
    train_and_measure,
    unfinished_positions,
)
from solver.engines.engine import make_engine
from solver.engines.learner import Learner, winners
from solver.errors import EngineError, PositionError, StorageError
from solver.game.bitboards import random_state
from solver.game.games import parse_game
from solver.game.position import Position
from solver.tablebase import Tablebase, open_tablebase
from tests.conftest import ROOT
from tests.texts import words_of_chart

RULES = parse_game("3,3,3")
GAMES = ["3,3,3", "3,3,3,misere", "2,4,2,exact", "3,3,3,gravity", "2,5,2,exact,torus", "2,4,2,full", "2,2,3"]


@pytest.fixture(scope="module")
def table(table_file: Callable[..., Path]) -> Iterator[Tablebase]:
    """The open table of 3,3,3."""
    with open_tablebase(table_file("3,3,3")) as found:
        yield found


@pytest.fixture(scope="module")
def truth(table: Tablebase) -> ReferenceResults:
    """What it says about every decision."""
    return ReferenceResults.from_tables(table, RULES)


class SameDraws:
    """The kernels' random numbers, in plain Python."""

    def __init__(self, seed: int) -> None:
        self.word = int(random_state(seed)[0])

    def next(self) -> int:
        self.word ^= self.word << 13 & (1 << 64) - 1
        self.word ^= self.word >> 7
        self.word ^= self.word << 17 & (1 << 64) - 1
        return self.word

    def random(self) -> float:
        return (self.next() >> 11) / 2**53

    def integers(self, count: int) -> int:
        return (self.next() >> 32) * count >> 32


class Single(dict[int, float]):
    """Values that are rounded as those of the kernel are."""

    def __setitem__(self, state: int, value: float) -> None:
        super().__setitem__(state, float(np.float32(value)))


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_the_kernel_learns_what_the_agents_learn(game: str) -> None:
    rules = parse_game(game)
    learner = Learner(rules, alpha=0.3, epsilon=0.2, draw=0.25, seed=5)
    env = Environment(rules=rules)
    env.random = SameDraws(5)  # type: ignore[assignment]  # it draws what the kernel draws
    agents = [Agent(symbol, env, 0.3, 0.2, draw=0.25) for symbol in (X, O)]
    for agent in agents:
        agent.value = Single(agent.value)  # the initial values are the same in both precisions
    for row, agent in zip(learner.values, agents, strict=True):
        assert row.tolist() == list(agent.value.values())
    for _ in range(300):
        play_game(agents[0], agents[1], env)
    learner.train(300)
    for row, agent in zip(learner.values, agents, strict=True):
        assert row.tolist() == list(agent.value.values())


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_winners_are_those_of_positions(game: str) -> None:
    rules = parse_game(game)
    found = winners(rules)
    for state in np.concatenate(list(walk(rules))).tolist():
        outcome = Position.from_hash(rules, state).outcome
        assert found[state] == {None: 2, "draw": 0, "X": 1, "O": -1}[outcome]


def test_the_same_seed_learns_the_same_in_any_portions() -> None:
    at_once, in_parts, other = Learner(RULES, seed=1), Learner(RULES, seed=1), Learner(RULES, seed=2)
    at_once.train(120_000)
    for episodes in (1, 100_001, 19_998):
        in_parts.train(episodes)
    other.train(120_000)
    assert in_parts.episodes == 120_000
    assert np.array_equal(at_once.values, in_parts.values)
    assert not np.array_equal(at_once.values, other.values)


def test_a_learner_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    learner = Learner(parse_game("3,3,3,misere"), alpha=0.2, epsilon=0.3, draw=0.5, seed=9)
    learner.train(500)
    path = tmp_path / "learned"
    learner.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["learned"]
    copy = Learner.load(path)
    for name in ("rules", "alpha", "epsilon", "draw", "seed", "episodes"):
        assert getattr(copy, name) == getattr(learner, name)
    copy.train(500)
    learner.train(500)
    assert np.array_equal(copy.values, learner.values)


def test_files_that_are_no_learners_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "learned.npz"
    with pytest.raises(EngineError, match="no file"):
        Learner.load(path)
    Learner(RULES).save(path)
    whole = path.read_bytes()
    with np.load(path) as file:
        content = dict(file)
    np.savez(tmp_path / "format", **{**content, "format": 2})
    np.savez(tmp_path / "shape", **{**content, "values": content["values"][:1]})
    np.savez(tmp_path / "pickle", **{**content, "values": np.array([object()])})
    np.savez(tmp_path / "game", **{**content, "game": "chess"})
    np.savez(tmp_path / "share", **{**content, "alpha": 3.0})
    with (tmp_path / "array.npz").open("wb") as array:
        np.save(array, content["values"])
    damaged = {"empty": b"", "text": b"learned", "cut": whole[:2000], "flipped": whole[:3000] + b"?" + whole[3001:]}
    for name, data in damaged.items():
        (tmp_path / f"{name}.npz").write_bytes(data)
    for name in ("format", "shape", "pickle", "game", "share", "array", *damaged):
        with pytest.raises(EngineError, match="not a file that a learner has saved"):
            Learner.load(tmp_path / f"{name}.npz")


def test_a_folder_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="nowhere"):
        Learner(parse_game("2,2,2")).save(tmp_path / "nowhere" / "learned.npz")


def test_curves_count_what_is_wrong(truth: ReferenceResults, table: Tablebase) -> None:
    learner = Learner(RULES, draw=0.5, seed=1)
    curve = train_and_measure(learner, truth, episodes=1000)
    assert [point.episodes for point in curve.points] == list_milestones(1000)
    assert curve.decisions == 4520
    assert learner.episodes == 1000

    # The slow twin, one position after the other.
    wrong, errors = 0, []
    for position in unfinished_positions(RULES):
        value, (move, _) = table.probe_wdl(position), learner.best_move(position)
        wrong += -table.probe_wdl(position.play(move)) < value
        x_value = value if position.to_move == "X" else -value
        errors += [abs(learner.value(position, "X") - (1 + x_value) / 2)] * (position.ply > 0)
        errors += [abs(learner.value(position, "O") - (1 - x_value) / 2)] * (position.ply > 0)
    assert curve.points[-1].wrong == wrong
    assert curve.points[-1].error == pytest.approx(np.mean(errors), rel=1e-6)


def test_episodes_come_closer_to_the_truth_and_draws_matter(truth: ReferenceResults) -> None:
    stops = (0, 10_000, 300_000)
    fair = train_and_measure(Learner(RULES, draw=0.5, seed=1), truth, episodes=300_000, stops=stops)
    notebook = train_and_measure(Learner(RULES, seed=1), truth, episodes=300_000, stops=stops)
    for curve in (fair, notebook):
        wrong = [point.wrong for point in curve.points]
        errors = [point.error for point in curve.points]
        assert sorted(wrong, reverse=True) == wrong
        assert sorted(errors, reverse=True) == errors
    assert fair.points[-1].wrong < 100
    assert notebook.points[-1].wrong > 250


@pytest.mark.parametrize("game", ["3,3,3,misere", "3,4,3,gravity"])
def test_other_games_are_learned(game: str, table_file: Callable[..., Path]) -> None:
    rules = parse_game(game)
    with open_tablebase(table_file(game)) as table:
        curve = train_and_measure(
            Learner(rules, draw=0.5), ReferenceResults.from_tables(table, rules), episodes=50_000, stops=(0, 50_000)
        )
    assert curve.points[1].wrong < curve.points[0].wrong / 2


def test_curves_as_data_and_drawn(truth: ReferenceResults) -> None:
    curves = {
        name: train_and_measure(Learner(RULES, draw=draw), truth, episodes=200)
        for name, draw in (("a draw is a loss", 0.0), ("a draw is half a win", 0.5))
    }
    data = json.loads(json.dumps(curves["a draw is a loss"].json()))
    assert data["decisions"] == 4520
    assert set(data["points"][0]) == {"episodes", "wrong", "error"}
    words = words_of_chart(draw_curves(curves))
    assert {"Decisions still wrong, of 4,520", "a draw is half a win"} <= {*words}


def test_a_curve_needs_the_truth_about_its_game(truth: ReferenceResults) -> None:
    with pytest.raises(EngineError, match="2,2,2"):
        train_and_measure(Learner(parse_game("2,2,2")), truth, episodes=1)


def test_shares_are_from_0_to_1() -> None:
    with pytest.raises(ValueError, match="alpha"):
        Learner(RULES, alpha=1.5)
    with pytest.raises(ValueError, match="epsilon"):
        Learner(RULES, epsilon=-0.1)
    with pytest.raises(ValueError, match="draw"):
        Learner(RULES, draw=2)


def test_large_boards_are_refused() -> None:
    with pytest.raises(EngineError, match="up to 16 squares"):
        make_engine("td", parse_game("3,6,3"))


def test_the_engine_plays_either_side() -> None:
    engine = make_engine("td:episodes=200000,draw=0.5,seed=1", RULES)
    x_wins, o_wins = (Position.parse(RULES, board) for board in ("XX./OO./...", "XX./OO./..X"))
    assert engine.choose(x_wins).move == 2
    assert engine.choose(o_wins).move == 5
    assert engine.choose(o_wins).value == 1
    assert engine.distribution(o_wins) == {5: Fraction(1)}
    assert engine.choose(Position.parse(parse_game("2,2,2"), "X./..")).move in (1, 2, 3)  # another game is learned


def test_the_engine_plays_what_was_saved(tmp_path: Path) -> None:
    learner = Learner(RULES, draw=0.5)
    learner.train(5000)
    learner.save(tmp_path / "learned.npz")
    engine = make_engine(f"td:file={tmp_path / 'learned.npz'}", RULES)
    for position in unfinished_positions(RULES)[::50]:
        choice = engine.choose(position)
        assert (choice.move, choice.value) == learner.best_move(position)
    with pytest.raises(EngineError, match="3,3,3, not about 4,4,4"):
        make_engine(f"td:file={tmp_path / 'learned.npz'}", parse_game("4,4,4"))


@pytest.mark.parametrize("options", ["episodes=-1", "alpha=2", "epsilon=-1", "draw=2", "gamma=1"])
def test_bad_options_are_refused(options: str) -> None:
    with pytest.raises(EngineError, match=options.partition("=")[0]):
        make_engine(f"td:{options}", RULES)


def test_a_finished_game_has_no_best_move() -> None:
    with pytest.raises(PositionError, match="over"):
        Learner(RULES).best_move(Position.parse(RULES, "XXX/OO./..."))


SCRIPT = """
from solver.engines.learner import Learner
from solver.game.games import parse_game

for game in ("2,3,2,misere", "3,2,2,exact,gravity,torus"):
    learner = Learner(parse_game(game), seed=3, epsilon=0.4)
    learner.train(40)
    print([(i, v) for i, v in enumerate(learner.values[0].tolist()) if v not in (0, 0.5, 1)], learner.values.sum())
"""


@pytest.mark.slow
def test_the_same_without_the_compiler() -> None:
    """Numba off, the kernels run as plain Python, where a wrong type or overflow would show."""
    outputs = []
    for disabled in ("0", "1"):
        path = os.pathsep.join([str(ROOT), *sys.path])
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": path}
        command = [sys.executable, "-W", "error", "-c", SCRIPT]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1] != ""
