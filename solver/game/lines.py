"""The winning lines of a board, as bitmasks (bit s is square s, row-major)."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

# (rows, columns) of one step: along a row, down a column, and the two diagonals.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Line(NamedTuple):
    """A player has this line when all squares of `mask` are theirs and no square of `guard` is.

    `guard` is 0 unless a longer row does not count (variant *exact*): then it holds the squares just
    beyond both ends.
    """

    mask: int
    guard: int = 0


def mask_of(squares: Iterable[int]) -> int:
    """The bitmask of some squares."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def squares_of(mask: int) -> Iterator[int]:
    """The squares of a bitmask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def completed(lines: Iterable[Line], stones: int) -> int:
    """The squares of all lines that these stones of one player complete; 0 if there is none."""
    squares = 0
    for mask, guard in lines:
        if stones & mask == mask and not stones & guard:
            squares |= mask
    return squares


def completing(lines: Iterable[Line], stones: int, taken: int) -> int:
    """The free squares on which one more stone completes a line of these; `taken` are the squares of both sides."""
    squares = 0
    for mask, guard in lines:
        missing = mask & ~stones
        if not missing & (missing - 1) and not missing & taken and not stones & guard:
            squares |= missing
    return squares


def row_lines(m: int, n: int, k: int, *, torus: bool, exact: bool) -> tuple[Line, ...]:
    """Every k in a row of a board of m rows and n columns, without duplicates, in a fixed order.

    On a torus a row may cross the edge, but never visits a square twice, so that k is at most the length
    of the cycle it runs on; a cycle of k squares has no ends and so nothing to guard.
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
    """Every whole row, whole column, and diagonal of length min(m, n) (variant *full*)."""
    rows = (range(r * n, (r + 1) * n) for r in range(m))
    columns = (range(c, m * n, n) for c in range(n))
    whole = [Line(mask_of(squares)) for squares in (*rows, *columns)]
    diagonals = [line for line in row_lines(m, n, min(m, n), torus=False, exact=False) if _is_diagonal(line, n)]
    return tuple(dict.fromkeys(whole + diagonals))


def _walk(m: int, n: int, start: int, step: tuple[int, int], times: int, torus: bool) -> int | None:
    """The square `times` steps from `start`, or None off the board."""
    row, column = start // n + step[0] * times, start % n + step[1] * times
    if torus:
        row, column = row % m, column % n
    return row * n + column if 0 <= row < m and 0 <= column < n else None


def _known(squares: Iterable[int | None]) -> Iterator[int]:
    return (square for square in squares if square is not None)


def _is_diagonal(line: Line, n: int) -> bool:
    squares = list(squares_of(line.mask))
    return len({s // n for s in squares}) == len({s % n for s in squares}) == len(squares)
