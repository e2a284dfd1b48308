"""Send what an engine's process found out about the engine as plain data, and read it by its types alone."""

from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from solver.errors import EngineError
from solver.verification.adapters.questions import decode_plain, encode_plain
from solver.verification.conventions.board_formats import BoardFormat, OwnNumber, find_board_format

_T = TypeVar("_T")


def encode_facts(facts: Any) -> Any:
    """Return a dataclass, a tuple of them or anything plain in the forms that JSON has."""
    if isinstance(facts, BoardFormat):
        return facts.name
    if isinstance(facts, OwnNumber):
        return {"number": [*facts]}
    if is_dataclass(facts):
        return [encode_facts(getattr(facts, field.name)) for field in fields(facts)]
    return [encode_facts(item) for item in facts] if isinstance(facts, tuple) else encode_plain(facts)


def decode_facts(kind: type[_T], data: Any) -> _T:
    """Return what `encode_facts` made of something of a type. Raises ValueError for anything else."""
    try:
        found: _T = _decode(kind, data)
    except (TypeError, LookupError, EngineError) as error:
        raise ValueError(f"no {kind.__name__}") from error
    return found


def _decode(kind: Any, data: Any) -> Any:
    if kind == BoardFormat | None:
        return None if data is None else find_board_format(data)
    if get_origin(kind) is tuple:
        item_kind, _ = get_args(kind)
        return tuple(_decode(item_kind, item) for item in data)
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(*[_decode(hint, item) for hint, item in zip(get_type_hints(kind).values(), data, strict=True)])
    if kind in {Any, object}:
        return OwnNumber(*data["number"]) if isinstance(data, dict) and "number" in data else decode_plain(data)
    if type(data) is not kind:
        raise ValueError(f"{kind} is expected")
    return data
