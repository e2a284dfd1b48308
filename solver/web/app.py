"""Put the application together: the API below /v1, its description, and the explorer page."""

import os
from pathlib import Path
from typing import Final

from anyio.to_thread import run_sync
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from solver.version import __version__
from solver.web.api import Api
from solver.web.docs import describe_api
from solver.web.errors import handle_errors
from solver.web.middleware import HeadAndErrorMiddleware
from solver.web.sharing import head_tags
from solver.web.tables import ServedTables
from solver.web.uwapi import UwapiApi

PAGE: Final = Path(__file__).parent / "page"

_INDEX: Final = PAGE / "index.html"
_HEAD: Final = "</head>"
_PAGE_HEADERS: Final = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'",
    "X-Content-Type-Options": "nosniff",
}
_LEAST_COMPRESSED: Final = 2048  # bytes; a shorter answer is sent sooner as it is
_DESCRIPTION: Final = """\
Exact values of games of lines, named 3,3,3 (tic-tac-toe), 4,4,4,gravity or affine,3; /v1/gallery has more.
Every value is for the side to move in the position it stands beside; a move's verdict is for the one who moves.
Answers carry the digest of their table as ETag; errors all have one shape.
"""


class _Page(StaticFiles):
    """The files of the explorer page, and nothing else."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if "\0" in path:  # older Starlettes let it get to the system, which refuses it
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers.update(_PAGE_HEADERS)
        return response


def create_app(folder: str | os.PathLike[str]) -> FastAPI:
    """Make the ASGI application that serves the tables of a folder, and only reads them."""
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
        text = await run_sync(
            lambda: _INDEX.read_text(encoding="utf-8").replace(_HEAD, head_tags(request, tables) + _HEAD)
        )
        return HTMLResponse(text, headers=_PAGE_HEADERS)

    Api(tables).add_to(app)
    UwapiApi(tables).add_to(app)
    app.mount("/static", page)
    return app
