"""The convention of an engine: the form of its positions and of its moves. The user states it.

    Convention.read({"board": "rows", "marks": "X,O,None", "player": "none", "moves": "row,column"}, rules)

An unstated part is None; `suggestion.py` then suggests what to state.
"""

import shlex
from ast import literal_eval
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Final, NamedTuple

from solver.errors import GraderError, NotationError, in_one_line, printable, quoted
from solver.game.notation import parse_square
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification import host
from solver.verification.answer import EngineAnswer, Failure

BOARDS: Final = {  # the forms of a board that can be stated, with a description of each
    "rows": "a list of rows, each a list of marks",
    "flat": "a list of marks, row by row",
    "flat from 1": "the same from item 1; item 0 is the mark of an empty square",
    "string": "a string of marks, row by row",
    "array": "a NumPy array of rows and columns",
    "flat array": "a NumPy array of one dimension",
    "notation": "a string with rows set apart by /",
    "position": "a solver.Position",
}

MOVES: Final = {  # the forms of a move, with a description of each
    "index": "the number of a square, row by row from 0",
    "index from 1": "the number of a square, row by row from 1",
    "row,column": "a pair, from 0",
    "row,column from 1": "a pair, from 1",
    "column,row": "a pair, from 0",
    "column,row from 1": "a pair, from 1",
    "column": "the number of a column, from 0 (with gravity)",
    "column from 1": "the number of a column, from 1 (with gravity)",
    "name": "the name of a square, such as b2, or its number from 0",
    "board": "the board after the move",
}

ORDERS: Final = {  # the orders in which squares are numbered, on the board and in moves, with a description of each
    "rows": "row by row from the top",
    "rows from the bottom": "such as the keys 7 8 9, 4 5 6, 1 2 3; row 0 is at the bottom",
    "columns": "column by column from the top; rows are columns then",
    "columns from the bottom": "the same from the bottom",
}

OPTIONS: Final = ("board", "marks", "player", "moves", "order", "profile")  # those that state a convention

_OF_PROFILES: Final = {"kaggle", "aima", "pettingzoo"}  # forms of a board with marks of their own
_GRIDS: Final = {"rows", "array", "kaggle", "aima", "pettingzoo"}

Mark = str | int | float | bool | None


@dataclass(frozen=True)
class Convention:
    """The form of an engine's arguments and answers. A field that is None is not stated."""

    board: str | None = None
    marks: tuple[Mark, Mark, Mark] | None = None  # the marks of X, of O and of an empty square
    player: tuple[Mark, Mark] | str | None = None
    """The names of X and O: two values, or `mark` if they are the marks; `none` if the function takes only a board;
    `own` if it takes only a board, on which the first of the marks is that of its own stones."""
    moves: str | None = None
    order: str = "rows"

    @staticmethod
    def read(stated: Mapping[str, Any], rules: Rules) -> "Convention":
        """Read `board`, `marks`, `player`, `moves`, `order`, `profile`. Raises GraderError if one is invalid."""
        known: dict[str, Iterable[str]] = {"board": BOARDS, "moves": MOVES, "order": ORDERS, "profile": PROFILES}
        board, moves, order, profile = (_choose(stated.get(what), names, what) for what, names in known.items())
        found = PROFILES[profile].convention if profile else Convention()
        if rules.gravity and found.moves == "index":
            found = replace(found, moves="column")
        marks, player = stated.get("marks"), stated.get("player")
        if player is not None and found.is_of_profile:
            raise GraderError(f"The profile {profile} says how the agent gets its player; leave out player.")
        marks = None if marks is None else _read_marks(marks, 3)
        if player is not None and player not in ("mark", "none", "own"):
            player = _read_marks(player, 2)
        parts: dict[str, Any] = {"board": board, "marks": marks, "player": player, "moves": moves, "order": order}
        found = replace(found, **{name: part for name, part in parts.items() if part is not None})
        _require_grid(found, rules)
        return found

    @property
    def is_whole(self) -> bool:
        """True if every part is stated."""
        named = self.is_of_profile or self.board == "position" or self.marks is not None
        return named and None not in {self.board, self.player, self.moves}

    @property
    def is_of_profile(self) -> bool:
        """True if the board has a form of its own, as in Kaggle's environments."""
        return self.board in _OF_PROFILES

    @property
    def has_numbers(self) -> bool:
        """True if the marks are stated as numbers, such as 1, -1 and 0: the first can be X's or the engine's own."""
        return self.marks is not None and isinstance(self.marks[0], int | float)

    def count_arguments(self, most: int) -> int:
        """Return the number of arguments that a function gets, which takes at most `most`."""
        if self.board in {"kaggle", "aima"}:
            return min(2, most) if self.board == "kaggle" else 2
        return 1 if self.player in ("none", "own") else 2

    def write(self, *, in_python: bool = False) -> str:
        """Return this convention as the caller of `verify` states it: as options for a shell, or as arguments."""
        parts: dict[str, Any] = {name: getattr(self, name) for name in OPTIONS[:-1]}
        usual = {"order": "rows", "marks": self.marks if self.board == "position" else None}
        if self.is_of_profile:
            parts, usual = {"profile": self.board, "moves": self.moves}, vars(PROFILES[str(self.board)].convention)
        stated = [(name, part) for name, part in parts.items() if part not in (None, usual.get(name))]
        return (", " if in_python else " ").join(write_option(*option, in_python=in_python) for option in stated)

    def request(self, position: Position, seed: int = 0) -> dict[str, Any]:
        """Return the request that asks an engine's process for a move in a position."""
        return {
            "cells": "".join(position.cells),
            "board": position.board,
            "player": position.to_move,
            "moves": [*position.legal_moves],
            "seed": hash((seed, position.x, position.o)) & 0xFFFFFFFF,
            "form": vars(self),
        }

    def read_answer(self, reply: Mapping[str, Any] | None, position: Position) -> EngineAnswer:
        """Convert a reply from the engine's process to its answer; a `reply` of None was late."""
        if reply is None:
            return EngineAnswer(None, Failure.TIMEOUT, "no answer in the time for finding the convention")
        if "error" in reply:
            kind = str(reply.get("kind"))
            failure = Failure(kind) if kind in {*Failure} else Failure.EXCEPTION
            output = printable(str(reply.get("printed", "")))
            return EngineAnswer(None, failure, in_one_line(reply["error"]), output=output)
        returned, value = reply.get("move"), reply.get("value")
        stated = value if isinstance(value, float) else None
        square = self._find_square(returned, position)
        if square is None:
            shown = returned["object"] if isinstance(returned, dict) and "object" in returned else repr(returned)
            expected = MOVES.get(self.moves or "", "an action")
            detail = f"returned {in_one_line(shown)}, but {expected} was expected"
            return EngineAnswer(None, Failure.WRONG_TYPE, detail, stated, printable(str(reply.get("printed", ""))))
        if square not in position.legal_moves:
            on_board = square if 0 <= square < position.rules.squares else None
            reason = "no empty square"
            if on_board is not None:
                reason = "above an empty square" if position.cells[square] == "." else "taken"
            expected = MOVES.get(self.moves or "", "the number of an action")
            detail = f"returned {in_one_line(repr(returned))}, which is {reason}; expected {expected}"
            return EngineAnswer(on_board, Failure.ILLEGAL, detail, stated, printable(str(reply.get("printed", ""))))
        return EngineAnswer(square, None, "", stated)

    def fits(self, moves: str, replies: Iterable[tuple[Position, Mapping[str, Any]]]) -> bool:
        """Return True if every reply is a legal move, provided that moves have the form `moves`."""
        other = replace(self, moves=moves)
        return all(other.read_answer(reply, position).legal_move is not None for position, reply in replies)

    def _find_square(self, returned: Any, position: Position) -> int | None:
        """Return the square of a move: -1 if it is off the board, None if it does not have the stated form."""
        rules = position.rules
        form, _, base = (self.moves or "").partition(" from ")
        first = int(base or 0)
        rows, columns = rules.diagram.rows, rules.diagram.columns
        numbers = _read_numbers(returned)
        if form == "board":
            return self._find_stone(returned, position)
        if form == "name":
            return _find_named(returned, rules)
        if numbers is None or len(numbers) != (2 if "," in form else 1):
            return None
        numbers = [number - first for number in numbers]
        if form == "index":
            squares = host.order_squares(self.order, rules.squares, columns)
            return squares[numbers[0]] if 0 <= numbers[0] < rules.squares else -1
        if form in {"column", "action"} and rules.gravity:
            return next((one for one in position.legal_moves if one % columns == numbers[0]), -1)
        if form == "action":  # PettingZoo numbers the squares down the columns
            numbers = [numbers[0] % rows, numbers[0] // rows]
        row, column = numbers[::-1] if form == "column,row" else numbers
        row = rows - 1 - row if self.order.endswith("bottom") else row
        square = rules.diagram.square_at(row, column) if 0 <= row < rows and 0 <= column < columns else None
        return -1 if square is None else square

    def _find_stone(self, returned: Any, position: Position) -> int | None:
        """Return the square where the side to move has added a stone to the board; -1 or None as in `_find_square`."""
        given = host.mark_squares(vars(self), self.request(position), position.rules.diagram.columns)
        if isinstance(returned, str):
            returned = [*returned.replace("/", "")] if len(returned) != position.rules.squares else [*returned]
        if not isinstance(returned, list):
            return None
        flat = [cell for row in returned for cell in (row if isinstance(row, list) else [row])]
        flat = flat[1:] if self.board == "flat from 1" else flat
        if len(flat) != position.rules.squares:
            return None
        changed = [place for place, pair in enumerate(zip(given, flat, strict=True)) if pair[0] != pair[1]]
        squares = host.order_squares(self.order, len(given), position.rules.diagram.columns)
        own = (self.marks or "XO")[0 if self.player == "own" else "XO".index(position.to_move)]
        return squares[changed[0]] if len(changed) == 1 and flat[changed[0]] == own else -1


def write_option(name: str, value: str | Sequence[Mark], *, in_python: bool) -> str:
    """Return an option as the caller writes it: as an argument of `verify`, or as words for a shell."""
    words = [f"--{name}", value if isinstance(value, str) else _write_marks(value)]
    return f"{name}={value!r}" if in_python else shlex.join(words)


class Profile(NamedTuple):
    """A well-known source of engines: the usual name of the function that chooses a move, and the convention."""

    entry: str
    convention: Convention


# The commonest form, and those documented by CS50's Introduction to AI, Kaggle's environments, Russell & Norvig's
# games.py, and PettingZoo.
PROFILES: Final = {
    "simple": Profile("best_move", Convention("flat", ("X", "O", " "), "none", "index")),
    "cs50": Profile("minimax", Convention("rows", ("X", "O", None), "none", "row,column")),
    "kaggle": Profile("", Convention("kaggle", (1, 2, 0), "none", "index")),  # the last function of the file
    "aima": Profile("player", Convention("aima", ("X", "O", "."), "none", "row,column from 1")),
    "pettingzoo": Profile("act", Convention("pettingzoo", ("X", "O", "."), "none", "action")),
}


def _choose(given: object, known: Iterable[str], what: str) -> str | None:
    if given is not None and given not in [*known]:  # it may not be hashable
        raise GraderError(f"There is no {what} {quoted(given)}; choose one of: {'; '.join(known)}.")
    return None if given is None else str(given)


def _require_grid(convention: Convention, rules: Rules) -> None:
    pairs = convention.moves is not None and ("," in convention.moves or "column" in convention.moves)
    if (convention.board in _GRIDS or pairs or convention.order != "rows") and not rules.diagram.is_grid:
        form = convention.board if convention.board in _GRIDS else convention.moves if pairs else convention.order
        raise GraderError(
            f"The form {form!r} needs rows and columns, and the board of {rules} has no rows and columns; "
            "state flat and index or name."
        )
    if convention.moves in {"column", "column from 1"} and not rules.gravity:
        raise GraderError(f"A move can't be a column, because {rules} has no gravity; state row,column.")


def _read_marks(given: object, count: int) -> tuple[Any, ...]:
    """Read marks from a list, or from a string such as `X,O,None`; a blank part of the string is a space."""
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or len(parts) != count:
        expected = "three marks such as X,O,None" if count == 3 else "none, own, mark, or two values such as 0,1"
        raise GraderError(f"{'Marks' if count == 3 else 'The player'} must be {expected}, not {quoted(given)}.")
    marks = tuple(_read_mark(part) if isinstance(given, str) else part for part in parts)
    are_known = all(isinstance(one, str | int | None) or (isinstance(one, float) and isfinite(one)) for one in marks)
    if not are_known or len({(type(mark), mark) for mark in marks}) < count:
        raise GraderError(f"The marks are {quoted(given)}; expected {count} different signs or numbers.")
    return marks


def _read_mark(text: str) -> Mark:
    """Parse a mark: `space` or a blank is a space, a Python literal is its value, and any other text is itself."""
    word = text.strip() or (" " if text else "")
    try:
        mark = " " if word in {"space", " "} else literal_eval(word)
    except (ValueError, SyntaxError):
        return word
    return mark if isinstance(mark, str | int | float | None) else word


def _write_marks(marks: Iterable[Mark]) -> str:
    """Return the string from which `_read_marks` reads these marks."""
    return ",".join(map(_write_mark, marks))


def _write_mark(mark: Mark) -> str:
    if not isinstance(mark, str):
        return str(mark)
    plain = mark if mark.isprintable() and "," not in mark and _read_mark(mark) == mark else ascii(mark)
    return "space" if mark == " " else plain.replace(",", r"\x2c")


def _read_numbers(returned: Any) -> list[int] | None:
    """Return the whole number or numbers in an answer; None for any other answer."""
    items = returned if isinstance(returned, list) else [returned]
    if isinstance(returned, str):
        items = returned.strip("()[] ").replace(",", " ").split()
    found = []
    for item in items:
        is_text = isinstance(item, str) and item.removeprefix("-").isdecimal() and len(item) < 8
        is_whole = (isinstance(item, float) and item.is_integer()) or type(item) is int
        if not (is_text or is_whole):
            return None
        found.append(int(item))
    return found or None


def _find_named(returned: Any, rules: Rules) -> int | None:
    if not isinstance(returned, str | int):
        return None
    try:
        return parse_square(rules, returned)
    except NotationError:
        return -1
