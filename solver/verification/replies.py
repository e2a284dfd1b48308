"""Reading what an engine gives back as a square.

A reply is first made plain (`plain`): numbers, text, tuples and dicts, whatever types it was made of. Then it is
taken out of its wrapping (`SHELLS`), and read as one of the `MOVES`.
"""

import re
from collections.abc import Callable, Mapping, Set
from numbers import Number
from operator import index
from typing import Any, Final, NamedTuple, SupportsIndex

from solver.errors import NotationError, quoted
from solver.game.position import Position
from solver.game.squares import parse_square
from solver.support.columns import column_number
from solver.verification.boards import flattened

__all__ = ["MOVES", "OFF", "SHELLS", "Reading", "Strange", "plain", "read_move", "unwrapped"]

OFF: Final = -1  # a square that is none of the board
_KEYS: Final = ("move", "best_move", "action", "square", "index", "position")
_WORTH: Final = ("value", "score", "evaluation")
_PAIR: Final = re.compile(r"[(\[]?\s*(-?\d+)\s*[,;: ]\s*(-?\d+)\s*[)\]]?")
_NAME: Final = re.compile(r"([A-Za-z])(\d{1,3})")


class Strange(NamedTuple):
    """Something that was given back and is no plain data, by its repr."""

    shown: str

    def __repr__(self) -> str:
        return self.shown


class Reading(NamedTuple):
    """How replies are read: the wrapping a move comes in ("" for none), and the way moves are written."""

    shell: str
    moves: str

    def __str__(self) -> str:
        return f"{self.shell}, with the move as {_WORDS[self.moves]}" if self.shell else _WORDS[self.moves]


def plain(reply: object) -> Any:
    """A reply as plain data that can be sent to another process."""
    if reply is None or type(reply) in {int, str, float, bool}:
        return reply
    if hasattr(reply, "tolist"):  # NumPy's arrays and numbers
        return plain(reply.tolist())
    if isinstance(reply, Mapping):
        return {str(key): plain(item) for key, item in reply.items()}
    if isinstance(reply, list | tuple | Set):
        items = sorted(reply, key=repr) if isinstance(reply, Set) else reply
        return tuple([plain(item) for item in items])
    return _plain_object(reply)


def _plain_object(reply: Any) -> Any:
    if isinstance(reply, SupportsIndex):
        return index(reply)
    if isinstance(reply, str):
        return str(reply)
    if isinstance(reply, Number) and hasattr(reply, "__float__"):
        return float(reply)
    known = {name: plain(getattr(reply, name)) for name in (*_KEYS, *_WORTH) if _has_plain(reply, name)}
    if any(name in known for name in _KEYS):
        return known
    return Strange(quoted(repr(reply), limit=120))


def _has_plain(reply: object, name: str) -> bool:
    return hasattr(reply, name) and not callable(getattr(reply, name))


# Wrappings: from a plain reply to the move in it and the value beside it, None for a reply that is no such thing.


def _bare(reply: Any) -> tuple[Any, Any] | None:
    return reply, None


def _value_first(reply: Any) -> tuple[Any, Any] | None:
    return (reply[1], reply[0]) if isinstance(reply, tuple) and len(reply) == 2 else None


def _move_first(reply: Any) -> tuple[Any, Any] | None:
    return (reply[0], reply[1]) if isinstance(reply, tuple) and len(reply) == 2 else None


def _triple(reply: Any) -> tuple[Any, Any] | None:
    return (reply[:2], reply[2]) if isinstance(reply, tuple) and len(reply) == 3 else None


def _value_triple(reply: Any) -> tuple[Any, Any] | None:
    return (reply[1:], reply[0]) if isinstance(reply, tuple) and len(reply) == 3 else None


def _named(reply: Any) -> tuple[Any, Any] | None:
    if not isinstance(reply, dict):
        return None
    move = next((key for key in _KEYS if key in reply), None)
    worth = next((key for key in _WORTH if key in reply), "")
    return (reply[move], reply.get(worth)) if move else None


def _only(reply: Any) -> tuple[Any, Any] | None:
    return (reply[0], None) if isinstance(reply, tuple) and len(reply) == 1 else None


SHELLS: Final[dict[str, Callable[[Any], tuple[Any, Any] | None]]] = {
    "": _bare,
    "(value, move)": _value_first,
    "(move, value)": _move_first,
    "(row, column, value)": _triple,
    "(value, row, column)": _value_triple,
    "something with a 'move'": _named,
    "a sequence of one": _only,
}

# Ways to write a move: from the plain move and the position to a square, OFF, or None if it is not written so.


def _number(move: Any) -> int | None:
    if type(move) is int:
        return move
    if isinstance(move, str) and move.strip().removeprefix("-").isdecimal():
        return int(move)
    return None


def _counted(start: int) -> Callable[[Any, Position], int | None]:
    def read(move: Any, position: Position) -> int | None:
        del position
        number = _number(move)
        return None if number is None else number - start

    return read


def _by_columns(move: Any, position: Position) -> int | None:
    number = _number(move)
    if number is None:
        return None
    column, row = divmod(number, position.rules.m)
    return _at(position, row, column)


def _pair(start: int, swap: bool) -> Callable[[Any, Position], int | None]:
    def read(move: Any, position: Position) -> int | None:
        if isinstance(move, str):
            found = _PAIR.fullmatch(move.strip())
            move = found.groups() if found else None
        if not isinstance(move, tuple) or len(move) != 2:
            return None
        row, column = (_number(part) for part in (reversed(move) if swap else move))
        return None if row is None or column is None else _at(position, row - start, column - start)

    return read


def _name(move: Any, position: Position) -> int | None:
    if not isinstance(move, str) or not _NAME.fullmatch(move.strip()):
        return None
    try:
        return parse_square(position.rules, move)
    except NotationError:
        return OFF


def _row_name(move: Any, position: Position) -> int | None:
    found = _NAME.fullmatch(move.strip()) if isinstance(move, str) else None
    return _at(position, column_number(found[1].lower()), int(found[2]) - 1) if found else None


def _column(start: int) -> Callable[[Any, Position], int | None]:
    def read(move: Any, position: Position) -> int | None:
        number = _number(move)
        if number is None or not position.rules.gravity:
            return None
        n = position.rules.n
        return next((s for s in position.legal_moves if s % n == number - start), OFF)

    return read


def _at(position: Position, row: int, column: int) -> int:
    rules = position.rules
    return row * rules.n + column if 0 <= row < rules.m and 0 <= column < rules.n else OFF


_WORDS: Final = {
    "index": "the number of a square, row by row from 0",
    "number": "the number of a square, row by row from 1",
    "row,column": "row and column from 0",
    "row,column from 1": "row and column from 1",
    "name": "column letter and row number, a1 at the top left",
    "column,row": "column and row from 0",
    "column,row from 1": "column and row from 1",
    "row letter": "row letter and column number, a1 at the top left",
    "column": "the number of a column, from 0",
    "column from 1": "the number of a column, from 1",
    "index by columns": "the number of a square, column by column from 0",
    "board": "the board after the move",
}

MOVES: Final[dict[str, Callable[[Any, Position], int | None]]] = {
    "index": _counted(0),
    "number": _counted(1),
    "row,column": _pair(0, swap=False),
    "row,column from 1": _pair(1, swap=False),
    "name": _name,
    "column,row": _pair(0, swap=True),
    "column,row from 1": _pair(1, swap=True),
    "row letter": _row_name,
    "column": _column(0),
    "column from 1": _column(1),
    "index by columns": _by_columns,
}
"""The ways to write a move by name, the likeliest first; besides these there is `board`, the board after it."""


def unwrapped(reading: Reading, reply: Any) -> tuple[Any, Any] | None:
    """The move in a plain reply, and the value beside it; None when it is not wrapped so."""
    return SHELLS[reading.shell](reply)


def read_move(reading: Reading, move: Any, position: Position, before: tuple[Any, ...], mark: object) -> int | None:
    """The square a move means: OFF if it is none of the board, None if it is not written so.

    before: the cells of the board as it was given, plain. mark: the sign of the side to move.
    """
    if reading.moves != "board":
        square = MOVES[reading.moves](move, position)
        return square if square is None or 0 <= square < position.rules.squares else OFF
    if not isinstance(move, tuple | dict | str):
        return None
    after = (*flattened(move),)
    if len(after) != len(before):
        return None
    changed = [place for place, cell in enumerate(after) if cell != before[place]]
    shift = len(before) - position.rules.squares  # lists that begin at 1 have one cell more
    one = len(changed) == 1 and after[changed[0]] == mark
    return changed[0] - shift if one else None
