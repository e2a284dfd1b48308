"""Where the squares of a board stand on the screen: as in its text, long rows of named squares in pieces."""

from __future__ import annotations

from typing import Final

from solver.support.drawing.diagram import HOLE, Diagram

_MOST_COLUMNS: Final = 7  # of a board whose squares are called by names of their own


class Layout:
    """Rows and columns of squares, stones that stand from the start, and holes."""

    def __init__(self, diagram: Diagram) -> None:
        self.has_coordinates = diagram.has_coordinates
        self.columns = diagram.columns if self.has_coordinates else min(diagram.columns, _MOST_COLUMNS)
        pieces = range(0, diagram.columns, self.columns)
        cells = [
            [*diagram.cells[start + first : start + min(first + self.columns, diagram.columns)]]
            for start in range(0, len(diagram.cells), diagram.columns)
            for first in pieces
        ]
        self._cells = [row + [HOLE] * (self.columns - len(row)) for row in cells]
        self.rows = len(cells)
        self._places = {
            cell: (row, column)
            for row, here in enumerate(self._cells)
            for column, cell in enumerate(here)
            if isinstance(cell, int)
        }

    def cell(self, row: int, column: int) -> int | str:
        """Return the square, or `X`, `O` or HOLE, in a row and column; HOLE outside the board."""
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return self._cells[row][column] if inside else HOLE

    def place(self, square: int) -> tuple[int, int]:
        """Return the row and column of a square."""
        return self._places[square]
