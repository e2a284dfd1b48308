"""Answers as HTTP: JSON, with the tag of the table that they were read from."""

import json
from collections.abc import Mapping

from starlette.responses import Response

from solver.facts import Facts

__all__ = ["reply"]


def reply(facts: Facts, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Facts as JSON (ASCII, so that no text from outside can fail to be written)."""
    body = json.dumps(facts, separators=(",", ":")).encode("ascii")
    return Response(body, status, headers, "application/json")
