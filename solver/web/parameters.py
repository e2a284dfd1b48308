"""What a request asks about: a game from its path, a position and more from its query.

The query is read here, once, with Pydantic, rather than by FastAPI, which takes several times as long; the
same models describe it in the OpenAPI document.
"""

from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from solver.errors import NotationError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.web.failures import BadRequest, invalid

__all__ = ["AskedMove", "AskedPlan", "AskedPosition", "Nothing", "parameters", "read_position", "read_query"]

_Query = TypeVar("_Query", bound=BaseModel)
_Text = Annotated[str | None, Field(max_length=1000)]
_PATH: Final = {
    "game": {"description": "Rows,columns,in-a-row and variants.", "example": "3,3,3"},
    "variant": {"description": "The variant, `regular` for none.", "example": "regular"},
}


class Nothing(BaseModel):
    """No parameters.

    What a model does not list is refused, so that a misspelt name is not taken for the empty board.
    """

    model_config = ConfigDict(extra="forbid")


class AskedPosition(Nothing):
    """A position: its rows, its base-3 hash or the moves played, at most one of them; none is the empty board."""

    position: _Text = Field(None, description="The rows from the top, X first to move.", examples=["XO./.X./..."])
    hash: _Text = Field(None, description="The base-3 hash.", examples=["88"])
    moves: _Text = Field(None, description="The moves played, X first.", examples=["a1 b1 b2"])


class AskedPlan(AskedPosition):
    """A position, whose plan, and for what."""

    player: Literal["X", "O"] | None = Field(None, description="Whose plan; by default the side to move.")
    goal: Literal["win", "draw"] = Field("draw", description="`draw`: not to lose. `win`: nothing less.")


class AskedMove(AskedPosition):
    """A position, and who is to move in it."""

    engine: str = Field("perfect", max_length=100, description="`perfect`, `random` or `graded:strength=0.5`.")


def read_query(request: Request, model: type[_Query]) -> _Query:
    """The query of a request. Raises BadRequest."""
    known = list(model.model_fields)
    unknown = [name for name in request.query_params if name not in known]
    if unknown and model.model_config.get("extra") == "forbid":
        advice = f"it is asked by {', '.join(known)}" if known else "there are none"
        raise BadRequest(f"There is no parameter {quoted(unknown[0])} here; {advice}.")
    try:
        return model.model_validate(dict(request.query_params))
    except ValidationError as error:
        raise invalid(error.errors()) from error


def read_position(rules: Rules, asked: AskedPosition) -> Position:
    """The position asked for. Raises NotationError, ImpossiblePosition, IllegalMove."""
    given = {name: text for name in ("position", "hash", "moves") if (text := getattr(asked, name)) is not None}
    if len(given) > 1:
        raise NotationError(f"A position is asked for once, not by {' and '.join(given)}; leave the others out.")
    for name, text in given.items():
        return Position.parse(rules, text if name == "position" else f"{name}:{text}")
    return Position.start(rules)


def parameters(path: str, model: type[BaseModel]) -> dict[str, Any]:
    """The parameters of an endpoint for its OpenAPI description: those of its path, and those of its query."""
    schema = model.model_json_schema()
    required = schema.get("required", [])
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}, **facts}
        for name, facts in _PATH.items()
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
