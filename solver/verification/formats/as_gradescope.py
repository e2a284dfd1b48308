"""A report as Gradescope's `results.json`: the score, and a test for every question.

The points are those of the first grade (the share of positions where the value is kept), out of POINTS.
"""

import json
from typing import Any

from solver.verification.checks import Check, checks_of
from solver.verification.formats.as_text import headline
from solver.verification.formats.as_text import render as as_text
from solver.verification.report import Report

__all__ = ["POINTS", "render"]

POINTS = 100


def render(report: Report) -> str:
    """The report as Gradescope's autograder reads it; questions that give no points only show their answer."""
    points = round(POINTS * report.score, 4)
    tests: list[dict[str, Any]] = [_test(check) for check in checks_of(report)]
    tests[0] |= {"score": points, "max_score": POINTS, "output": as_text(report)}
    return json.dumps(
        {
            "score": points,
            "execution_time": round(report.seconds, 3),
            "output": headline(report),
            "output_format": "text",
            "visibility": "visible",
            "tests": tests,
        },
        indent=2,
    )


def _test(check: Check) -> dict[str, Any]:
    status = {} if check.passed is None else {"status": "passed" if check.passed else "failed"}
    return {"name": check.name, "output": check.words, **status}
