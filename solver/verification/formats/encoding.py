"""Encode reports for programs: rows as CSV, dataclasses as objects for JSON."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from solver.errors import EngineError, quoted
from solver.game.position import Position

__all__ = ["encode_csv", "encode_json", "require_format"]


def require_format(name: str, formats: Sequence[str]) -> None:
    """Raise EngineError for a format that is none of those there are."""
    if name not in formats:
        raise EngineError(f"There is no format {quoted(name)} of this report; choose one of {', '.join(formats)}.")


def encode_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Encode rows as CSV with a line of headings (RFC 4180, but with plain newlines)."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def encode_json(item: Any) -> Any:
    """Encode a dataclass as an object of its fields, a sequence as a list, a position as its board."""
    if isinstance(item, Position):
        return item.board
    if is_dataclass(item) and not isinstance(item, type):
        return {field.name: encode_json(getattr(item, field.name)) for field in fields(item)}
    if isinstance(item, list | tuple):
        return [encode_json(part) for part in item]
    return item
