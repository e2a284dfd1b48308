"""An otter-grader test file, for `tests/q1.py` of an assignment.

The notebook's cell begins with `%%writefile agent.py`, so the agent is a file and runs in a process of its own.
"""

from functools import cache
from shutil import which

from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3

ASKED = {"board": "flat", "marks": "X,O,space", "player": "none", "moves": "index"}


@cache
def grade():
    """Return the points, of 100, and the report, or the error if the agent can't be run."""
    import solver

    try:
        report = solver.verify("agent.py:best_move", "3,3,3", sandbox=which("bwrap") is not None, **ASKED)
    except solver.EngineError as error:
        return 0, error
    except solver.MnkError as error:
        raise RuntimeError(f"Not graded, and not your fault. Show this to your teacher: {error}") from error
    return report.points, report


@test_case(points=1)
def test_is_better_than_chance():
    """1 point: 60 of 100; a random player gets 40."""
    assert grade()[0] >= 60, str(grade()[1])


@test_case(points=2)
def test_keeps_the_value():
    """2 points: it never gives a win or a draw away."""
    assert grade()[0] == 100, str(grade()[1])
