"""Run with `pytest` in a folder that has this file and agent.py."""

from agent import best_move

import solver


def test_it_never_gives_anything_away() -> None:
    solver.assert_perfect(best_move, "3,3,3")


def test_it_is_nearly_perfect() -> None:
    assert float(solver.verify(best_move, "3,3,3")) > 0.99
