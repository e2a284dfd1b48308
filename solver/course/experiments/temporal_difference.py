"""Temporal-difference learning: the boards, what 10,000 episodes teach, and what a million and more do."""

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from solver.course.experiments import Row
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.small import InMemoryTable

if TYPE_CHECKING:
    from solver.engines.curve import ReferenceResults


EPISODES = 10_000  # with alpha 0.3 and epsilon 0.1, which are the learner's defaults
MORE = 1_000_000
STATES = 3**9


def run() -> list[Row]:
    """Measure what the notebook measures, and what it does not look at: how wrong its learners still are."""
    from solver.engines.curve import ReferenceResults

    rules = parse_game("3,3,3")
    truth = ReferenceResults.from_tables(InMemoryTable(rules), rules)
    return [*_hashes(rules), *_learned(rules, truth), *_reply(rules)]


def _hashes(rules: Rules) -> Iterator[Row]:
    from solver.engines.learner import winners

    yield Row("boards, by hash", STATES, winners(rules).size)
    first = Position.parse(rules, "X../.../...").hash
    yield Row("hash of X../.../... by its formula", 3**8, first, False, "its code gives 1, as ours")
    reply = Position.parse(rules, "XO./.../...").hash
    yield Row("hash of XO./.../... by its code", 1 - 3, reply, False, "it has digit -1 for O, ours has 2")


def _learned(rules: Rules, truth: "ReferenceResults") -> Iterator[Row]:
    from solver.engines.learner import Learner

    for draw, words in ((0.0, "a draw worth a loss, as there"), (0.5, "a draw worth half a win")):
        learner = Learner(rules, draw=draw)
        for episodes in (EPISODES, MORE):
            learner.train(episodes - learner.episodes)
            point = truth.measure(learner)
            after = f"after {episodes:,} episodes, {words}"
            yield Row(f"wrong decisions of {truth.decisions:,} {after}", None, point.wrong)
            yield Row(f"mean distance of values from the truth {after}", None, round(point.error, 3))
    learner = Learner(rules)
    began = perf_counter()
    learner.train(MORE)
    yield Row(f"seconds for {MORE:,} episodes", None, round(perf_counter() - began, 3))


def _reply(rules: Rules) -> Iterator[Row]:
    from solver.engines.learner import Learner

    learner = Learner(rules)
    learner.train(EPISODES)
    move, value = learner.best_move(Position.parse(rules, "X../.../..."))
    yield Row("reply to X../.../... after 10,000 episodes", 4, move, False)
    yield Row("value of that reply", 0.50, round(value, 2), False)
