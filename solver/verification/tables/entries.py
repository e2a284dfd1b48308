"""The positions, values and distances of somebody's table, read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from solver.errors import NotationError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.boards import flattened
from solver.verification.marks import Marks, Numbers

__all__ = ["Stated", "read_number", "read_position", "read_value"]

_WORDS: Final = {
    1: "win wins won winning w victory +",
    0: "draw draws drawn d tie ties tied t = remis",
    -1: "loss losses lose loses lost losing l defeat -",
}
_RESULTS: Final = {word: wdl for wdl, words in _WORDS.items() for word in words.split()}
_WINNERS: Final = {"x": 1, "o": -1, "player1": 1, "player2": -1, "first": 1, "second": -1}
_TIMED: Final = re.compile(r"([a-z=+-]+)(?:\s+in)?\s*(\d+)(?:\s*pl(?:y|ies))?")  # `win in 5`, `W5`
_ITEM: Final = re.compile(r"'([^']*)'|\"([^\"]*)\"|([^\s,;\[\]()]+)")
_EMPTY: Final = frozenset({"b", "e", "n", "?", "*", "#", "none", "null", "empty", "nan", "."})


@dataclass(frozen=True)
class Stated:
    """A value as it was stated: a number, whether it is a word, whether it names the winner; a distance beside it."""

    number: float
    is_word: bool = False
    is_winner: bool = False
    distance: int | None = None


def read_position(rules: Rules, given: Any, marks: Marks | None = None) -> Position:
    """The position a field names: in any notation of `solver.game.notation`, a printed list, or cells with `marks`.

    Raises NotationError when it can't be read, ImpossiblePosition or IllegalMove when it can't arise.
    """
    if given is None:
        raise NotationError("There is no position.")
    if marks is not None:
        return Position(rules, *_stones(rules, given, marks))
    if isinstance(given, str) and given.strip()[:1] in {"[", "("}:
        given = _items(given)
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    try:
        return Position.parse(rules, given)
    except NotationError:
        cells = _cells(rules, given)
        if cells is None:
            raise
        return Position.parse(rules, cells)
    except (TypeError, ValueError) as error:
        raise NotationError(f"{quoted(given)} can't be read as a position of {rules}.") from error


def read_value(given: Any) -> Stated | None:
    """The value that a field states, None if it states none that can be read.

    >>> read_value("Win in 5"), read_value("O wins").is_winner, read_value("0.25").number
    (Stated(number=1, is_word=True, is_winner=False, distance=5), True, 0.25)
    """
    number = read_number(given)
    if number is not None:
        return Stated(number)
    if not isinstance(given, str):
        return None
    text = " ".join(given.lower().replace("_", " ").split())
    if text in _RESULTS:
        return Stated(_RESULTS[text], is_word=True)
    winner = re.sub(r"[ -]?(wins?|won)$", "", text).replace(" ", "")
    if winner in _WINNERS:
        return Stated(_WINNERS[winner], is_word=True, is_winner=True)
    timed = _TIMED.fullmatch(text)
    if timed and timed[1] in _RESULTS:
        return Stated(_RESULTS[timed[1]], is_word=True, distance=int(timed[2]))
    return None


def read_number(given: Any) -> float | None:
    """A finite number, written or not; whole ones as int."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        number = float(given)
    except ValueError:
        return None
    if not isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def _items(text: str) -> Sequence[Any]:
    """The items of a list as Python or NumPy prints it."""
    found = [next((group for group in match.groups() if group is not None), "") for match in _ITEM.finditer(text)]
    return [int(item) if item.removeprefix("-").isdecimal() else item for item in found]


def _cells(rules: Rules, given: Any) -> list[str] | None:
    """Cells among which empty squares are written in an unusual way: by a letter, or their own number."""
    signs = [*flattened(tuple(given) if isinstance(given, str) else _nested(given))]
    if len(signs) != rules.squares:
        return None
    cells = [_cell(sign, place) for place, sign in enumerate(signs)]
    return [cell for cell in cells if cell is not None] if None not in cells else None


def _cell(sign: Any, place: int) -> str | None:
    text = str(sign).strip().lower()
    if text in {"x", "o"}:
        return text
    is_own_number = text in {str(place), str(place + 1)}
    return "." if text in _EMPTY or is_own_number else None


def _stones(rules: Rules, given: Any, marks: Marks) -> tuple[int, int]:
    if isinstance(given, str):
        given = _items(given) if given.strip()[:1] in {"[", "("} else [sign for sign in given if sign not in "/\n|"]
    signs = [str(sign) for sign in flattened(_nested(given))]
    first, second = str(marks.first), str(marks.second)
    if len(signs) != rules.squares:
        raise NotationError(f"{quoted(given)} has {len(signs)} squares, but the board of {rules} has {rules.squares}.")
    for place, sign in enumerate(signs):
        empty = str(marks.empty.of(place)) if isinstance(marks.empty, Numbers) else str(marks.empty)
        if sign not in {first, second, empty}:
            raise NotationError(f"{quoted(given)} holds {quoted(sign)}, which is none of the marks.")
    stones = [sum(1 << place for place, sign in enumerate(signs) if sign == mark) for mark in (first, second)]
    # The side to move has as many stones as the other, or one less.
    swap = marks.relative and stones[0].bit_count() < stones[1].bit_count()
    return (stones[1], stones[0]) if swap else (stones[0], stones[1])


def _nested(given: Any) -> Any:
    """Lists as `flattened` reads them; what is no collection as a list of one."""
    if isinstance(given, list | tuple):
        return tuple(_nested(item) if isinstance(item, list | tuple) else item for item in given)
    return given if isinstance(given, dict) else (given,)
