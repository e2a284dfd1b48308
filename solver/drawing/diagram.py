"""The layout of a board: the places and names of its squares, and the board as lines of text.

Nothing here affects the value of a position.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Final, Literal

HOLE: Final = "#"
"""The character in the text of a board for a place without a square."""

Shape = Literal["cells", "points", "edges", "hexagons"]
Point = tuple[float, float]


@dataclass(frozen=True)
class Diagram:
    """The layout of a board: its rows in text, and the names and places of its squares.

    >>> grid(2, 3).write("XO..X.")
    'XO./.X.'
    """

    rows: int
    """The number of rows of the text."""
    columns: int
    """The number of columns of the text."""
    cells: tuple[int | str, ...]
    """For each place of the text, row by row: its square, `#` if it has none, or `X` or `O` for an initial stone."""
    names: tuple[str, ...]
    """The name of each square, in lower case."""
    shape: Shape = "cells"
    """The look of a square: a cell, a point on lines, an edge between two points, or a hexagon."""
    points: tuple[Point, ...] = ()
    """(x, y) of each square, then of each stone from the start in the order of `cells`; in units of a square, with y
    downwards. For edges, (x, y) of the points that they join. Empty: the places in the text."""
    ends: tuple[tuple[int, int], ...] = ()
    """For each edge, then for each edge taken from the start, the two points that it joins."""
    borders: tuple[tuple[str, tuple[Point, ...]], ...] = ()
    """The borders that a side must connect: the side, `X` or `O`, and the points of the border, as in `points`."""

    @cached_property
    def is_grid(self) -> bool:
        """True if the board is a rectangle without holes whose squares are numbered row by row."""
        return self.shape == "cells" and not self.points and self.cells == tuple(range(len(self.cells)))

    @cached_property
    def has_coordinates(self) -> bool:
        """True if the squares are named by column and row."""
        placed = zip(self.place_of, self.names, strict=True)
        return all(name == grid_name(place, self.columns) for place, name in placed)

    @property
    def has_margins(self) -> bool:
        """True if letters and numbers in the margins name the squares."""
        return self.has_coordinates and self.shape == "cells" and not self.points

    @cached_property
    def place_of(self) -> tuple[int, ...]:
        """For each square, its place in the text; places are counted row by row."""
        places = {cell: place for place, cell in enumerate(self.cells)}
        return tuple(places[square] for square in range(len(self.names)))

    @cached_property
    def standing(self) -> tuple[str, ...]:
        """The initial stones, `X` or `O`, in the order of `cells`."""
        return tuple(str(cell) for cell in self.cells if cell in {"X", "O"})

    @cached_property
    def drawn_places(self) -> tuple[int, ...]:
        """For each square, then for each initial stone, its place in the text."""
        return self.place_of + tuple(place for place, cell in enumerate(self.cells) if cell in {"X", "O"})

    @cached_property
    def corner_names(self) -> tuple[str, ...]:
        """The name (one character) of each point if each edge is named after its two points; otherwise empty."""
        found: dict[int, str] = {}
        for name, ends in zip(self.names, self.ends, strict=False):
            if len(name) != len(ends):
                return ()
            if any(found.setdefault(end, sign) != sign for end, sign in zip(ends, name, strict=True)):
                return ()
        if len(set(found.values())) < len(found):
            return ()
        return tuple(found.get(corner, "") for corner in range(len(self.points))) if found else ()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """A dictionary from the names of squares to their numbers."""
        return {name: square for square, name in enumerate(self.names)}

    def square_at(self, row: int, column: int) -> int | None:
        """Return the square in a row and column of the text, counted from 0; None for a place without a square."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        cell = self.cells[row * self.columns + column]
        return cell if isinstance(cell, int) else None

    def fill(self, cells: Sequence[str]) -> list[str]:
        """Return a string for each place in the text. The string of a square is its item in `cells`."""
        return [cells[cell] if isinstance(cell, int) else cell for cell in self.cells]

    def write(self, cells: Sequence[str]) -> str:
        """Return a board as text, with `/` between rows, given a string for each square."""
        text, n = "".join(cells) if self.is_grid else "".join(self.fill(cells)), self.columns
        return "/".join([text[start : start + n] for start in range(0, len(text), n)])


def grid(rows: int, columns: int) -> Diagram:
    """Return the diagram of a rectangle whose squares are named by column and row, with `a1` at the top left."""
    count = rows * columns
    return Diagram(rows, columns, tuple(range(count)), tuple(grid_name(place, columns) for place in range(count)))


def grid_name(place: int, columns: int) -> str:
    """Return the name of a square of a rectangular board: its column's letters, then its row's number from the top."""
    row, column = divmod(place, columns)
    return f"{column_name(column)}{row + 1}"


def column_name(column: int) -> str:
    """Return the letters of a column counted from 0: a to z, then aa, ab, ...

    >>> column_name(0), column_name(25), column_name(26)
    ('a', 'z', 'aa')
    """
    rest, letter = divmod(column, 26)
    return (column_name(rest - 1) if rest else "") + ascii_lowercase[letter]


def text_board(
    diagram: Diagram,
    cells: Sequence[str],
    *,
    labels: Mapping[int, str] | None = None,
    highlight: Iterable[int] = (),
    paint: Callable[[str], str] = str,
) -> str:
    """Return a board as lines of text, without a newline at the end.

    >>> print(text_board(grid(2, 3), "XO..X.", labels={2: "L4", 3: "=", 5: "W1"}))
       a   b   c
    1  X   O   L4
    2  =   X   W1

    cells: a character for each square. labels: strings that replace the characters of some squares. highlight: squares
    to put in parentheses, such as a completed line. paint: returns a label with the colour codes of a terminal.
    """
    marked, m, n = set(highlight), diagram.rows, diagram.columns
    texts = [(labels or {}).get(square, cell) for square, cell in enumerate(cells)]
    if not diagram.has_coordinates:
        return _text_list(diagram, texts, marked, labels or {}, paint)
    if marked:
        texts = [f"({text})" if square in marked else f" {text} " for square, text in enumerate(texts)]
    pad = " " if marked else ""
    heads = [pad + column_name(column) for column in range(n)]
    number_width = len(str(m))
    width = max(map(len, heads + texts))
    gap = "  " if width - 2 * len(pad) > 1 else " "
    texts = [text.ljust(width) for text in texts]
    for square, label in (labels or {}).items():
        texts[square] = texts[square].replace(label, paint(label))
    places = [text if len(text) > 1 else (pad + text).ljust(width) for text in diagram.fill(texts)]
    rows = [("", [head.ljust(width) for head in heads])]
    rows += [(str(row + 1), places[row * n : (row + 1) * n]) for row in range(m)]
    return "\n".join(f"{number:>{number_width}}  {gap.join(row)}".rstrip() for number, row in rows)


_TEXT_WIDTH = 72


def _text_list(
    diagram: Diagram, texts: Sequence[str], marked: set[int], labels: Mapping[int, str], paint: Callable[[str], str]
) -> str:
    """Return lines of text with each square's name and string. A row of squares is a single line if it fits."""
    name_width, width = max(map(len, diagram.names)), max(map(len, texts))
    words = []
    for square, here in enumerate(texts):
        shown = (f"({here})" if square in marked else f" {here} " if marked else here).ljust(width + 2 * bool(marked))
        if square in labels:
            shown = shown.replace(here, paint(here))
        words.append(f"{diagram.names[square]:>{name_width}} {shown}")
    places = diagram.fill(words)
    blank = " " * (name_width + 1 + width)
    places = [f"{place:>{name_width + 1}}".ljust(len(blank)) if len(place) == 1 else place for place in places]
    n = min(diagram.columns, max(1, _TEXT_WIDTH // (len(blank) + 3)))
    rows = [places[start : start + diagram.columns] for start in range(0, len(places), diagram.columns)]
    lines = [row[start : start + n] for row in rows for start in range(0, len(row), n)]
    return "\n".join("   ".join(line).rstrip() for line in lines)
