"""k in a row on a box of any dimension: `3x3x3,3`, `2x2x2x2,2`, and on cylinders and Moebius strips.

`3x3x3` has three layers of three rows and three columns; `3x4,3` is the rectangle `3,4,3`. A size followed by `w` wraps
around: `4x5w,3` is a cylinder, whose rows are rings. A size followed by `t` wraps around with a twist: `4x5t,3` is a
Moebius strip. (Golomb and Hales, "Hypercube Tic-Tac-Toe", 2002.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from solver.drawing.diagram import Diagram, Point, grid_name
from solver.errors import RulesError, quoted
from solver.game.lines import Line, mask_of
from solver.game.makers import rectangle
from solver.game.makers.contract import Maker, read_number
from solver.game.rules import MAX_BOARD, Rules

_SIZE = re.compile(r"\d{1,3}[wt]?(x\d{1,3}[wt]?)+")

Cell = tuple[int, ...]


class _Box:
    """Cells with coordinates from 0, the first the layer (or the row), the last the column."""

    def __init__(self, text: str) -> None:
        parts = text.split("x")
        self.sizes = tuple(int(part.rstrip("wt")) for part in parts)
        self.wraps = tuple(part[-1] in "wt" for part in parts)
        self.twists = tuple(part[-1] == "t" for part in parts)

    def number(self, cell: Cell) -> int:
        """Number a cell row by row."""
        return _number(cell, self.sizes)

    def cells(self) -> Iterator[Cell]:
        """Yield all cells in the order of their numbers."""
        return product(*map(range, self.sizes))

    def walk(self, cell: Cell, step: Cell, count: int) -> list[int] | None:
        """List the numbers of `count` cells from one on, None when the walk leaves the box or comes back."""
        found = [self.number(cell)]
        while len(found) < count:
            moved = list(map(sum, zip(cell, step, strict=True)))
            for axis, size in enumerate(self.sizes):
                if not 0 <= moved[axis] < size:
                    if not self.wraps[axis]:
                        return None
                    moved[axis] %= size
                    if self.twists[axis]:
                        other = 1 - axis
                        moved[other] = self.sizes[other] - 1 - moved[other]
                        step = tuple(-part if i == other else part for i, part in enumerate(step))
            cell = tuple(moved)
            if not all(0 <= part < size for part, size in zip(cell, self.sizes, strict=True)):
                return None
            found.append(self.number(cell))
        return found if len(set(found)) == count else None

    def lines(self, count: int) -> tuple[Line, ...]:
        """List every `count` in a row, in all directions, without duplicates."""
        steps = [step for step in product((-1, 0, 1), repeat=len(self.sizes)) if any(step)]
        walks = [self.walk(cell, step, count) for step in steps for cell in self.cells()]
        return tuple(dict.fromkeys(Line(mask_of(walk)) for walk in walks if walk))

    def diagram(self) -> Diagram:
        """Lay the layers out one below the other as text, and side by side in pictures."""
        *_, rows, columns = self.sizes
        count = prod(self.sizes)
        if len(self.sizes) == 2:
            names = [grid_name(place, columns) for place in range(count)]
            return Diagram(rows, columns, tuple(range(count)), tuple(names))
        points, names = list[Point](), list[str]()
        for cell in self.cells():
            *outer, row, column = cell
            across, down = outer[-1], _number(outer[:-1], self.sizes[: len(outer) - 1])
            points.append((across * (columns + 1) + column, down * (rows + 1) + row))
            names.append("".join(str(part + 1) for part in outer) + grid_name(row * columns + column, columns))
        return Diagram(count // columns, columns, tuple(range(count)), tuple(names), points=tuple(points))


def _number(cell: Sequence[int], sizes: Sequence[int]) -> int:
    number = 0
    for coordinate, size in zip(cell, sizes, strict=True):
        number = number * size + coordinate
    return number


def make(sizes: Sequence[str], variants: frozenset[str]) -> Rules:
    """Make the rules; raises RulesError for a box that is empty, too large, or can't be twisted."""
    box, k = _Box(sizes[0]), read_number(sizes[1], "a number in a row", 1, MAX_BOARD)
    if len(box.sizes) == 2 and not any(box.twists) and len(set(box.wraps)) == 1:
        torus = frozenset({"torus"} if all(box.wraps) else ())
        return rectangle.make([*map(str, box.sizes), str(k)], variants | torus)
    if "torus" in variants:
        raise RulesError(f"Write a box that wraps around with a w after each size, such as {_wrapped(sizes[0])}.")
    count = prod(box.sizes)
    if not 1 <= count <= MAX_BOARD or max(box.sizes[:-2], default=1) > 9:
        raise RulesError(
            f"A box of {sizes[0]} has {count} squares; between 1 and {MAX_BOARD} can be played, in up to 9 layers."
        )
    if any(box.twists) and (len(box.sizes) > 2 or sum(box.wraps) > 1):
        raise RulesError(
            f"{quoted(sizes[0])} can't be twisted; a Moebius strip has two sizes, one with a t, such as 4x5t."
        )
    lines = box.lines(k)
    return Rules(
        name=f"{sizes[0]},{k}",
        words=f"a board of {' by '.join(map(str, box.sizes))}{_edges(box)}, {k} in a row",
        diagram=box.diagram(),
        x_lines=lines,
        o_lines=lines,
        stride=count // box.sizes[0] if "gravity" in variants else 0,
        variants=tuple(sorted(variants)),
    )


def _wrapped(text: str) -> str:
    return "x".join(f"{part.rstrip('wt')}w" for part in text.split("x"))


def _edges(box: _Box) -> str:
    """Say which sides are joined."""
    if any(box.twists):
        return " with two sides joined by a twist"
    return f" with {2 * sum(box.wraps)} sides joined" if any(box.wraps) else ""


MAKER = Maker(
    form="LAYERSxROWSxCOLUMNS,IN-A-ROW",
    about="k in a row on a box of any dimension, a cylinder (w after a size) or a Moebius strip (t)",
    examples=("3x3x3,3", "2x2x2x2,2", "4x5w,3", "4x4t,3", "3x3x3,3,gravity"),
    size_words=2,
    reads=lambda words: bool(_SIZE.fullmatch(words[0])),
    make=make,
    variants=frozenset({"gravity", "torus"}),
)
