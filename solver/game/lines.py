"""The winning lines of a board, as bitmasks (bit s is square s, row-major)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Line(NamedTuple):
    """The squares of a winning line, and its guard: squares on which the line's owner must have no stone."""

    mask: int
    """The squares of the line, as a bitmask."""

    guard: int = 0
    """The squares on which the player must have no stone: with `exact`, those just beyond both ends; otherwise none."""


LineIndex = Mapping[int, Iterable[Line]]  # lines by the bit of their lowest square


def mask_of(squares: Iterable[int]) -> int:
    """Return the bitmask of a set of squares."""
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
    """Return the bitmask of the squares of all lines that one player's `stones` complete."""
    squares = 0
    for mask, guard in lines:
        if stones & mask == mask and not stones & guard:
            squares |= mask
    return squares


def index_lines(lines: Iterable[Line]) -> LineIndex:
    """Return the lines by the bit of their lowest square, for `completed_in`."""
    index = dict[int, list[Line]]()
    for line in lines:
        index.setdefault(line.mask & -line.mask, []).append(line)
    return index


def completed_in(index: LineIndex, stones: int) -> int:
    """Return what `completed` returns for the lines of an index.

    On 15,15,5 this takes a tenth of its time or less, because only lines whose lowest square is taken are tried.
    """
    squares, rest = 0, stones
    while rest:
        lowest = rest & -rest
        rest ^= lowest
        for mask, guard in index.get(lowest, ()):
            if stones & mask == mask and not stones & guard:
                squares |= mask
    return squares


def completing(lines: Iterable[Line], stones: int, taken: int) -> int:
    """Return the bitmask of the free squares that complete a line for `stones`. `taken`: both players' squares."""
    squares = 0
    for mask, guard in lines:
        missing = mask & ~stones
        if not missing & (missing - 1) and not missing & taken and not stones & guard:
            squares |= missing
    return squares
