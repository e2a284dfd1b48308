"""Read requests: a position and more from the query, many positions from the body.

The query is read here, once, with Pydantic, rather than by FastAPI, which takes several times as long; the
same models describe it in the OpenAPI document.
"""

from datetime import date
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError, model_validator
from starlette.requests import Request

from solver.engines.builtin.perfect import STRENGTHS, strength_spec
from solver.errors import NotationError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.study.puzzles import Goal
from solver.study.themes import Level, Theme
from solver.web.errors import BadRequest, TooLarge, invalid_request

MOST_POSITIONS: Final = 1000  # in a batch
MOST_BYTES: Final = 200_000  # of its JSON

_Query = TypeVar("_Query", bound=BaseModel)
_Text = Annotated[str | None, Field(max_length=1000)]
_PATH: Final = {
    "game": {"description": "Rows,columns,in-a-row and variants.", "example": "3,3,3"},
    "variant": {"description": "The variant, `regular` for none.", "example": "regular"},
}


class NoQuery(BaseModel):
    """No parameters.

    A parameter that a model does not list is refused, so that a misspelt name is not taken for the empty board.
    """

    model_config = ConfigDict(extra="forbid")


class PositionQuery(NoQuery):
    """A position: its rows, its base-3 hash or the moves played, at most one of them; none is the empty board."""

    position: _Text = Field(None, description="The rows from the top, X first to move.", examples=["XO./.X./..."])
    hash: _Text = Field(None, description="The base-3 hash.", examples=["88"])
    moves: _Text = Field(None, description="The moves played, X first.", examples=["a1 b1 b2"])


class ReviewQuery(NoQuery):
    """A game: the moves played, and the position it began in, by default the empty board."""

    moves: str = Field(
        max_length=4000,
        description="The moves played, X first, in any notation; or a link to the page, or a record of `mnk match`.",
        examples=["a1 b1 c3", "1. a1 b1 2. c3", "(0,0), (0,1), (2,2)"],
    )
    position: _Text = Field(None, description="Where the game began.", examples=["XO./.X./..."])


class PuzzleQuery(NoQuery):
    """Puzzles by a seed and of a kind, or the one of a day."""

    seed: int | None = Field(None, description="The same seed gives the same puzzles; none: others each time.")
    day: date | None = Field(None, description="The puzzle of this day; nothing else is given then.")
    count: int = Field(1, ge=1, le=20, description="How many.")
    level: Level | None = Field(None, description="How far one has to look: 2, 4 or more plies.")
    theme: Theme | None = Field(None, description="What the only move is about.")
    goal: Goal | None = Field(None, description="What the only move reaches.")


class OpeningsQuery(PositionQuery):
    """The openings from a position on."""

    depth: int = Field(2, ge=1, le=4, description="How many plies.")
    kept: bool = Field(False, description="Whether only moves are followed that keep the result.")


class PlanQuery(PositionQuery):
    """A position, the player who plans, and the goal."""

    player: Literal["X", "O"] | None = Field(None, description="Whose plan; by default the side to move.")
    goal: Literal["win", "draw"] = Field("draw", description="`draw`: not to lose. `win`: nothing less.")


class OpponentQuery(PositionQuery):
    """A position, and the opponent that moves in it."""

    engine: str = Field(
        strength_spec(STRENGTHS["perfect"]),
        max_length=100,
        description="`perfect`, `random` or `graded:strength=0.5`. The default draws among the perfect moves to which "
        "most replies are mistakes; `seed=7` behind the other options gives the same move again.",
        examples=["graded:strength=0.5", "perfect:ties=traps,seed=7"],
    )


class PictureQuery(PositionQuery):
    """A position, and how it is drawn."""

    format: Literal["svg", "png"] = Field("svg", description="`png` needs the extra `pictures` on the server.")
    hints: Literal["on", "off"] = Field("on", description="`off`: the stones alone.")


class Batch(BaseModel):
    """Positions by their text, or by their base-3 hashes: one of the two lists."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"positions": ["XO./.X./...", "start"]}, {"hashes": [88, 0]}]}
    )

    positions: list[Annotated[StrictStr, Field(max_length=1000)]] | None = None
    hashes: list[StrictInt] | None = None

    @model_validator(mode="after")
    def _require_one_list(self) -> Self:
        if (self.positions is None) == (self.hashes is None):
            raise ValueError("a batch has either positions or hashes")
        return self

    @property
    def given(self) -> list[str] | list[int]:
        """The list that was given."""
        return self.positions if self.positions is not None else self.hashes or []


def read_query(request: Request, model: type[_Query]) -> _Query:
    """Read the query of a request. Raises BadRequest."""
    known = list(model.model_fields)
    unknown = [name for name in request.query_params if name not in known]
    if unknown and model.model_config.get("extra") == "forbid":
        advice = f"it is asked by {', '.join(known)}" if known else "there are none"
        raise BadRequest(f"There is no parameter {quoted(unknown[0])} here; {advice}.")
    try:
        return model.model_validate(dict(request.query_params))
    except ValidationError as error:
        raise invalid_request(error.errors()) from error


def read_position(rules: Rules, query: PositionQuery) -> Position:
    """Read the position in a query. Raises NotationError, ImpossiblePosition, IllegalMove."""
    given = {name: text for name in ("position", "hash", "moves") if (text := getattr(query, name)) is not None}
    if len(given) > 1:
        raise NotationError(f"A position is asked for once, not by {' and '.join(given)}; leave the others out.")
    for name, text in given.items():
        return Position.parse(rules, text if name == "position" else f"{name}:{text}")
    return Position.start(rules)


async def read_batch(request: Request) -> Batch:
    """Read the batch in a request, no further than MOST_BYTES. Raises TooLarge and BadRequest."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise TooLarge(f"A batch has at most {MOST_BYTES:,} bytes; send it in parts.")
    try:
        batch = Batch.model_validate_json(bytes(body))
    except ValidationError as error:
        raise invalid_request(error.errors()) from error
    if len(batch.given) > MOST_POSITIONS:
        raise TooLarge(f"A batch has at most {MOST_POSITIONS:,} positions, not {len(batch.given):,}; send it in parts.")
    return batch


def describe_parameters(path: str, model: type[BaseModel]) -> dict[str, Any]:
    """Describe the parameters of an endpoint for OpenAPI: those of its path, and those of its query."""
    schema = model.model_json_schema()
    required = schema.get("required", [])
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}, **description}
        for name, description in _PATH.items()
        if f"{{{name}}}" in path
    ]
    in_query = [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "description": field.pop("description", ""),
            "schema": field,
        }
        for name, field in schema.get("properties", {}).items()
    ]
    return {"parameters": [*in_path, *in_query]}
