"""Put a position into a program's own board: an object of its class, or a variable of its module.

The safest way is to play the moves from the start through its own method; the first way of calling it that puts the
stones on the right squares is taken. Without such a method the grid is filled in, and whose turn it is is set.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy, deepcopy
from types import ModuleType
from typing import Any, Final

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.loading import OutOfTime, limit_time
from solver.verification.adapters.own_grid import find_grid, is_own_object, is_same, list_variables, read_marks
from solver.verification.adapters.own_moves import Way, list_ways, order_moves
from solver.verification.conventions.board_formats import (
    BoardFormat,
    Layout,
    Marks,
    sort_by_hints,
)
from solver.verification.conventions.move_formats import to_plain

_TURN: Final = re.compile(r"turn|current|player|to_?move|side|whose|active", re.IGNORECASE)
_TURN_ALONE: Final = re.compile(r"turn|current|to_?move|whose|active", re.IGNORECASE)
_QUICK: Final = 0.5  # seconds of the processor in which a short game is played: a method that takes longer thinks
_COUNT: Final = re.compile(
    r"count|moves?_?(?:made|played|done)?$|marked|filled|turns?$|ply|num|step|round", re.IGNORECASE
)
EMPTYING: Final = re.compile(
    r"(?:init|reset|clear|new|set_?up)_?(?:board|game|field|grid|state|position)", re.IGNORECASE
)


class OwnBoard:
    """A program's own board. `make` makes an empty one. Raises LookupError where that holds no board."""

    def __init__(self, make: Callable[[], Any], name: str, rules: Rules, hints: frozenset[str]) -> None:
        self.name = name
        self._make, self._rules, self._hints = make, rules, hints
        self._thinking = set[str]()  # the methods that take too long to place a stone alone
        self._emptying = ""  # the method that empties it, if it does not begin so
        begin = self._begin()
        self._snapshot = _copy_plain(vars(begin)) if isinstance(begin, ModuleType) else None
        grid = find_grid(begin, rules)
        if not grid and (emptied := self._find_emptying(begin)):
            self._emptying = emptied
            begin = self._begin()
            grid = find_grid(begin, rules)
        if not grid:
            raise LookupError(f"{name} holds no board")
        self.grid = grid
        self._empty: Any = to_plain(grid.read(begin))
        self._filled: Any = None  # the board into which a position was put last
        self._filler: Any = " "  # the first cell of a list from 1
        self.way: Way | None = None
        self._played: dict[Marks, tuple[Any, Any]] = {}  # what moves are played with, by the marks that this gives
        self.layouts: list[Layout] = []
        """The format and the marks of its grid, as they were seen when moves were played; several if it takes any."""
        if self._snapshot is None:
            self._find_way(begin)

    @property
    def formats(self) -> tuple[BoardFormat, ...]:
        """The formats that its grid can have."""
        return (self.layouts[0].format,) if self.layouts else self.grid.formats

    @property
    def marks(self) -> tuple[Marks, ...]:
        """The marks that its grid can have, the likeliest first."""
        if self.layouts:
            return tuple(layout.marks for layout in self.layouts)
        return tuple(marks for marks in sort_by_hints(self._hints) if is_same(marks.empty, self.grid.empty))

    def set_up(self, position: Position, layout: Layout) -> Any:
        """Return an object that holds a position."""
        thing = self.make()
        if self.way:
            at = Position.start(position.rules)
            for square in order_moves(position):
                thing = self.way.play(thing, at, square, self._played.get(layout.marks, ("X", "O")))
                at = at.play(square)
        else:
            board = layout.write(position)
            if self.grid.starts_at_1:
                self._filler = board[0]
            self.grid.write(thing, board)
            _set_turn(thing, position, layout.marks)
        self._filled = self.grid.read(thing)
        return thing

    def make(self) -> Any:
        """Return an empty one; a module is put back into the state it had."""
        thing = self._begin()
        if self._snapshot is not None:
            for name, value in _copy_plain(self._snapshot).items():
                old = getattr(thing, name)
                if isinstance(old, list) and isinstance(value, list):
                    old[:] = value
                else:
                    setattr(thing, name, value)
        return thing

    def read(self, thing: Any) -> Any:
        """Return the board of an object, plain."""
        held = self.grid.read(thing)
        plain: Any = to_plain(held)
        if held is not self._filled and plain == self._empty:  # the game is over, and the board another, empty one
            plain = to_plain(self._filled)
        return (self._filler, *plain[1:]) if self.grid.starts_at_1 else plain

    def read_after(self, returned: Any) -> Any:
        """Return the board of what was returned, if it is such an object or holds one; else what was returned."""
        kind = type(self._make())
        if kind is ModuleType:
            return returned
        for thing in (returned, *(list_variables(returned).values() if is_own_object(returned) else ())):
            if type(thing) is kind:
                return self.read(thing)
        return returned

    def describe(self) -> str:
        """Describe how a position is put into it."""
        if self.way:
            return f"each position is put into its own {self.name} by playing the moves with {self.way}"
        where = ".".join((self.name, *self.grid.path))
        return f"each position is put into {where}, and whose turn it is is set where it is kept"

    def _begin(self) -> Any:
        thing = self._make()
        if self._emptying:
            getattr(thing, self._emptying)()
        return thing

    def _find_emptying(self, begin: Any) -> str:
        """Return the method of an object after which its board is empty."""
        for name in dir(begin) if is_own_object(begin) else ():
            if EMPTYING.fullmatch(name):
                thing = self._make()
                with suppress(Exception):  # of the program, or it asks for something
                    getattr(thing, name)()
                    if find_grid(thing, self._rules):
                        return name
        return ""

    def _find_way(self, begin: Any) -> None:
        """Find how moves are played, and see by that what the grid is like."""
        for way, marks in list_ways(begin, self._rules, self._hints):
            if self.way and way != self.way:
                return
            if way.method in self._thinking:
                continue
            for board_format in self.grid.formats:
                found = self._try(way, marks, board_format)
                if found and found.marks not in self._played:
                    self.way = way
                    self._played[found.marks] = marks
                    self.layouts.append(found)
                    break

    def _try(self, way: Way, marks: tuple[Any, Any], board_format: BoardFormat) -> Layout | None:
        """Return the layout of the grid if a way puts the stones of a short game where they belong."""
        try:
            with limit_time(_QUICK):
                return self._play_short_game(way, marks, board_format)
        except OutOfTime:
            self._thinking.add(way.method)
        except Exception:  # that is how a method says that it is not called so
            pass
        return None

    def _play_short_game(self, way: Way, marks: tuple[Any, Any], board_format: BoardFormat) -> Layout | None:
        """Return the layout of the grid after a short game. Raises whatever the program raises."""
        thing, at = self._begin(), Position.start(self._rules)
        seen: Marks | None = None
        for place in (1, -2, 1):
            moves = at.legal_moves
            square = moves[place] if len(moves) > 2 else moves[0]
            thing, at = way.play(thing, at, square, marks), at.play(square)
            seen = read_marks(to_plain(self.grid.read(thing)), at, board_format, self.grid.empty)
            if seen is None:
                break
        return Layout(board_format, seen) if seen else None


def _set_turn(thing: Any, position: Position, marks: Marks) -> None:
    """Set the variables that say whose turn it is, and how many moves were made, where there are such."""
    variables = list_variables(thing)
    names_sides = any(is_same(value, marks.second) for value in variables.values())  # as beside an `ai_symbol`
    turns = _TURN_ALONE if names_sides else _TURN
    for name, value in variables.items():
        if turns.search(name) and position.to_move == "O":
            if type(value) is bool:
                setattr(thing, name, not value)
            elif isinstance(value, (str, int)) and is_same(value, marks.first):
                setattr(thing, name, marks.second)
            elif type(value) is int and value in {0, 1} and value != marks.second:
                setattr(thing, name, 1 - value if value == 0 else 2)
        elif type(value) is int and value == 0 and _COUNT.search(name):
            setattr(thing, name, position.ply)


def _copy_plain(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Copy those variables that are plain data."""
    plain = (int, float, str, bool, list, dict, tuple, set, type(None))
    kept = {name: value for name, value in variables.items() if not name.startswith("__")}
    return {
        name: _deep(value)
        for name, value in kept.items()
        if isinstance(value, plain) or type(value).__name__ == "ndarray"
    }


def _deep(value: Any) -> Any:
    try:
        return deepcopy(value)
    except Exception:  # windows and locks can't be copied
        return copy(value)
