"""Squares by name: column letter and row number counted from the top, `a1` at the top left.

Programs number squares 0 .. m*n-1 row by row; people read `b2`.
Columns beyond z are aa, ab, ...
"""

from operator import index
from typing import SupportsIndex

from solver.errors import NotationError, quoted
from solver.rules import Rules

__all__ = ["column_name", "column_number", "parse_square", "square_name"]


def column_name(column: int) -> str:
    """The letters of a column counted from 0.

    >>> column_name(0), column_name(25), column_name(26)
    ('a', 'z', 'aa')
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


def column_number(name: str) -> int:
    """The column of some lower-case letters, counted from 0; the inverse of `column_name`."""
    number = 0
    for letter in name:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number - 1


def square_name(rules: Rules, square: int) -> str:
    """The name of a square: on 3 rows and 3 columns square 4 is `b2`."""
    row, column = divmod(square, rules.n)
    return f"{column_name(column)}{row + 1}"


def parse_square(rules: Rules, written: object) -> int:
    """The number of a square written `b2`, `4` or 4; raises NotationError when it is none of this board."""
    square: int | None = None
    if isinstance(written, str):
        square = _named(rules, written.strip().lower())
    elif isinstance(written, SupportsIndex):
        square = index(written)
    if square is None or not 0 <= square < rules.squares:
        last = rules.squares - 1
        raise NotationError(
            f"{quoted(written)} is not a square of {rules}; write a1 to {square_name(rules, last)}, or 0 to {last}."
        )
    return square


def _named(rules: Rules, text: str) -> int | None:
    letters = text.rstrip("0123456789")
    digits = text[len(letters) :]
    if not digits or len(text) > 8:
        return None
    if not letters:
        return int(digits)
    if not (letters.isascii() and letters.isalpha()):
        return None
    row, column = int(digits) - 1, column_number(letters)
    return row * rules.n + column if 0 <= row < rules.m and column < rules.n else None
