"""k in a row on a rectangle, `4,5,4`, on a box of any dimension, `3x3x3,3`, and on cylinders and Moebius strips.

`m,n,k` has m rows and n columns, in this order; some libraries put columns first.

`3x3x3` has three layers of three rows and three columns; `3x4,3` is the rectangle `3,4,3`. A size followed by `w` wraps
around: `4x5w,3` is a cylinder, whose rows are rings. A size followed by `t` wraps around with a twist: `4x5t,3` is a
Moebius strip. (Golomb and Hales, "Hypercube Tic-Tac-Toe", 2002.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from solver.drawing.diagram import Diagram, Point, grid, grid_name
from solver.errors import RulesError, quoted
from solver.game.lines import Line, full_lines, mask_of, row_lines
from solver.game.makers.maker import Maker, read_number
from solver.game.rules import MAX_BOARD, Rectangle, Rules
from solver.game.symmetry import board_permutations
from solver.support.english import plural

_SIZE = re.compile(r"\d{1,3}[wt]?(x\d{1,3}[wt]?)+")

Cell = tuple[int, ...]


def _make_rectangle(sizes: Sequence[str], variants: frozenset[str]) -> Rules:
    m, n, k = (int(size) for size in sizes)
    if min(m, n, k) < 1:
        raise RulesError(f"A game needs at least 1 row, 1 column and 1 in a row, not {m},{n},{k}.")
    if m * n > MAX_BOARD:
        raise RulesError(
            f"A board of {m} rows and {n} columns has {m * n} squares; the largest that can be played has {MAX_BOARD}."
        )
    torus, exact, full, gravity = (variant in variants for variant in ("torus", "exact", "full", "gravity"))
    if full:
        _check_full(m, n, k, torus, exact)
    lines = full_lines(m, n) if full else row_lines(m, n, k, torus=torus, exact=exact)
    return Rules(
        name=f"{m},{n},{k}",
        diagram=grid(m, n),
        x_lines=lines,
        o_lines=lines,
        stride=n if gravity else 0,
        flips=tuple(board_permutations(m, n, torus)),
        rectangle=Rectangle(m, n, k, torus, exact, full),
        variants=tuple(sorted(variants)),
    )


def _describe_rectangle(rules: Rules) -> str:
    m, n, k = (int(word) for word in rules.sizes)
    size = f"{plural(m, 'row')}, {plural(n, 'column')}"
    return size if "full" in rules.variants else f"{size}, {k} in a row"


def _check_full(m: int, n: int, k: int, torus: bool, exact: bool) -> None:
    if k != min(m, n):
        raise RulesError(
            f"With 'full' k is the shorter side of the board, so write {m},{n},{min(m, n)},full instead of k = {k}."
        )
    if torus or exact:
        other = "torus" if torus else "exact"
        reason = "a whole row can't wrap" if torus else "a whole row can't be too long"
        raise RulesError(f"'full' and '{other}' can't be combined: {reason}; leave one of them out.")


def _reads(words: Sequence[str]) -> bool:
    sizes = words[:3]
    return len(sizes) == 3 and all(size.isascii() and size.isdecimal() and len(size) < 10 for size in sizes)


class _Box:
    """The cells of a box, with coordinates from 0: layer, row, column."""

    def __init__(self, text: str) -> None:
        parts = text.split("x")
        self.sizes = tuple(int(part.rstrip("wt")) for part in parts)
        self.wraps = tuple(part[-1] in "wt" for part in parts)
        self.twists = tuple(part[-1] == "t" for part in parts)

    def number(self, cell: Cell) -> int:
        """Return the number of a cell, row by row."""
        return _number(cell, self.sizes)

    def cells(self) -> Iterator[Cell]:
        """Yield all cells in the order of their numbers."""
        return product(*map(range, self.sizes))

    def walk(self, cell: Cell, step: Cell, count: int) -> list[int] | None:
        """Return the numbers of `count` cells in a direction, None if the walk leaves the box or repeats a cell."""
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
        """Return every `count` in a row in all directions, without duplicates."""
        steps = [step for step in product((-1, 0, 1), repeat=len(self.sizes)) if any(step)]
        walks = [self.walk(cell, step, count) for step in steps for cell in self.cells()]
        return tuple(dict.fromkeys(Line(mask_of(walk)) for walk in walks if walk))

    def diagram(self) -> Diagram:
        """Return the diagram: layers one below the other in text, and side by side in pictures."""
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


def _make_box(sizes: Sequence[str], variants: frozenset[str]) -> Rules:
    box, k = _Box(sizes[0]), read_number(sizes[1], "a number in a row", 1, MAX_BOARD)
    if len(box.sizes) == 2 and not any(box.twists) and len(set(box.wraps)) == 1:
        torus = frozenset({"torus"} if all(box.wraps) else ())
        return _make_rectangle([*map(str, box.sizes), str(k)], variants | torus)
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
        diagram=box.diagram(),
        x_lines=lines,
        o_lines=lines,
        stride=count // box.sizes[0] if "gravity" in variants else 0,
        variants=tuple(sorted(variants)),
    )


def _wrapped(text: str) -> str:
    return "x".join(f"{part.rstrip('wt')}w" for part in text.split("x"))


def _describe_box(rules: Rules) -> str:
    box, k = _Box(rules.sizes[0]), rules.sizes[1]
    joined = ""
    if any(box.twists):
        joined = " with two sides joined by a twist"
    elif any(box.wraps):
        joined = f" with {2 * sum(box.wraps)} sides joined"
    return f"a board of {' by '.join(map(str, box.sizes))}{joined}, {k} in a row"


RECTANGLES = Maker(
    form="ROWS,COLUMNS,IN-A-ROW",
    about="k in a row on a rectangle, such as tic-tac-toe",
    examples=("3,3,3", "4,5,4,gravity", "4,4,4,misere", "15,15,5,exact"),
    size_words=3,
    reads=_reads,
    make=_make_rectangle,
    describe=_describe_rectangle,
    variants=frozenset({"exact", "full", "gravity", "torus"}),
)

BOXES = Maker(
    form="LAYERSxROWSxCOLUMNS,IN-A-ROW",
    about="k in a row on a box of any dimension, a cylinder (w after a size) or a Moebius strip (t)",
    examples=("3x3x3,3", "2x2x2x2,2", "4x5w,3", "4x4t,3", "3x3x3,3,gravity"),
    size_words=2,
    reads=lambda words: bool(_SIZE.fullmatch(words[0])),
    make=_make_box,
    describe=_describe_box,
    variants=frozenset({"gravity", "torus"}),
)

MAKERS = (RECTANGLES, BOXES)
