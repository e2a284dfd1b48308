"""The addresses of the API and what answers at each of them.

A probe is answered at once, where the requests arrive; what takes longer goes to a thread, a few at a time, so
that probes don't wait for it.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from solver.answers import POINT_OF_VIEW, position_answer
from solver.errors import TableError
from solver.game.rules import Rules
from solver.web import models
from solver.web.answers import game_answer, mainline_answer, opponent_answer, stats_answer
from solver.web.batch import Batch, batch_answers, read_batch
from solver.web.failures import mnk_error_facts
from solver.web.parameters import AskedMove, AskedPlan, AskedPosition, Nothing, parameters, read_position, read_query
from solver.web.plans import plan_answer
from solver.web.replies import reply, tagged_reply
from solver.web.tables import ServedTable, ServedTables

__all__ = ["FAILURES", "Api"]

FAILURES: Final[dict[int | str, dict[str, Any]]] = {"default": {"model": models.Failure, "description": "An error."}}

_T = TypeVar("_T")
_THREADS: Final = 2  # that do longer work


class Api:
    """The endpoints, over the tables of one folder."""

    def __init__(self, tables: ServedTables) -> None:
        self._tables = tables
        self._threads = CapacityLimiter(_THREADS)

    def add_to(self, app: FastAPI) -> None:
        """Add them to an application, below /v1."""
        for path, endpoint, query, answer in (
            ("/v1/games", self.games, Nothing, models.Games),
            ("/v1/{game}", self.position, AskedPosition, models.PositionAnswer),
            ("/v1/{game}/mainline", self.mainline, AskedPosition, models.Mainline),
            ("/v1/{game}/plan", self.plan, AskedPlan, models.PlanAnswer),
            ("/v1/{game}/stats", self.stats, Nothing, models.Stats),
            ("/v1/{game}/opponent", self.opponent, AskedMove, models.OpponentMove),
        ):
            described = parameters(path, query)
            app.get(path, response_model=answer, responses=FAILURES, openapi_extra=described)(endpoint)
        path = "/v1/{game}/batch"
        body = {"required": True, "content": {"application/json": {"schema": Batch.model_json_schema()}}}
        described = {**parameters(path, Nothing), "requestBody": body}
        app.post(path, response_model=models.BatchAnswer, responses=FAILURES, openapi_extra=described)(self.batch)

    async def games(self, request: Request) -> Response:
        """The games that have a table, smallest first; apart from them those whose table can't be read."""
        read_query(request, Nothing)
        tables = await self._aside(self._tables.all)
        tags = [found.tag if isinstance(found, ServedTable) else str(found) for found in tables.values()]
        damaged = [
            {"game": rules.name, **mnk_error_facts(found)}
            for rules, found in tables.items()
            if isinstance(found, TableError)
        ]
        served = [game_answer(found) for found in tables.values() if isinstance(found, ServedTable)]
        served.sort(key=lambda game: (game["positions"], game["game"]))
        tag = sha256(" ".join(tags).encode()).hexdigest()
        return tagged_reply(request, tag, lambda: {"games": served, "damaged": damaged})

    async def position(self, request: Request) -> Response:
        """What a position is worth, and every move in it, best first."""
        asked, served = read_query(request, AskedPosition), self._table(request)
        position = read_position(served.table.rules, asked)
        return tagged_reply(request, served.tag, lambda: position_answer(served.table, position))

    async def mainline(self, request: Request) -> Response:
        """Best play by both sides, to the end of the game."""
        asked, served = read_query(request, AskedPosition), self._table(request)
        position = read_position(served.table.rules, asked)
        return tagged_reply(request, served.tag, lambda: mainline_answer(served.table, position))

    async def plan(self, request: Request) -> Response:
        """A conditional plan: what to play, and what to answer to every reply. `plan` is null when there is none."""
        asked, served = read_query(request, AskedPlan), self._table(request)
        position = read_position(served.table.rules, asked)

        def answer() -> Response:
            return tagged_reply(
                request, served.tag, lambda: plan_answer(served.table, position, asked.player, asked.goal)
            )

        return await self._aside(answer)

    async def stats(self, request: Request) -> Response:
        """How many positions a game has at each ply, and how they end."""
        read_query(request, Nothing)
        served = self._table(request)
        return tagged_reply(request, served.tag, lambda: stats_answer(served))

    async def opponent(self, request: Request) -> Response:
        """One move of an opponent: `perfect`, `random`, or `graded:strength=0.5` in between."""
        asked, served = read_query(request, AskedMove), self._table(request)
        position = read_position(served.table.rules, asked)
        return reply(await self._aside(lambda: opponent_answer(served.table, position, asked.engine)))

    async def batch(self, request: Request) -> Response:
        """The values of many positions; what is wrong with one is said in its place."""
        read_query(request, Nothing)
        served = self._table(request)
        batch = await read_batch(request)
        answers = await self._aside(lambda: batch_answers(served.table, batch))
        return reply({"game": served.table.rules.name, "point_of_view": POINT_OF_VIEW, "answers": answers})

    def _table(self, request: Request) -> ServedTable:
        return self._tables.table(Rules.parse(request.path_params["game"]))

    async def _aside(self, work: Callable[[], _T]) -> _T:
        """The result of longer work, done in a thread."""
        return await run_sync(work, limiter=self._threads)
