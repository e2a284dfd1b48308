"""Errors over HTTP: one shape for all of them.

    {"error": {"status": 400, "code": "impossible_position", "message": "one sentence"}}

`build` stands beside the message when a table is missing: the command that builds it.
"""

import logging
import re

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from solver.errors import MnkError
from solver.facts import Facts
from solver.web.replies import reply

__all__ = ["error_facts", "handle_errors"]

_LOG = logging.getLogger("solver.web")
_CODES = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}
_MESSAGES = {
    404: "There is nothing at this address; the API begins at /v1/games.",
    405: "This address does not answer that method.",
}


def error_facts(status: int, code: str, message: str, **more: str) -> Facts:
    """The shape."""
    return {"error": {"status": status, "code": code, "message": message, **more}}


def mnk_error_facts(error: MnkError) -> Facts:
    """An error of this package; those of the server are logged, and say no more than that outside."""
    code = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()
    return error_facts(error.http_status, code, str(error))


def handle_errors(app: FastAPI) -> None:
    """Make every error of an application take the one shape."""

    @app.exception_handler(MnkError)
    async def _own(_: Request, error: MnkError) -> Response:
        if error.http_status >= 500:
            _LOG.error("%s", error)
        return reply(mnk_error_facts(error), status=error.http_status)

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> Response:
        status = error.status_code
        facts = error_facts(status, _CODES.get(status, "error"), _MESSAGES.get(status, str(error.detail)))
        return reply(facts, status=status, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def _request(_: Request, error: RequestValidationError) -> Response:
        return reply(error_facts(400, "bad_request", str(error.errors()[0]["msg"])), status=400)
