"""Temporal-difference learning against plain Python, and the engine `td`."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from solver.count.walking import walk
from solver.engines.engine import make_engine
from solver.engines.kernel_boards import random_state
from solver.engines.learner import Learner, winners
from solver.game.games import parse_game
from solver.game.position import Position

RULES = parse_game("3,3,3")
GAMES = ["3,3,3", "3,3,3,misere", "2,4,2,exact", "3,3,3,gravity", "2,5,2,exact,torus", "2,4,2,full", "2,2,3"]


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


def learn_slowly(learner: Learner, episodes: int, draws: SameDraws) -> None:
    """The slow twin of `Learner.train`."""
    for _ in range(episodes):
        boards = [Position.start(learner.rules)]
        while not boards[-1].is_over:
            moves = boards[-1].legal_moves
            row = learner.values["XO".index(boards[-1].to_move)]
            explores = draws.random() < learner.epsilon
            after = [boards[-1].play(move) for move in moves]
            boards.append(after[draws.integers(len(moves))] if explores else max(after, key=lambda one: row[one.hash]))
        for row in learner.values:
            for before, then in [*pairwise(board.hash for board in boards[1:])][::-1]:
                value = float(row[before])
                row[before] = value + learner.alpha * (float(row[then]) - value)


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_the_kernel_learns_as_its_slow_twin(game: str) -> None:
    learner, slow = (Learner(parse_game(game), alpha=0.3, epsilon=0.2, draw=0.25, seed=5) for _ in range(2))
    learn_slowly(slow, 300, SameDraws(5))
    learner.train(300)
    assert np.array_equal(learner.values, slow.values)


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_winners_are_those_of_positions(game: str) -> None:
    rules = parse_game(game)
    found = winners(rules)
    for state in np.concatenate(list(walk(rules))).tolist():
        outcome = Position.parse(rules, state).outcome
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


def test_the_engine_plays_either_side() -> None:
    engine = make_engine("td:episodes=200000,draw=0.5,seed=1", RULES)
    x_wins, o_wins = (Position.parse(RULES, board) for board in ("XX./OO./...", "XX./OO./..X"))
    assert engine.choose(x_wins).move == 2
    assert engine.choose(o_wins).move == 5
    assert engine.choose(o_wins).value == 1
    assert engine.distribution(o_wins) == {5: Fraction(1)}
    assert engine.choose(Position.parse(parse_game("2,2,2"), "X./..")).move in (1, 2, 3)  # another game is learned
