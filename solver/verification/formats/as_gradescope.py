"""Write the findings as Gradescope's `results.json`: the score, and a test for every criterion.

The points are those of the first grade (the share of positions where the value is kept), out of POINTS.
"""

import json
from typing import Any

from solver.verification.criteria import Criterion, list_criteria
from solver.verification.findings import Findings
from solver.verification.formats import sentences
from solver.verification.formats.as_text import render as render_text

POINTS = 100


def render(findings: Findings) -> str:
    """Write what Gradescope's autograder reads; criteria that give no points only show their result."""
    points = round(POINTS * findings.score, 4)
    tests = [_encode_test(criterion) for criterion in list_criteria(findings)]
    tests[0] |= {"score": points, "max_score": POINTS, "output": render_text(findings)}
    return json.dumps(
        {
            "score": points,
            "execution_time": round(findings.seconds, 3),
            "output": sentences.write_headline(findings),
            "output_format": "text",
            "visibility": "visible",
            "tests": tests,
        },
        indent=2,
    )


def _encode_test(criterion: Criterion) -> dict[str, Any]:
    status = {} if criterion.met is None else {"status": "passed" if criterion.met else "failed"}
    return {"name": criterion.name, "output": criterion.details, **status}
