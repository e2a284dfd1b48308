"""Write Gradescope's `results.json` (https://gradescope-autograders.readthedocs.io/en/latest/specs/)."""

import json
from typing import Any

from solver.verification.criteria import Criterion, list_criteria
from solver.verification.findings import Findings, Unverified
from solver.verification.formats import sentences
from solver.verification.formats.text import render_text


def render_gradescope(findings: Findings) -> str:
    """Write the points and a test for every criterion, of which the first gives them all.

    The others only show their result.
    """
    tests = [_encode_test(criterion) for criterion in list_criteria(findings)]
    tests[0] |= {"score": findings.points, "max_score": findings.most_points, "output": render_text(findings)}
    return _encode(sentences.write_headline(findings), findings.points, findings.seconds, tests)


def render_gradescope_error(unverified: Unverified) -> str:
    """Write no points, and why, for the student to read."""
    test = {
        "name": "is verified",
        "status": "failed",
        "score": 0.0,
        "max_score": unverified.most_points,
        "output": unverified.message,
    }
    return _encode(unverified.headline, 0.0, unverified.seconds, [test])


def _encode(output: str, points: float, seconds: float, tests: list[dict[str, Any]]) -> str:
    results = {
        "score": points,
        "execution_time": round(seconds, 3),
        "output": output,
        "output_format": "text",
        "visibility": "visible",
        "tests": tests,
    }
    return json.dumps(results, indent=2)


def _encode_test(criterion: Criterion) -> dict[str, Any]:
    status = {} if criterion.met is None else {"status": "passed" if criterion.met else "failed"}
    return {"name": criterion.name, "output": criterion.details, **status}
