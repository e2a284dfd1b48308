"""Mark squares: the signs of the two sides and of an empty square."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from solver.errors import EngineError, quoted
from solver.game.position import Position

__all__ = ["ALL_MARKS", "Marks", "OwnNumber", "parse_marks", "sort_by_hints"]


class OwnNumber(NamedTuple):
    """The mark of empty squares that hold their own number."""

    start: int
    """The number of the first square."""
    is_text: bool

    def of(self, square: int) -> int | str:
        """Return the mark of an empty square."""
        number = square + self.start
        return str(number) if self.is_text else number

    def __repr__(self) -> str:
        return f"its number from {self.start}{' as text' if self.is_text else ''}"


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs of two sides and of an empty square."""

    first: object
    """The sign of X, the side that moves first; or, if `relative`, of the side to move."""
    second: object
    """The sign of the other side."""
    empty: object
    """The sign of an empty square, or an OwnNumber."""
    relative: bool = False

    def swapped(self) -> "Marks":
        """Return the marks with those of the two sides exchanged."""
        return replace(self, first=self.second, second=self.first)

    def of_sides(self, position: Position) -> tuple[object, object]:
        """Return the signs of X's stones and of O's in a position."""
        swap = self.relative and position.to_move == "O"
        return (self.second, self.first) if swap else (self.first, self.second)

    def of_mover(self, position: Position) -> tuple[object, object]:
        """Return the signs of the side to move and of the other one."""
        swap = not self.relative and position.to_move == "O"
        return (self.second, self.first) if swap else (self.first, self.second)

    def cells(self, position: Position) -> list[object]:
        """Return the mark of every square, in order."""
        x_mark, o_mark = self.of_sides(position)
        empty, x, o = self.empty, position.x, position.o
        cells = [empty] * position.rules.squares
        if isinstance(empty, OwnNumber):
            cells = [empty.of(square) for square in range(position.rules.squares)]
        for square in range(position.rules.squares):
            if x >> square & 1:
                cells[square] = x_mark
            elif o >> square & 1:
                cells[square] = o_mark
        return cells

    def __str__(self) -> str:
        first, second = ("the side to move", "the other") if self.relative else ("X", "O")
        return f"{first} is {self.first!r}, {second} is {self.second!r}, an empty square is {self.empty!r}"


_NUMBERS: Final = tuple(OwnNumber(start, text) for text in (False, True) for start in (0, 1))
_EMPTY_BESIDE_LETTERS: Final = (" ", None, "", ".", "_", "-", 0, "0", *_NUMBERS, "E", "*", "#", "?")
_LETTERS: Final = [Marks(x, o, empty) for x, o in (("X", "O"), ("x", "o")) for empty in _EMPTY_BESIDE_LETTERS]
_DIGITS: Final = [
    Marks(1, -1, 0), Marks(1, 2, 0), Marks(1, 0, None), Marks(0, 1, None), Marks(0, 1, -1), Marks(1, 0, -1),
    Marks(1, 2, None), Marks(1, -1, None), Marks("1", "2", "0"), Marks(1, 0, " "), Marks(0, 1, " "), Marks(1, 2, " "),
    Marks(0, 1, 2), Marks(1, 0, 0.5),
]  # fmt: skip
_ABSOLUTE: Final = [*_LETTERS, *_DIGITS]

ALL_MARKS: Final = (
    *_ABSOLUTE,
    *[replace(marks, relative=True) for absolute in _ABSOLUTE for marks in (absolute, absolute.swapped())],
    *[marks.swapped() for marks in _DIGITS[:3]],
)
"""Every way to mark squares that is tried, the likeliest first."""


def sort_by_hints(hints: frozenset[str], candidates: Iterable[Marks] = ALL_MARKS) -> list[Marks]:
    """Sort marks by how many of their signs are missing among the constants of the source (written by repr)."""

    def count_missing(marks: Marks) -> int:
        missing = sum(repr(sign) not in hints for sign in (marks.first, marks.second))
        # Numbers need not stand in the source; but where the other signs don't either, it tells nothing.
        return missing + (missing > 0 if isinstance(marks.empty, OwnNumber) else repr(marks.empty) not in hints)

    return sorted(candidates, key=count_missing) if hints else [*candidates]


def parse_marks(text: str) -> Marks:
    """Read marks as `--marks` gives them: `X,O,.`, `1,-1,0`, `me=1,2,0`; raises EngineError.

    A whole number is one; `None`, `space` (or a blank), `''`, `'1'` and so on are what they say; `index` and `number`
    as the third are empty squares that hold their own number, from 0 and from 1 (`'index'`, `'number'`: as text).
    """
    relative = text.strip().startswith("me=")
    parts = text.strip().removeprefix("me=").split(",") if relative else text.split(",")
    if len(parts) != 3:
        raise EngineError(
            f"The marks {quoted(text)} can't be read; write the signs of X, of O and of an empty square, "
            "such as X,O,. or 1,-1,0, or me=1,2,0 for the side to move first."
        )
    first, second, empty = parts
    return Marks(_sign(first), _sign(second), _empty(empty), relative)


def _sign(text: str) -> object:
    word = text.strip()
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1]
    if word.removeprefix("-").isdecimal():
        return int(word)
    return {"None": None, "space": " ", "": " " if text else ""}.get(word, word)


def _empty(text: str) -> object:
    own = {"index": (0, False), "number": (1, False), "'index'": (0, True), "'number'": (1, True)}.get(text.strip())
    return OwnNumber(*own) if own else _sign(text)
