"""Assemble the application: the API below /v1, its description, and the explorer page."""

import os
from collections.abc import Collection, Sequence
from functools import cache
from html import escape
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from solver import __version__
from solver.web.api import Api
from solver.web.guard import GuardMiddleware, read_site
from solver.web.responses import PAGE_HEADERS, HeadAndErrorMiddleware, handle_errors
from solver.web.served import ServedGames
from solver.web.site.page import DOCUMENT, PREVIEW, file_mark, served_files
from solver.web.uwapi import add_uwapi

PAGE: Final = Path(__file__).parent / "page"

_LEAST_COMPRESSED: Final = 2048  # bytes; compressing shorter answers would delay them
_DESCRIPTION: Final = """\
Exact values of k-in-a-row games and other games of lines, named 3,3,3 (tic-tac-toe), 4,4,4,gravity or affine,3;
/v1/gallery lists more. Every value is for the side to move in its position; a move's verdict is for the side that makes
it. Answers from a whole table have its digest in their ETag; all errors have the same form.
"""


class _Page(StaticFiles):
    """The files of the explorer page. Its modules are joined into one script, which loads faster."""

    _joined = staticmethod(cache(served_files))

    async def get_response(self, path: str, scope: Scope) -> Response:
        content = self._joined().get(path)
        if path == DOCUMENT and content is not None:  # other sites show the preview only if its address is complete
            base = escape(str(Request(scope).base_url))
            content = content.replace(f"static/{PREVIEW}".encode(), f"{base}static/{PREVIEW}".encode())
        if content is not None and scope["method"] == "GET":
            lasting = {} if path == DOCUMENT else {"Cache-Control": "max-age=31536000, immutable"}
            headers = {**PAGE_HEADERS, **lasting, "ETag": f'"{file_mark(content)}"'}
            response = Response(content, headers=headers, media_type=guess_type(path)[0])
            is_kept = self.is_not_modified(response.headers, Headers(scope=scope))
            return NotModifiedResponse(response.headers) if is_kept else response
        if "\0" in path:  # older versions of Starlette pass it to the system, which raises an error
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers.update(PAGE_HEADERS)
        return response


def create_app(folder: str | os.PathLike[str], sites: Collection[str] = (), addresses: Sequence[str] = ()) -> FastAPI:
    """Return the ASGI application that serves the tables of a folder. It does not change the folder.

    sites: the host names by which clients reach the application, other than addresses, localhost and the name of the
    machine, and those of other sites whose pages may use the API; `*` allows all. addresses: where other devices reach
    the server, such as http://192.168.1.5:8000, for invitations from a page that was opened on this machine. Raises
    InputError if one of `sites` has no host name.
    """
    app = FastAPI(title="mnk-tablebase", version=__version__, description=_DESCRIPTION, docs_url=None, redoc_url=None)
    api, page = Api(ServedGames(Path(folder)), addresses), _Page(directory=PAGE)
    handle_errors(app)
    app.add_middleware(GZipMiddleware, minimum_size=_LEAST_COMPRESSED, compresslevel=6)
    app.add_middleware(HeadAndErrorMiddleware)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "HEAD", "POST"],
        allow_headers=["*"],
        expose_headers=["ETag", "Retry-After"],
    )
    app.add_middleware(GuardMiddleware, sites=[*map(read_site, sites)])

    @app.get("/", include_in_schema=False)
    async def explorer(request: Request) -> Response:
        return await page.get_response(DOCUMENT, request.scope)

    api.add_to(app)
    add_uwapi(app, api)
    app.mount("/static", page)
    return app
