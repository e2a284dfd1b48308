"""GamesCrafters' Universal Web API (UWAPI), below /v1/uwapi, for its clients such as GamesmanUni.

Its games are sizes of boards with variants: `3,3,3` has `regular`, `misere` and so on. A position is `1_xo--x----`: the
player to move, 1 or 2, then the squares row by row. Our draw is its `tie`, our distance its remoteness.
(https://github.com/GamesCrafters/GamesCraftersUWAPI, README, Routes.)
"""

from typing import Any, Final

from anyio.to_thread import run_sync
from fastapi import FastAPI
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from solver.drawing.places import find_places
from solver.errors import NotationError, quoted
from solver.game.descriptions import describe_rules
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.support.json_types import JsonObject
from solver.tablebase import Tablebase
from solver.web.api import FAILURES
from solver.web.requests import describe_parameters, read_query
from solver.web.responses import respond, respond_with_tag
from solver.web.served import ServedTable, ServedTables

_REGULAR: Final = "regular"
_UNKNOWN: Final = -100  # UWAPI's code for a remoteness that is finite but unknown
_VALUES: Final = {1: "win", 0: "tie", -1: "lose"}
_GUI: Final = "v2"  # boards made of the client's own images


class _AnyQuery(BaseModel):
    """A query with any parameters: clients add their own, such as the language."""


class _PositionQuery(_AnyQuery):
    p: str = Field(max_length=1000, description="The player to move, and the squares.", examples=["1_xo--x----"])


class UwapiApi:
    """The endpoints for the tables of one folder."""

    def __init__(self, tables: ServedTables) -> None:
        self._tables = tables

    def add_to(self, app: FastAPI) -> None:
        """Add the endpoints to an application."""
        for path, endpoint, query, answer in (
            ("/v1/uwapi/", self.games, _AnyQuery, list[dict[str, Any]]),
            ("/v1/uwapi/{game}/", self.game, _AnyQuery, dict[str, Any]),
            ("/v1/uwapi/{game}/{variant}/", self.variant, _AnyQuery, dict[str, Any]),
            ("/v1/uwapi/{game}/{variant}/instructions/", self.instructions, _AnyQuery, dict[str, Any]),
            ("/v1/uwapi/{game}/{variant}/positions/", self.position, _PositionQuery, dict[str, Any]),
        ):
            app.get(
                path,
                name=f"uwapi_{endpoint.__name__}",
                tags=["Universal Web API"],
                response_model=answer,
                responses=FAILURES,
                openapi_extra=describe_parameters(path, query),
            )(endpoint)

    async def games(self, request: Request) -> Response:
        """The games: one for each size of board that has a whole table."""
        del request
        sizes = {name: describe_rules(self._tables.game(name)) for name in map(_size, await self._list_games())}
        return respond([{"id": name, "name": title, "type": "twoPlayer", "gui": _GUI} for name, title in sizes.items()])

    async def game(self, request: Request) -> Response:
        """A game with its variants."""
        name = _size(self._tables.game(request.path_params["game"]))
        variants = [_variant(rules) for rules in await self._list_games() if _size(rules) == name]
        options = {"allowCustomVariantCreation": False, "supportsWinBy": False}
        listed = [{"id": variant, "name": variant, "gui": _GUI} for variant in variants]
        title = describe_rules(self._tables.game(name))
        return respond({"id": name, "name": title, **options, "variants": listed})

    async def variant(self, request: Request) -> Response:
        """A variant: its initial position, and how its board is drawn."""
        served = self._find_table(request)
        return respond_with_tag(request, served.tag, lambda: _describe_variant(served.table.rules))

    async def instructions(self, request: Request) -> Response:
        """The rules in Markdown."""
        served = self._find_table(request)
        rules = served.table.rules
        text = f"# {rules.name}\n\n{describe_rules(rules)}. X, the first player, moves first."
        return respond_with_tag(request, served.tag, lambda: {"instructions": text})

    async def position(self, request: Request) -> Response:
        """A position, its value, and its moves from best to worst."""
        query, served = read_query(request, _PositionQuery), self._find_table(request)
        position = _read_position(served.table.rules, query.p)
        return respond_with_tag(request, served.tag, lambda: _describe_moves(served.table, position))

    def _find_table(self, request: Request) -> ServedTable:
        game, variant = request.path_params["game"], request.path_params["variant"]
        return self._tables.table(self._tables.game(game if variant == _REGULAR else f"{game},{variant}"))

    async def _list_games(self) -> list[Rules]:
        found = (await run_sync(self._tables.open_all)).values()
        tables = [served.table for served in found if isinstance(served, ServedTable)]
        return [table.rules for table in tables if table.opening_plies is None]


def _describe_variant(rules: Rules) -> JsonObject:
    """Describe a variant. Its squares are one unit apart, its images are the client's."""
    start, places, name = _write_position(Position.start(rules)), find_places(rules.diagram), _variant(rules)
    theme = {
        "space": [places.width, places.height],
        "centers": [list(point) for point in places.squares],
        "charImages": {
            "x": {"image": "general/blackpiece.svg", "scale": 0.8},
            "o": {"image": "general/whitepiece.svg", "scale": 0.8},
        },
        "circleButtonRadius": 0.2,
    }
    board = {"defaultTheme": "stones", "themes": {"stones": theme}}
    positions = {"startPosition": start, "autoguiStartPosition": start}
    return {"id": name, "name": name, "gui": _GUI, **positions, "imageAutoGUIData": board}


def _describe_moves(table: Tablebase, position: Position) -> JsonObject:
    """Describe a position, and its moves from best to worst."""
    moves, best = [], dict[int, int]()  # the remoteness after the best move of each value
    for square, value in table.moves(position):
        first = best.setdefault(value.wdl, _remoteness(value))
        move = {
            "move": square_name(position.rules, square),
            "autoguiMove": f"A_-_{square}_-",
            "moveValue": _VALUES[value.wdl],
            "deltaRemoteness": abs(_remoteness(value) - first),
        }
        moves.append({**move, **_describe_position(table, position.play(square))})
    return {**_describe_position(table, position), "moves": moves}


def _describe_position(table: Tablebase, position: Position) -> JsonObject:
    text, value = _write_position(position), table.probe(position)
    result = {"positionValue": _VALUES[value.wdl], "remoteness": _remoteness(value)}
    return {"position": text, "autoguiPosition": text, **result}


def _read_position(rules: Rules, text: str) -> Position:
    """Read a position such as `1_xo--x----`, or in any other notation.

    Raises NotationError (also for the wrong player), ImpossiblePosition, IllegalMove.
    """
    player, mark, board = text.partition("_")
    if not mark or player not in {"1", "2"}:
        return Position.parse(rules, text)
    position = Position.parse(rules, board)
    if _write_position(position)[0] != player:
        raise NotationError(f"It is not player {player}'s turn in {quoted(text)}; X, player 1, moves first.")
    return position


def _write_position(position: Position) -> str:
    return f"{'XO'.index(position.to_move) + 1}_{''.join(position.cells).lower().replace('.', '-')}"


def _remoteness(value: Value) -> int:
    return _UNKNOWN if value.distance is None else value.distance


def _size(rules: Rules) -> str:
    """Return the name without variants."""
    return rules.name.removesuffix("".join(f",{variant}" for variant in rules.variants))


def _variant(rules: Rules) -> str:
    return ",".join(rules.variants) or _REGULAR
