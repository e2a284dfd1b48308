"""Run with `pytest` in a folder that has this file and agent.py."""

from agent import best_move

import solver


def test_it_never_gives_anything_away():
    """The pass: it keeps the value of every position. The report is the message of a failure."""
    solver.assert_perfect(best_move, "3,3,3")


def test_it_is_nearly_perfect():
    """A bar of one's own."""
    assert float(solver.verify(best_move, "3,3,3")) > 0.99
