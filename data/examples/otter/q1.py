"""An otter-grader test file, for `tests/q1.py` of an assignment; it tests the notebook's `best_move`."""

from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3


@test_case(points=2)
def test_keeps_the_value(env):
    """2 points: it never gives a win or a draw away."""
    import solver

    solver.assert_perfect(env["best_move"], "3,3,3")


@test_case(points=1)
def test_takes_every_win_in_one(env):
    """1 point: it wins on the spot wherever it can."""
    import solver

    report = solver.verify(env["best_move"], "3,3,3")
    assert report.takes_wins_in_one, str(report)
