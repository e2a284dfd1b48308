"""The endpoints below /v1.

A probe is answered immediately, in the event loop. Longer work runs in threads, a few at a time, so that probes do not
wait for it. A search for positions that no table contains has a time limit and its own threads. The longest work
(puzzles and openings) has one thread. Queues are limited.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial, reduce
from hashlib import sha256
from random import randrange
from time import monotonic
from typing import Annotated, Any, Final, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import FastAPI
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from solver.engines.engine import load_engines, make_engine
from solver.errors import EngineError, PositionError, TableError, Unsettled, quoted
from solver.game.gallery import gallery_rank
from solver.game.notation import parse_move, square_name
from solver.game.position import Position
from solver.game.rules import Rules, Side
from solver.game.value import Category
from solver.search.truth import Truth
from solver.study import answers
from solver.study.answers import POINT_OF_VIEW, PointOfView, PositionName, position_answer
from solver.study.comparison import Comparison, compare
from solver.study.openings import OpeningsAnswer, openings_answer
from solver.study.played import read_played_game
from solver.study.puzzles import Puzzles, daily_puzzle, draw_puzzles, puzzle_answer
from solver.study.review import Review, review_game
from solver.study.why import Why, why_answer
from solver.support.json_types import Answer, Described, JsonObject
from solver.web import requests
from solver.web.guard import client_of
from solver.web.invitation import Invitation, invite
from solver.web.live import LiveGame, LiveGames, LiveStarted
from solver.web.requests import NoQuery, PositionQuery, PuzzleQuery, describe_parameters, read_position, read_query
from solver.web.responses import Busy, ErrorAnswer, encode, error_answer, respond, respond_with_tag
from solver.web.served import ServedGames

FAILURES: Final[dict[int | str, dict[str, Any]]] = {"default": {"model": ErrorAnswer, "description": "An error."}}

_T = TypeVar("_T")
_THREADS: Final = 2
_LINE_SECONDS: Final = 4.0  # for a line of positions without a table
_BATCH_SECONDS: Final = 20.0  # for a batch of such positions
MOST_DRAWN: Final = 6_000  # the most positions that one request draws to find puzzles
MOST_GAMES: Final = 30  # the most random games of a large board, for the same: 2 to 6 seconds
OPPONENTS: Final = ("perfect", "graded", "random")  # the engines that answer at once, whatever their options
MOST_OPENINGS: Final = 2_000
MOST_KEPT: Final = 4_096  # the most answers about positions that are kept in memory: about 20 MB at most
_LONGEST_KEPT: Final = 400  # bytes of the query of such an answer
MOST_QUEUED: Final = 8  # the most requests of the longest kind that run or wait
MOST_SHORT: Final = 64  # the most other requests that run or wait in threads


class DamagedGame(ErrorAnswer):
    """A table that can't be read."""

    game: str


class Games(Answer):
    """The games with a table (those of the gallery first), those with a strategy instead, and unreadable tables."""

    games: list[answers.GameAnswer]
    strategies: list[answers.StrategyAnswer]
    damaged: list[DamagedGame]


class Mainline(PositionName):
    """Best play by both sides until the end; `result` is for the side to move in the given position.

    Where values come from a proof, the line may end earlier, at a position in which no move is known to be best.
    """

    moves: Annotated[list[str], Described(example=["c3", "a2", "c1", "c2"])]
    result: Category
    winner: Side | None
    point_of_view: PointOfView


class Played(Answer):
    """A game that was played, without values."""

    game: str
    start: Annotated[str, Described("The first position: its rows from the top.", ".../.../...")]
    moves: Annotated[list[str], Described(example=["b2", "a1"])]
    reading: Annotated[str | None, Described("How numbers in the game are read, if there are several ways.")]


class OpponentMove(PositionName, answers.SquareAnswer):
    """The move that an opponent plays in a position."""

    engine: Annotated[str, Described(example="graded:strength=0.5")]


class BatchValue(answers.ValueAnswer):
    """The value of one position of a batch."""

    hash: int


class BatchAnswer(Answer):
    """The values of a batch, in the order of its positions."""

    game: str
    point_of_view: PointOfView
    answers: list[BatchValue | ErrorAnswer]


class Api:
    """The endpoints for the tables of one folder. addresses: those of the server for other devices, if known."""

    def __init__(self, games: ServedGames, addresses: Sequence[str] = ()) -> None:
        self.served = games
        self._addresses = addresses
        self._threads = CapacityLimiter(_THREADS)
        self._reading = CapacityLimiter(_THREADS)  # of names and files, which may take seconds
        self._long_thread = CapacityLimiter(1)
        self._searches = CapacityLimiter(_THREADS)
        self._answers: dict[tuple[str, bytes], bytes] = {}
        self._live = LiveGames()
        self._queued = Counter[CapacityLimiter]()
        load_engines()  # so that the first move of an opponent is as quick as the others

    def add_to(self, app: FastAPI) -> None:
        """Add the endpoints to an application, below /v1."""
        endpoints = (
            ("/v1/games", self.games, NoQuery, Games),
            ("/v1/gallery", self.gallery, NoQuery, answers.Gallery),
            ("/v1/invitation", self.invitation, requests.LinkQuery, Invitation),
            ("/v1/{game}", self.position, requests.ValueQuery, answers.PositionAnswer),
            ("/v1/{game}/rules", self.rules, NoQuery, answers.RulesAnswer),
            ("/v1/{game}/mainline", self.mainline, PositionQuery, Mainline),
            ("/v1/{game}/why", self.why, requests.MoveQuery, Why),
            ("/v1/{game}/replies", self.replies, PositionQuery, answers.RepliesAnswer),
            ("/v1/{game}/review", self.review, requests.ReviewQuery, Review),
            ("/v1/{game}/played", self.played, requests.ReviewQuery, Played),
            ("/v1/{game}/puzzles", self.puzzles, PuzzleQuery, Puzzles),
            ("/v1/{game}/openings", self.openings, requests.OpeningsQuery, OpeningsAnswer),
            ("/v1/{game}/compare", self.compare, PositionQuery, Comparison),
            ("/v1/{game}/opponent", self.opponent, requests.OpponentQuery, OpponentMove),
        )

        class Live(HTTPEndpoint):  # refuses GET, which would mean a game with this name
            post = self.begin_live

        # These routes answer requests. FastAPI's routes would take several times as long; they only describe the API.
        app.router.routes[:0] = [Route("/v1/live", Live), *(Route(path, endpoint) for path, endpoint, *_ in endpoints)]
        for path, endpoint, query, answer in endpoints:
            described = describe_parameters(path, query)
            app.get(path, response_model=answer, responses=FAILURES, openapi_extra=described)(endpoint)
        posts = (
            ("/v1/{game}/batch", self.batch, requests.Batch, BatchAnswer),
            ("/v1/live", self.begin_live, requests.LiveStart, LiveStarted),
            ("/v1/live/{live}", self.follow_live, requests.LiveMoves, LiveGame),
        )
        for path, endpoint, body, made in posts:
            content = {"application/json": {"schema": body.model_json_schema()}}
            described = {**describe_parameters(path, NoQuery), "requestBody": {"required": True, "content": content}}
            app.post(path, response_model=made, responses=FAILURES, openapi_extra=described)(endpoint)

    async def games(self, request: Request) -> Response:
        """The games with a table or a strategy.

        Those of the gallery come first. Tables that can't be read are listed too.
        """
        read_query(request, NoQuery)
        opened, stored = await self.run(lambda: (self.served.open_all(), self.served.strategies()))
        served = [found for found in opened.values() if isinstance(found, Truth)]
        errors = {name: found for name, found in opened.items() if isinstance(found, TableError)}
        games = [answers.game_answer(found.table, found.table.size) for found in served]
        answer: Games = {
            "games": sorted(games, key=lambda game: (gallery_rank(game["game"]), game["positions"], game["game"])),
            "strategies": [answers.strategy_answer(strategy) for strategy in stored],
            "damaged": [{"game": name, **error_answer(error)} for name, error in errors.items()],
        }
        tags = [*map(self.served.tag, served), *map(str, errors.values()), repr(answer["strategies"])]
        return respond_with_tag(request, sha256(" ".join(tags).encode()).hexdigest(), lambda: answer)

    async def gallery(self, request: Request) -> Response:
        """Well-known games with their results.

        Each has its rules in words, and whether there is a table.
        """
        read_query(request, NoQuery)
        return respond(await self.run(lambda: answers.gallery_answer(self.served.folder)))

    async def rules(self, request: Request) -> Response:
        """A game and its board.

        Nothing needs to be known about its positions.
        """
        read_query(request, NoQuery)
        rules = await self._read_game(request.path_params["game"])
        return respond(await self.run(lambda: answers.rules_answer(rules)))

    async def position(self, request: Request) -> Response:
        """The value of a position, and every move.

        The best move comes first.
        """
        truth = await self._find(request)
        tag = self.served.tag(truth)
        key = tag, request.scope["query_string"]
        if (kept := self._answers.get(key)) is not None:
            return respond_with_tag(request, tag, lambda: kept)
        query = read_query(request, requests.ValueQuery)
        position = await self._read_position(truth.rules, query)
        if truth.is_whole:
            return respond_with_tag(request, tag, lambda: self._keep(key, position_answer(truth, position)))
        if query.search:
            answer = await self.run(lambda: _settled_answer(truth, position), self._searches)
        else:
            at_once = Truth(truth.rules, [source for source in truth.sources if not source.resumes])
            answer = await self.run(lambda: position_answer(at_once, position))
        if any(move["wdl"] is None for move in answer["moves"]):  # another request resumes the search
            return respond(answer)
        return respond_with_tag(request, tag, lambda: answer)

    async def mainline(self, request: Request) -> Response:
        """Best play until the end."""
        truth, query = await self._find(request), read_query(request, PositionQuery)
        position = await self._read_position(truth.rules, query)
        return await self._respond(request, truth, lambda: mainline_answer(truth, position))

    async def why(self, request: Request) -> Response:
        """The effect of a move.

        The reply that refutes it, and the threats that decide.
        """
        truth, query = await self._find(request), read_query(request, requests.MoveQuery)
        position = await self._read_position(truth.rules, query)
        position.play(parse_move(truth.rules, position.x | position.o, query.move))  # a tag must not hide an error
        return await self._respond(request, truth, lambda: explain(truth, position, query.move))

    async def replies(self, request: Request) -> Response:
        """How many replies to each move keep the value.

        The opponent's other replies are mistakes.
        """
        truth, query = await self._find(request), read_query(request, PositionQuery)
        position = await self._read_position(truth.rules, query)
        return await self._respond(request, truth, lambda: answers.replies_answer(truth, position))

    async def review(self, request: Request) -> Response:
        """The mistakes of a game.

        The value after every move, the accuracy of both sides, and the losing move.
        """
        truth, query = await self._find(request), read_query(request, requests.ReviewQuery)
        if truth.is_whole:  # a tag must not hide an error
            await self.run(lambda: read_played_game(truth.rules, query.moves, query.position), self._reading)
        review = partial(review_game, truth, query.moves, query.position)
        return await self._respond(request, truth, review, self._limiter(truth, is_long=True))

    async def played(self, request: Request) -> Response:
        """A game in any notation as a list of moves.

        The first position and the moves, without values.
        """
        query = read_query(request, requests.ReviewQuery)
        rules = await self._read_game(request.path_params["game"])
        return respond(await self.run(lambda: played_answer(rules, query.moves, query.position), self._reading))

    async def openings(self, request: Request) -> Response:
        """The positions of the first plies.

        One of each symmetry class, with its value, and how many replies keep the value.
        """
        truth, query = await self._find(request), read_query(request, requests.OpeningsQuery)
        start = await self._read_position(truth.rules, query)
        openings = partial(openings_answer, truth, query.depth, start, kept=query.kept, most=MOST_OPENINGS)
        return await self._respond(request, truth, openings, self._long_thread)

    async def compare(self, request: Request) -> Response:
        """A position under several rules.

        Its own, normal, misere, on a torus, and with gravity.
        """
        query = read_query(request, PositionQuery)
        rules = await self._read_game(request.path_params["game"])
        position = await self._read_position(rules, query)
        return respond(await self.run(lambda: compare(position, self.served.truth), self._searches))

    async def puzzles(self, request: Request) -> Response:
        """Puzzles of a seed or a day.

        Random positions with one move to find.
        """
        truth, query = await self._find(request), read_query(request, PuzzleQuery)
        if query.seed is None and query.day is None:
            query = query.model_copy(update={"seed": randrange(10**6)})
            return respond(await self.run(lambda: puzzles_answer(truth, query), self._long_thread))
        limiter = self._long_thread if query.day is None else self._limiter(truth, is_long=True)  # for a class
        return await self._respond(request, truth, lambda: puzzles_answer(truth, query), limiter)

    async def opponent(self, request: Request) -> Response:
        """The move of an opponent.

        It is `perfect` (the default), `random` or, between these two, `graded:strength=0.5`. Where no best move
        is known, `graded` guesses, and `perfect` has no answer.
        """
        truth, query = await self._find(request), read_query(request, requests.OpponentQuery)
        position = await self._read_position(truth.rules, query)
        return respond(await self.run(lambda: opponent_answer(truth, position, query.engine), self._limiter(truth)))

    async def batch(self, request: Request) -> Response:
        """The values of many positions.

        An invalid position has an error in place of its value.
        """
        read_query(request, NoQuery)
        truth, batch = await self._find(request), await requests.read_batch(request)
        return respond(await self.run(lambda: batch_answer(truth, batch.given), self._limiter(truth, is_long=True)))

    async def invitation(self, request: Request) -> Response:
        """A link for other devices, with its QR code."""
        query = read_query(request, requests.LinkQuery)
        return respond(await self.run(lambda: invite(query.link, self._addresses)))

    async def begin_live(self, request: Request) -> Response:
        """Begin a live game.

        This device plays X, and the first other one O.
        """
        read_query(request, NoQuery)
        asked = await requests.read_body(request, requests.LiveStart)
        rules = await self._read_game(asked.game)
        return respond(self._live.begin(rules, asked.clock, asked.increment, asked.secret, client_of(request.scope)))

    async def follow_live(self, request: Request) -> Response:
        """Play in a live game, or wait.

        Play a move, resign or offer something; or wait some seconds for the other player.
        """
        read_query(request, NoQuery)
        shown = await requests.read_body(request, requests.LiveMoves)
        return respond(await self._live.follow(request.path_params["live"], shown, client_of(request.scope)))

    def _keep(self, key: tuple[str, bytes], answer: JsonObject) -> bytes:
        while len(self._answers) >= MOST_KEPT:
            del self._answers[next(iter(self._answers))]
        encoded = encode(answer)
        if len(key[1]) <= _LONGEST_KEPT:
            self._answers[key] = encoded
        return encoded

    async def _read_game(self, name: str) -> Rules:
        """Return a game's rules. A name that was not read before is read in a thread, because it can take long."""
        known = self.served.known(name)
        return known if known is not None else await self.run(lambda: self.served.game(name), self._reading)

    async def _find(self, request: Request) -> Truth:
        return await self.find(request.path_params["game"])

    async def find(self, name: str) -> Truth:
        """Return the values of the game with this name. A game that is not open is opened in a thread.

        A game that was closed to save memory does not wait for names that take long to read.
        """
        opened = self.served.opened(name)
        if opened is not None:
            return opened
        rules = await self._read_game(name)
        return await self.run(lambda: self.served.truth(rules))

    async def _read_position(self, rules: Rules, query: PositionQuery) -> Position:
        """Read the position in a query, in a thread if its moves must be ordered, which can take seconds."""
        read = partial(read_position, rules, query)
        return await self.run(read, self._reading) if rules.gravity or rules.exact else read()

    def _limiter(self, truth: Truth, *, is_long: bool = False) -> CapacityLimiter:
        if truth.is_whole:
            return self._threads
        return self._long_thread if is_long else self._searches

    async def _respond(
        self, request: Request, truth: Truth, make: Callable[[], JsonObject], limiter: CapacityLimiter | None = None
    ) -> Response:
        """Make an answer in a thread, and respond with it, and with the tag of its values if these are complete.

        A search can find more the next time. Raises Busy.
        """
        tagged = partial(respond_with_tag, request, self.served.tag(truth), make)
        work = tagged if truth.is_whole else lambda: respond(make())
        return await self.run(work, limiter or self._limiter(truth))

    async def run(self, work: Callable[[], _T], limiter: CapacityLimiter | None = None) -> _T:
        """Run work in one of the threads that `limiter` allows. Raises Busy if too much is waiting."""
        limiter = limiter or self._threads
        if self._queued[limiter] >= (MOST_SHORT if limiter in (self._threads, self._reading) else MOST_QUEUED):
            raise Busy("The server is busy; try again in a moment.")
        self._queued[limiter] += 1
        try:
            return await run_sync(work, limiter=limiter)
        finally:
            self._queued[limiter] -= 1


def _settled_answer(truth: Truth, position: Position) -> answers.PositionAnswer:
    """Return a position with its moves. Raises Unsettled if no value is found, and more time would not help."""
    answer = position_answer(truth, position)
    if answer["wdl"] is None and not truth.resumes and all(move["wdl"] is None for move in answer["moves"]):
        raise truth.unsettled(position)
    return answer


def mainline_answer(truth: Truth, position: Position) -> Mainline:
    """Return best play by both sides from a position, as far as it is known. Raises Unsettled if no move is."""
    line = _best_line(truth, position)
    return {
        **answers.position_name(position),
        "moves": [square_name(position.rules, square) for square in line],
        "result": truth.probe(position).category,
        "winner": answers.winner_of(reduce(Position.play, line, position)),
        "point_of_view": POINT_OF_VIEW,
    }


def played_answer(rules: Rules, moves: str, start: str | None) -> Played:
    """Return the first position and the moves of a game. Raises NotationError, ImpossiblePosition, IllegalMove."""
    played = read_played_game(rules, moves, start)
    names = [square_name(rules, square) for square in played.moves]
    return {"game": rules.name, "start": played.positions[0].board, "moves": names, "reading": played.reading}


def explain(truth: Truth, position: Position, move: str) -> Why:
    """Explain a move. Raises NotationError, IllegalMove, and Unsettled if its value is not known."""
    square = parse_move(truth.rules, position.x | position.o, move)
    after = position.play(square)
    return why_answer(position, square, truth.probe(after).before_move(), _best_line(truth, after))


def _best_line(truth: Truth, position: Position) -> list[int]:
    return truth.mainline(position) if truth.is_whole else _known_line(truth, position)


def _known_line(truth: Truth, position: Position) -> list[int]:
    line, end = truth.forced_line(position), monotonic() + _LINE_SECONDS
    if not line and not position.is_over:
        line.append(truth.best_move(position))
    with suppress(Unsettled):
        while not (after := reduce(Position.play, line, position)).is_over and monotonic() < end:
            line += truth.forced_line(after) or [truth.best_move(after)]
    return line


def opponent_answer(truth: Truth, position: Position, engine: str) -> OpponentMove:
    """Return an opponent's move. Raises EngineError if `engine` is unavailable, PositionError if the game is over."""
    if engine.partition(":")[0].strip() not in OPPONENTS:
        raise EngineError(f"The opponent {quoted(engine)} is unavailable here; choose one of {', '.join(OPPONENTS)}.")
    if position.is_over:
        raise PositionError(f"The game is over in {position.board}, so there is no move to make.")
    choice = make_engine(engine, position.rules, tables=truth).choose(position)
    return {**answers.position_name(position), "engine": engine, **answers.square_answer(position.rules, choice.move)}


def puzzles_answer(truth: Truth, query: PuzzleQuery) -> Puzzles:
    """Return the puzzles of a seed or of a day. Raises PositionError if no such puzzle is found."""
    if query.day is not None:
        drawn = [daily_puzzle(truth, query.day, MOST_GAMES)]
    else:
        drawn = draw_puzzles(
            truth,
            query.seed,
            query.count,
            level=query.level,
            theme=query.theme,
            goal=query.goal,
            plies=query.plies,
            most=MOST_DRAWN,
            games=MOST_GAMES,
        )
    return {"seed": str(query.day or query.seed), "puzzles": [puzzle_answer(truth, puzzle) for puzzle in drawn]}


def batch_answer(truth: Truth, given: list[str] | list[int]) -> BatchAnswer:
    """Return the hash and value of each position, or the error in its place. Raises DamagedTable.

    Without a table, positions beyond _BATCH_SECONDS are not searched.
    """
    end = monotonic() + _BATCH_SECONDS

    def answer(text: str | int) -> BatchValue | ErrorAnswer:
        try:
            if not truth.is_whole and monotonic() > end:
                raise Busy(f"The batch took over {_BATCH_SECONDS:g} s; send this position again.")
            position = Position.parse(truth.rules, text)
            return {"hash": position.hash, **answers.value_answer(truth.probe(position))}
        except (PositionError, Unsettled, Busy) as error:
            return error_answer(error)

    return {"game": truth.rules.name, "point_of_view": POINT_OF_VIEW, "answers": [answer(text) for text in given]}
