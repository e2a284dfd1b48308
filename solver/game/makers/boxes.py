"""Games of k in a row on a rectangle (`4,5,4`), a box of any dimension (`3x3x3,3`), a cylinder or a Moebius strip.

`m,n,k` has m rows and n columns, in this order. A size followed by `w` wraps around: `4x5w,3` is a cylinder, whose rows
are rings. A size followed by `t` wraps around with a twist: `4x5t,3` is a Moebius strip. (Golomb and Hales, "Hypercube
Tic-Tac-Toe", 2002.)
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from math import prod
from typing import Any, Final

from solver.drawing.diagram import Diagram, Point, grid, grid_name
from solver.errors import RulesError, quoted
from solver.game.lines import Line, mask_of
from solver.game.makers.maker import Maker, read_number, require_playable
from solver.game.rules import MAX_BOARD, Rectangle, Rules
from solver.game.symmetry import board_generators
from solver.support.english import plural

_MOST_AXES: Final = 6
_SIZE = re.compile(r"\d{1,3}[wt]?(x\d{1,3}[wt]?)+")

Cell = tuple[int, ...]


def _make_rectangle(sizes: Sequence[str], variants: frozenset[str]) -> Rules:
    m, n, k = (int(size) for size in sizes)
    if min(m, n, k) < 1:
        raise RulesError(f"A game needs at least 1 row, 1 column and 1 in a row, not {m},{n},{k}.")
    require_playable(m, n)
    torus, exact, full = (variant in variants for variant in ("torus", "exact", "full"))
    if full and k != min(m, n):
        raise RulesError(
            f"With 'full' k is the shorter side of the board, so write {m},{n},{min(m, n)},full instead of k = {k}."
        )
    if full and (torus or exact):
        other, reason = ("torus", "a whole row can't wrap") if torus else ("exact", "a whole row can't be too long")
        raise RulesError(f"'full' and '{other}' can't be combined: {reason}; leave one of them out.")
    box = _Box(f"{m}wx{n}w" if torus else f"{m}x{n}")
    lines = box.lines(None if full else k, exact=exact)
    words = f"{plural(m, 'row')}, {plural(n, 'column')}" + ("" if full else f", {k} in a row")
    flips, rectangle = board_generators(m, n, torus), Rectangle(m, n, k, torus, exact, full)
    return _rules(f"{m},{n},{k}", box, lines, variants, words, flips=flips, rectangle=rectangle)


def _rules(name: str, box: "_Box", lines: tuple[Line, ...], variants: Iterable[str], words: str, **more: Any) -> Rules:
    stride = prod(box.sizes[1:]) if "gravity" in variants else 0
    known = {"stride": stride, "variants": tuple(sorted(variants)), "words": words, **more}
    return Rules(name=name, diagram=box.diagram(), x_lines=lines, o_lines=lines, **known)


def _is_rectangle(words: Sequence[str]) -> bool:
    sizes = words[:3]
    return len(sizes) == 3 and all(size.isascii() and size.isdecimal() and len(size) < 10 for size in sizes)


class _Box:
    """The cells of a box such as `3x3x3` or `4x5t`, with coordinates from 0: layer, row, column."""

    def __init__(self, text: str) -> None:
        parts = text.split("x")
        self.sizes = tuple(int(part.rstrip("wt")) for part in parts)
        self.wraps, self.twists = [part[-1] in "wt" for part in parts], [part[-1] == "t" for part in parts]

    def cells(self) -> Iterator[Cell]:
        """Yield all cells in the order of their numbers."""
        return product(*map(range, self.sizes))

    def _follow(self, step: Cell) -> list[tuple[int, Cell]]:
        """For each cell, return the number of the next cell along `step`, or -1 beyond the border, and the step there.

        A twist reverses the step along the other axis.
        """
        found = []
        for cell in self.cells():
            moved, after = [part + change for part, change in zip(cell, step, strict=True)], step
            for axis, size in enumerate(self.sizes):
                if self.wraps[axis] and not 0 <= moved[axis] < size:
                    moved[axis] %= size
                    if self.twists[axis]:
                        other = 1 - axis
                        moved[other] = self.sizes[other] - 1 - moved[other]
                        after = tuple(-part if i == other else part for i, part in enumerate(after))
            found.append((_number(moved, self.sizes), after))
        return found

    def lines(self, length: int | None, *, exact: bool = False) -> tuple[Line, ...]:
        """Return the distinct lines of `length` distinct cells in a row, in all directions.

        length: None means as many cells as fit in each direction. exact: the cells just beyond both ends of a line are
        its guard; a line that is a whole cycle has no ends.
        """
        found: dict[Line, None] = {}
        steps, follow = _steps(len(self.sizes)), cache(self._follow)
        for step in steps if any(self.twists) else steps[: len(steps) // 2]:  # the other half are the opposite steps
            count = length or min(size for size, part in zip(self.sizes, step, strict=True) if part)
            back = follow(tuple(-part for part in step)) if exact else []
            for start in range(prod(self.sizes)):
                row, after = [start], step
                while len(row) <= count and row[-1] >= 0:
                    square, after = follow(after)[row[-1]]
                    row.append(square)
                line = row[:count]
                if -1 not in line and len(set(line)) == count:
                    ends = {row[-1], back[start][0]} - {-1, *line} if exact else ()
                    found[Line(mask_of(line), mask_of(ends))] = None
        return tuple(found)

    def diagram(self) -> Diagram:
        """Return the diagram. Layers are one below the other in text, and side by side in pictures."""
        *_, rows, columns = self.sizes
        count = prod(self.sizes)
        if len(self.sizes) == 2:
            return grid(rows, columns)
        points, names = list[Point](), list[str]()
        for cell in self.cells():
            *outer, row, column = cell
            across, down = outer[-1], _number(outer[:-1], self.sizes[: len(outer) - 1])
            points.append((across * (columns + 1) + column, down * (rows + 1) + row))
            names.append("".join(str(part + 1) for part in outer) + grid_name(row * columns + column, columns))
        return Diagram(count // columns, columns, tuple(range(count)), tuple(names), points=tuple(points))


def _number(cell: Sequence[int], sizes: Sequence[int]) -> int:
    """Return the number of a cell, or -1 if it is not in the box; cells are numbered row by row."""
    number = 0
    for coordinate, size in zip(cell, sizes, strict=True):
        if not 0 <= coordinate < size:
            return -1
        number = number * size + coordinate
    return number


def _steps(axes: int) -> list[Cell]:
    """Return the steps in all directions; on a rectangle, the first four are right, down, and the two diagonals."""
    steps = [step for step in product((-1, 0, 1), repeat=axes) if any(step)]
    here = (0,) * axes
    return sorted(steps, key=lambda step: (step < here, sum(map(abs, step)), [*map(abs, step)], min(step) < 0))


def _make_box(sizes: Sequence[str], variants: frozenset[str]) -> Rules:
    if (axes := 1 + sizes[0].count("x")) > _MOST_AXES:  # each size triples the number of directions
        raise RulesError(f"The box {quoted(sizes[0])} has {axes} sizes; write at most {_MOST_AXES}, such as 3x3x3x3.")
    box, k = _Box(sizes[0]), read_number(sizes[1], "a number in a row", 1, MAX_BOARD)
    if len(box.sizes) == 2 and not any(box.twists) and len(set(box.wraps)) == 1:
        torus = frozenset({"torus"} if all(box.wraps) else ())
        return _make_rectangle([*map(str, box.sizes), str(k)], variants | torus)
    if "torus" in variants:
        wrapped = "x".join(f"{size}w" for size in box.sizes)
        raise RulesError(f"'torus' is for rectangles; for a box write a w after each size, such as {wrapped}.")
    count = prod(box.sizes)
    if not 1 <= count <= MAX_BOARD or max(box.sizes[:-2], default=1) > 9:
        raise RulesError(
            f"A box of {sizes[0]} has {count} squares; between 1 and {MAX_BOARD} can be played, in up to 9 layers."
        )
    if any(box.twists) and (len(box.sizes) > 2 or sum(box.wraps) > 1):
        raise RulesError(
            f"{quoted(sizes[0])} can't be twisted; a Moebius strip has two sizes, one with a t, such as 4x5t."
        )
    lines, joined = box.lines(k), ""
    if any(box.wraps):
        joined = " with two sides joined by a twist" if any(box.twists) else f" with {2 * sum(box.wraps)} sides joined"
    words = f"a board of {' by '.join(map(str, box.sizes))}{joined}, {k} in a row"
    return _rules(f"{sizes[0]},{k}", box, lines, variants, words)


RECTANGLES = Maker(
    form="ROWS,COLUMNS,IN-A-ROW",
    about="k in a row on a rectangle, such as tic-tac-toe",
    examples=("3,3,3", "4,5,4,gravity", "4,4,4,misere", "15,15,5,exact"),
    is_name=_is_rectangle,
    make=_make_rectangle,
    variants=frozenset({"exact", "full", "gravity", "torus"}),
)

BOXES = Maker(
    form="LAYERSxROWSxCOLUMNS,IN-A-ROW",
    about="k in a row on a box of any dimension, a cylinder (w after a size) or a Moebius strip (t)",
    examples=("3x3x3,3", "2x2x2x2,2", "4x5w,3", "4x4t,3", "3x3x3,3,gravity"),
    is_name=lambda words: bool(_SIZE.fullmatch(words[0])),
    make=_make_box,
    variants=frozenset({"gravity", "torus"}),
)

MAKERS = (RECTANGLES, BOXES)
