"""Read requests: a position and other parameters from the query string, or many positions from the body.

Pydantic reads the query here, because FastAPI would take several times as long. The same models describe the query
in the OpenAPI document.
"""

from datetime import date
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
    StringConstraints,
    ValidationError,
    model_validator,
)
from starlette.requests import Request

from solver.engines.builtin.perfect import STRENGTHS, strength_spec
from solver.errors import NotationError, quoted
from solver.game.makers.maker import find_repeated
from solver.game.position import Position
from solver.game.rules import Rules
from solver.study.puzzles import Goal, Level, Theme
from solver.web.responses import BadRequest, TooLarge, WrongType, invalid_request

MOST_POSITIONS: Final = 1000  # the most positions of a batch
MOST_BYTES: Final = 200_000  # the most bytes of a body in JSON
MOST_MOVES: Final = 400  # the most moves of a live game in a request
MOST_MINUTES: Final = 180  # the most time for each side in a live game
MOST_INCREMENT: Final = 180  # seconds

_Query = TypeVar("_Query", bound="NoQuery")
_Body = TypeVar("_Body", bound=BaseModel)
_Text = Annotated[str | None, Field(max_length=1000)]
Secret = Annotated[
    StrictStr, Field(min_length=16, max_length=64, description="A random text that only this device knows.")
]
Deed = Literal["resign", "draw", "take_back", "again"]
_IN_PATHS: Final = {
    "game": {"description": "The game: rows,columns,in-a-row and variants.", "example": "3,3,3"},
    "live": {"description": "The name of a live game.", "example": "pT7xk2Qw9aBcD3eF"},
}


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError("Write a day as year-month-day, such as 2026-11-22") from None


class NoQuery(BaseModel):
    """No parameters. `read_query` refuses unknown ones; otherwise, a misspelt name would mean the empty board."""


class PositionQuery(NoQuery):
    """A position by its rows, its base-3 hash or its moves (at most one of the three); by default, the empty board."""

    position: _Text = Field(
        None, description="The rows from the top, separated by `/`; X moves first.", examples=["XO./.X./..."]
    )
    hash: _Text = Field(None, description="The base-3 hash.", examples=["88"])
    moves: _Text = Field(None, description="The moves played, separated by spaces, X first.", examples=["a1 b1 b2"])


class ValueQuery(PositionQuery):
    """A position, and whether to search for values that are not stored."""

    search: bool = Field(True, description="False: answer at once, with null for values that only a search finds.")


class MoveQuery(PositionQuery):
    """A position, and a move in it."""

    move: str = Field(max_length=100, description="The square.", examples=["c1"])


class ReviewQuery(NoQuery):
    """A game: the moves played, and the position it began from, by default the empty board."""

    moves: str = Field(
        max_length=16_000,
        description="The moves played, X first, in any notation; or a link to the page, or a record of `mnk match`.",
        examples=["a1 b1 c3", "1. a1 b1 2. c3", "(0,0), (0,1), (2,2)"],
    )
    position: _Text = Field(None, description="The position that the game began from.", examples=["start"])


class PuzzleQuery(NoQuery):
    """The seed and kind of puzzles, or the day of a daily puzzle."""

    seed: int | None = Field(None, description="The same seed gives the same puzzles; by default it is random.")
    day: Annotated[date, BeforeValidator(_read_day)] | None = Field(
        None, description="The day of the puzzle; no other parameter is allowed with it."
    )
    count: int = Field(1, ge=1, le=20, description="The number of puzzles.")
    level: Level | None = Field(None, description="The plies to look ahead: 2, 4 or more.")
    theme: Theme | None = Field(None, description="The theme of the only move.")
    goal: Goal | None = Field(None, description="The result that the only move achieves.")
    plies: int | None = Field(
        None, ge=1, description="The most plies of a win; on a large board, wins by threats are puzzles too."
    )

    @model_validator(mode="after")
    def _require_only_a_day(self) -> Self:
        if self.day is not None and self.model_fields_set != {"day"}:
            raise ValueError("give a day without other parameters")
        return self


class OpeningsQuery(PositionQuery):
    """The openings from a position."""

    depth: int = Field(2, ge=1, le=4, description="The number of plies.")
    kept: bool = Field(False, description="Whether to follow only moves that keep the result.")


class OpponentQuery(PositionQuery):
    """A position, and the opponent that moves in it."""

    engine: str = Field(
        strength_spec(STRENGTHS["perfect"]),
        max_length=100,
        description="`perfect`, `random` or `graded:strength=0.5`. The default chooses randomly among the best moves "
        "to which most replies are mistakes; with `seed=7` among the options the choice is reproducible.",
        examples=["graded:strength=0.5", "perfect:ties=traps,seed=7"],
    )


class Batch(BaseModel):
    """Positions, as strings or as base-3 hashes; exactly one of the two lists is given."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"positions": ["XO./.X./...", "start"]}, {"hashes": [88, 0]}]}
    )

    positions: list[Annotated[StrictStr, Field(max_length=1000)]] | None = None
    hashes: list[StrictInt] | None = None

    @model_validator(mode="after")
    def _require_one_list(self) -> Self:
        if (self.positions is None) == (self.hashes is None):
            raise ValueError("give either positions or hashes")
        return self

    @property
    def given(self) -> list[str] | list[int]:
        """The list that was given."""
        return self.positions if self.positions is not None else self.hashes or []


class LiveStart(BaseModel):
    """The game that two people want to play, and the time of each side."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"game": "3,3,3", "clock": 3, "secret": "mZx1c0dGd2xQ8k3b"}]}
    )

    game: StrictStr
    secret: Secret
    clock: StrictInt = Field(0, ge=0, le=MOST_MINUTES, description="Minutes for each side; 0: no clock.")
    increment: StrictInt = Field(
        0, ge=0, le=MOST_INCREMENT, description="Seconds that each move adds to its side's time; 0 without a clock."
    )

    @model_validator(mode="after")
    def _require_clock(self) -> Self:
        if self.increment and not self.clock:
            raise ValueError("give a clock with the increment")
        return self


class LiveMoves(BaseModel):
    """What a device shows of a live game; the last move may be new.

    If the rest matches the game and it is this side's turn, the move is played, or refused if it is illegal. Otherwise,
    the response has the moves of the game, and nothing changes; only a resignation may come with other moves.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"secret": "mZx1c0dGd2xQ8k3b", "round": 1, "moves": ["b2", "a1"]}]},
    )

    secret: Secret
    round: StrictInt = Field(0, ge=0, description="The round that is shown; 0: none yet.")
    taken_back: StrictInt = Field(0, ge=0, description="How often moves were taken back in it.")
    moves: list[Annotated[str, StringConstraints(strict=True, max_length=20, to_lower=True)]] = Field(
        [], max_length=MOST_MOVES, description="The names of the squares that were played."
    )
    change: StrictInt = Field(
        -1,
        description="The last change that is known; if the round, taken_back and moves match too, the response waits "
        "for another one.",
    )
    deed: Deed | None = Field(
        None,
        description="Resign, or offer a draw, a move back or another game; it happens once both players offer it.",
    )


class LinkQuery(NoQuery):
    """A link to the page."""

    link: str = Field(
        max_length=500,
        pattern="^https?://",
        description="The address.",
        examples=["http://127.0.0.1:8000/?game=3,3,3"],
    )


def read_query(request: Request, model: type[_Query]) -> _Query:
    """Read the query string of a request. Raises BadRequest."""
    known = list(model.model_fields)
    unknown = [name for name in request.query_params if name not in known]
    if unknown:
        advice = f"use {', '.join(known)}" if known else "this address takes none"
        raise BadRequest(f"There is no parameter {quoted(unknown[0])} here; {advice}.")
    names = [name for name, _ in request.query_params.multi_items()]
    if twice := find_repeated(names):
        raise BadRequest(f"The parameter {quoted(twice)} is given twice; give it once.")
    try:
        return model.model_validate(dict(request.query_params))
    except ValidationError as error:
        raise invalid_request(error.errors()) from error


def read_position(rules: Rules, query: PositionQuery) -> Position:
    """Read the position in a query. Raises NotationError, ImpossiblePosition, IllegalMove."""
    given = {name: text for name in ("position", "hash", "moves") if (text := getattr(query, name)) is not None}
    if len(given) > 1:
        raise NotationError(f"Give a position once, not as {' and '.join(given)}; leave the others out.")
    for name, text in given.items():
        return Position.parse(rules, text if name == "position" else f"{name}:{text}")
    return Position.start(rules)


async def read_body(request: Request, model: type[_Body]) -> _Body:
    """Read the JSON in the body of a request, up to MOST_BYTES. Raises WrongType, TooLarge and BadRequest."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise WrongType("The body of this request is JSON; send the header `Content-Type: application/json`.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise TooLarge(f"A request has at most {MOST_BYTES:,} bytes; send it in parts.")
    try:
        return model.model_validate_json(bytes(body))
    except ValidationError as error:
        raise invalid_request(error.errors()) from error


async def read_batch(request: Request) -> Batch:
    """Read the batch in a request. Raises TooLarge and BadRequest."""
    batch = await read_body(request, Batch)
    if len(batch.given) > MOST_POSITIONS:
        raise TooLarge(f"A batch has at most {MOST_POSITIONS:,} positions, not {len(batch.given):,}; send it in parts.")
    return batch


def describe_parameters(path: str, model: type[BaseModel]) -> dict[str, Any]:
    """Return the OpenAPI description of an endpoint's parameters, in its path and its query."""
    schema = model.model_json_schema()
    text = {"in": "path", "required": True, "schema": {"type": "string"}}
    found = [{"name": name, **text, **facts} for name, facts in _IN_PATHS.items() if f"{{{name}}}" in path]
    for name, field in schema.get("properties", {}).items():
        facts = {"required": name in schema.get("required", []), "description": field.pop("description")}
        found.append({"name": name, "in": "query", **facts, "schema": field})
    return {"parameters": found}
