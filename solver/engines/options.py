"""Read the options of an engine: the fields of a dataclass, written `cutoff=2,seed=7`.

A field is an int, float, bool, str, or a Literal of words, each possibly `| None` (written `none`). A bool
may be written alone: `ordering` is `ordering=yes`.
"""

import types
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from math import isnan
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from solver.errors import EngineError, quoted

_NONE: Final = "none"
_YES: Final = {"yes", "true", "on", "1"}
_NO: Final = {"no", "false", "off", "0"}
_KINDS: Final = {int: "a whole number", float: "a number", bool: "yes or no", str: "text"}


@dataclass(frozen=True)
class Option:
    """One option of an engine."""

    name: str
    kind: str
    """The values that can be written, in words."""
    default: str | None
    """The default as it would be written; None for an option that must be given."""

    def __str__(self) -> str:
        """`cutoff=2`, or `file=<text>` for an option that must be given."""
        return f"{self.name}={f'<{self.kind}>' if self.default is None else self.default}"


def list_options(maker: type[Any]) -> tuple[Option, ...]:
    """List the options of a dataclass, in the order of its fields; none of any other class."""
    if not is_dataclass(maker):
        return ()
    hints, given = get_type_hints(maker), [field for field in fields(maker) if field.init]
    return tuple(Option(field.name, _describe_kind(hints[field.name]), _write_default(field)) for field in given)


def _write_default(field: "Field[Any]") -> str | None:
    if field.default_factory is not MISSING:
        return _write_value(field.default_factory())
    return None if field.default is MISSING else _write_value(field.default)


def read_options(maker: type[Any], name: str, text: str) -> dict[str, Any]:
    """Read the options written in `text` as arguments of the dataclass; `name` is the engine's, for messages.

    Raises EngineError for an option that is unknown, given twice, missing, or not of its kind.
    """
    hints = get_type_hints(maker)
    options = {option.name: option for option in list_options(maker)}
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in options:
            raise EngineError(f"The engine {name} has no option {quoted(key)}; {_describe_options(options)}.")
        if key in given:
            raise EngineError(f"The option {key} of the engine {name} is given twice; once is enough.")
        if not equals and hints[key] is not bool:
            raise EngineError(f"The option {key} of the engine {name} needs a value: {options[key]}.")
        given[key] = _read(hints[key], value if equals else "yes", f"option {key} of the engine {name}")
    for key, option in options.items():
        if option.default is None and key not in given:
            raise EngineError(f"The engine {name} needs the option {option}.")
    return given


def _describe_options(options: dict[str, Option]) -> str:
    return f"it knows {', '.join(str(option) for option in options.values())}" if options else "it has none"


def _read(hint: Any, text: str, what: str) -> Any:
    kinds = _list_alternatives(hint)
    if type(None) in kinds and text.lower() == _NONE:
        return None
    for kind in kinds:
        try:
            return _read_one(kind, text)
        except ValueError:
            continue
    raise EngineError(f"The {what} can't be {quoted(text)}; it is {_describe_kind(hint)}.")


def _read_one(kind: Any, text: str) -> Any:
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise ValueError
        return text
    if kind is bool:
        if text.lower() not in _YES | _NO:
            raise ValueError
        return text.lower() in _YES
    if kind is type(None):
        raise ValueError
    value = kind(text)
    if isinstance(value, float) and isnan(value):
        raise ValueError
    return value


def _list_alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in {Union, types.UnionType} else (hint,)


def _describe_kind(hint: Any) -> str:
    return " or ".join(
        _NONE
        if kind is type(None)
        else " or ".join(map(str, get_args(kind)))
        if get_origin(kind) is Literal
        else _KINDS[kind]
        for kind in _list_alternatives(hint)
    )


def _write_value(value: Any) -> str:
    if value is None:
        return _NONE
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
