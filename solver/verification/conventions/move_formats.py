"""Read replies: make them plain, take them out of their wrapping, and read the move as a square.

The formats of moves stand in one table, the wrappings they come in in another.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from itertools import chain
from numbers import Number
from operator import index
from typing import Any, Final, NamedTuple, SupportsIndex

from solver.errors import EngineError, NotationError, quoted
from solver.game.notation import parse_square
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.columns import column_number
from solver.verification.conventions.board_formats import (
    AIMA_STATE,
    KAGGLE,
    PETTINGZOO,
    BoardFormat,
    Layout,
    Marks,
)

MOVE_KEYS: Final = ("move", "best_move", "action", "square", "index", "position")
"""The names under which a reply holds its move, the likeliest first."""

PAIR_KEYS: Final = (("row", "col"), ("row", "column"), ("r", "c"), ("i", "j"))
"""The names under which an object or a dict holds the row and the column of a move, the likeliest first."""

VALUE_KEYS: Final = ("value", "score", "evaluation")
"""The names under which a reply holds the value of the position."""


class Opaque(NamedTuple):
    """An object that is no plain data, by its repr."""

    text: str

    def __repr__(self) -> str:
        return self.text


MOST_ITEMS, DEEPEST, LONGEST = 10_000, 16, 2_000
"""Items of a reply, lists in lists, and characters of a text that are read; of more than that only this is said."""

_WHOLE: Final = 1 << 63  # whole numbers below it, and above its negative, are read


class _TooMuch(Exception):
    """Says in words what is too large to be sent."""


def to_plain(reply: object) -> Any:
    """Return a reply as plain data that can be sent to another process. Raises whatever the reply's own code raises."""
    try:
        return _Plain().read(reply, 0)
    except _TooMuch as error:
        return Opaque(str(error))


class _Plain:
    """Makes one reply plain, within bounds."""

    def __init__(self) -> None:
        self._items = 0

    def read(self, reply: Any, depth: int) -> Any:
        self._items += 1
        if self._items > MOST_ITEMS:
            raise _TooMuch(f"something of more than {MOST_ITEMS:,} items")
        if depth > DEEPEST:
            raise _TooMuch(f"something nested more than {DEEPEST} deep")
        if reply is None or type(reply) in {float, bool}:
            return reply
        if isinstance(reply, int | str):
            return self._read_bounded(reply)
        if hasattr(reply, "tolist"):  # NumPy's arrays and numbers
            return self.read(reply.tolist(), depth + 1)
        if isinstance(reply, Mapping):
            return {str(key)[:LONGEST]: self.read(item, depth + 1) for key, item in reply.items()}
        if isinstance(reply, list | tuple | Set):
            items = sorted(reply, key=repr) if isinstance(reply, Set) else reply
            return tuple([self.read(item, depth + 1) for item in items])
        return self._read_object(reply, depth)

    def _read_bounded(self, reply: int | str) -> Any:
        if isinstance(reply, Enum):
            return self._read_object(reply, 0)
        if isinstance(reply, str):
            text = str(reply)
            if len(text) > LONGEST:
                raise _TooMuch(f"a text of {len(text):,} characters, which begins with {text[:20]!r}")
            return text
        if not -_WHOLE < reply < _WHOLE:
            raise _TooMuch(f"a whole number of {reply.bit_length():,} bits")
        return reply if type(reply) is int else index(reply)

    def _read_object(self, reply: Any, depth: int) -> Any:
        if isinstance(reply, Enum):
            return self.read(reply.value, depth + 1)
        if isinstance(reply, SupportsIndex):
            return self.read(index(reply), depth + 1)
        if isinstance(reply, Number) and hasattr(reply, "__float__"):
            return float(reply)
        names = (*MOVE_KEYS, *VALUE_KEYS, *chain(*PAIR_KEYS))
        known = {name: self.read(getattr(reply, name), depth + 1) for name in names if _holds(reply, name)}
        if any(name in known for name in MOVE_KEYS) or any({*pair} <= {*known} for pair in PAIR_KEYS):
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


OFF: Final = -1
"""A square that is not on the board."""

_PAIR: Final = re.compile(r"[(\[]?\s*(-?\d+)\s*[,;: ]\s*(-?\d+)\s*[)\]]?")
_NAME: Final = re.compile(r"([A-Za-z])(\d{1,3})")


@dataclass(frozen=True, eq=False)
class MoveFormat:
    """A way to write a move."""

    name: str
    """As `--moves` takes it."""
    description: str
    """As reports print it."""
    reader: Callable[[Any, Position, Layout | None], int | None]
    needs_gravity: bool = False
    """True for a format of games with gravity only."""
    usual_for: tuple[BoardFormat, ...] = ()
    """The board formats whose replies are mostly so written."""

    def read(self, move: Any, position: Position, layout: Layout | None = None) -> int | None:
        """Return the square that a plain move means: OFF if it is not on the board, None if it is not written so.

        layout: of the board that was given, which only the board after a move is compared with.
        """
        square = self.reader(move, position, layout)
        return square if square is None or 0 <= square < position.rules.squares else OFF

    def __reduce__(self) -> tuple[Any, ...]:
        return find_move_format, (self.name,)  # so that it is the same value in every process


class Wrapping(NamedTuple):
    """A form in which a move comes, with or without the value of the position."""

    name: str
    unwrap: Callable[[Any], tuple[Any, Any] | None]
    """The move and the value (None for none) in a plain reply; None for a reply that is not wrapped so."""


class ReplyFormat(NamedTuple):
    """A wrapping, and the format of the move in it."""

    wrapping: Wrapping
    move: MoveFormat

    def __str__(self) -> str:
        return ", with the move as ".join(filter(None, (self.wrapping.name, self.move.description)))


def find_move_format(name: str) -> MoveFormat:
    """Return the move format of a name; raises EngineError for an unknown one."""
    for move in (*MOVE_FORMATS, BOARD_AFTER):
        if move.name == name:
            return move
    known = "; ".join(move.name for move in (*MOVE_FORMATS, BOARD_AFTER))
    raise EngineError(f"--moves {quoted(name)} is unknown; choose one of: {known}.")


def _read_integer(move: Any) -> int | None:
    if type(move) is int:
        return move
    if type(move) is float and move.is_integer():
        return int(move)
    if isinstance(move, str) and move.strip().removeprefix("-").isdecimal():
        return int(move)
    return None


def _square_at(position: Position, row: int, column: int) -> int:
    square = position.rules.diagram.square_at(row, column)
    return OFF if square is None else square


def _read_number(move: Any, *_: object, start: int) -> int | None:
    number = _read_integer(move)
    return None if number is None else number - start


def _read_bit(move: Any, position: Position, layout: Layout | None) -> int | None:
    """Read a number with one bit set, where the board is given as numbers too."""
    if type(move) is not int or layout is None or "bitboard" not in layout.format.name:
        return None
    if move <= 0 or move & (move - 1):
        return OFF
    if "by columns" not in layout.format.name:
        return move.bit_length() - 1
    column, height = divmod(move.bit_length() - 1, position.rules.diagram.rows + 1)
    return _square_at(position, position.rules.diagram.rows - 1 - height, column)


def _read_number_by_columns(move: Any, position: Position, _: object) -> int | None:
    number = _read_integer(move)
    if number is None:
        return None
    column, row = divmod(number, position.rules.diagram.rows)
    return _square_at(position, row, column)


def _read_pair(move: Any, position: Position, _: object, *, start: int, swap: bool) -> int | None:
    if isinstance(move, str):
        found = _PAIR.fullmatch(move.strip())
        move = found.groups() if found else None
    if not isinstance(move, tuple) or len(move) != 2 or type(move[0]) is not type(move[1]):
        return None
    row, column = (_read_integer(part) for part in (reversed(move) if swap else move))
    return None if row is None or column is None else _square_at(position, row - start, column - start)


def _read_mark_and_number(move: Any, position: Position, layout: Layout | None) -> int | None:
    if layout is None or not isinstance(move, tuple) or len(move) != 2:
        return None
    mark = layout.marks.of_mover(position)[0]
    return _read_integer(move[1]) if type(move[0]) is type(mark) and move[0] == mark else None


def _read_name(move: Any, position: Position, _: object) -> int | None:
    if not isinstance(move, str) or not _NAME.fullmatch(move.strip()):
        return None
    try:
        return parse_square(position.rules, move)
    except NotationError:
        return OFF


def _read_row_letter(move: Any, position: Position, _: object) -> int | None:
    found = _NAME.fullmatch(move.strip()) if isinstance(move, str) else None
    return _square_at(position, column_number(found[1].lower()), int(found[2]) - 1) if found else None


def _read_column(move: Any, position: Position, _: object, *, start: int) -> int | None:
    number = _read_integer(move)
    if number is None or not position.rules.gravity:
        return None
    n = position.rules.stride
    return next((s for s in position.legal_moves if s % n == number - start), OFF)


def _read_board_after(move: Any, position: Position, layout: Layout | None) -> int | None:
    if layout is None or not isinstance(move, tuple | dict | str):
        return None
    before, after = [*flatten(to_plain(layout.write(position)))], [*flatten(move)]
    if len(after) != len(before):
        return None
    changed = [place for place, cell in enumerate(after) if cell != before[place]]
    if len(changed) != 1 or after[changed[0]] != layout.marks.of_mover(position)[0]:
        return None
    return _places(layout.format, position.rules).get(changed[0], OFF)


@lru_cache(maxsize=16)
def _places(board: BoardFormat, rules: Rules) -> dict[int, int]:
    """Return the square of each place of a board whose cells are in one row."""
    stones = [Position._of(rules, 1 << square, 0) for square in range(rules.squares)]
    boards = [[*flatten(to_plain(board.write(stone, Marks("X", "O", "."))))] for stone in stones]
    return {cells.index("X"): square for square, cells in enumerate(boards)}


INDEX: Final = MoveFormat("index", "the number of a square, row by row from 0", partial(_read_number, start=0))
COLUMN_ROW: Final = MoveFormat("column,row", "column and row from 0", partial(_read_pair, start=0, swap=True))
COLUMN: Final = MoveFormat(
    "column", "the number of a column, from 0", partial(_read_column, start=0), True, (KAGGLE, PETTINGZOO)
)
BIT: Final = MoveFormat("bit", "a bitboard of the square", _read_bit)
BOARD_AFTER: Final = MoveFormat("board", "the board after the move", _read_board_after)
"""The format of a reply that is a board, which is read beside the board that was given."""

MOVE_FORMATS: Final = (
    BIT,  # read beside boards of bits only
    INDEX,
    MoveFormat("number", "the number of a square, row by row from 1", partial(_read_number, start=1)),
    MoveFormat("row,column", "row and column from 0", partial(_read_pair, start=0, swap=False)),
    MoveFormat(
        "row,column from 1",
        "row and column from 1",
        partial(_read_pair, start=1, swap=False),
        usual_for=(AIMA_STATE,),
    ),
    MoveFormat("name", "column letter and row number, a1 at the top left", _read_name),
    COLUMN_ROW,
    MoveFormat("column,row from 1", "column and row from 1", partial(_read_pair, start=1, swap=True)),
    MoveFormat("row letter", "row letter and column number, a1 at the top left", _read_row_letter),
    COLUMN,
    MoveFormat("column from 1", "the number of a column, from 1", partial(_read_column, start=1), True),
    MoveFormat(
        "index by columns",
        "the number of a square, column by column from 0",
        _read_number_by_columns,
        usual_for=(PETTINGZOO,),
    ),
    MoveFormat("mark,index", "the mover's mark and the number of a square, row by row from 0", _read_mark_and_number),
)
"""Every format of a move that stands by itself, the likeliest first."""


def _unwrap_nothing(reply: Any) -> tuple[Any, Any] | None:
    return reply, None


def _unwrap_tuple(reply: Any, *, size: int, move: int | slice, value: int | None) -> tuple[Any, Any] | None:
    if not isinstance(reply, tuple) or len(reply) != size:
        return None
    return reply[move], None if value is None else reply[value]


def _unwrap_keys(reply: Any) -> tuple[Any, Any] | None:
    if not isinstance(reply, dict):
        return None
    move = next((key for key in MOVE_KEYS if key in reply), None)
    value = next((key for key in VALUE_KEYS if key in reply), "")
    if move:
        return reply[move], reply.get(value)
    pair = next((pair for pair in PAIR_KEYS if {*pair} <= {*reply}), None)
    return (tuple(_read_integer(reply[key]) for key in pair), reply.get(value)) if pair else None


UNWRAPPED: Final = Wrapping("", _unwrap_nothing)
MOVE_AND_VALUE: Final = Wrapping("(move, value)", partial(_unwrap_tuple, size=2, move=0, value=1))
WITH_KEYS: Final = Wrapping("something with a 'move'", _unwrap_keys)

MARKED: Final = Wrapping("(row, column, mark)", partial(_unwrap_tuple, size=3, move=slice(2), value=None))
"""The wrapping of those who say whose stone it is; by itself it looks like one with a value."""

WRAPPINGS: Final = (
    UNWRAPPED,
    Wrapping("(value, move)", partial(_unwrap_tuple, size=2, move=1, value=0)),
    MOVE_AND_VALUE,
    Wrapping("(row, column, value)", partial(_unwrap_tuple, size=3, move=slice(2), value=2)),
    Wrapping("(value, row, column)", partial(_unwrap_tuple, size=3, move=slice(1, None), value=0)),
    WITH_KEYS,
    Wrapping("a sequence of one", partial(_unwrap_tuple, size=1, move=0, value=None)),
)
"""Every wrapping, the likeliest first."""
