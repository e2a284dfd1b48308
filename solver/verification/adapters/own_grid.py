"""Find where an object of a program keeps its board, and what board that is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from types import ModuleType
from typing import Any, Final

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.conventions.board_formats import (
    BOARD_FORMATS,
    RARE_FORMATS,
    BoardFormat,
    Marks,
    OwnNumber,
    sort_by_hints,
)
from solver.verification.conventions.move_formats import flatten, to_plain

_GRID: Final = re.compile(r"board|grid|state|cell|square|table|field|matrix|pos|map", re.IGNORECASE)
_DEEPEST: Final = 3  # attributes from an object to its grid


@dataclass(frozen=True)
class Grid:
    """Where an object keeps its board, and how."""

    path: tuple[str, ...]
    """The attributes that lead to it."""
    formats: tuple[BoardFormat, ...]
    """The formats that it can have; the empty board does not tell them apart."""
    empty: Any
    """The sign of an empty square."""

    @property
    def starts_at_1(self) -> bool:
        """True for a list whose first cell is no square."""
        return self.formats[0].name == "list from 1"

    def read(self, thing: Any) -> Any:
        """Return the board of an object."""
        for name in self.path:
            thing = getattr(thing, name)
        return thing

    def write(self, thing: Any, board: Any) -> None:
        """Give an object another board, in place if that can be."""
        *path, last = self.path
        for name in path:
            thing = getattr(thing, name)
        old = getattr(thing, last)
        if isinstance(old, list):
            first = int(self.starts_at_1)
            old[first:] = board[first:]
        elif isinstance(old, dict):
            old.update(board)
        elif hasattr(old, "tolist"):
            old[...] = board
        else:
            setattr(thing, last, board)


def find_grid(thing: Any, rules: Rules) -> Grid | None:
    """Return where an object that holds the empty board keeps it, if it does."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), thing)]
    while waiting:
        path, holder = waiting.pop(0)
        variables = list_variables(holder)
        for name, value in sorted(variables.items(), key=lambda item: not _GRID.search(item[0])):
            formats, empty = match_formats(value, rules)
            others = [other for other in variables.values() if other is not value]
            alike = formats and any(is_same(to_plain(other), to_plain(value)) for other in others)
            if alike and not isinstance(holder, ModuleType):
                return None  # a board for each side: what is filled in would be seen by one
            if formats and (_GRID.search(name) or len(variables) < 8):
                return Grid((*path, name), formats, empty)
        if len(path) < _DEEPEST - 1 and not isinstance(holder, ModuleType):
            waiting += [((*path, name), value) for name, value in variables.items() if is_own_object(value)]
    return None


def list_empty_boards(rules: Rules, hints: frozenset[str]) -> Iterator[Any]:
    """Yield empty boards of the usual formats, those first whose signs the source has."""
    empties = list(dict.fromkeys(marks.empty for marks in sort_by_hints(hints)))
    for empty, board in product(empties[:6], [board for board in BOARD_FORMATS if board.has_marks][:6]):
        yield board.write(Position.start(rules), Marks("X", "O", empty))


def match_formats(value: Any, rules: Rules) -> tuple[tuple[BoardFormat, ...], Any]:
    """Return the formats in which a value is the empty board, and the sign of an empty square."""
    if not isinstance(value, (list, tuple, dict, str)) and type(value).__name__ != "ndarray":
        return (), None
    if len(value) not in {rules.squares, rules.squares + 1, rules.diagram.rows, rules.diagram.columns}:
        return (), None
    plain = to_plain(value)
    cells = [*flatten(plain)]
    start = Position.start(rules)
    if len(cells) not in {rules.squares, rules.squares + 1}:
        return (), None
    for empty in (cells[-1], *(OwnNumber(first, text) for text in (False, True) for first in (0, 1))):
        marks, found = Marks("X", "O", empty), []
        for board in (*BOARD_FORMATS, *RARE_FORMATS):
            if board.has_marks and ("array" in board.name) == (type(value).__name__ == "ndarray"):
                written = board.write(start, marks)
                if board.name == "list from 1":
                    written[0] = cells[0]
                if type(written) is type(value) and is_same(to_plain(written), plain):
                    found.append(board)
        if found and (isinstance(empty, OwnNumber) or cells[-1] not in ("X", "O", "x", "o")):
            return tuple(found), empty
    return (), None


def read_marks(plain: Any, position: Position, board_format: BoardFormat, empty: Any) -> Marks | None:
    """Return the marks by which a plain board is a position, if there are such."""
    from_own = [*flatten(plain)]
    want = [*flatten(to_plain(board_format.write(position, Marks("X", "O", "."))))]
    if len(from_own) != len(want):
        return None
    x = next((cell for cell, sign in zip(from_own, want, strict=True) if sign == "X"), "X")
    o = next((cell for cell, sign in zip(from_own, want, strict=True) if sign == "O"), "O")
    marks = Marks(x, o, empty)
    if is_same(x, o) or is_same(x, empty) or is_same(o, empty):
        return None
    return marks if is_same(to_plain(board_format.write(position, marks)), plain) else None


def list_variables(thing: Any) -> dict[str, Any]:
    """Return the variables of an object or a module by their names."""
    try:
        return {name: value for name, value in vars(thing).items() if not name.startswith("__")}
    except TypeError:
        names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
        return {name: getattr(thing, name) for name in names if hasattr(thing, name)}


def is_own_object(value: Any) -> bool:
    """Tell an object of a class of the program from plain data and from the library's."""
    module = type(value).__module__
    return not isinstance(value, (type, ModuleType)) and not callable(value) and module not in {"builtins", "numpy"}


def is_same(one: Any, other: Any) -> bool:
    """Return whether two marks or boards are equal, and of one type."""
    return type(one) is type(other) and bool(one == other)
