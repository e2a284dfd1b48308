"""Write answers as HTTP responses: JSON, with the tag of the table that they were read from.

A client keeps an answer and asks whether it still holds (`no-cache`); as long as the table has not changed it
gets status 304, and the answer is not made again.
"""

from collections.abc import Callable, Mapping, Sequence
from json import JSONEncoder
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from solver.support.schemas import JsonObject

Json = JsonObject | Sequence[JsonObject]

_JSON: Final = "application/json"
_encode: Final = JSONEncoder(separators=(",", ":")).encode  # made once, because each answer needs it


def respond(answer: Json, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer as JSON that clients do not store; in ASCII, so that any text can be encoded."""
    return Response(_encode(answer).encode("ascii"), status, {"Cache-Control": "no-store", **(headers or {})}, _JSON)


def respond_with_tag(request: Request, tag: str, make_answer: Callable[[], Json]) -> Response:
    """Return an answer under its tag, or 304 without a body if the client has the answer of this tag."""
    return keep_by_tag(request, tag, lambda headers: respond(make_answer(), headers=headers))


def keep_by_tag(request: Request, tag: str, make_response: Callable[[Mapping[str, str]], Response]) -> Response:
    """Return a response, made with the headers of its tag, or 304 without a body if the client has that of this tag."""
    headers = {"ETag": f'"{tag}"', "Cache-Control": "public, no-cache"}
    kept = request.headers.get("if-none-match")
    if kept is not None and _matches(kept, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return make_response(headers)


def _matches(kept: str, tag: str) -> bool:
    """Tell whether a tag is among those of If-None-Match (compared weakly, RFC 9110, section 13.1.2)."""
    return kept.strip() == "*" or tag in (part.strip().removeprefix("W/") for part in kept.split(","))
