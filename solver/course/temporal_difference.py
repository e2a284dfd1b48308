"""Temporal-difference learning: the boards, and the errors after 10,000 and a million episodes.

The notebook's formula for the hash of a board makes the first square the most significant digit of base 3; its code,
like ours, makes it the least. For an O its code adds -1, ours 2.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import Final, NamedTuple

from solver.course.experiments import Row
from solver.engines.learner import Learner, winners
from solver.game.games import parse_game
from solver.game.position import Position, reachable_positions
from solver.game.rules import Rules
from solver.search.truth import Truth
from solver.tablebase import Prober

EPISODES: Final = 10_000  # learned with alpha 0.3 and epsilon 0.1, the defaults
MORE: Final = 1_000_000


def run() -> list[Row]:
    """Measure the figures of the notebook, and the wrong decisions of its learners."""
    rules = parse_game("3,3,3")
    return [*_hashes(rules), *_learned(rules), *_reply(rules)]


def _hashes(rules: Rules) -> Iterator[Row]:
    yield Row("boards, by hash", 3**9, winners(rules).size)
    first = Position.parse(rules, "X../.../...").hash
    yield Row("hash of X../.../... by its formula", 3**8, first, False, "its code gives 1, as ours")
    reply = Position.parse(rules, "XO./.../...").hash
    yield Row("hash of XO./.../... by its code", 1 - 3, reply, False, "it has digit -1 for O, ours has 2")


def _learned(rules: Rules) -> Iterator[Row]:
    table = Truth(rules)
    for draw, words in ((0.0, "a draw worth a loss, as there"), (0.5, "a draw worth half a win")):
        learner = Learner(rules, draw=draw)
        for episodes in (EPISODES, MORE):
            learner.train(episodes - learner.episodes)
            found = measure_learner(learner, table)
            after = f"after {episodes:,} episodes, {words}"
            yield Row(f"wrong decisions of {found.decisions:,} {after}", None, found.wrong)
            yield Row(f"mean distance of values from the truth {after}", None, round(found.error, 3))
    learner = Learner(rules)
    began = perf_counter()
    learner.train(MORE)
    yield Row(f"seconds for {MORE:,} episodes", None, round(perf_counter() - began, 3))


def _reply(rules: Rules) -> Iterator[Row]:
    learner = Learner(rules)
    learner.train(EPISODES)
    move, value = learner.best_move(Position.parse(rules, "X../.../..."))
    yield Row("reply to X../.../... after 10,000 episodes", 4, move, False)
    yield Row("value of that reply", 0.50, round(value, 2), False)


class LearnerErrors(NamedTuple):
    """How far a learner is from perfect play."""

    decisions: int
    """Positions with a legal move."""
    wrong: int
    """Decisions in which the move of the highest value gives away a win or a draw."""
    error: float
    """The mean absolute error of the values of both sides, over all decisions except the empty board."""


def measure_learner(learner: Learner, table: Prober) -> LearnerErrors:
    """Compare every decision and every value of a learner with a table of its game."""
    positions = [position for position in reachable_positions(learner.rules) if not position.is_over]
    right = {1: 1.0, 0: learner.draw, -1: 0.0}
    wrong, errors = 0, []
    for position in positions:
        wdl = table.probe(position).wdl
        wrong += -table.probe(position.play(learner.best_move(position)[0])).wdl < wdl
        x_wdl = wdl if position.to_move == "X" else -wdl
        errors += [abs(learner.value(position, side) - right[sign * x_wdl]) for side, sign in (("X", 1), ("O", -1))]
    return LearnerErrors(len(positions), wrong, sum(errors[2:]) / len(errors[2:]))
