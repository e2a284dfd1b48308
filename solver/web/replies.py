"""Answers as HTTP: JSON, with the tag of the table that they were read from.

A client keeps an answer and asks whether it still holds (`no-cache`); as long as the table has not changed it
is told so (304) without the answer being made again.
"""

from collections.abc import Callable, Mapping, Sequence
from json import JSONEncoder
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from solver.support.schemas import JsonObject

__all__ = ["Json", "reply", "tagged_reply"]

Json = JsonObject | Sequence[JsonObject]

_JSON: Final = "application/json"
_encode: Final = JSONEncoder(separators=(",", ":")).encode  # made once, because each answer needs it


def reply(facts: Json, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Facts as JSON (ASCII, so that no text from outside can fail to be written); nothing is to be kept of it."""
    return Response(_encode(facts).encode("ascii"), status, {"Cache-Control": "no-store", **(headers or {})}, _JSON)


def tagged_reply(request: Request, tag: str, facts: Callable[[], Json]) -> Response:
    """What `facts` makes, under its tag; 304 and nothing if the client has the answer with this tag."""
    headers = {"ETag": f'"{tag}"', "Cache-Control": "public, no-cache"}
    kept = request.headers.get("if-none-match")
    if kept is not None and _matches(kept, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return reply(facts(), headers=headers)


def _matches(kept: str, tag: str) -> bool:
    """Whether a tag is among those of If-None-Match (compared weakly, RFC 9110, section 13.1.2)."""
    return kept.strip() == "*" or tag in (part.strip().removeprefix("W/") for part in kept.split(","))
