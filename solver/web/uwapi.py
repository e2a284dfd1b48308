"""GamesCrafters' Universal Web API (UWAPI), below /v1/uwapi, for its clients such as GamesmanUni.

Its games are sizes of boards with variants: `3,3,3` has `regular`, `misere` and so on. A position is `2_xo--x----`: the
player to move, 1 or 2, then the squares row by row. Our draw is its `tie`, our distance its remoteness.
(https://github.com/GamesCrafters/GamesCraftersUWAPI, README, Routes.)
"""

from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Query
from fastapi import Path as InPath
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from solver.drawing.places import find_places
from solver.errors import NotationError, quoted
from solver.game.descriptions import describe_rules
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.truth import Truth
from solver.store.advice import missing_table
from solver.support.json_types import JsonObject
from solver.web.api import FAILURES, Api
from solver.web.responses import respond, respond_with_tag

_REGULAR: Final = "regular"
_UNKNOWN: Final = -100  # UWAPI's code for a remoteness that is finite but unknown
_VALUES: Final = {1: "win", 0: "tie", -1: "lose"}
_GUI: Final = "v2"  # boards made of the client's own images
_Game = Annotated[str, InPath(description="The size of the board, as rows,columns,in-a-row.", examples=["3,3,3"])]
_Variant = Annotated[str, InPath(description="The variants, or `regular` for none.", examples=["regular"])]
_Position = Annotated[
    str, Query(max_length=1000, description="The player to move, and the squares.", examples=["2_xo--x----"])
]


def add_uwapi(app: FastAPI, api: Api) -> None:
    """Add the endpoints to an application. They ignore parameters that clients add, such as the language."""
    router = APIRouter(prefix="/v1/uwapi", tags=["Universal Web API"], responses=FAILURES)

    games = api.served

    async def list_games() -> list[Rules]:
        found = (await api.run(games.open_all)).values()
        return [one.rules for one in found if isinstance(one, Truth) and one.is_whole]

    async def find(game: str, variant: str) -> Truth:
        name = game if variant == _REGULAR else f"{game},{variant}"
        truth = await api.find(name)
        if not truth.is_whole:  # the clients need every value
            raise missing_table(truth.rules, None)
        return truth

    @router.get("/", response_model=list[dict[str, Any]])
    async def uwapi_games() -> Response:
        """The sizes of boards with a whole table."""
        sizes = {name: describe_rules(games.game(name)) for name in map(_size, await list_games())}
        return respond([{"id": name, "name": title, "type": "twoPlayer", "gui": _GUI} for name, title in sizes.items()])

    @router.get("/{game}/", response_model=dict[str, Any])
    async def uwapi_game(game: _Game) -> Response:
        """A game with its variants."""
        name = _size(await api.run(lambda: games.game(game)))
        options = {"allowCustomVariantCreation": False, "supportsWinBy": False}
        variants = [_variant(rules) for rules in await list_games() if _size(rules) == name]
        listed = [{"id": variant, "name": variant, "gui": _GUI} for variant in variants]
        return respond({"id": name, "name": describe_rules(games.game(name)), **options, "variants": listed})

    @router.get("/{game}/{variant}/", response_model=dict[str, Any])
    async def uwapi_variant(request: Request, game: _Game, variant: _Variant) -> Response:
        """A variant and its board.

        Its initial position, and how its board is drawn.
        """
        truth = await find(game, variant)
        return respond_with_tag(request, games.tag(truth), lambda: _describe_variant(truth.rules))

    @router.get("/{game}/{variant}/instructions/", response_model=dict[str, Any])
    async def uwapi_instructions(request: Request, game: _Game, variant: _Variant) -> Response:
        """The rules in Markdown."""
        truth = await find(game, variant)
        text = f"# {truth.rules}\n\n{describe_rules(truth.rules)}. X, the first player, moves first."
        return respond_with_tag(request, games.tag(truth), lambda: {"instructions": text})

    @router.get("/{game}/{variant}/positions/", response_model=dict[str, Any])
    async def uwapi_position(request: Request, game: _Game, variant: _Variant, p: _Position) -> Response:
        """A position and its moves.

        It has its value, and its moves from best to worst.
        """
        truth = await find(game, variant)

        def answer() -> Response:
            position = _read_position(truth.rules, p)
            return respond_with_tag(request, games.tag(truth), lambda: _describe_moves(truth, position))

        return await api.run(answer)

    async def add_slash(request: Request) -> Response:
        return RedirectResponse(request.url.replace(path=f"{request.url.path}/"))

    app.include_router(router)
    app.router.routes.insert(0, Route(router.prefix, add_slash))  # before a game with this name


def _describe_variant(rules: Rules) -> JsonObject:
    start, places, name = _write_position(Position.start(rules)), find_places(rules.diagram), _variant(rules)
    images = {"x": "general/blackpiece.svg", "o": "general/whitepiece.svg"}  # the client's
    theme = {
        "space": [places.width, places.height],
        "centers": [list(point) for point in places.squares],
        "charImages": {side: {"image": image, "scale": 0.8} for side, image in images.items()},
        "circleButtonRadius": 0.2,
    }
    board = {"defaultTheme": "stones", "themes": {"stones": theme}}
    positions = {"startPosition": start, "autoguiStartPosition": start}
    return {"id": name, "name": name, "gui": _GUI, **positions, "imageAutoGUIData": board}


def _describe_moves(truth: Truth, position: Position) -> JsonObject:
    moves, best = [], dict[int, int]()  # the remoteness after the best move of each value
    for square, value in truth.moves(position):
        remoteness = _UNKNOWN if value.distance is None else value.distance
        move = {
            "move": square_name(position.rules, square),
            "autoguiMove": f"A_-_{square}_-",
            "moveValue": _VALUES[value.wdl],
            "deltaRemoteness": abs(remoteness - best.setdefault(value.wdl, remoteness)),
        }
        moves.append({**move, **_describe_position(truth, position.play(square))})
    return {**_describe_position(truth, position), "moves": moves}


def _describe_position(truth: Truth, position: Position) -> JsonObject:
    text, value = _write_position(position), truth.probe(position)
    result = {"positionValue": _VALUES[value.wdl], "remoteness": _UNKNOWN if value.distance is None else value.distance}
    return {"position": text, "autoguiPosition": text, **result}


def _read_position(rules: Rules, text: str) -> Position:
    """Parse a position in UWAPI's form, such as `2_xo--x----`, or in any other notation."""
    player, mark, board = text.partition("_")
    if not mark or player not in {"1", "2"}:
        return Position.parse(rules, text)
    position = Position.parse(rules, board)
    if _write_position(position)[0] != player:
        raise NotationError(f"It is not player {player}'s turn in {quoted(text)}; X, player 1, moves first.")
    return position


def _write_position(position: Position) -> str:
    return f"{'XO'.index(position.to_move) + 1}_{''.join(position.cells).lower().replace('.', '-')}"


def _size(rules: Rules) -> str:
    return rules.name.removesuffix("".join(f",{variant}" for variant in rules.variants))


def _variant(rules: Rules) -> str:
    return ",".join(rules.variants) or _REGULAR
