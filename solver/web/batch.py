"""Many positions in one request."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError, model_validator
from starlette.requests import Request

from solver.answers import value_answer
from solver.errors import PositionError
from solver.game.position import Position
from solver.support.schemas import JsonObject
from solver.tablebase import Tablebase
from solver.web.failures import TooLarge, invalid, mnk_error_facts

__all__ = ["MOST_BYTES", "MOST_POSITIONS", "Batch", "batch_answers", "read_batch"]

MOST_POSITIONS = 1000  # in a batch
MOST_BYTES = 200_000  # of its JSON


class Batch(BaseModel):
    """Positions by their text, or by their base-3 hashes: one of the two lists."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"positions": ["XO./.X./...", "start"]}, {"hashes": [88, 0]}]}
    )

    positions: list[Annotated[StrictStr, Field(max_length=1000)]] | None = None
    hashes: list[StrictInt] | None = None

    @model_validator(mode="after")
    def _one_list(self) -> Self:
        if (self.positions is None) == (self.hashes is None):
            raise ValueError("a batch has either positions or hashes")
        return self

    @property
    def given(self) -> list[str] | list[int]:
        """What was given, whichever it is."""
        return self.positions if self.positions is not None else self.hashes or []


async def read_batch(request: Request) -> Batch:
    """The batch in a request, read no further than MOST_BYTES. Raises TooLarge and BadRequest."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise TooLarge(f"A batch has at most {MOST_BYTES:,} bytes; send it in parts.")
    try:
        batch = Batch.model_validate_json(bytes(body))
    except ValidationError as error:
        raise invalid(error.errors()) from error
    if len(batch.given) > MOST_POSITIONS:
        raise TooLarge(f"A batch has at most {MOST_POSITIONS:,} positions, not {len(batch.given):,}; send it in parts.")
    return batch


def batch_answers(table: Tablebase, batch: Batch) -> list[JsonObject]:
    """For each position in turn its hash and value, or what is wrong with it. Raises DamagedTable."""
    return [_answer(table, given) for given in batch.given]


def _answer(table: Tablebase, given: str | int) -> JsonObject:
    try:
        position = Position.parse(table.rules, given)
        return {"hash": position.hash, **value_answer(table.probe(position))}
    except PositionError as error:
        return mnk_error_facts(error)
