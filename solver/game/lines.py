"""The winning lines of a board, as bitmasks (bit s is square s, row-major)."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

# (rows, columns) of one step: along a row, down a column, and the two diagonals.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Line(NamedTuple):
    """A set of squares that completes a line, and squares that must not belong to the same player."""

    mask: int
    """The squares that must all be the player's."""

    guard: int = 0
    """The squares that must not be the player's: with `exact` those just beyond both ends, otherwise none."""


def mask_of(squares: Iterable[int]) -> int:
    """Return the bitmask of some squares."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def squares_of(mask: int) -> Iterator[int]:
    """Yield the squares of a bitmask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def completed(lines: Iterable[Line], stones: int) -> int:
    """Return the squares of all lines that these stones of one player complete, as a bitmask."""
    squares = 0
    for mask, guard in lines:
        if stones & mask == mask and not stones & guard:
            squares |= mask
    return squares


def completing(lines: Iterable[Line], stones: int, taken: int) -> int:
    """Return the bitmask of the free squares on which one more stone completes a line.

    `stones` are those of one player; `taken` are the squares of both.
    """
    squares = 0
    for mask, guard in lines:
        missing = mask & ~stones
        if not missing & (missing - 1) and not missing & taken and not stones & guard:
            squares |= missing
    return squares


def row_lines(m: int, n: int, k: int, *, torus: bool, exact: bool) -> tuple[Line, ...]:
    """List every k in a row of a board of m rows and n columns, without duplicates, in a fixed order.

    On a torus a row may cross the edge but never visits a square twice. A row that is a whole cycle has no ends, so it
    has no guard.
    """
    found: dict[Line, None] = {}
    for step in DIRECTIONS:
        for start in range(m * n):
            # One square before the row, the k squares of the row, one square after it.
            path = [_walk(m, n, start, step, i, torus) for i in range(-1, k + 1)]
            row, ends = path[1:-1], (path[0], path[-1])
            if None in row or len(set(row)) < k:
                continue
            beyond = {square for square in ends if square is not None} - set(row)
            found[Line(mask_of(_known(row)), mask_of(_known(beyond)) if exact else 0)] = None
    return tuple(found)


def full_lines(m: int, n: int) -> tuple[Line, ...]:
    """List every whole row, whole column, and diagonal of length min(m, n) (variant *full*)."""
    rows = (range(r * n, (r + 1) * n) for r in range(m))
    columns = (range(c, m * n, n) for c in range(n))
    whole = [Line(mask_of(squares)) for squares in (*rows, *columns)]
    diagonals = [line for line in row_lines(m, n, min(m, n), torus=False, exact=False) if _is_diagonal(line, n)]
    return tuple(dict.fromkeys(whole + diagonals))


def _walk(m: int, n: int, start: int, step: tuple[int, int], times: int, torus: bool) -> int | None:
    """Return the square `times` steps from `start`, or None off the board."""
    row, column = start // n + step[0] * times, start % n + step[1] * times
    if torus:
        row, column = row % m, column % n
    return row * n + column if 0 <= row < m and 0 <= column < n else None


def _known(squares: Iterable[int | None]) -> Iterator[int]:
    return (square for square in squares if square is not None)


def _is_diagonal(line: Line, n: int) -> bool:
    squares = list(squares_of(line.mask))
    return len({s // n for s in squares}) == len({s % n for s in squares}) == len(squares)
