"""The formats in which a board is handed over, in one table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from solver.errors import EngineError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.conventions.aima import AimaState
from solver.verification.conventions.marks import ALL_MARKS, Marks

__all__ = [
    "AIMA_STATE",
    "BOARD_FORMATS",
    "KAGGLE",
    "OWN_POSITION",
    "PETTINGZOO",
    "BoardFormat",
    "Layout",
    "Observation",
    "find_board_format",
]

Cells = Sequence[Any]


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
    for board in BOARD_FORMATS:
        if board.name == name:
            return board
    known = "; ".join(board.name for board in BOARD_FORMATS)
    raise EngineError(f"--board {quoted(name)} is unknown; choose one of: {known}.")


def _marked(
    name: str, arrange: Callable[[Cells, Rules], Any], *, is_mutable: bool = True, is_text: bool = False
) -> BoardFormat:
    """A format made of marks, by a function of the marks of all squares in order."""

    def write(position: Position, marks: Marks) -> Any:
        return arrange(marks.cells(position), position.rules)

    return BoardFormat(name, write, True, is_mutable, is_text)


def _rows(cells: Cells, rules: Rules) -> list[Cells]:
    return [cells[start : start + rules.n] for start in range(0, rules.squares, rules.n)]


def _text(cells: Cells) -> str:
    return "".join(map(str, cells))


def _array(cells: Cells) -> Any:
    from numpy import array

    has_text = any(isinstance(cell, str) for cell in cells)
    return array(cells, dtype=object if None in cells else None if has_text else type(cells[0]))


def _coordinates(cells: Cells, rules: Rules, start: int) -> dict[tuple[int, int], Any]:
    return {(s // rules.n + start, s % rules.n + start): cell for s, cell in enumerate(cells)}


def _kaggle(position: Position, _: Marks) -> Observation:
    marks = Marks(1, 2, 0)
    mine = marks.of_mover(position)[0]
    return Observation(board=marks.cells(position), mark=mine, step=position.ply, remainingOverageTime=60)


def _pettingzoo(position: Position, _: Marks) -> dict[str, Any]:
    """PettingZoo numbers squares by columns: entry [c][r] of the planes is column c, row r; own stones first.

    In its game with gravity entry [r][c] is row r, column c, and an action is a column.
    """
    from numpy import array, int8

    m, n, own, other = position.rules.m, position.rules.n, position.own, position.other
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
    _marked("array", lambda cells, rules: _array(cells).reshape(rules.m, rules.n)),
    _marked("rows of tuples", lambda cells, rules: (*map(tuple, _rows(cells, rules)),), is_mutable=False),
    _marked("rows of strings", lambda cells, rules: [*map(_text, _rows(cells, rules))]),
    _marked("list from 1", lambda cells, _: [" " if isinstance(cells[0], str) else 0, *cells]),
    _marked("dict", lambda cells, _: dict(enumerate(cells))),
    _marked("dict from 1", lambda cells, _: dict(enumerate(cells, start=1))),
    _marked("dict of row, column", lambda cells, rules: _coordinates(cells, rules, 0)),
    _marked("dict of row, column from 1", lambda cells, rules: _coordinates(cells, rules, 1)),
    _marked("columns of lists", lambda cells, rules: [[*cells[column :: rules.n]] for column in range(rules.n)]),
    _marked("string with /", lambda c, rules: "/".join(map(_text, _rows(c, rules))), is_mutable=False, is_text=True),
    KAGGLE,
    PETTINGZOO,
    AIMA_STATE,
    OWN_POSITION,
)
"""Every board format, the likeliest first."""
