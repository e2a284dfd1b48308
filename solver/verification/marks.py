"""How squares are marked: the signs of the two sides and of an empty square, and how a player is named."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from solver.errors import EngineError, quoted
from solver.game.position import Position

__all__ = ["ALL_MARKS", "MAXIMIZING", "PLAYERS", "Marks", "Numbers", "by_hints", "parse_marks", "parse_player"]


class Numbers(NamedTuple):
    """Empty squares that hold their own number, counted from `start`, as text or not."""

    start: int
    text: bool

    def of(self, square: int) -> int | str:
        """What an empty square holds."""
        number = square + self.start
        return str(number) if self.text else number

    def __str__(self) -> str:
        return f"its number from {self.start}{' as text' if self.text else ''}"


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs of two sides and of an empty square.

    first and second are X and O, X being the side that moves first; or, if `relative`, the side to move and
    the other one, whoever began.
    """

    first: object
    second: object
    empty: object
    relative: bool = False

    def of_sides(self, position: Position) -> tuple[object, object]:
        """The signs of X's stones and of O's in a position."""
        swap = self.relative and position.to_move == "O"
        return (self.second, self.first) if swap else (self.first, self.second)

    def of_mover(self, position: Position) -> tuple[object, object]:
        """The signs of the side to move and of the other one."""
        swap = not self.relative and position.to_move == "O"
        return (self.second, self.first) if swap else (self.first, self.second)

    def cells(self, position: Position) -> list[object]:
        """The mark of every square, in order."""
        x_mark, o_mark = self.of_sides(position)
        empty, x, o = self.empty, position.x, position.o
        cells = [empty] * position.rules.squares
        if isinstance(empty, Numbers):
            cells = [empty.of(square) for square in range(position.rules.squares)]
        for square in range(position.rules.squares):
            if x >> square & 1:
                cells[square] = x_mark
            elif o >> square & 1:
                cells[square] = o_mark
        return cells

    def __str__(self) -> str:
        empty = str(self.empty) if isinstance(self.empty, Numbers) else repr(self.empty)
        sides = ("the side to move", "the other") if self.relative else ("X", "O")
        signs = zip((*sides, "an empty square"), (repr(self.first), repr(self.second), empty), strict=True)
        return ", ".join(f"{whose} is {sign}" for whose, sign in signs)


_NUMBERS: Final = tuple(Numbers(start, text) for text in (False, True) for start in (0, 1))
_EMPTY_BESIDE_LETTERS: Final = (" ", None, "", ".", "_", "-", 0, "0", *_NUMBERS, "E", "*", "#", "?")
_LETTERS: Final = [Marks(x, o, empty) for x, o in (("X", "O"), ("x", "o")) for empty in _EMPTY_BESIDE_LETTERS]
_DIGITS: Final = [
    Marks(1, -1, 0), Marks(1, 2, 0), Marks(1, 0, None), Marks(0, 1, None), Marks(0, 1, -1), Marks(1, 0, -1),
    Marks(1, 2, None), Marks(1, -1, None), Marks("1", "2", "0"), Marks(1, 0, " "), Marks(0, 1, " "), Marks(1, 2, " "),
    Marks(0, 1, 2), Marks(1, 0, 0.5),
]  # fmt: skip
_ABSOLUTE: Final = [*_LETTERS, *_DIGITS]
_SWAPPED: Final = [Marks(marks.second, marks.first, marks.empty) for marks in _DIGITS[:3]]


def _relative(marks: Marks, swap: bool) -> Marks:
    first, second = (marks.second, marks.first) if swap else (marks.first, marks.second)
    return Marks(first, second, marks.empty, relative=True)


ALL_MARKS: Final = (
    *_ABSOLUTE,
    *[_relative(marks, swap) for marks in _ABSOLUTE for swap in (False, True)],
    *_SWAPPED,
)
"""Every way to mark squares that is tried, the likeliest first."""

PLAYERS: Final[dict[str, tuple[object, object]]] = {
    "X/O": ("X", "O"),
    "x/o": ("x", "o"),
    "1/-1": (1, -1),
    "1/2": (1, 2),
    "0/1": (0, 1),
    "True/False": (True, False),
    "-1/1": (-1, 1),
    "False/True": (False, True),
}
"""Ways to name the player to move, X and O, besides by the mark of its stones."""

MAXIMIZING: Final[dict[str, tuple[object, object]]] = {
    "X maximizes": (True, False),
    "always maximizes": (True, True),
    "O maximizes": (False, True),
}
"""Ways to say whether the player to move maximizes."""


def by_hints(hints: frozenset[str], candidates: Iterable[Marks] = ALL_MARKS) -> list[Marks]:
    """The candidates with those first whose signs occur among the constants of the source (written by repr)."""

    def strangeness(marks: Marks) -> int:
        missing = sum(repr(sign) not in hints for sign in (marks.first, marks.second))
        # Numbers need not stand in the source; but where the other signs don't either, it tells nothing.
        return missing + (missing > 0 if isinstance(marks.empty, Numbers) else repr(marks.empty) not in hints)

    return sorted(candidates, key=strangeness) if hints else [*candidates]


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


def parse_player(name: str, marks: Marks, position: Position) -> object:
    """The name of the player to move."""
    if not name:
        return marks.of_mover(position)[0]
    names: Sequence[object] = PLAYERS.get(name) or MAXIMIZING[name]
    return names[position.to_move == "O"]


def _sign(text: str) -> object:
    word = text.strip()
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1]
    if word.removeprefix("-").isdecimal():
        return int(word)
    return {"None": None, "space": " ", "": " " if text else ""}.get(word, word)


def _empty(text: str) -> object:
    own = {"index": (0, False), "number": (1, False), "'index'": (0, True), "'number'": (1, True)}.get(text.strip())
    return Numbers(*own) if own else _sign(text)
