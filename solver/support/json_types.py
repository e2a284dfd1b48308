"""The types of JSON objects: typed dictionaries with descriptions, from which Pydantic makes OpenAPI documents.

This module does not import Pydantic.
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
        """Return Pydantic's schema of the type with the description and the example added."""
        schema: dict[str, Any] = handler(core_schema)
        if self.description:
            schema["description"] = self.description
        if self.example is not None:
            schema["examples"] = [self.example]
        return schema


class Answer(TypedDict):
    """A JSON object, as a typed dictionary; validators reject unknown fields."""


Answer.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[attr-defined] # Pydantic reads it
