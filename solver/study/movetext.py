"""Read the moves of a game from text, in any of the forms that people and programs write them in.

A move is the name of a square, `b2`; with gravity the letter of a column, `b`; the number of a square, with gravity
of a column, `4`; or a pair of numbers, row and column, `1,2` or `(1, 2)`. Between moves stand spaces, commas,
semicolons, dashes, arrows, or nothing (`a1b1c3`). Around them there may be brackets, quotes, numbers of moves (`1.`,
`1)`), sides (`X a1`, `X: a1`, `Xa1`), marks (`a1?`), a heading (`moves:`) and a result (`X wins`, `1-0`).

Numbers are counted from 0 or from 1, pairs have the row or the column first, and with gravity rows are counted from the
top or from the bottom. The first of these readings is taken under which all moves can be played.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from solver.errors import IllegalMove, NotationError, PositionError, quoted
from solver.game.notation import parse_move, parse_square
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.columns import column_name
from solver.support.english import join_names

_HEADING: Final = re.compile(r"^\s*(?:moves|main line|line)\s*:")
_RESULT: Final = re.compile(r"(?:^|[\s,;(])(?:[xo] (?:wins|won|has won)|(?:a )?draws?|1-0|0-1|1/2-1/2|\*)\)?[.\s]*$")
_PAIR: Final = re.compile(r"[(\[]\s*([0-9]+)[\s,]+([0-9]+)\s*[)\]]")
_COUNT: Final = re.compile(r"(?<![^\s,;])[0-9]+(?:\.+|\))(?![0-9])(?=.*[a-z0-9])", re.DOTALL)
_BOARD: Final = re.compile(r"(?=[^._\-/]*[._\-/])[xo._\-/\s#]*")
_BETWEEN: Final = re.compile(r"""[\s;|/<>()\[\]{}"'`→]+""")
_WITHIN: Final = re.compile(r"[,:=]+|(?<=[a-z0-9?!])[-\u2013]+(?=[a-z0-9])")
_MARKS: Final = "?!."
_DASHES: Final = "-\u2013"
_SIDES: Final = {"x:": "X", "o:": "O"}

Written: TypeAlias = str | tuple[int, ...]
"""A move: the name of a square or a column, a number, or a pair of numbers."""

_SINGLE: Final[dict[str, Callable[..., str | int]]] = {"squares": lambda square: square, "columns": column_name}
_PAIRED: Final[dict[str, Callable[..., str | int]]] = {
    "rows and columns": lambda row, column: f"{column_name(column)}{row + 1}",
    "columns and rows": lambda column, row: f"{column_name(column)}{row + 1}",
}
"""What numbers may stand for, and the square or the name that they then are."""


class Movetext(NamedTuple):
    """The moves of a game as a text has them."""

    moves: tuple[int, ...]
    """The squares in the order they were played."""
    reading: str | None = None
    """How the moves were read, in a sentence, where they may be meant otherwise; None where they are plain."""


class Reading(NamedTuple):
    """One way to understand the moves of a text."""

    numbers: str = ""
    """What they stand for, a key of `_SINGLE` or `_PAIRED`; empty where there are none."""
    first: int = 0
    """From what they are counted."""
    from_bottom: bool = False
    """Whether rows are counted from the bottom."""

    def __str__(self) -> str:
        numbers = f"as {self.numbers} counted from {self.first}" if self.numbers else ""
        rows = "with rows counted from the bottom" if self.from_bottom else ""
        return ", ".join(filter(None, (numbers, rows)))

    def play(self, start: Position, written: Sequence[Written]) -> tuple[int, ...]:
        """Return the squares of the moves. Raises NotationError and IllegalMove."""
        rules, position, squares = start.rules, start, list[int]()
        for move in self._split(written):
            name = self._name(rules, move)
            square = parse_move(rules, position.x | position.o, name)
            if self.from_bottom and name not in _columns(rules):
                row, column = divmod(square, rules.diagram.columns)
                square = (rules.diagram.rows - 1 - row) * rules.diagram.columns + column
            squares.append(square)
            position = play_nth(position, square, len(squares))
        return tuple(squares)

    def _split(self, written: Sequence[Written]) -> Iterator[Written]:
        """Yield the moves; two numbers are two of them except where they are a pair."""
        for move in written:
            if isinstance(move, str) or self.numbers in _PAIRED:
                yield move
            else:
                yield from ((number,) for number in move)

    def _name(self, rules: Rules, move: Written) -> str | int:
        """Return the name or the number from 0 of a square, or the name of a column."""
        if isinstance(move, str):
            return move
        found = (_SINGLE | _PAIRED)[self.numbers](*(number - self.first for number in move))
        is_known = isinstance(found, int) or found in _columns(rules) or found in rules.diagram.numbers
        return found if is_known and min(move) >= self.first else f"({', '.join(map(str, move))})"


def read_movetext(start: Position, text: str) -> Movetext:
    """Read the moves of a game from a position on; there may be none.

    Raises NotationError and IllegalMove, those of the plainest reading where the moves can be played under none.
    """
    written = [*_check_sides(start, _without_counts(_read_words(start, text)))]
    kinds = _list_readings(start.rules, written)
    refused: list[PositionError] = []
    for readings in kinds:
        found: dict[tuple[int, ...], Reading] = {}
        for reading in readings:
            try:
                found.setdefault(reading.play(start, written), reading)
            except (NotationError, IllegalMove) as error:
                refused.append(error)
        if found:
            (moves, taken), *others = found.items()
            is_plain = not others and taken == kinds[0][0]
            return Movetext(moves, None if is_plain else _describe(taken, [reading for _, reading in others]))
    raise refused[0]


def _describe(taken: Reading, others: Sequence[Reading]) -> str:
    also = f"; they can also be read {join_names([*map(str, others)], 'or')}" if others else ""
    return f"The moves are read {taken}{also}."


def play_nth(position: Position, square: int, number: int) -> Position:
    """Play a move of a game. Raises IllegalMove, which says which of its moves it is, from 1."""
    try:
        return position.play(square)
    except IllegalMove as error:
        raise IllegalMove(f"Move {number} of the game can't be played: {error}") from error


def _list_readings(rules: Rules, written: Sequence[Written]) -> list[list[Reading]]:
    """List the ways to understand moves, the plainest first; later lists are for moves that fit none of an earlier."""
    numbers = [move for move in written if not isinstance(move, str)]
    single = ["squares", "columns"] if rules.gravity else ["squares"]
    paired = [*_PAIRED] if all(len(move) == 2 for move in numbers) else []
    kinds = [paired, single] if len(numbers) > 1 else [single, paired]
    counted, upwards = (0, 1) if numbers else (0,), (False, True) if rules.gravity else (False,)
    return [
        [Reading(what, first, up) for up in upwards for what in kind for first in counted]
        for kind in (kinds if numbers else [[""]])
        if kind
    ]


def _read_words(start: Position, text: str) -> list[Written]:
    """Return the moves and the sides in a text, these as `x:` and `o:`. Raises NotationError."""
    rules, given = start.rules, text.strip()
    text = given.lower()
    words = text.replace(",", " ").split()
    if all(word in rules.diagram.numbers for word in words):
        return [*words]
    if _BOARD.fullmatch(text):
        raise NotationError(
            f"{quoted(given)} is a board, which does not tell the order of its moves; "
            "give the moves, such as 'b2 a1 c3', X first."
        )
    text = _RESULT.sub("", _HEADING.sub("", text)).strip()
    if _is_number(text) and len(text) > 1 and int(text[:9]) not in start.legal_moves:
        text = " ".join(text)  # a digit a move
    text = _COUNT.sub(" ", _PAIR.sub(r" \1,\2 ", text))
    return [move for word in _BETWEEN.split(text) for move in _read_word(rules, word)]


def _read_word(rules: Rules, word: str) -> list[Written]:
    parts = [part for found in _WITHIN.split(word) if (part := found.lstrip(_MARKS).rstrip(_MARKS + _DASHES))]
    moves = [move for part in parts for move in _read_part(rules, part)]
    match moves:
        case [(row,), (column,)] if "," in word:
            return [(row, column)]
    return moves


def _read_part(rules: Rules, part: str) -> list[Written]:
    """Return the moves in a word without signs: one, a side, a side and its move, or several names in one."""
    names = rules.diagram.numbers.keys() | set(_columns(rules))
    if part in names:
        return [part]
    if part in {"x", "o"}:
        return [f"{part}:"]
    if _is_number(part) and len(part) < 8 and not any(name.isdecimal() for name in names):
        return [(int(part),)]
    several = re.findall(r"[a-z][0-9]*" if rules.gravity else r"[a-z]+[0-9]+", part)
    if "".join(several) == part and names.issuperset(several):
        return [*several]
    if part[0] in "xo" and len(part) > 1:
        return [f"{part[0]}:", *_read_part(rules, part[1:])]
    return [rules.diagram.names[parse_square(rules, part)]]  # refuses it


def _without_counts(written: list[Written]) -> list[Written]:
    """Leave out numbers that count the moves of a game, where the moves themselves are names."""
    numbers = [move for move in written if not isinstance(move, str)]
    counts = [(number,) for number in range(1, len(numbers) + 1)]
    names = [move for move in written if isinstance(move, str)]
    is_counted = written[:1] == counts[:1] and numbers == counts and any(name not in _SIDES for name in names)
    return [*names] if is_counted else written


def _check_sides(start: Position, written: list[Written]) -> Iterator[Written]:
    """Yield the moves. Raises NotationError where one is given to the side whose turn it is not."""
    side, number = None, 0
    for move in written:
        if move in _SIDES:
            side = _SIDES[str(move)]
            continue
        if side not in (None, "XO"[(start.ply + number) % 2]):
            raise NotationError(
                f"Move {number + 1} of the game is said to be {side}'s, but the other side is to move; "
                "give the moves in the order they were played, X first."
            )
        side, number = None, number + 1
        yield move


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _columns(rules: Rules) -> list[str]:
    """Name the columns that stones drop in; none without gravity."""
    return [column_name(column) for column in range(rules.stride)]
