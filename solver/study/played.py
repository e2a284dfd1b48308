"""Read a played game in any of the forms that people and programs use.

A game is text, such as `b2 a1 c3`, `1. b2 a1 2. c3` or `X b2, O a1?, X wins`; a link to the explorer page, or its
query; an object as `mnk match` writes one per line, as text or parsed; or a list of squares.

A move is written as in a position, `b2` or `4`, with gravity also as a column; or as a pair `(1, 2)`, the row and the
column counted from 0. Between moves there are spaces, commas, semicolons, dashes, arrows, or nothing (`a1b1c3`). Around
them there may be brackets, quotes, move numbers (`1.`, `1)`), sides (`X a1`, `X: a1`, `Xa1`), marks (`a1?`), a heading
(`moves:`) and a result (`X wins`, `1-0`).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import parse_qs, quote, urlencode

from solver.drawing.columns import column_name
from solver.errors import IllegalMove, NotationError, quoted
from solver.game.notation import column_names, parse_move, split_moves, square_name
from solver.game.position import Position
from solver.game.rules import Rules

_HEADING: Final = re.compile(r"^\s*(?:moves|main line|line)\s*:")
_RESULT: Final = re.compile(r"(?:^|[\s,;(])(?:[xo] (?:wins|won|has won)|(?:a )?draws?|1-0|0-1|1/2-1/2|\*)\)?[.\s]*$")
_PAIR: Final = re.compile(r"[(\[]\s*([0-9]{1,3})[\s,]+([0-9]{1,3})\s*[)\]]")
_COUNT: Final = re.compile(r"(?<![^\s,;])[0-9]+(?:\.+|\))(?![0-9])(?=.*[a-z0-9])", re.DOTALL)
_BOARD: Final = re.compile(r"(?=[^._\-/]*[._\-/])[xo._\-/\s#]*")
_BETWEEN: Final = re.compile(r"""[\s;|/<>()\[\]{}"'`→]+""")
_WITHIN: Final = re.compile(r"[,:=]+|(?<=[a-z0-9?!])[-\u2013]+(?=[a-z0-9])")
_MARKS: Final = "?!."
_DASHES: Final = "-\u2013"
_SIDES: Final = {"x:": "X", "o:": "O"}


class PlayedGame(NamedTuple):
    """A game as it was played."""

    start: Position
    moves: tuple[int, ...]
    """The squares in the order they were played."""
    players: tuple[str, str] | None = None
    """The names of X and O, if known."""

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
    first = Position.start(rules) if start is None else Position.parse(rules, start)
    if isinstance(moves, str) or all(isinstance(move, str | list | tuple) for move in moves):
        words = [f"({str(move)[1:-1]})" if isinstance(move, list | tuple) else str(move) for move in moves]
        squares = read_movetext(first, moves if isinstance(moves, str) else " ".join(words))
    else:
        taken, found = first.x | first.o, list[int]()
        for move in moves:
            found.append(parse_move(rules, taken, move))
            taken |= 1 << found[-1]
        squares = tuple(found)
    if not squares:
        raise NotationError("A game to review has at least one move; give the moves, such as 'b2 a1 c3', X first.")
    game = PlayedGame(first, squares, players)
    _ = game.positions
    return game


def read_movetext(start: Position, text: str) -> tuple[int, ...]:
    """Return the squares of the moves in a text, perhaps none. Raise NotationError or IllegalMove."""
    position, squares = start, list[int]()
    for move in _check_sides(start, _read_words(start.rules, text)):
        squares.append(parse_move(start.rules, position.x | position.o, move))
        position = _play_nth(position, squares[-1], len(squares))
    return tuple(squares)


def _play_nth(position: Position, square: int, number: int) -> Position:
    """Return the position after a move. Raise IllegalMove, which names the number of the move from 1."""
    try:
        return position.play(square)
    except IllegalMove as error:
        raise IllegalMove(f"Move {number} of the game can't be played: {error}") from error


def _read_words(rules: Rules, given: str) -> list[str]:
    """Return the moves and the sides in a text; the sides are `x:` and `o:`. Raise NotationError."""
    text = given.strip().lower()
    words = text.replace(",", " ").split()
    if all(word in rules.diagram.numbers for word in words):
        return words
    if _BOARD.fullmatch(text):
        raise NotationError(
            f"{quoted(given.strip())} is a board, which does not show the order of its moves; "
            "give the moves, such as 'b2 a1 c3', X first."
        )
    text = _RESULT.sub("", _HEADING.sub("", text)).strip()
    text = _COUNT.sub(" ", _PAIR.sub(lambda pair: f" {_name_of(rules, *map(int, pair.groups()))} ", text))
    parts = (part for word in _BETWEEN.split(text) for part in _WITHIN.split(word))
    stripped = (part.lstrip(_MARKS).rstrip(_MARKS + _DASHES) for part in parts)
    return [move for part in stripped if part for move in _read_part(rules, part)]


def _name_of(rules: Rules, row: int, column: int) -> str:
    """Return the name of the square in a row and a column. Raise NotationError."""
    name = f"{column_name(column)}{row + 1}"
    if name not in rules.diagram.numbers:
        last = f"({rules.diagram.rows - 1}, {rules.diagram.columns - 1})"
        raise NotationError(f"({row}, {column}) is not a square of {rules}; write a row and a column up to {last}.")
    return name


def _read_part(rules: Rules, part: str) -> list[str]:
    """Return the moves in a word without punctuation: one, a side, a side and its move, or several names."""
    if part in rules.diagram.numbers or part in column_names(rules):
        return [part]
    if part in {"x", "o"}:
        return [f"{part}:"]
    moves = split_moves(rules, part)
    if moves == [part] and part[0] in "xo":
        return [f"{part[0]}:", *_read_part(rules, part[1:])]
    return moves


def _check_sides(start: Position, written: list[str]) -> Iterator[str]:
    """Yield the moves without sides. Raise NotationError if a move is attributed to the wrong side."""
    side, number = None, 0
    for move in written:
        if move in _SIDES:
            side = _SIDES[move]
            continue
        if side not in (None, "XO"[(start.ply + number) % 2]):
            raise NotationError(
                f"Move {number + 1} of the game is attributed to {side}, but the other side is to move; "
                "give the moves in the order they were played, X first."
            )
        side, number = None, number + 1
        yield move
