"""Assemble the application: the API below /v1, its description, and the explorer page."""

import os
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from anyio.to_thread import run_sync
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from solver import __version__
from solver.errors import MnkError
from solver.game.descriptions import describe_rules, describe_value
from solver.game.notation import parse_move, split_moves
from solver.game.position import Position
from solver.tablebase import Tablebase
from solver.web.api import Api
from solver.web.docs import describe_api
from solver.web.errors import HeadAndErrorMiddleware, handle_errors
from solver.web.tables import ServedTables
from solver.web.uwapi import UwapiApi

PAGE: Final = Path(__file__).parent / "page"

_PAGE_HEADERS: Final = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'",
    "X-Content-Type-Options": "nosniff",
}
_LEAST_COMPRESSED: Final = 2048  # bytes; compressing shorter answers would delay them
_DESCRIPTION: Final = """\
Exact values of k-in-a-row games and other games of lines, named 3,3,3 (tic-tac-toe), 4,4,4,gravity or affine,3;
/v1/gallery lists more. Every value is for the side to move in its position; a move's verdict is for the side that makes
it. Answers have the digest of their table in their ETag; all errors have one shape.
"""


class _Page(StaticFiles):
    """The files of the explorer page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if "\0" in path:  # older versions of Starlette pass it to the system, which raises an error
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers.update(_PAGE_HEADERS)
        return response


def create_app(folder: str | os.PathLike[str]) -> FastAPI:
    """Return the ASGI application that serves the tables of a folder, which it only reads."""
    app = FastAPI(title="mnk-tablebase", version=__version__, description=_DESCRIPTION, docs_url=None, redoc_url=None)
    tables, page = ServedTables(Path(folder)), _Page(directory=PAGE)
    handle_errors(app)
    app.add_middleware(GZipMiddleware, minimum_size=_LEAST_COMPRESSED, compresslevel=6)
    app.add_middleware(HeadAndErrorMiddleware)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "HEAD", "POST"],
        allow_headers=["*"],
        expose_headers=["ETag"],
    )

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(describe_api(app.openapi()), headers=_PAGE_HEADERS)

    @app.get("/", include_in_schema=False)
    async def explorer(request: Request) -> Response:
        if not request.query_params.get("game"):
            return await page.get_response("index.html", request.scope)
        return HTMLResponse(await run_sync(_shared_page, request, tables), headers=_PAGE_HEADERS)

    Api(tables).add_to(app)
    UwapiApi(tables).add_to(app)
    app.mount("/static", page)
    return app


def _shared_page(request: Request, tables: ServedTables) -> str:
    """Return the page for a link to a position, with tags that describe it to other sites (https://ogp.me)."""
    page, query = (PAGE / "index.html").read_text(encoding="utf-8"), request.query_params
    try:
        table = tables.table(tables.game(query.get("game", ""))).table
        position = _find_position(table, query.get("position", "start"), query.get("moves", ""), query.get("at"))
        result = position.result or f"{position.to_move} to move {describe_value(table.probe(position))}"
    except MnkError:
        return page
    hints, rules = {"hints": "off"} if query.get("hints") == "off" else {}, position.rules
    picture = urlencode({"position": position.board, "format": "png", **hints})
    tags = {
        "og:title": f"{rules}: {f'{position.to_move} to move' if hints and not position.is_over else result}",
        "og:description": f"{describe_rules(rules)}.",
        "og:image": f"{request.base_url}v1/{rules}/picture?{picture}",
        "og:type": "website",
    }
    head = "".join(f'  <meta property="{name}" content="{escape(content)}">\n' for name, content in tags.items())
    return page.replace("</head>", f"{head}</head>")


def _find_position(table: Tablebase, start: str, moves: str, at: str | None) -> Position:
    """Return the position of a link: the first `at` of its moves, by default all of them. Raises PositionError."""
    position = Position.parse(table.rules, start)
    words = [move for word in moves.replace(",", " ").split() for move in split_moves(table.rules, word)]
    for word in words[: int(at) if at and at.isdecimal() else len(words)]:
        position = position.play(parse_move(table.rules, position.x | position.o, word))
    return position
