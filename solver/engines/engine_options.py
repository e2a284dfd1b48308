"""Read the options of an engine: the fields of a dataclass, written `cutoff=2,seed=7`.

A field is an int, float, bool, str, or a Literal of words, each possibly `| None` (written `none`). `ordering` is
short for `ordering=yes`.
"""

import types
from dataclasses import MISSING, dataclass, fields, is_dataclass
from math import isnan
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from solver.errors import EngineError, quoted

_NONE: Final = "none"
_YES: Final = {"yes", "true", "on", "1"}
_NO: Final = {"no", "false", "off", "0"}
_KINDS: Final = {int: "a whole number", float: "a number", bool: "yes or no", str: "text", type(None): _NONE}


@dataclass(frozen=True)
class Option:
    """An option of an engine."""

    name: str
    """The name to write before `=`."""
    kind: str
    """The possible values, in words."""
    default: str | None
    """The default as it would be written; None for a required option."""

    def __str__(self) -> str:
        """Return `cutoff=2`, or `file=<text>` for a required option."""
        return f"{self.name}={f'<{self.kind}>' if self.default is None else self.default}"


def list_options(maker: type[Any]) -> tuple[Option, ...]:
    """Return the options of a dataclass in the order of its fields; an empty tuple for any other class."""
    if not is_dataclass(maker):
        return ()
    hints, options = get_type_hints(maker), []
    for field in filter(lambda field: field.init, fields(maker)):
        value = field.default if field.default_factory is MISSING else field.default_factory()
        written = _NONE if value is None else ("no", "yes")[value] if isinstance(value, bool) else str(value)
        default = None if value is MISSING else written
        kinds = [get_args(k) if get_origin(k) is Literal else (_KINDS[k],) for k in _list_types(hints[field.name])]
        options.append(Option(field.name, " or ".join(str(word) for words in kinds for word in words), default))
    return tuple(options)


def read_options(maker: type[Any], name: str, text: str) -> dict[str, Any]:
    """Parse the options in `text` into keyword arguments of the dataclass. name: the engine's name, for messages.

    Raises EngineError for an option that is unknown, repeated or missing, or whose value has the wrong type.
    """
    hints = get_type_hints(maker)
    options = {option.name: option for option in list_options(maker)}
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in options:
            known = f"it knows {', '.join(map(str, options.values()))}" if options else "it has none"
            raise EngineError(f"The engine {name} has no option {quoted(key)}; {known}.")
        if key in given:
            raise EngineError(f"The option {key} of the engine {name} is given twice; once is enough.")
        if not equals and hints[key] is not bool:
            raise EngineError(f"The option {key} of the engine {name} needs a value: {options[key]}.")
        try:
            given[key] = _read_value(hints[key], value if equals else "yes")
        except ValueError:
            kind = options[key].kind
            raise EngineError(
                f"The option {key} of the engine {name} can't be {quoted(value)}; it is {kind}."
            ) from None
    for key, option in options.items():
        if option.default is None and key not in given:
            raise EngineError(f"The engine {name} needs the option {option}.")
    return given


def _read_value(hint: Any, text: str) -> Any:
    """Parse the value of an option. Raises ValueError if the string does not fit any type in the hint."""
    kinds = _list_types(hint)
    if type(None) in kinds and text.lower() == _NONE:
        return None
    for kind in kinds:
        if get_origin(kind) is Literal:
            if text in get_args(kind):
                return text
        elif kind is bool:
            if text.lower() in _YES | _NO:
                return text.lower() in _YES
        elif kind is not type(None):
            value = kind(text)
            if not (isinstance(value, float) and isnan(value)):
                return value
    raise ValueError


def _list_types(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in {Union, types.UnionType} else (hint,)
