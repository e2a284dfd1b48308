"""Make HTTP responses in JSON from answers and errors.

Answers read from a table carry its tag (ETag). A client stores and revalidates them (`no-cache`): while the
table is unchanged, it gets status 304, and the answer is not computed again. All errors have the same form:

    {"error": {"status": 400, "code": "impossible_position", "message": "one sentence"}}

If a table is missing, the error also has `build`, the command that builds the table. Errors of the server itself are
logged with their cause, but the answer does not reveal it.
"""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from json import JSONEncoder
from typing import Annotated, Any, Final, NotRequired

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solver.errors import InputError, MissingTable, MnkError, Unsettled
from solver.support.json_types import Answer, Described, JsonObject

Json = JsonObject | Sequence[JsonObject]

_LOG = logging.getLogger("solver.web")
_RETRY_SECONDS: Final = 2
_MORE_TIME: Final = "allow more time"  # as `Truth.advise` says it; no HTTP client can
PAGE_HEADERS: Final = {
    "Accept-Ranges": "none",
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:",
    "X-Content-Type-Options": "nosniff",
}
HTTP_ERRORS: Final = {
    404: ("not_found", "There is nothing at this address; {root}/v1/games lists the games."),
    405: ("method_not_allowed", "This address does not support that method."),
    500: ("internal_error", "Something went wrong in the server; see its log."),
}
_NOT_FOUND: Final = """\
<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Page not found</title><link rel="stylesheet" href="{root}/static/css/tokens.css">
<link rel="stylesheet" href="{root}/static/css/layout.css">
<script type="module" src="{root}/static/js/theme.js"></script>
<main><h1>There is no such page here</h1><p><a class="home" href="{root}/"><u>Play a game</u></a></p></main></html>
"""
_to_text: Final = JSONEncoder(separators=(",", ":")).encode  # made once, because every answer needs it


class BadRequest(InputError):
    """A part of a request is invalid or unknown."""


class TooLarge(MnkError):
    """A request, or its answer, is larger than the server allows."""

    http_status = 413


class WrongType(MnkError):
    """The body of a request is not declared as JSON.

    Pages of other sites may not send JSON without permission.
    """

    http_status = 415


class Busy(MnkError):
    """The server has reached its limit of long requests; the client may retry."""

    http_status = 503


class Error(Answer):
    """An error: one sentence for people, a code for programs. `build` is the command that builds a missing table."""

    status: Annotated[int, Described(example=404)]
    code: Annotated[str, Described(example="missing_table")]
    message: Annotated[str, Described(example="There is no table of 3,4,4 here; build a table with `mnk build 3,4,4`.")]
    build: NotRequired[Annotated[str, Described(example="mnk build 3,4,4")]]


class ErrorAnswer(Answer):
    """The form of all errors."""

    error: Error


def encode(answer: Json) -> bytes:
    """Encode an answer as JSON. All other characters than ASCII are escaped, so that any string can be encoded."""
    return _to_text(answer).encode("ascii")


def respond(answer: Json | bytes, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON response with an answer, which may be encoded already. Clients are asked not to cache it."""
    headers = {"Cache-Control": "no-store", **(headers or {})}
    body = answer if isinstance(answer, bytes) else encode(answer)
    return Response(body, status, headers, "application/json")


def respond_with_tag(request: Request, tag: str, make_answer: Callable[[], Json | bytes]) -> Response:
    """Return an answer with its tag, or status 304 without a body if the client has the answer with this tag."""
    etag = f'"{tag}"'
    headers = {"ETag": etag, "Cache-Control": "public, no-cache"}
    stored = request.headers.get("if-none-match", "").split(",")  # compared weakly: RFC 9110, section 13.1.2
    if any(part.strip() == "*" or part.strip().removeprefix("W/") == etag for part in stored):
        return Response(status_code=304, headers=headers)
    return respond(make_answer(), headers=headers)


def failure(status: int, code: str, message: str) -> ErrorAnswer:
    """Return an error in the common form."""
    return {"error": {"status": status, "code": code, "message": message}}


def error_code(kind: type[MnkError]) -> str:
    """Return the code of a class of errors: `ImpossiblePosition` has the code `impossible_position`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


def error_answer(error: MnkError) -> ErrorAnswer:
    """Return an error of this package in the common form. Logs it if it is an error of the server."""
    code = error_code(type(error))
    if error.http_status >= 500 and not isinstance(error, Busy):
        _LOG.error("%s", error, exc_info=error)
        return failure(error.http_status, code, "The table can't be used; see the log of the server.")
    message = str(error).replace(_MORE_TIME, "send the request again") if _resumes(error) else str(error)
    answer = failure(error.http_status, code, message)
    if isinstance(error, MissingTable) and error.build:
        answer["error"]["build"] = error.build
    return answer


def _resumes(error: MnkError) -> bool:
    """Return whether the same request may succeed later, because its search resumes."""
    return isinstance(error, Unsettled) and _MORE_TIME in str(error)


def invalid_request(problems: Sequence[Any]) -> BadRequest:
    """Return the error for the first of the problems that Pydantic found in a request."""
    place = "".join(f"{part}: " for part in problems[0]["loc"])
    return BadRequest(f"The request is invalid: {place}{problems[0]['msg'].removeprefix('Value error, ')}.")


def is_of_api(scope: Scope) -> bool:
    """Return whether a request is for the API, and not for the page. The guard has put `app_root` into the scope."""
    return f"{scope['path'].removeprefix(scope['app_root'])}/".startswith("/v1/")


def handle_errors(app: FastAPI) -> None:
    """Convert every error of an application into the common form."""

    @app.exception_handler(MnkError)
    async def _handle_own(_: Request, error: MnkError) -> Response:
        headers = {"Retry-After": str(_RETRY_SECONDS)} if isinstance(error, Busy) or _resumes(error) else None
        return respond(error_answer(error), status=error.http_status, headers=headers)

    @app.exception_handler(RequestValidationError)
    async def _handle_unreadable(_: Request, error: RequestValidationError) -> Response:
        return respond(error_answer(invalid_request(error.errors())), status=BadRequest.http_status)

    @app.exception_handler(HTTPException)
    async def _handle_http(request: Request, error: HTTPException) -> Response:
        status, headers = error.status_code, dict(error.headers or {})
        if status == 405:  # HEAD is allowed wherever GET is; static files send no such header, and allow only GET
            methods = {*headers.get("Allow", "GET").split(", ")}
            headers["Allow"] = ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))
            if request.method == "OPTIONS":
                return Response(status_code=204, headers=headers)
        root = request.scope["app_root"]
        is_person = "text/html" in request.headers.get("accept", "") and not is_of_api(request.scope)
        if status == 404 and is_person:
            return HTMLResponse(_NOT_FOUND.format(root=root), status, PAGE_HEADERS)
        code, message = HTTP_ERRORS.get(status, HTTP_ERRORS[500])
        return respond(failure(status, code, message.format(root=root)), status=status, headers=headers)


class HeadAndErrorMiddleware:
    """ASGI middleware, inside CORSMiddleware, that answers HEAD as GET without a body and logs unexpected errors."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False
        head = scope["method"] == "HEAD"

        async def send_on(message: Message) -> None:
            nonlocal started
            started = True
            await send({**message, "body": b""} if head and message["type"] == "http.response.body" else message)

        try:
            await self.app({**scope, "method": "GET"} if head else scope, receive, send_on)
        except ClientDisconnect:
            return
        except Exception:
            _LOG.exception("Unexpected error in %s %r", scope["method"], scope["path"])
            if started:  # too late for another response
                raise
            await respond(failure(500, *HTTP_ERRORS[500]), status=500)(scope, receive, send)
