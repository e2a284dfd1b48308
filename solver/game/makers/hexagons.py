"""Games on hexagons: k in a row on a triangle or a hexagon, and Hex, in which each player tries to connect two opposite
sides.

Hex was invented by Piet Hein (1942) and John Nash (1948). A full board always has exactly one winner, and the first
player wins with perfect play (Nash).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import sqrt
from typing import Final

from solver.drawing.diagram import HOLE, Diagram, Point, grid_name
from solver.game.lines import Line, mask_of
from solver.game.makers.maker import Maker, minimal_paths, read_number, rules_of_sets
from solver.game.rules import MAX_BOARD, Rules

_STEPS: Final = ((0, 1), (1, 0), (1, -1))
"""(rows, columns) of a step in each direction, with each row shifted to the right by half a hexagon."""

Cell = tuple[int, int]


class _HexBoard:
    """The hexagons in `size` rows and columns for which row + column is in `sums`, numbered row by row from 0."""

    def __init__(self, size: int, sums: range) -> None:
        self.size = size
        self.cells = [(row, column) for row, column in product(range(size), range(size)) if row + column in sums]
        self.number = {cell: square for square, cell in enumerate(self.cells)}

    def neighbours(self, cell: Cell) -> list[int]:
        """Return the indices of the adjacent hexagons."""
        near = [_moved(cell, step, sign) for step in _STEPS for sign in (1, -1)]
        return [self.number[other] for other in near if other in self.number]

    def rows(self, count: int) -> Iterator[frozenset[int]]:
        """Yield every set of `count` hexagons in a row; if `count` is 1, every set several times."""
        walks = ([_moved(cell, step, i) for i in range(count)] for step in _STEPS for cell in self.cells)
        return (frozenset(map(self.number.__getitem__, walk)) for walk in walks if walk[-1] in self.number)

    def diagram(self) -> Diagram:
        """Return the diagram, which names hexagons by column and row."""
        left = min(column + row / 2 for row, column in self.cells)
        return Diagram(
            self.size,
            self.size,
            tuple(self.number.get(cell, HOLE) for cell in product(range(self.size), range(self.size))),
            tuple(grid_name(row * self.size + column, self.size) for row, column in self.cells),
            "hexagons",
            tuple((column + row / 2 - left, row * sqrt(3) / 2) for row, column in self.cells),
        )


def _moved(cell: Cell, step: Cell, times: int) -> Cell:
    return cell[0] + times * step[0], cell[1] + times * step[1]


def _in_a_row(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    kind = sizes[0]
    side = read_number(sizes[1], "the side of a board", 1, 26 if kind == "triangle" else 11)  # 351 or 331 hexagons
    k = read_number(sizes[2], "a number in a row", 1, MAX_BOARD)
    size = side if kind == "triangle" else 2 * side - 1
    board = _HexBoard(size, range(side - 1, 2 * side if kind == "triangle" else 3 * side - 2))
    words = f"a {kind} of hexagons, {side} on a side, {k} in a row"
    return rules_of_sets(f"{kind},{side},{k}", board.diagram(), dict.fromkeys(board.rows(k)), words=words)


def _hex(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    size = read_number(sizes[1], "the side of a board", 1, _HEX_MOST)
    board = _HexBoard(size, range(2 * size))
    graph = {square: board.neighbours(cell) for square, cell in enumerate(board.cells)}
    first, last = range(size), range(size * (size - 1), size * size)
    left, right = range(0, size * size, size), range(size - 1, size * size, size)
    x_lines, o_lines = (
        tuple(Line(mask_of(path)) for path in minimal_paths(graph, starts, ends))
        for starts, ends in ((first, last), (left, right))
    )
    return Rules(
        name=f"hex,{size}",
        diagram=replace(board.diagram(), borders=_borders(size)),
        x_lines=x_lines,
        o_lines=o_lines,
        always_won=True,  # Nash 1952; Gale 1979
        words=f"Hex on {size} by {size}, X connects top and bottom, O left and right",
    )


def _borders(size: int) -> tuple[tuple[str, tuple[Point, ...]], ...]:
    """Return each border as (side, points), drawn along the hexagons: X's top and bottom, then O's left and right."""
    half, last = sqrt(3) / 6, size - 1  # half a side of a hexagon

    def corner(row: int, column: int, right: float, down: float) -> Point:
        return column + row / 2 + right, row * sqrt(3) / 2 + down * half

    def level(row: int, down: int) -> tuple[Point, ...]:
        steps = [(column, *step) for column in range(size) for step in ((-0.5, 1), (0, 2))]
        return tuple(corner(row, column, right, down * far) for column, right, far in [*steps, (last, 0.5, 1)])

    def slope(column: int, right: float) -> tuple[Point, ...]:
        return tuple(corner(row, column, right, down) for row in range(size) for down in (-1, 1))

    return ("X", level(0, -1)), ("X", level(last, 1)), ("O", slope(0, -0.5)), ("O", slope(last, 0.5))


_HEX_MOST: Final = 6  # larger boards have too many minimal paths


MAKERS = (
    Maker(
        form="triangle,SIDE,IN-A-ROW",
        about="k in a row on a triangle of hexagons",
        examples=("triangle,4,3", "triangle,5,3"),
        make=_in_a_row,
    ),
    Maker(
        form="hexagon,SIDE,IN-A-ROW",
        about="k in a row on a hexagon of hexagons",
        examples=("hexagon,2,3", "hexagon,3,3", "hexagon,3,4"),
        make=_in_a_row,
    ),
    Maker(
        form="hex,SIDE",
        about="Hex: X connects top and bottom, O left and right",
        examples=("hex,3", "hex,4", "hex,4,misere"),
        make=_hex,
    ),
)
