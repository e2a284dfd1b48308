"""Describe the objects of a JSON answer as typed dictionaries, from which OpenAPI documents can be made.

Pydantic reads these types where it is installed; nothing here imports it.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict  # Pydantic can't read the other one on Python 3.11

JsonObject = Mapping[str, Any]


@dataclass(frozen=True)
class Described:
    """Metadata of a field for its JSON schema: `Annotated[int, Described("Stones on the board.", 3)]`."""

    description: str = ""
    example: Any = None

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        """Add the description and the example to the schema that Pydantic makes of the type."""
        schema: dict[str, Any] = handler(core_schema)
        if self.description:
            schema["description"] = self.description
        if self.example is not None:
            schema["examples"] = [self.example]
        return schema


class Answer(TypedDict):
    """An object of a JSON answer, as a typed dictionary; a validator refuses fields that it does not have."""


Answer.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[attr-defined] # Pydantic reads it, of its subclasses too
