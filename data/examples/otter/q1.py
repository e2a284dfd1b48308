"""An otter-grader test file, for `tests/q1.py` of an assignment.

The notebook's cell begins with `%%writefile agent.py`, so the agent is a file and runs in a process of its own.
"""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from shutil import which

from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3

# With -P, a file solver.py of the student's does no harm.
COMMAND = "-P -m solver verify 3,3,3 agent.py:best_move --board flat --marks X,O,space --player none --moves index"


@cache
def grade():
    """Return the points, of 100, and the report, or the error if the agent can't be run.

    Without a sandbox, the agent can write a report of its own and stop the grader, so the exit code counts too.
    """
    command = [sys.executable, *COMMAND.split(), "--report", "json", "--report", "text:report.txt"]
    if which("bwrap"):
        command.append("--sandbox")
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode not in {0, 1, 2}:
        raise RuntimeError("Not graded: the grader was stopped, perhaps by the agent. Show this to your teacher.")
    found = json.loads(done.stdout)
    report = Path("report.txt").read_text(encoding="utf-8")
    if done.returncode == 2 and not found["error"]["engines_fault"]:
        reason = "not your fault" if found["error"]["graders_fault"] else "your teacher decides"
        raise RuntimeError(f"Not graded: {reason}. Show this to your teacher: {report}")
    return 0 if done.returncode == 2 else found["points"], report


@test_case(points=1)
def test_is_better_than_chance():
    """1 point: 60 of 100; a random player gets 40."""
    assert grade()[0] >= 60, grade()[1]


@test_case(points=2)
def test_keeps_the_value():
    """2 points: it never gives a win or a draw away."""
    assert grade()[0] == 100, grade()[1]
