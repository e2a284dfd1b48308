"""Read positions and squares in the notations that people and programs use; docs/reference/games.md lists them all.

A text has the first of these forms that fits: the empty board, `moves:` or `hash:`, a board in digits, a board in
letters, a board as `mnk` prints it, or moves.
"""

import re
from collections.abc import Sequence
from operator import index
from typing import SupportsIndex

from solver.drawing.diagram import HOLE, column_name
from solver.errors import NotationError, quoted
from solver.game.base3 import decode
from solver.game.lines import mask_of
from solver.game.rules import Rules

Stones = tuple[int, int]  # the bitboards of X and O
Moves = list[int]  # squares in the order they were played

MARKS = re.compile(r"[,!?]+")  # between moves, or after a good or a bad one

_LONGEST_EXAMPLE = 40  # characters

_EMPTY, _X, _O = range(3)
_LETTERS = {"x": _X, "o": _O, ".": _EMPTY, "_": _EMPTY, "-": _EMPTY, "0": _EMPTY, " ": _EMPTY}
_DIGITS = {"0": _EMPTY, "1": _X, "2": _O}
_MARKS: dict[object, int] = {None: _EMPTY, "": _EMPTY, 0: _EMPTY, 1: _X, 2: _O, -1: _O, "-1": _O}
_MARKS.update(_LETTERS)
_MARKS.update(_DIGITS)


def read(rules: Rules, given: object) -> Stones | Moves:
    """Return the stones or the moves in `given`, in any notation. Legality is not checked. Raises NotationError."""
    if hasattr(given, "tolist"):  # a NumPy array or scalar, without importing NumPy
        given = given.tolist()
    if isinstance(given, str):
        return _read_text(rules, given)
    if isinstance(given, Sequence) and not isinstance(given, bytes):
        return _read_items(rules, given)
    if isinstance(given, SupportsIndex):
        return read_hash(rules, index(given))
    raise _unreadable(rules, given)


def read_hash(rules: Rules, number: int, written: object = None) -> Stones:
    """Return the stones of a base-3 hash. Raises NotationError, which quotes `written`, if the hash is out of range."""
    if not 0 <= number < 3**rules.squares:
        raise NotationError(
            f"{quoted(number if written is None else written)} is not the base-3 hash of a position of {rules}; "
            f"write a number from 0 to {3**rules.squares - 1}."
        )
    return decode(number)


def _read_text(rules: Rules, given: str) -> Stones | Moves:
    text = given.strip()
    if text.lower() in ("", "start"):
        return 0, 0
    prefix, colon, rest = text.partition(":")
    if colon and prefix.lower() == "moves":
        return read_moves(rules, rest) if rest.strip() else []
    if colon and prefix.lower() == "hash":
        digits = rest.strip()
        is_number = digits.isascii() and digits.isdecimal() and len(digits) <= rules.squares + 1
        return read_hash(rules, int(digits) if is_number else -1, digits)
    if text in rules.diagram.numbers:
        return [rules.diagram.numbers[text]]
    if len(text) == rules.squares and set(text) <= set(_DIGITS):
        return _stones([_DIGITS[digit] for digit in text])
    cells = None if text.isdecimal() else _board_cells(rules, _without_coordinates(rules, given))
    return read_moves(rules, text) if cells is None else _stones(cells)


def read_moves(rules: Rules, text: str) -> Moves:
    """Return the squares of moves such as `b2 a1 c3` or `b2! a1? c3`. Legality is not checked. Raises NotationError."""
    digits = any(character.isdecimal() for character in text)
    if not (digits or rules.gravity) and all(any(map(str.isdecimal, name)) for name in rules.diagram.names):
        raise _unreadable(rules, text)
    moves, taken = [], 0
    for word in MARKS.sub(" ", text).split():
        for move in split_moves(rules, word):
            moves.append(parse_move(rules, taken, move))
            taken |= 1 << moves[-1]
    return moves


def split_moves(rules: Rules, word: str) -> list[str]:
    """Return the moves in a word such as `a1b2` or, with gravity, `ddd` or `444`; for other words, `[word]`."""
    word, names = word.lower(), rules.diagram.numbers.keys() | set(column_names(rules))
    if word in names:
        return [word]
    if rules.gravity and rules.stride < 10 and word.isdecimal():
        return [*word]
    several = re.findall(r"[a-z][0-9]*" if rules.gravity else r"(?<![a-z])[a-z]++[0-9]++", word)
    return several if "".join(several) == word and names.issuperset(several) else [word]


def _board_cells(rules: Rules, text: str) -> list[int] | None:
    """Parse the cells of a board; return None for other text. Raises NotationError if the board has the wrong size."""
    diagram = rules.diagram
    by_rows = "/" in text or "\n" in text.strip()
    signs = _LETTERS | _DIGITS if by_rows else _LETTERS
    if not all(sign.lower() in signs or sign in "/\r\n\t" or (sign == HOLE and not diagram.is_grid) for sign in text):
        return None
    pieces = text.strip("\r\n").replace("/", "\n").splitlines() if by_rows else _flat_rows(rules, text)
    # Spaces are empty squares in a row of full width, separators otherwise.
    rows = [row if len(row) == diagram.columns else "".join(row.split()) for row in pieces]
    rows = [row for row in rows if row]
    if [len(row) for row in rows] != [diagram.columns] * diagram.rows:
        raise _wrong_size(rules, text.strip(), [len(row) for row in rows])
    places = "".join(rows).lower()
    cells = [places[place] for place in diagram.place_of]
    if HOLE in cells:
        square = cells.index(HOLE)
        raise NotationError(
            f"{quoted(text.strip())} has no square where {rules} has {square_name(rules, square)}; "
            f"write {HOLE} only there: {_example(rules)}."
        )
    return [signs[cell] for cell in cells]


def _flat_rows(rules: Rules, text: str) -> list[str]:
    """Split a board without `/` and new lines into rows: its words if they have full width, otherwise equal parts."""
    m, n = rules.diagram.rows, rules.diagram.columns
    words = text.split()
    if len(words) == m and all(len(word) == n for word in words):
        return words
    cells = text if len(text) in {rules.squares, m * n} else "".join(words)
    if len(cells) == rules.squares < m * n:  # without the holes
        cells = "".join(rules.diagram.fill(cells))
    return [cells[start : start + n] for start in range(0, len(cells), n)]


def _without_coordinates(rules: Rules, text: str) -> str:
    """Remove the coordinates that `solver.drawing.diagram` prints around a board; return any other string unchanged."""
    head, *rows = [line.split() for line in text.splitlines() if line.strip()] or [[]]
    numbers, diagram = [row[0] for row in rows], rules.diagram
    columns = [column_name(column) for column in range(diagram.columns)]
    if head != columns or numbers != [str(row + 1) for row in range(diagram.rows)]:
        return text
    return "/".join("".join(row[1:]) for row in rows).translate({ord("("): None, ord(")"): None})


def _read_items(rules: Rules, items: Sequence[object]) -> Stones | Moves:
    rows = [row for row in (_row_marks(rules, item) for item in items) if row is not None]
    if rows and len(rows) == len(items):
        diagram = rules.diagram
        if [len(row) for row in rows] != [diagram.columns] * diagram.rows:
            raise _wrong_size(rules, items, [len(row) for row in rows])
        places = [mark for row in rows for mark in row]
        return _stones([places[place] for place in diagram.place_of])
    marks = _marks(items)
    if marks and len(marks) == rules.squares:
        return _stones(marks)
    if marks and len(set(marks)) < len(marks):  # moves repeat no square
        raise _wrong_size(rules, items, [len(marks)])
    return [parse_square(rules, item) for item in items]


def _row_marks(rules: Rules, item: object) -> list[int] | None:
    """Return the cells of a row, given as a list or as a string of full width; None if the item is not a row."""
    if isinstance(item, str):
        return _marks(item) if len(item) == rules.diagram.columns > 1 else None
    return _marks(item) if isinstance(item, Sequence) else None


def _marks(items: Sequence[object]) -> list[int] | None:
    """Convert the marks on squares to the digits 0, 1 and 2; return None if any item is not a mark."""
    keys = [item.strip().lower() if isinstance(item, str) else item for item in items]
    try:
        return [_MARKS[key] for key in keys]
    except (KeyError, TypeError):  # not a mark; a list among marks can't be looked up
        return None


def _stones(cells: Sequence[int]) -> Stones:
    x = mask_of(square for square, cell in enumerate(cells) if cell == _X)
    o = mask_of(square for square, cell in enumerate(cells) if cell == _O)
    return x, o


def _wrong_size(rules: Rules, given: object, rows: list[int]) -> NotationError:
    found = f"{sum(rows)} squares" if sum(rows) != rules.squares else f"rows of {', '.join(map(str, rows))} squares"
    return NotationError(
        f"{quoted(given)} has {found}, but the board of {rules} has {rules.squares}: "
        f"write {rules.diagram.rows} rows of {rules.diagram.columns}, such as {_example(rules)}."
    )


def _unreadable(rules: Rules, given: object) -> NotationError:
    columns = [column_name(column) for column in range(rules.diagram.columns)]
    if rules.rectangle and isinstance(given, str) and set(given.lower().split()) <= {*columns}:
        return NotationError(
            f"{quoted(given)} names columns, and in {rules} a move is a square such as {square_name(rules, 0)}; "
            f"the game in which stones drop is {rules},gravity."
        )
    return NotationError(
        f"{quoted(given)} can't be read as a position of {rules}; "
        f"write its rows, such as {_example(rules)}, "
        f"its moves, such as '{square_name(rules, 0)} {square_name(rules, rules.squares - 1)}', or its base-3 hash."
    )


def _example(rules: Rules) -> str:
    board = rules.diagram.write("." * rules.squares)
    row = board.partition("/")[0]
    if len(board) <= _LONGEST_EXAMPLE or board != "/".join([row] * rules.diagram.rows):
        return quoted(board, limit=_LONGEST_EXAMPLE)
    return f"{rules.diagram.rows} times {quoted(row)} with / between"


def square_name(rules: Rules, square: int) -> str:
    """Return the name of a square: on 3 rows and 3 columns square 4 is `b2`."""
    return rules.diagram.names[square]


def parse_square(rules: Rules, written: object) -> int:
    """Return the number of a square written `b2`, `4` or 4. Raises NotationError for anything else.

    Names take precedence: on the edges of a complete graph, `12` is the edge between the points 1 and 2.
    """
    square: int | None = None
    if isinstance(written, str):
        text = written.strip().lower()
        square = rules.diagram.numbers.get(text)
        if square is None and text.isascii() and text.isdecimal() and len(text) < 8 and not _has_digit_names(rules):
            square = int(text)
    elif isinstance(written, SupportsIndex):
        square = index(written)
    if square is None or not 0 <= square < rules.squares:
        names, last = rules.diagram.names, rules.squares - 1
        numbers = "" if _has_digit_names(rules) and isinstance(written, str) else f", or 0 to {last}"
        is_hash = isinstance(written, str) and written.isdecimal() and square is not None
        advice = f"; a base-3 hash is written hash:{square}" if is_hash else ""
        raise NotationError(
            f"{quoted(written)} is not a square of {rules}; write {names[0]} to {names[last]}{numbers}{advice}."
        )
    return square


def parse_move(rules: Rules, taken: int, written: object) -> int:
    """Return the square of a move. With gravity, `written` may be a column: its letter, or its number as a string.

    taken: the bitmask of the occupied squares. Raises NotationError if `written` is not a square or the column is full.
    """
    text, columns = written.strip().lower() if isinstance(written, str) else "", column_names(rules)
    if text in rules.diagram.numbers:  # before a column, because squares can have any names
        return rules.diagram.numbers[text]
    if columns and text.isascii() and text.isdecimal():
        if not 1 <= int(text[:9]) <= len(columns):
            raise NotationError(
                f"{quoted(text)} is not a column of {rules}; write {columns[0]} to {columns[-1]}, or 1 to "
                f"{len(columns)}. A base-3 hash is written hash:88."
            )
        text = columns[int(text[:9]) - 1]
    if text not in columns:
        return parse_square(rules, written)
    column = columns.index(text)
    empty = [square for square in range(column, rules.squares, rules.stride) if not taken >> square & 1]
    if not empty:
        raise NotationError(f"The column {text} is full; choose another.")
    return empty[-1]


def column_names(rules: Rules) -> list[str]:
    """Return the names of the columns in which stones drop; an empty list without gravity."""
    return [column_name(column) for column in range(rules.stride)]


def _has_digit_names(rules: Rules) -> bool:
    return any(name.isdecimal() for name in rules.diagram.names)
