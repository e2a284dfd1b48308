"""Answer errors over HTTP, all of them in one shape.

    {"error": {"status": 400, "code": "impossible_position", "message": "one sentence"}}

`build` stands beside the message when a table is missing: the command that builds it. An error that is the server's
fault is logged with its cause; the answer says only that there was one.
"""

import logging
import re
from collections.abc import Sequence
from typing import Annotated, Any, NotRequired

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from solver.errors import MissingTable, MnkError
from solver.support.schemas import Answer, Described
from solver.web.responses import respond

_LOG = logging.getLogger("solver.web")
_RETRY_SECONDS = 2
_HTTP_ERRORS = {
    404: ("not_found", "There is nothing at this address; /v1/games lists the games, /openapi.json everything else."),
    405: ("method_not_allowed", "This address does not answer that method."),
}


class BadRequest(MnkError):
    """A request has a part that can't be read, or one that nobody knows."""

    exit_code = 2
    http_status = 400


class TooLarge(MnkError):
    """A request, or the answer to it, is larger than the server allows."""

    exit_code = 2
    http_status = 413


class Busy(MnkError):
    """The server has as much work of a kind as it takes on; the request may be made again."""

    http_status = 503


class Error(Answer):
    """What went wrong: one sentence, and a code for programs. `build` is the command that builds a missing table."""

    status: Annotated[int, Described(example=404)]
    code: Annotated[str, Described(example="missing_table")]
    message: Annotated[str, Described(example="There is no table of 4,4,4 in data; build it with `mnk build 4,4,4`.")]
    build: NotRequired[Annotated[str, Described(example="mnk build 4,4,4")]]


class Failure(Answer):
    """Every error has this shape."""

    error: Error


def failure(status: int, code: str, message: str) -> Failure:
    """Return an error in the one shape."""
    return {"error": {"status": status, "code": code, "message": message}}


def error_answer(error: MnkError) -> Failure:
    """Return an error of this package in the one shape. One that is the server's fault is logged here."""
    code = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()
    if error.http_status >= 500 and not isinstance(error, Busy):
        _LOG.error("%s", error, exc_info=error)
        return failure(error.http_status, code, "The table can't be used; the log of the server says why.")
    answer = failure(error.http_status, code, str(error))
    if isinstance(error, MissingTable) and error.build:
        answer["error"]["build"] = error.build
    return answer


def invalid_request(problems: Sequence[Any]) -> BadRequest:
    """Return the error for the first of the problems that Pydantic found in a request."""
    problem = problems[0]
    place = "".join(f"{part}: " for part in problem["loc"])
    return BadRequest(f"The request can't be read: {place}{problem['msg']}.")


def handle_errors(app: FastAPI) -> None:
    """Make every error of an application take the one shape."""

    @app.exception_handler(MnkError)
    async def _handle_own(_: Request, error: MnkError) -> Response:
        headers = {"Retry-After": str(_RETRY_SECONDS)} if isinstance(error, Busy) else None
        return respond(error_answer(error), status=error.http_status, headers=headers)

    @app.exception_handler(RequestValidationError)
    async def _handle_unreadable(_: Request, error: RequestValidationError) -> Response:
        return respond(error_answer(invalid_request(error.errors())), status=BadRequest.http_status)

    @app.exception_handler(HTTPException)
    async def _handle_http(_: Request, error: HTTPException) -> Response:
        status, headers = error.status_code, dict(error.headers or {})
        if status == 405:
            headers["Allow"] = _allow_head(headers.get("Allow", "GET"))  # files have no such header, and only GET
        code, message = _HTTP_ERRORS.get(status, ("error", f"{error.detail}."))
        return respond(failure(status, code, message), status=status, headers=headers)


def _allow_head(methods: str) -> str:
    """Add HEAD, which is answered wherever GET is, to the methods of an Allow header."""
    known = {*methods.split(", "), *(["HEAD"] if "GET" in methods else [])}
    return ", ".join(sorted(known))
