"""Read a played game in any of the forms that people and programs use.

A game is text, such as `b2 a1 c3`, `1. b2 a1 2. c3` or `X b2, O a1?, X wins`; a link to the explorer page, or its
query; an object as `mnk match` writes one per line, as text or parsed; or a list of squares.

A move is the name of a square, `b2`; with gravity the letter of a column, `b`; the number of a square, with gravity
of a column, `4`; or a pair of numbers, row and column, `1,2` or `(1, 2)`. Between moves there are spaces, commas,
semicolons, dashes, arrows, or nothing (`a1b1c3`). Around them there may be brackets, quotes, move numbers (`1.`,
`1)`), sides (`X a1`, `X: a1`, `Xa1`), marks (`a1?`), a heading (`moves:`) and a result (`X wins`, `1-0`).

Numbers start from 0 or from 1, pairs have the row or the column first, and with gravity rows are counted from the top
or from the bottom. The first of these readings under which all moves are legal is used.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import parse_qs, quote, urlencode

from solver.drawing.columns import column_name
from solver.errors import IllegalMove, NotationError, PositionError, quoted
from solver.game.notation import parse_move, parse_square, square_name
from solver.game.position import Position
from solver.game.rules import Rules
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
"""A move as written: the name of a square or a column, a number, or a pair of numbers."""

_SINGLE: Final[dict[str, Callable[..., str | int]]] = {"squares": lambda square: square, "columns": column_name}
_PAIRED: Final[dict[str, Callable[..., str | int]]] = {
    "rows and columns": lambda row, column: f"{column_name(column)}{row + 1}",
    "columns and rows": lambda column, row: f"{column_name(column)}{row + 1}",
}
"""The meanings of numbers, and the square or the name of each."""


class PlayedGame(NamedTuple):
    """A game as it was played."""

    start: Position
    moves: tuple[int, ...]
    """The squares in the order they were played."""
    players: tuple[str, str] | None = None
    """The names of X and O, if known."""
    reading: str | None = None
    """A sentence on how the moves were read, if they are ambiguous."""

    @property
    def positions(self) -> list[Position]:
        """The positions of the game from the first to the last. Raise IllegalMove, which names the move."""
        found = [self.start]
        for number, square in enumerate(self.moves, 1):
            found.append(_play_nth(found[-1], square, number))
        return found

    @property
    def link(self) -> str:
        """The query of the explorer page for the whole game."""
        rules = self.start.rules
        parts = {"game": rules.name} | ({"position": self.start.board} if self.start.ply else {})
        parts["moves"] = ",".join(square_name(rules, square) for square in self.moves)
        return "?" + urlencode(parts, quote_via=quote, safe="/,")


def read_played_game(rules: Rules, given: object, start: object = None) -> PlayedGame:
    """Read a game in any of the forms above.

    start: its first position; by default the one in the game, or the empty board. Raise NotationError,
    ImpossiblePosition and IllegalMove.
    """
    if isinstance(given, PlayedGame):
        return given
    if isinstance(given, str):
        text = given.strip()
        try:
            given = json.loads(text) if text.startswith("{") else read_link(text) if "moves=" in text else text
        except (ValueError, RecursionError) as error:
            raise NotationError(f"{quoted(text)} starts as JSON but can't be read: {error}.") from error
    if isinstance(given, Mapping):
        return _read_object(rules, given, start)
    moves = given if isinstance(given, Sequence) and not isinstance(given, bytes) else [given]
    return _read_moves(rules, moves, start)


def read_link(text: str) -> dict[str, str]:
    """Return the parameters in the query of a link to the page."""
    query = text.partition("#")[0].split("?", 1)[-1]
    return {name: values[-1] for name, values in parse_qs(query).items()}


def _read_object(rules: Rules, given: Mapping[str, object], start: object) -> PlayedGame:
    """Read an object with `moves`, and perhaps `start` (in a link `position`), `game`, and the players `x` and `o`."""
    game = given.get("game", rules.name)
    if game != rules.name:
        raise NotationError(f"This is a game of {quoted(game)}, not of {rules}; give one of {rules}.")
    moves = given.get("moves")
    if not isinstance(moves, Sequence):
        raise NotationError("The object of a game needs a list of squares, 'moves'; this one has none.")
    is_record = "outcome" in given  # in a link, `x` and `o` are kinds of players
    names = (str(given["x"]), str(given["o"])) if is_record and "x" in given and "o" in given else None
    return _read_moves(rules, moves, given.get("start", given.get("position")) if start is None else start, names)


def _read_moves(
    rules: Rules, moves: Sequence[object], start: object, players: tuple[str, str] | None = None
) -> PlayedGame:
    """Read moves that must all be legal.

    In a list with a number alone, numbers are squares from 0; any other list is read as text.
    """
    first, reading = Position.start(rules) if start is None else Position.parse(rules, start), None
    if isinstance(moves, str) or all(isinstance(move, str | list | tuple) for move in moves):
        words = [",".join(map(str, move)) if isinstance(move, list | tuple) else str(move) for move in moves]
        squares, reading = read_movetext(first, moves if isinstance(moves, str) else " ".join(words))
    else:
        taken, found = first.x | first.o, list[int]()
        for move in moves:
            found.append(parse_move(rules, taken, move))
            taken |= 1 << found[-1]
        squares = tuple(found)
    if not squares:
        raise NotationError("A game to review has at least one move; give the moves, such as 'b2 a1 c3', X first.")
    game = PlayedGame(first, squares, players, reading)
    _ = game.positions
    return game


class Reading(NamedTuple):
    """A way to understand the moves of a text."""

    numbers: str = ""
    """The meaning of numbers, a key of `_SINGLE` or `_PAIRED`; empty if the text has none."""
    first: int = 0
    """The lowest number, 0 or 1."""
    from_bottom: bool = False
    """Whether rows are counted from the bottom."""

    def __str__(self) -> str:
        numbers = f"as {self.numbers} counted from {self.first}" if self.numbers else ""
        rows = "with rows counted from the bottom" if self.from_bottom else ""
        return ", ".join(filter(None, (numbers, rows)))

    def play(self, start: Position, written: Sequence[Written]) -> tuple[int, ...]:
        """Return the squares of the moves. Raise NotationError and IllegalMove."""
        rules, position, squares = start.rules, start, list[int]()
        is_paired = self.numbers in _PAIRED
        for move in written:
            for part in [move] if isinstance(move, str) or is_paired else [(number,) for number in move]:
                name = self._name(rules, part)
                square = parse_move(rules, position.x | position.o, name)
                if self.from_bottom and name not in _columns(rules):
                    row, column = divmod(square, rules.diagram.columns)
                    square = (rules.diagram.rows - 1 - row) * rules.diagram.columns + column
                squares.append(square)
                position = _play_nth(position, square, len(squares))
        return tuple(squares)

    def _name(self, rules: Rules, move: Written) -> str | int:
        """Return the name or the number from 0 of a square, or the name of a column."""
        if isinstance(move, str):
            return move
        found = (_SINGLE | _PAIRED)[self.numbers](*(number - self.first for number in move))
        is_known = isinstance(found, int) or found in _columns(rules) or found in rules.diagram.numbers
        return found if is_known and min(move) >= self.first else f"({', '.join(map(str, move))})"


def read_movetext(start: Position, text: str) -> tuple[tuple[int, ...], str | None]:
    """Return the squares of the moves in a text, perhaps none, and a sentence on their reading if it is ambiguous.

    Raise NotationError or IllegalMove, for the simplest reading if the moves are legal under none.
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
            if not others and taken == kinds[0][0]:
                return moves, None
            readings_left = [str(reading) for _, reading in others]
            also = f"; they can also be read {join_names(readings_left, 'or')}" if others else ""
            return moves, f"The moves are read {taken}{also}."
    raise refused[0]


def _play_nth(position: Position, square: int, number: int) -> Position:
    """Return the position after a move. Raise IllegalMove, which names the number of the move from 1."""
    try:
        return position.play(square)
    except IllegalMove as error:
        raise IllegalMove(f"Move {number} of the game can't be played: {error}") from error


def _list_readings(rules: Rules, written: Sequence[Written]) -> list[list[Reading]]:
    """Return lists of readings, the simplest first; a later list counts only if no reading of an earlier one fits."""
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
    """Return the moves and the sides in a text; the sides are `x:` and `o:`. Raise NotationError."""
    rules, given = start.rules, text.strip()
    text = given.lower()
    words = text.replace(",", " ").split()
    if all(word in rules.diagram.numbers for word in words):
        return [*words]
    if _BOARD.fullmatch(text):
        raise NotationError(
            f"{quoted(given)} is a board, which does not show the order of its moves; "
            "give the moves, such as 'b2 a1 c3', X first."
        )
    text = _RESULT.sub("", _HEADING.sub("", text)).strip()
    if _is_number(text) and len(text) > 1 and int(text[:9]) not in start.legal_moves:
        text = " ".join(text)  # each digit is a move
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
    """Return the moves in a word without punctuation: one, a side, a side and its move, or several names."""
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
    return [rules.diagram.names[parse_square(rules, part)]]  # raises NotationError


def _without_counts(written: list[Written]) -> list[Written]:
    """Drop numbers that count the moves of a game, if the moves themselves are names."""
    numbers = [move for move in written if not isinstance(move, str)]
    counts = [(number,) for number in range(1, len(numbers) + 1)]
    names = [move for move in written if isinstance(move, str)]
    is_counted = written[:1] == counts[:1] and numbers == counts and any(name not in _SIDES for name in names)
    return [*names] if is_counted else written


def _check_sides(start: Position, written: list[Written]) -> Iterator[Written]:
    """Yield the moves without sides. Raise NotationError if a move is attributed to the wrong side."""
    side, number = None, 0
    for move in written:
        if move in _SIDES:
            side = _SIDES[str(move)]
            continue
        if side not in (None, "XO"[(start.ply + number) % 2]):
            raise NotationError(
                f"Move {number + 1} of the game is attributed to {side}, but the other side is to move; "
                "give the moves in the order they were played, X first."
            )
        side, number = None, number + 1
        yield move


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _columns(rules: Rules) -> list[str]:
    """Return the names of the columns in which stones drop; none without gravity."""
    return [column_name(column) for column in range(rules.stride)]
