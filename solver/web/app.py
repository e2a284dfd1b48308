"""The application: the API below /v1, and the explorer page."""

import os
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from solver import __version__
from solver.engine import make_engine
from solver.errors import PositionError
from solver.facts import position_facts, square_facts
from solver.position import Position
from solver.rules import Rules
from solver.web.answers import game_answer, mainline_answer, position_answer, stats_answer
from solver.web.failures import handle_errors
from solver.web.replies import reply
from solver.web.tables import ServedTable, ServedTables

__all__ = ["create_app"]

PAGE = Path(__file__).parent / "page"


def create_app(folder: str | os.PathLike[str]) -> FastAPI:
    """The ASGI application that serves the tables of a folder."""
    app = FastAPI(title="mnk-tablebase", version=__version__, docs_url=None, redoc_url=None)
    tables = ServedTables(Path(folder))
    static = StaticFiles(directory=PAGE, check_dir=False)
    handle_errors(app)

    def find(game: str, position: str | None) -> tuple[ServedTable, Position]:
        rules = Rules.parse(game)
        served = tables.table(rules)
        return served, Position.parse(rules, position or "start")

    @app.get("/")
    async def page(request: Request) -> Response:
        return await static.get_response("index.html", request.scope)

    @app.get("/v1/games")
    def games() -> Response:
        return reply({"games": [game_answer(s) for s in tables.all() if isinstance(s, ServedTable)]})

    @app.get("/v1/{game}")
    async def position(game: str, position: Annotated[str | None, Query()] = None) -> Response:
        served, found = find(game, position)
        return reply(position_answer(served.table, found))

    @app.get("/v1/{game}/mainline")
    async def mainline(game: str, position: Annotated[str | None, Query()] = None) -> Response:
        served, found = find(game, position)
        return reply(mainline_answer(served.table, found))

    @app.get("/v1/{game}/stats")
    async def stats(game: str) -> Response:
        return reply(stats_answer(find(game, None)[0]))

    @app.get("/v1/{game}/opponent")
    def opponent(game: str, engine: str = "perfect", position: Annotated[str | None, Query()] = None) -> Response:
        served, found = find(game, position)
        if found.is_over:
            raise PositionError(f"The game is over in {found.board}, so there is no move to make.")
        choice = make_engine(engine, found.rules, tables=served.table).choose(found)
        return reply({**position_facts(found), "engine": engine, **square_facts(found.rules, choice.move)})

    app.mount("/static", static)
    return app
