"""Errors over HTTP: one shape for all of them.

    {"error": {"status": 400, "code": "impossible_position", "message": "one sentence"}}

`build` stands beside the message when a table is missing: the command that builds it. What is the server's
fault is logged with its cause and says outside only that it is.
"""

import logging
import re
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from solver.errors import MnkError
from solver.support.schemas import JsonObject
from solver.web.replies import reply

__all__ = ["BadRequest", "TooLarge", "error_facts", "handle_errors", "invalid", "mnk_error_facts"]

_LOG = logging.getLogger("solver.web")
_BUILD = re.compile("`(mnk build [^`]+)`")
_CODES = {404: "not_found", 405: "method_not_allowed"}
_MESSAGES = {
    404: "There is nothing at this address; /v1/games lists the games, /openapi.json everything else.",
    405: "This address does not answer that method.",
}


class BadRequest(MnkError):
    """A request has a part that can't be read, or one that nobody knows."""

    exit_code = 2
    http_status = 400


class TooLarge(MnkError):
    """A request, or the answer to it, is larger than the server allows."""

    exit_code = 2
    http_status = 413


def error_facts(status: int, code: str, message: str, **more: str) -> JsonObject:
    """The shape."""
    return {"error": {"status": status, "code": code, "message": message, **more}}


def mnk_error_facts(error: MnkError) -> JsonObject:
    """An error of this package, in the shape. One that is the server's fault is logged here."""
    code = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()
    if error.http_status >= 500:
        _LOG.error("%s", error, exc_info=error)
        return error_facts(error.http_status, code, "The table can't be used; the log of the server says why.")
    build = _BUILD.search(str(error)) if error.http_status == 404 else None
    return error_facts(error.http_status, code, str(error), **({"build": build[1]} if build else {}))


def invalid(problems: Sequence[Any]) -> BadRequest:
    """The error for what Pydantic found wrong with a request: the first of its findings."""
    problem = problems[0]
    place = "".join(f"{part}: " for part in problem["loc"])
    return BadRequest(f"The request can't be read: {place}{problem['msg']}.")


def handle_errors(app: FastAPI) -> None:
    """Make every error of an application take the one shape."""

    @app.exception_handler(MnkError)
    async def _own(_: Request, error: MnkError) -> Response:
        return reply(mnk_error_facts(error), status=error.http_status)

    @app.exception_handler(RequestValidationError)
    async def _unreadable(_: Request, error: RequestValidationError) -> Response:
        return reply(mnk_error_facts(invalid(error.errors())), status=BadRequest.http_status)

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> Response:
        status = error.status_code
        facts = error_facts(status, _CODES.get(status, "error"), _MESSAGES.get(status, f"{error.detail}."))
        return reply(facts, status=status, headers=error.headers)
