"""Answer the addresses below /v1.

A probe is answered at once, where the requests arrive; longer work goes to a thread, a few at a time, so that probes
don't wait for it. Plans, puzzles and openings, the longest work, have a thread of their own, for which only so many
wait.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from random import randrange
from typing import Any, Final, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from solver.answers import POINT_OF_VIEW, PositionAnswer, RepliesAnswer, game_answer, position_answer, replies_answer
from solver.errors import TableError
from solver.gallery import Gallery, gallery_answer
from solver.game.position import Position
from solver.game.strategy.answers import PlanAnswer
from solver.study.comparison import Comparison, compare
from solver.study.openings import OpeningsAnswer, openings_answer
from solver.study.puzzles import Puzzles
from solver.study.review import Review, review_game
from solver.web import answers
from solver.web.answers import (
    batch_answers,
    mainline_answer,
    opponent_answer,
    puzzles_answer,
    stats_answer,
)
from solver.web.errors import Busy, Failure, error_answer
from solver.web.plans import plan_answer
from solver.web.requests import (
    Batch,
    NoQuery,
    OpeningsQuery,
    OpponentQuery,
    PictureQuery,
    PlanQuery,
    PositionQuery,
    PuzzleQuery,
    ReviewQuery,
    describe_parameters,
    read_batch,
    read_position,
    read_query,
)
from solver.web.responses import Json, keep_by_tag, respond, respond_with_tag
from solver.web.sharing import MEDIA_TYPES, picture
from solver.web.tables import ServedTable, ServedTables

FAILURES: Final[dict[int | str, dict[str, Any]]] = {"default": {"model": Failure, "description": "An error."}}

_T = TypeVar("_T")
_Query = TypeVar("_Query", bound=PositionQuery)
_THREADS: Final = 2  # that do longer work
MOST_OPENINGS: Final = 2_000
MOST_PLANS: Final = 8  # that are made or wait, puzzles among them


class Api:
    """The endpoints, over the tables of one folder."""

    def __init__(self, tables: ServedTables) -> None:
        self._tables = tables
        self._threads = CapacityLimiter(_THREADS)
        self._plans = CapacityLimiter(1)
        self._waiting_plans = 0

    def add_to(self, app: FastAPI) -> None:
        """Add them to an application, below /v1."""
        for path, endpoint, query, answer in (
            ("/v1/games", self.games, NoQuery, answers.Games),
            ("/v1/gallery", self.gallery, NoQuery, Gallery),
            ("/v1/{game}", self.position, PositionQuery, PositionAnswer),
            ("/v1/{game}/mainline", self.mainline, PositionQuery, answers.Mainline),
            ("/v1/{game}/replies", self.replies, PositionQuery, RepliesAnswer),
            ("/v1/{game}/review", self.review, ReviewQuery, Review),
            ("/v1/{game}/puzzles", self.puzzles, PuzzleQuery, Puzzles),
            ("/v1/{game}/openings", self.openings, OpeningsQuery, OpeningsAnswer),
            ("/v1/{game}/compare", self.compare, PositionQuery, Comparison),
            ("/v1/{game}/plan", self.plan, PlanQuery, PlanAnswer),
            ("/v1/{game}/stats", self.stats, NoQuery, answers.Stats),
            ("/v1/{game}/opponent", self.opponent, OpponentQuery, answers.OpponentMove),
        ):
            described = describe_parameters(path, query)
            app.get(path, response_model=answer, responses=FAILURES, openapi_extra=described)(endpoint)
        path = "/v1/{game}/picture"
        drawn: dict[int | str, dict[str, Any]] = {
            200: {"description": "The picture.", "content": {media: {} for media in MEDIA_TYPES.values()}}
        }
        described = describe_parameters(path, PictureQuery)
        app.get(path, response_class=Response, responses={**FAILURES, **drawn}, openapi_extra=described)(self.picture)
        path = "/v1/{game}/batch"
        body = {"required": True, "content": {"application/json": {"schema": Batch.model_json_schema()}}}
        described = {**describe_parameters(path, NoQuery), "requestBody": body}
        app.post(path, response_model=answers.BatchAnswer, responses=FAILURES, openapi_extra=described)(self.batch)

    async def games(self, request: Request) -> Response:
        """The games that have a table, smallest first; apart from them those whose table can't be read."""
        read_query(request, NoQuery)
        tables = await self._run_in_thread(self._tables.open_all)
        unknown = await self._run_in_thread(self._tables.unreadable)
        tags = [found.tag if isinstance(found, ServedTable) else str(found) for found in tables.values()]
        tags += map(str, unknown.values())
        damaged: list[answers.DamagedGame] = [
            {"game": rules.name, **error_answer(found)}
            for rules, found in tables.items()
            if isinstance(found, TableError)
        ]
        damaged += [{"game": path.stem.removeprefix("mnk-"), **error_answer(error)} for path, error in unknown.items()]
        served = [game_answer(found.table, found.bytes) for found in tables.values() if isinstance(found, ServedTable)]
        served.sort(key=lambda game: (game["positions"], game["game"]))
        answer: answers.Games = {"games": served, "damaged": damaged}
        return respond_with_tag(request, sha256(" ".join(tags).encode()).hexdigest(), lambda: answer)

    async def gallery(self, request: Request) -> Response:
        """Well-known games: what each is, what is known of it, and whether there is a table."""
        read_query(request, NoQuery)
        return respond(await self._run_in_thread(lambda: gallery_answer(self._tables.has_table)))

    async def position(self, request: Request) -> Response:
        """What a position is worth, and every move in it, best first."""
        _, served, position = self._read(request, PositionQuery)
        return respond_with_tag(request, served.tag, lambda: position_answer(served.table, position))

    async def mainline(self, request: Request) -> Response:
        """Best play by both sides, to the end of the game."""
        _, served, position = self._read(request, PositionQuery)
        return respond_with_tag(request, served.tag, lambda: mainline_answer(served.table, position))

    async def replies(self, request: Request) -> Response:
        """How many of the opponent's replies to each move hold; the others are mistakes."""
        _, served, position = self._read(request, PositionQuery)
        return await self._run_in_thread(_tagged(request, served, lambda: replies_answer(served.table, position)))

    async def review(self, request: Request) -> Response:
        """The value of a game after every move, its mistakes, the accuracy of both sides, and where it was lost."""
        query, served = read_query(request, ReviewQuery), self._find_table(request)
        review = _tagged(request, served, lambda: review_game(served.table, query.moves, query.position))
        return await self._run_in_thread(review)

    async def openings(self, request: Request) -> Response:
        """The positions of the first plies up to symmetry, what they are worth, and how many of the replies hold."""
        query, served, position = self._read(request, OpeningsQuery)

        def list_openings() -> OpeningsAnswer:
            return openings_answer(served.table, query.depth, position, kept=query.kept, most=MOST_OPENINGS)

        return await self._run_long(_tagged(request, served, list_openings))

    async def compare(self, request: Request) -> Response:
        """A position under its own rules and under others: normal, misere, on a torus, with gravity."""
        query = read_query(request, PositionQuery)
        position = read_position(self._tables.game(request.path_params["game"]), query)
        return respond(
            await self._run_in_thread(lambda: compare(position, lambda other: self._tables.table(other).table))
        )

    async def plan(self, request: Request) -> Response:
        """A conditional plan: what to play, and what to answer to every reply. `plan` is null when there is none."""
        query, served, position = self._read(request, PlanQuery)
        plan = _tagged(request, served, lambda: plan_answer(served.table, position, query.player, query.goal))
        return await self._run_long(plan)

    async def puzzles(self, request: Request) -> Response:
        """Positions with one move to find, drawn from the table by a seed, or the puzzle of a day."""
        query, served = read_query(request, PuzzleQuery), self._find_table(request)
        if query.seed is None and query.day is None:
            query = query.model_copy(update={"seed": randrange(10**6)})
            return respond(await self._run_long(lambda: puzzles_answer(served.table, query)))
        return await self._run_long(_tagged(request, served, lambda: puzzles_answer(served.table, query)))

    async def stats(self, request: Request) -> Response:
        """How many positions a game has at each ply, and how they end."""
        read_query(request, NoQuery)
        served = self._find_table(request)
        return respond_with_tag(request, served.tag, lambda: stats_answer(served))

    async def opponent(self, request: Request) -> Response:
        """One move of an opponent: `perfect`, by default, `random`, or `graded:strength=0.5` in between."""
        query, served, position = self._read(request, OpponentQuery)
        return respond(await self._run_in_thread(lambda: opponent_answer(served.table, position, query.engine)))

    async def picture(self, request: Request) -> Response:
        """A position as a picture, every empty square with what a move there is worth."""
        query, served, position = self._read(request, PictureQuery)

        def draw(headers: Mapping[str, str]) -> Response:
            drawn = picture(served.table, position, query.format, hints=query.hints == "on")
            return Response(drawn, 200, dict(headers), MEDIA_TYPES[query.format])

        return await self._run_in_thread(lambda: keep_by_tag(request, served.tag, draw))

    async def batch(self, request: Request) -> Response:
        """The values of many positions; what is wrong with one is said in its place."""
        read_query(request, NoQuery)
        served = self._find_table(request)
        batch = await read_batch(request)
        values = await self._run_in_thread(lambda: batch_answers(served.table, batch.given))
        answer: answers.BatchAnswer = {
            "game": served.table.rules.name,
            "point_of_view": POINT_OF_VIEW,
            "answers": values,
        }
        return respond(answer)

    def _read(self, request: Request, model: type[_Query]) -> tuple[_Query, ServedTable, Position]:
        """Read a query, the table it asks, and its position."""
        query, served = read_query(request, model), self._find_table(request)
        return query, served, read_position(served.table.rules, query)

    def _find_table(self, request: Request) -> ServedTable:
        return self._tables.table(self._tables.game(request.path_params["game"]))

    async def _run_long(self, work: Callable[[], _T]) -> _T:
        """Run what may take seconds, one after another. Raises Busy when MOST_PLANS wait already."""
        if self._waiting_plans >= MOST_PLANS:
            raise Busy("The server has as much long work as it takes on; ask again in a moment.")
        self._waiting_plans += 1
        try:
            return await run_sync(work, limiter=self._plans)
        finally:
            self._waiting_plans -= 1

    async def _run_in_thread(self, work: Callable[[], _T]) -> _T:
        return await run_sync(work, limiter=self._threads)


def _tagged(request: Request, served: ServedTable, make_answer: Callable[[], Json]) -> Callable[[], Response]:
    """Return what makes an answer, in any thread, and responds with it under the tag of its table."""
    return lambda: respond_with_tag(request, served.tag, make_answer)
