"""Temporal-difference learning: the boards, a learned reply, and the errors of a learner.

The notebook's formula for the hash of a board makes the first square the most significant base-3 digit. The notebook's
code, like ours, makes that square the least significant digit, but represents an O by the digit -1, not 2.
"""

from typing import Final, NamedTuple

from solver.course.experiments import Row
from solver.engines.learner import Learner, winners
from solver.game.games import parse_game
from solver.game.position import Position, reachable_positions
from solver.search.truth import Truth

EPISODES: Final = 10_000  # learned with alpha 0.3 and epsilon 0.1, the defaults


def run() -> list[Row]:
    """Compute the numbers that the notebook prints."""
    rules = parse_game("3,3,3")
    board, learner = Position.parse(rules, "X../.../..."), Learner(rules)
    learner.train(EPISODES)
    move, value = learner.best_move(board)
    return [
        Row("boards, by hash", 3**9, winners(rules).size),
        Row("hash of X../.../... by its formula", 3**8, board.hash, False, "its code gives 1, as ours"),
        Row("hash of XO./.../... by its code", 1 - 3, board.play(1).hash, False, "it has digit -1 for O, ours has 2"),
        Row("reply to X../.../... after 10,000 episodes", 4, move, False),
        Row("value of that reply", 0.50, round(value, 2), False),
    ]


class LearnerErrors(NamedTuple):
    """The differences between a learner and perfect play."""

    decisions: int  #: The number of positions with a legal move.
    wrong: int  #: The decisions in which the move of the highest value gives away a win or a draw.
    error: float  #: The mean absolute error of both sides' values, over all decisions except the empty board.


def measure_learner(learner: Learner, truth: Truth) -> LearnerErrors:
    """Compare every decision and every value of a learner with a table of its game."""
    positions = [position for position in reachable_positions(learner.rules) if not position.is_over]
    right = {1: 1.0, 0: learner.draw, -1: 0.0}
    wrong, errors = 0, []
    for position in positions:
        wdl = truth.probe(position).wdl
        wrong += -truth.probe(position.play(learner.best_move(position)[0])).wdl < wdl
        x_wdl = wdl if position.to_move == "X" else -wdl
        errors += [abs(learner.value(position, side) - right[sign * x_wdl]) for side, sign in (("X", 1), ("O", -1))]
    return LearnerErrors(len(positions), wrong, sum(errors[2:]) / len(errors[2:]))
