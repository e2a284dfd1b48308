"""Send what an engine's process found out about the engine as plain data, and read it by its types alone."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from solver.errors import EngineError
from solver.verification.adapters.questions import decode_plain
from solver.verification.conventions.board_formats import BoardFormat, OwnNumber, find_board_format

_T = TypeVar("_T")
_PLAIN = (str, int, float, bool, type(None))


def encode_facts(facts: Any) -> Any:
    """Return a dataclass, a named tuple, a collection of them or anything plain in the forms that JSON has."""
    if isinstance(facts, BoardFormat):
        return facts.name
    if isinstance(facts, OwnNumber):
        return {"number": [*facts]}
    if is_dataclass(facts):
        facts = [getattr(facts, field.name) for field in fields(facts)]
    if isinstance(facts, Mapping):
        return {"dict": [[encode_facts(key), encode_facts(value)] for key, value in facts.items()]}
    if isinstance(facts, Collection) and not isinstance(facts, str):
        return [encode_facts(item) for item in facts]
    return facts


def decode_facts(kind: type[_T], data: Any) -> _T:
    """Return what `encode_facts` made of something of a type. Raises ValueError for anything else."""
    try:
        found: _T = _decode(kind, data)
    except (TypeError, LookupError, EngineError) as error:
        raise ValueError(f"no {kind.__name__}") from error
    return found


def _decode(kind: Any, data: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        return _decode_first(inner, data)
    if origin is not None:
        return _decode_collection(origin, inner, data)
    if kind is BoardFormat:
        return find_board_format(data)
    if kind in {Any, object, *_PLAIN}:
        return _decode_plain(kind, data)
    make, hints = _fields_of(kind)
    return make(*[_decode(hint, item) for hint, item in zip(hints, data, strict=True)])


def _decode_plain(kind: Any, data: Any) -> Any:
    if kind in {Any, object}:
        return OwnNumber(*data["number"]) if isinstance(data, dict) and "number" in data else decode_plain(data)
    if type(data) is not kind:
        raise ValueError(f"{kind} is expected")
    return data


def _decode_collection(origin: Any, inner: tuple[Any, ...], data: Any) -> Any:
    if issubclass(origin, Mapping):
        return {_decode(inner[0], key): _decode(inner[1], value) for key, value in data["dict"]}
    if origin is tuple and inner[1:] != (...,):
        return tuple(_decode(one, item) for one, item in zip(inner, data, strict=True))
    return (tuple if origin is tuple else frozenset)(_decode(inner[0], item) for item in data)


def _decode_first(kinds: tuple[Any, ...], data: Any) -> Any:
    """Decode as the first of several types that it can be."""
    for kind in kinds:
        try:
            return _decode(kind, data)
        except (ValueError, TypeError, LookupError, EngineError):
            continue
    raise ValueError


@lru_cache(maxsize=64)
def _fields_of(kind: Any) -> tuple[Callable[..., Any], list[Any]]:
    """What makes a dataclass or a named tuple, and the types of its fields. Raises TypeError for anything else."""
    if not (is_dataclass(kind) or hasattr(kind, "_fields")):
        raise TypeError(f"{kind} is not sent")
    return kind, list(get_type_hints(kind).values())
