"""Write boards: the marks of squares, and the formats in which a board is handed over, in a table each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from solver.errors import EngineError, quoted
from solver.game.position import Position
from solver.game.rules import Rules, require_rectangle
from solver.verification.conventions.aima import AimaState


class OwnNumber(NamedTuple):
    """The mark of empty squares that hold their own number."""

    start: int
    """The number of the first square."""
    is_text: bool

    def of(self, square: int) -> int | str:
        """Return the mark of an empty square."""
        number = square + self.start
        return str(number) if self.is_text else number

    def __repr__(self) -> str:
        return f"its number from {self.start}{' as text' if self.is_text else ''}"


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs of two sides and of an empty square."""

    first: object
    """The sign of X, the side that moves first; or, if `relative`, of the side to move."""
    second: object
    """The sign of the other side."""
    empty: object
    """The sign of an empty square, or an OwnNumber."""
    relative: bool = False

    def swapped(self) -> "Marks":
        """Return the marks with those of the two sides exchanged."""
        return replace(self, first=self.second, second=self.first)

    def of_sides(self, position: Position) -> tuple[object, object]:
        """Return the signs of X's stones and of O's in a position."""
        swap = self.relative and position.to_move == "O"
        return (self.second, self.first) if swap else (self.first, self.second)

    def of_mover(self, position: Position) -> tuple[object, object]:
        """Return the signs of the side to move and of the other one."""
        swap = not self.relative and position.to_move == "O"
        return (self.second, self.first) if swap else (self.first, self.second)

    def cells(self, position: Position) -> list[object]:
        """Return the mark of every square, in order."""
        x_mark, o_mark = self.of_sides(position)
        signs, empty = {"X": x_mark, "O": o_mark, ".": self.empty}, self.empty
        if isinstance(empty, OwnNumber):
            return [empty.of(n) if cell == "." else signs[cell] for n, cell in enumerate(position.cells)]
        return [signs[cell] for cell in position.cells]

    def __str__(self) -> str:
        first, second = ("the side to move", "the other") if self.relative else ("X", "O")
        return f"{first} is {self.first!r}, {second} is {self.second!r}, an empty square is {self.empty!r}"


_NUMBERS: Final = tuple(OwnNumber(start, text) for text in (False, True) for start in (0, 1))
_EMPTY_BESIDE_LETTERS: Final = (" ", None, "", ".", "_", "-", *_NUMBERS, "E", "*", "#", "?")
_LETTERS: Final = [Marks(x, o, empty) for x, o in (("X", "O"), ("x", "o")) for empty in _EMPTY_BESIDE_LETTERS]
_MIXED: Final = [Marks(x, o, empty) for x, o in (("X", "O"), ("x", "o")) for empty in (0, "0")]
_DIGITS: Final = [
    Marks(1, -1, 0), Marks(1, 2, 0), Marks(1, 0, None), Marks(0, 1, None), Marks(0, 1, -1), Marks(1, 0, -1),
    Marks(1, 2, None), Marks(1, -1, None), Marks("1", "2", "0"), Marks(1, 0, " "), Marks(0, 1, " "), Marks(1, 2, " "),
    Marks(0, 1, 2), Marks(1, 0, 0.5),
]  # fmt: skip
ALL_MARKS: Final = (*_LETTERS, *_DIGITS, *_MIXED)
"""The marks that are tried, the most ordinary first: X has the sign that is named first, or the first number."""


def is_ordinary(marks: Marks) -> bool:
    """Tell the marks that most programs have from rarer ones."""
    sides = {(marks.first, marks.second), (marks.second, marks.first)}
    if isinstance(marks.empty, OwnNumber):
        return False
    letters = sides & {("X", "O"), ("x", "o")} and marks.empty in {" ", "", None, ".", "_", "-"}
    numbers = sides & {(1, -1), (1, 2)} and marks.empty == 0 and type(marks.empty) is int
    return bool(letters or numbers)


def sort_by_hints(hints: frozenset[str]) -> list[Marks]:
    """Sort marks by how many of their signs are missing among the constants of a source (written by repr)."""

    def count_missing(marks: Marks) -> int:
        missing = sum(repr(sign) not in hints for sign in (marks.first, marks.second))
        # Numbers need not stand in the source; but where the other signs don't either, it tells nothing.
        return missing + (missing > 0 if isinstance(marks.empty, OwnNumber) else repr(marks.empty) not in hints)

    return sorted(ALL_MARKS, key=count_missing) if hints else [*ALL_MARKS]


def parse_marks(text: str) -> Marks:
    """Read marks as `--marks` gives them: `X,O,.`, `1,-1,0`, `me=1,2,0`; raises EngineError.

    A whole number is one; `None`, `space` (or a blank), `''`, `'1'` and so on are what they say; `index` and `number`
    as the third are empty squares that hold their own number, from 0 and from 1 (`'index'`, `'number'`: as text).
    """
    relative = text.strip().startswith("me=")
    parts = text.strip().removeprefix("me=").split(",") if relative else text.split(",")
    if len(parts) != 3:
        raise EngineError(
            f"The marks {quoted(text)} can't be read; write the signs of X, of O and of an empty square, "
            "such as X,O,. or 1,-1,0, or me=1,2,0 for the side to move first."
        )
    first, second, empty = parts
    return Marks(_sign(first), _sign(second), _empty(empty), relative)


def _sign(text: str) -> object:
    word = text.strip()
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1]
    if word.removeprefix("-").isdecimal():
        return int(word)
    return {"None": None, "space": " ", "": " " if text else ""}.get(word, word)


def _empty(text: str) -> object:
    own = {"index": (0, False), "number": (1, False), "'index'": (0, True), "'number'": (1, True)}.get(text.strip())
    return OwnNumber(*own) if own else _sign(text)


Cells = Sequence[Any]


_KNOWN: Final[dict[str, "BoardFormat"]] = {}  # every board format by its name


@dataclass(frozen=True, eq=False)
class BoardFormat:
    """A way to hand over a position."""

    name: str
    """As `--board` takes it and reports print it."""
    write: Callable[[Position, Marks], Any]
    """Makes a new board of a position."""
    has_marks: bool = False
    """True if the board is made of marks; others ignore them."""
    is_mutable: bool = True
    """True if an engine can change the board, so that it has to be compared afterwards."""
    is_text: bool = False
    """True if the board is one line of text, which can be sent to a program."""

    def __post_init__(self) -> None:
        _KNOWN[self.name] = self

    def __reduce__(self) -> tuple[Any, ...]:
        return find_board_format, (self.name,)  # so that it is the same value in every process


class Layout(NamedTuple):
    """A board format and the marks that fill it."""

    format: BoardFormat
    marks: Marks = ALL_MARKS[0]

    def write(self, position: Position) -> Any:
        """Make a new board of a position."""
        return self.format.write(position, self.marks)

    def __str__(self) -> str:
        return f"{self.format.name}, where {self.marks}" if self.format.has_marks else self.format.name


class Observation(dict[str, Any]):
    """A dict whose items are attributes too, as in Kaggle's environments."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def find_board_format(name: str) -> BoardFormat:
    """Return the board format of a name; raises EngineError for an unknown one."""
    if name in _KNOWN:
        return _KNOWN[name]
    raise EngineError(f"--board {quoted(name)} is unknown; choose one of: {'; '.join(_KNOWN)}.")


def _marked(
    name: str, arrange: Callable[[Cells, Rules], Any], *, is_mutable: bool = True, is_text: bool = False
) -> BoardFormat:
    """A format made of marks, by a function of the marks of all squares in order."""

    def write(position: Position, marks: Marks) -> Any:
        return arrange(marks.cells(position), position.rules)

    return BoardFormat(name, write, True, is_mutable, is_text)


def _rows(cells: Cells, rules: Rules) -> list[Cells]:
    places, n = rules.diagram.fill(cells), rules.diagram.columns
    return [places[start : start + n] for start in range(0, len(places), n)]


def _text(cells: Cells) -> str:
    return "".join(map(str, cells))


def _array(cells: Cells) -> Any:
    from numpy import array

    has_text = any(isinstance(cell, str) for cell in cells)
    return array(cells, dtype=object if None in cells else None if has_text else type(cells[0]))


def _array_of_rows(cells: Cells, rules: Rules) -> Any:
    return _array(rules.diagram.fill(cells)).reshape(rules.diagram.rows, rules.diagram.columns)


def _coordinates(cells: Cells, rules: Rules, start: int) -> dict[tuple[int, int], Any]:
    places = map(rules.diagram.row_and_column, range(rules.squares))
    return {(row + start, column + start): cell for (row, column), cell in zip(places, cells, strict=True)}


def _turn(cells: Cells, rules: Rules) -> list[Any]:
    """The cells with the rows from the bottom up."""
    return [cell for row in reversed(_rows(cells, rules)) for cell in row]


def _swap_keys(cells: dict[tuple[int, int], Any]) -> dict[tuple[int, int], Any]:
    return {(column, row): cell for (row, column), cell in cells.items()}


def _kaggle(position: Position, _: Marks) -> Observation:
    marks = Marks(1, 2, 0)
    mine = marks.of_mover(position)[0]
    return Observation(board=marks.cells(position), mark=mine, step=position.ply, remainingOverageTime=60)


def _pettingzoo(position: Position, _: Marks) -> dict[str, Any]:
    """PettingZoo numbers squares by columns: entry [c][r] of the planes is column c, row r; own stones first.

    In its game with gravity entry [r][c] is row r, column c, and an action is a column.
    """
    from numpy import array, int8

    m, n = require_rectangle(position.rules, "PettingZoo")[:2]
    own, other = position.own, position.other
    planes = array([[[own >> r * n + c & 1, other >> r * n + c & 1] for c in range(n)] for r in range(m)], dtype=int8)
    legal = position.legal_moves
    if position.rules.gravity:
        mask = [int(any(square % n == c for square in legal)) for c in range(n)]
    else:
        planes = planes.transpose(1, 0, 2).copy()
        mask = [int(r * n + c in legal) for c in range(n) for r in range(m)]
    return {"observation": planes, "action_mask": array(mask, dtype=int8)}


KAGGLE: Final = BoardFormat("Kaggle observation", _kaggle)
PETTINGZOO: Final = BoardFormat("PettingZoo observation", _pettingzoo)
AIMA_STATE: Final = BoardFormat("AIMA state", lambda position, _: AimaState(position), is_mutable=False)
OWN_POSITION: Final = BoardFormat("solver.Position", lambda position, _: position, is_mutable=False)

BOARD_FORMATS: Final = (
    _marked("flat list", lambda cells, _: [*cells]),
    _marked("rows of lists", lambda cells, rules: [[*row] for row in _rows(cells, rules)]),
    _marked("flat string", lambda cells, _: _text(cells), is_mutable=False, is_text=True),
    _marked("flat tuple", lambda cells, _: (*cells,), is_mutable=False),
    _marked("flat array", lambda cells, _: _array(cells)),
    _marked("array", _array_of_rows),
    _marked("rows of tuples", lambda cells, rules: (*map(tuple, _rows(cells, rules)),), is_mutable=False),
    _marked("rows of strings", lambda cells, rules: [*map(_text, _rows(cells, rules))]),
    _marked("list from 1", lambda cells, _: [" " if isinstance(cells[0], str) else 0, *cells]),
    _marked("dict", lambda cells, _: dict(enumerate(cells))),
    _marked("dict from 1", lambda cells, _: dict(enumerate(cells, start=1))),
    _marked("dict of row, column", lambda cells, rules: _coordinates(cells, rules, 0)),
    _marked("dict of row, column from 1", lambda cells, rules: _coordinates(cells, rules, 1)),
    _marked("columns of lists", lambda cells, rules: [[*column] for column in zip(*_rows(cells, rules), strict=True)]),
    _marked("string with /", lambda c, rules: "/".join(map(_text, _rows(c, rules))), is_mutable=False, is_text=True),
    KAGGLE,
    PETTINGZOO,
    AIMA_STATE,
    OWN_POSITION,
)
"""The board formats that are tried, the likeliest first."""

RARE_FORMATS: Final = (
    _marked("array from the bottom", lambda cells, rules: _array_of_rows(cells, rules)[::-1].copy()),
    _marked("rows of lists from the bottom", lambda cells, rules: [[*row] for row in reversed(_rows(cells, rules))]),
    _marked("dict of column, row", lambda cells, rules: _swap_keys(_coordinates(cells, rules, 0))),
    _marked(
        "dict of column, row from the bottom",
        lambda cells, rules: _swap_keys(_coordinates(_turn(cells, rules), rules, 0)),
    ),
    _marked(
        "columns of lists from the bottom",
        lambda cells, rules: [[*column] for column in zip(*reversed(_rows(cells, rules)), strict=True)],
    ),
)
"""Board formats that are tried where there is gravity, or where the program's own board has them."""
