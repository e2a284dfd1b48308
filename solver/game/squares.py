"""Squares by name, such as `a1`: on a rectangle column letter and row number counted from the top.

Programs number squares from 0; people read `b2`. Rows are counted from the top with gravity too, though players of
connect-4 count them from the bottom: so a name is one square in every game of a size, in texts, files and tables. A
move needs no row there.
"""

from operator import index
from typing import SupportsIndex

from solver.errors import NotationError, quoted
from solver.game.lines import squares_of
from solver.game.rules import Rules
from solver.support.columns import column_name


def square_name(rules: Rules, square: int) -> str:
    """Return the name of a square: on 3 rows and 3 columns square 4 is `b2`."""
    return rules.diagram.names[square]


def example_square(rules: Rules) -> str:
    """Name a square of the board for a sentence that asks for one: `b2` where there is one."""
    return "b2" if "b2" in rules.diagram.numbers else rules.diagram.names[0]


def line_strokes(rules: Rules) -> list[list[int]]:
    """List the squares of each line that pictures show as a stroke through its points, in the order of drawing."""
    from solver.support.drawing.places import order_strokes  # only pictures need it

    if rules.diagram.shape != "points":
        return []
    return order_strokes(rules.diagram, [[*squares_of(line.mask)] for line in rules.lines])


def parse_square(rules: Rules, written: object) -> int:
    """Read the number of a square written `b2`, `4` or 4; raises NotationError when it is none of this board.

    Text is a name first: on the edges of a complete graph `12` is the edge between the points 1 and 2.
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
        raise NotationError(
            f"{quoted(written)} is not a square of {rules}; write {names[0]} to {names[last]}{numbers}."
        )
    return square


def parse_move(rules: Rules, taken: int, written: object) -> int:
    """Read the square that a move goes to; with gravity the letters of its column are enough.

    taken: the squares with a stone, as bits. Raises NotationError when it is no square, or the column is full.
    """
    columns = [column_name(column) for column in range(rules.stride)]
    if not isinstance(written, str) or written.strip().lower() not in columns:
        return parse_square(rules, written)
    column = columns.index(written.strip().lower())
    empty = [square for square in range(column, rules.squares, rules.stride) if not taken >> square & 1]
    if not empty:
        raise NotationError(f"The column {columns[column]} is full; choose another.")
    return empty[-1]


def _has_digit_names(rules: Rules) -> bool:
    """True where names are numbers themselves."""
    return any(name.isdecimal() for name in rules.diagram.names)
