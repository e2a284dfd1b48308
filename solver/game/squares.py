"""Squares by name: column letter and row number counted from the top, `a1` at the top left.

Programs number squares 0 .. m*n-1 row by row; people read `b2`.
"""

from operator import index
from typing import SupportsIndex

from solver.errors import NotationError, quoted
from solver.game.rules import Rules
from solver.support.columns import column_name, column_number


def square_name(rules: Rules, square: int) -> str:
    """Return the name of a square: on 3 rows and 3 columns square 4 is `b2`."""
    row, column = divmod(square, rules.n)
    return f"{column_name(column)}{row + 1}"


def parse_square(rules: Rules, written: object) -> int:
    """Read the number of a square written `b2`, `4` or 4; raises NotationError when it is none of this board."""
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
