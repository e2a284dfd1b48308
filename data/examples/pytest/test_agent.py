"""Run with `python -P -m pytest --import-mode=importlib` in a folder that has this file and agent.py.

A mistake of the agent is a failure; an error is a fault of the grader, such as a wrong setting.
"""

from pathlib import Path
from shutil import which

import pytest

import solver

AGENT = f"{Path(__file__).with_name('agent.py')}:best_move"
ASKED = {"board": "flat", "marks": "X,O,space", "player": "none", "moves": "index"}


@pytest.fixture(scope="module")
def report():
    """The report, or the error if the agent can't be run."""
    try:
        return solver.verify(AGENT, "3,3,3", points=20, sandbox=which("bwrap") is not None, **ASKED)
    except solver.EngineError as error:
        return error


def test_it_never_gives_anything_away(report):
    """It passes; a failure shows the report."""
    assert getattr(report, "passed", False), str(report)


def test_it_is_nearly_perfect(report):
    """It gets 19 of 20 points."""
    assert getattr(report, "points", 0) >= 19, str(report)
