"""Write in each format that an engine could not be verified, for people and for programs that wait for a file."""

import json
from collections.abc import Callable, Mapping
from html import escape
from typing import Final

from solver.verification.formats.data import CSV_COLUMNS
from solver.verification.formats.gradescope import render_gradescope_error
from solver.verification.formats.html import render_page
from solver.verification.formats.junit import render_junit_error
from solver.verification.formats.text import escape_markdown
from solver.verification.formats.unverified import Unverified
from solver.verification.wording import encode_csv


def _text(unverified: Unverified) -> str:
    return f"{unverified.headline}\n\n{unverified.message}"


def _json(unverified: Unverified) -> str:
    facts = {
        "game": unverified.game,
        "engine": unverified.engine,
        "score": None,
        "points": 0.0,
        "most_points": unverified.most_points,
        "passed": False,
        "error": {"kind": unverified.kind, "message": unverified.message},
        "seconds": round(unverified.seconds, 3),
    }
    return json.dumps(facts, indent=2)


def _csv(unverified: Unverified) -> str:
    known = {
        "game": unverified.game,
        "engine": unverified.engine,
        "kind": "not_verified",
        "detail": unverified.message,
    }
    return encode_csv(CSV_COLUMNS, [dict.fromkeys(CSV_COLUMNS, "") | known])


def _markdown(unverified: Unverified) -> str:
    return f"## {escape_markdown(unverified.headline)}\n\n**Not verified**: {escape_markdown(unverified.message)}"


def _html(unverified: Unverified) -> str:
    return render_page(unverified.headline, [f"<p><strong>Not verified.</strong> {escape(unverified.message)}</p>"])


ERROR_FORMATS: Final[Mapping[str, Callable[[Unverified], str]]] = {
    "text": _text,
    "json": _json,
    "csv": _csv,
    "markdown": _markdown,
    "junit": render_junit_error,
    "gradescope": render_gradescope_error,
    "html": _html,
}
"""The formats of a report, of an engine that could not be verified."""
