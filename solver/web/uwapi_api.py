"""The addresses of the Universal Web API, below /v1/uwapi; see `solver.web.uwapi` for what they answer."""

from typing import Any

from anyio.to_thread import run_sync
from fastapi import FastAPI
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from solver.game.rules import Rules
from solver.web.api import FAILURES
from solver.web.parameters import parameters, read_query
from solver.web.replies import reply, tagged_reply
from solver.web.tables import ServedTable, ServedTables
from solver.web.uwapi import (
    game_view,
    games_view,
    instructions_view,
    position_view,
    read_position,
    rules_of,
    variant_view,
)

__all__ = ["UwapiApi"]


class _Anything(BaseModel):
    """Clients of this API add what they like, such as the language."""


class _AskedPosition(_Anything):
    p: str = Field(max_length=1000, description="Whose turn it is, and the squares.", examples=["1_xo--x----"])


class UwapiApi:
    """The endpoints, over the tables of one folder."""

    def __init__(self, tables: ServedTables) -> None:
        self._tables = tables

    def add_to(self, app: FastAPI) -> None:
        """Add them to an application."""
        for path, endpoint, query, answer in (
            ("/v1/uwapi/", self.games, _Anything, list[dict[str, Any]]),
            ("/v1/uwapi/{game}/", self.game, _Anything, dict[str, Any]),
            ("/v1/uwapi/{game}/{variant}/", self.variant, _Anything, dict[str, Any]),
            ("/v1/uwapi/{game}/{variant}/instructions/", self.instructions, _Anything, dict[str, Any]),
            ("/v1/uwapi/{game}/{variant}/positions/", self.position, _AskedPosition, dict[str, Any]),
        ):
            app.get(
                path,
                name=f"uwapi_{endpoint.__name__}",
                tags=["Universal Web API"],
                response_model=answer,
                responses=FAILURES,
                openapi_extra=parameters(path, query),
            )(endpoint)

    async def games(self, request: Request) -> Response:
        """The games: one for each size that has a table."""
        del request
        return reply(games_view(await self._games()))

    async def game(self, request: Request) -> Response:
        """A game with its variants."""
        return reply(game_view(Rules.parse(request.path_params["game"]), await self._games()))

    async def variant(self, request: Request) -> Response:
        """A variant: where it begins, and how its board is drawn."""
        served = self._table(request)
        return tagged_reply(request, served.tag, lambda: variant_view(served.table.rules))

    async def instructions(self, request: Request) -> Response:
        """The rules in words."""
        served = self._table(request)
        return tagged_reply(request, served.tag, lambda: instructions_view(served.table.rules))

    async def position(self, request: Request) -> Response:
        """A position, its value, and its moves from best to worst."""
        asked, served = read_query(request, _AskedPosition), self._table(request)
        position = read_position(served.table.rules, asked.p)
        return tagged_reply(request, served.tag, lambda: position_view(served.table, position))

    def _table(self, request: Request) -> ServedTable:
        path = request.path_params
        return self._tables.table(rules_of(path["game"], path["variant"]))

    async def _games(self) -> list[Rules]:
        found = await run_sync(self._tables.all)
        return [rules for rules, table in found.items() if isinstance(table, ServedTable)]
