"""Make data plain: numbers, text, tuples and dicts, whatever types it was made of."""

from collections.abc import Iterator, Mapping, Sequence, Set
from numbers import Number
from operator import index
from typing import Any, Final, NamedTuple, SupportsIndex

from solver.errors import quoted

__all__ = ["MOVE_KEYS", "VALUE_KEYS", "Opaque", "flatten", "to_plain"]

MOVE_KEYS: Final = ("move", "best_move", "action", "square", "index", "position")
"""The names under which a reply holds its move, the likeliest first."""

VALUE_KEYS: Final = ("value", "score", "evaluation")
"""The names under which a reply holds the value of the position."""


class Opaque(NamedTuple):
    """An object that is no plain data, by its repr."""

    text: str

    def __repr__(self) -> str:
        return self.text


def to_plain(reply: object) -> Any:
    """Return a reply as plain data that can be sent to another process."""
    if reply is None or type(reply) in {int, str, float, bool}:
        return reply
    if hasattr(reply, "tolist"):  # NumPy's arrays and numbers
        return to_plain(reply.tolist())
    if isinstance(reply, Mapping):
        return {str(key): to_plain(item) for key, item in reply.items()}
    if isinstance(reply, list | tuple | Set):
        items = sorted(reply, key=repr) if isinstance(reply, Set) else reply
        return tuple([to_plain(item) for item in items])
    return _object_to_plain(reply)


def _object_to_plain(reply: Any) -> Any:
    if isinstance(reply, SupportsIndex):
        return index(reply)
    if isinstance(reply, str):
        return str(reply)
    if isinstance(reply, Number) and hasattr(reply, "__float__"):
        return float(reply)
    known = {name: to_plain(getattr(reply, name)) for name in (*MOVE_KEYS, *VALUE_KEYS) if _holds(reply, name)}
    if any(name in known for name in MOVE_KEYS):
        return known
    return Opaque(quoted(repr(reply), limit=120))


def _holds(reply: object, name: str) -> bool:
    return hasattr(reply, name) and not callable(getattr(reply, name))


def flatten(board: object) -> Iterator[object]:
    """Yield the cells of a board made of plain data, in order."""
    if isinstance(board, str):
        yield from (sign for sign in board if sign not in "/\n")
    elif isinstance(board, Mapping):
        yield from board.values()
    elif isinstance(board, Sequence):
        for item in board:
            if isinstance(item, Sequence) and (not isinstance(item, str) or len(item) > 1):
                yield from flatten(item)
            else:
                yield item
    else:
        yield board
