"""Read somebody's table: the rows of its file, its columns, and the positions in its cells.

A file is CSV, JSON or JSON Lines (each also as .gz), or what `mnk learn --save` has kept. JSON has one of these shapes:

    [{"board": "XO./.X./...", "value": -1}, ...]        a list of objects, or of pairs
    {"XO./.X./...": -1, ...}                            an object of positions with values, moves, or objects
    {"positions": ...}                                  either of them, inside objects of one item

CSV may have commas, semicolons, tabs or bars, and a line of headings or none.
"""

import csv
import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final

from solver.errors import EngineError, NotationError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.conventions.board_formats import Marks, OwnNumber
from solver.verification.conventions.move_formats import flatten

POSITION: Final = "position"
"""The column of positions in a file that has no name for it."""

ANSWER: Final = "answer"
"""The column of values or moves in a file that has no name for it."""

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "position": (POSITION, "board", "state", "pos", "hash", "base3", "fen", "key", "history", "line", "sequence"),
    "value": (
        "value", "wdl", "result", "outcome", "winner", "category", "class", "label", "score", "eval", "evaluation",
        "minimax", "utility", "v", "stmvalue", "truth", ANSWER,
    ),
    "distance": ("distance", "dtm", "dtw", "dte", "plies", "depth", "length", "movestoend", "pliestoend"),
    "move": ("move", "bestmove", "moves", "bestmoves", "best", "action", "bestaction", "actions", "square"),
}  # fmt: skip
"""The usual names of columns, in small letters without other signs; the first that is there is taken."""

_ITEM: Final = re.compile(r"'([^']*)'|\"([^\"]*)\"|([^\s,;\[\]()]+)")
_EMPTY: Final = frozenset({"b", "e", "n", "?", "*", "#", "none", "null", "empty", "nan", "."})


@dataclass(frozen=True)
class Row:
    """A row of the file."""

    where: str
    """Its place in the file, in words."""

    fields: Mapping[str, Any]
    """Its cells by column."""


@dataclass(frozen=True)
class Columns:
    """The names of the columns, None for those that are missing."""

    position: str | tuple[str, ...]
    """The column of positions, or the columns of the squares in order."""

    value: str | None
    distance: str | None
    move: str | None

    def position_in(self, row: Row) -> Any:
        """Return what a row says of its position: one cell, or the cells of all squares."""
        if isinstance(self.position, str):
            return row.fields.get(self.position)
        return [row.fields.get(name) for name in self.position]


def read_rows(path: Path) -> list[Row]:
    """Read the rows of a file. Raises EngineError when it can't be read."""
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise EngineError(f"The table {quoted(path)} can't be read: {reason}.") from error
    rows = list(_read_json(text, path) if text.lstrip()[:1] in {"[", "{"} else _read_csv(text, path))
    if not rows:
        raise EngineError(f"The table {quoted(path)} is empty; it needs rows of positions with values or moves.")
    return rows


def _read_json(text: str, path: Path) -> Iterator[Row]:
    try:
        content = json.loads(text)
    except ValueError:
        yield from _read_json_lines(text, path)
        return
    while isinstance(content, dict) and len(content) == 1 and isinstance(next(iter(content.values())), dict | list):
        [content] = content.values()
    if isinstance(content, dict):
        for key, item in content.items():
            yield _json_row(f"the item {quoted(key)}", [key, item], path)
    else:
        for number, item in enumerate(content, 1):
            yield _json_row(f"item {number:,}", item, path)


def _read_json_lines(text: str, path: Path) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                item = json.loads(line)
            except ValueError as error:
                raise EngineError(
                    f"The table {quoted(path)} is no JSON, nor is its line {number}: {quoted(line)}."
                ) from error
            yield _json_row(f"line {number:,}", item, path)


def _json_row(where: str, item: Any, path: Path) -> Row:
    if isinstance(item, dict):
        return Row(where, item)
    if not isinstance(item, list) or len(item) != 2:
        raise EngineError(
            f"In the table {quoted(path)}, {where} is {quoted(item)}; "
            "write an object, or a position and what it is worth."
        )
    position, answer = item
    return Row(where, {POSITION: position, **(answer if isinstance(answer, dict) else {ANSWER: answer})})


def _read_csv(text: str, path: Path) -> Iterator[Row]:
    delimiter = max(",;\t|", key=text.partition("\n")[0].count)
    try:
        lines = [line for line in csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True) if line]
    except csv.Error as error:
        raise EngineError(f"The table {quoted(path)} is no CSV: {error}.") from error
    if not lines:
        return
    heads = [head.strip() for head in lines[0]]
    has_heads = not any(_is_data(head) for head in heads)
    width = len(heads)
    names = heads if has_heads else _default_names(width)
    for number, line in enumerate(lines[has_heads:], 1 + has_heads):
        if len(line) != width:
            raise EngineError(f"In the table {quoted(path)}, row {number:,} has {len(line)} columns, not {width}.")
        yield Row(f"row {number:,}", dict(zip(names, line, strict=True)))


def _is_data(head: str) -> bool:
    """Tell a cell of data from a heading: it is a number, a board or empty."""
    return not head or not any(sign.isalpha() for sign in head) or not {*head.lower()} - {*"xo._-/0 "}


def _default_names(width: int) -> Sequence[str]:
    if width == 2:
        return (POSITION, ANSWER)
    return [POSITION, *[str(place) for place in range(2, width + 1)]] if width < 4 else [str(n) for n in range(width)]


def find_columns(rows: Sequence[Row], rules: Rules, given: Mapping[str, str | None]) -> Columns:
    """Find the columns of a table by their names; `given` are the names that the user told.

    Raises EngineError when there is no such column, none of positions, or none of values or moves.
    """
    names = list(dict.fromkeys(name for row in rows for name in row.fields))
    found: dict[str, Any] = {}
    for what, usual in NAMES.items():
        chosen = given.get(what)
        if chosen is not None and chosen not in names:
            raise _missing_column(quoted(chosen), names)
        found[what] = chosen or _find_name(names, usual)
    if given.get("position") is None and (found["position"] is None or len(names) > rules.squares):
        found["position"] = _find_squares(rows, names, rules) or found["position"]
    if found["position"] is None:
        raise _missing_column("of positions", names, ": say which it is with --position")
    if isinstance(found["position"], tuple) and found["value"] is None and found["move"] is None:
        found["value"] = next((name for name in names if name not in found["position"]), None)
    if found["value"] is None and found["move"] is None:
        raise _missing_column("of values or moves", names, ": say which it is with --value or --move")
    return Columns(**found)


def _missing_column(which: str, names: Sequence[str], hint: str = "") -> EngineError:
    return EngineError(f"The table has no column {which}; it has {', '.join(names[:20])}{hint}.")


def _find_name(names: Sequence[str], usual: Sequence[str]) -> str | None:
    simple = {re.sub(r"[^a-z0-9]", "", name.lower()): name for name in reversed(names)}
    return next((simple[name] for name in usual if name in simple), None)


def _find_squares(rows: Sequence[Row], names: Sequence[str], rules: Rules) -> tuple[str, ...] | None:
    """Return the first columns, one for each square, if their cells are marks."""
    first = tuple(names[: rules.squares])
    if len(first) < rules.squares:
        return None
    held = {str(row.fields.get(name)).strip().lower() for row in rows[:200] for name in first}
    return first if len(held) <= 3 and all(len(sign) <= 4 for sign in held) else None


def read_position(rules: Rules, given: Any, marks: Marks | None = None) -> Position:
    """Read the position in a cell: in any notation of `solver.game.notation`, a printed list, or squares with `marks`.

    Raises NotationError when it can't be read, ImpossiblePosition or IllegalMove when it can't arise.
    """
    if given is None:
        raise NotationError("There is no position.")
    if isinstance(given, str) and given.strip()[:1] in {"[", "("}:
        given = _split_list(given)
    if marks is not None:
        return Position(rules, *_read_stones(rules, given, marks))
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    try:
        return Position.parse(rules, given)
    except NotationError:
        cells = [_plain_sign(sign, place) for place, sign in enumerate(flatten(given))]
        if len(cells) != rules.squares or None in cells:
            raise
        return Position.parse(rules, cells)
    except (TypeError, ValueError) as error:
        raise NotationError(f"{quoted(given)} can't be read as a position of {rules}.") from error


def _split_list(text: str) -> Sequence[Any]:
    """Return the items of a list as Python or NumPy prints it."""
    found = [next((group for group in match.groups() if group is not None), "") for match in _ITEM.finditer(text)]
    return [int(item) if item.removeprefix("-").isdecimal() else item for item in found]


def _plain_sign(sign: Any, place: int) -> str | None:
    """Return `x`, `o`, or `.` for an empty square written in an unusual way: by a letter, or its own number."""
    text = str(sign).strip().lower()
    if text in {"x", "o"}:
        return text
    return "." if text in _EMPTY or text in {str(place), str(place + 1)} else None


def _read_stones(rules: Rules, given: Any, marks: Marks) -> tuple[int, int]:
    """Return the squares of X and O, as bits."""
    signs = [str(sign) for sign in flatten(given.replace("|", "") if isinstance(given, str) else given)]
    first, second = str(marks.first), str(marks.second)
    if len(signs) != rules.squares:
        raise NotationError(f"{quoted(given)} has {len(signs)} squares, but the board of {rules} has {rules.squares}.")
    for place, sign in enumerate(signs):
        empty = str(marks.empty.of(place)) if isinstance(marks.empty, OwnNumber) else str(marks.empty)
        if sign not in {first, second, empty}:
            raise NotationError(f"{quoted(given)} holds {quoted(sign)}, which is none of the marks.")
    stones = [sum(1 << place for place, sign in enumerate(signs) if sign == mark) for mark in (first, second)]
    # The side to move has as many stones as the other, or one less.
    swap = marks.relative and stones[0].bit_count() < stones[1].bit_count()
    return (stones[1], stones[0]) if swap else (stones[0], stones[1])
