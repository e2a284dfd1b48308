"""Read a game that was played: its moves and, unless it began on the empty board, its first position.

A game is a string of moves, a link to the page, an object of `mnk match`, a game of a report, SGF, PSQ, an opening of
Gomocup, or a list of moves; docs/reference/games.md describes these forms.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise, takewhile, zip_longest
from typing import NamedTuple
from urllib.parse import parse_qs, quote, urlencode

from solver.errors import IllegalMove, NotationError, RulesError, quoted
from solver.game.games import parse_game
from solver.game.notation import MARKS, parse_move, split_moves, square_name
from solver.game.position import Position
from solver.game.rules import Rules

_PSQ = re.compile(r"Piskvorky?\s+(\d{1,6})x(\d{1,6})\b")  # the start of a game of Gomocup's manager: columns, rows
_PSQ_MOVE = re.compile(r"\s*(\d{1,6})\s*,\s*(\d{1,6})\s*(?:,\s*-?\d+\s*)?")  # column, row, milliseconds
_OPENING = re.compile(r"(?:-?\d{1,6},-?\d{1,6},\s+)+-?\d{1,6},-?\d{1,6}")  # of Gomocup: columns, rows from the centre
_SGF = re.compile(r"\(\s*;")  # the start of a game in SGF
# A bracket, or a name and a value, with its end if it has one. Nothing is read twice, so that it takes linear time.
_SGF_PART = re.compile(r"([()])|(?:(?<![A-Za-z])([A-Za-z]++)\s*+)?\[((?:\\.|[^\]\\])*+)(\])?", re.DOTALL)
_REPORTED = re.compile(r"[XO] [^\s,]+(?:, [XO] [^\s,]+)*")  # a game in a report
_REMARKS = re.compile(r"(?:^|, )[XO] (?:wins$)?|\?")  # what it contains besides moves
_RESULT = re.compile(r'\{"game": "[^"]*", "seed": -?\d+, "result": ')  # the last line of `mnk match --json`
_NUMBER = re.compile(r"(?<!\S)[0-9]+\.+(?=([^\s,;]*))\s*")  # of a move, and the rest of its word
_PAIR = re.compile(r"[(\[]\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*[)\]]")


class PlayedGame(NamedTuple):
    """A game as it was played."""

    positions: tuple[Position, ...]  # the positions from the first to the last
    moves: tuple[int, ...]  # the squares in the order they were played
    reading: str | None = None  # a sentence on how numbers are read, unless the only legal reading is the usual one

    @property
    def link(self) -> str:
        """The query string of the explorer page's URL for the whole game."""
        start = self.positions[0]
        parts = {"game": start.rules.name} | ({"position": start.board} if start.ply else {})
        parts["moves"] = ",".join(square_name(start.rules, square) for square in self.moves)
        return "?" + urlencode(parts, quote_via=quote, safe="/,")


def read_played_game(rules: Rules, given: object, start: object = None) -> PlayedGame:
    """Read a game in any of the forms that the module's description lists.

    start: the first position; by default, the one that `given` contains, or else the empty board. Raises NotationError,
    ImpossiblePosition and IllegalMove, which names the move.
    """
    if isinstance(given, str):
        text = given.strip()
        if text.startswith("{") and len(lines := split_games(text)) == 1:
            text = lines[0]
        try:
            given = json.loads(text) if text.startswith("{") else read_link(text) if "moves=" in text else text
        except (ValueError, RecursionError) as error:
            raise NotationError(f"{quoted(text)} starts as JSON but can't be read: {error}.") from error
    if isinstance(given, Mapping):
        game = name = given.get("game", rules.name)
        with suppress(RulesError):
            name = parse_game(str(game)).name
        if name != rules.name:
            raise NotationError(f"This is a game of {quoted(game)}, not of {rules}; give one of {rules}.")
        start = given.get("start", given.get("position")) if start is None else start
        given = given.get("moves")
        if not isinstance(given, Sequence):
            raise NotationError("The object of a game needs a list of squares, 'moves'; this one has none.")
    if isinstance(given, str) and _is_record(rules, given.strip()):
        given = _read_record(rules, given.strip())
    if isinstance(given, str) and _REPORTED.fullmatch(given.strip()):
        given = _REMARKS.sub(" ", given.strip())
    first = Position.start(rules) if start is None else Position.parse(rules, start)
    readings = _read_moves(rules, given) if isinstance(given, str) else [("", given)]
    problem, games = None, list[PlayedGame]()
    for how, words in readings:
        try:
            game = _play(first, words if isinstance(words, Sequence) else [words])
            games.append(game._replace(reading=f"The numbers are read as {how}."))
        except (NotationError, IllegalMove) as error:
            problem = problem or (error if not games else None)
    if not games:
        raise problem or NotationError("This game can't be read; give its moves, such as 'b2 a1 c3'.")
    return games[0] if problem or len(games) > 1 else games[0]._replace(reading=None)


def _read_moves(rules: Rules, text: str) -> list[tuple[str, list[str]]]:
    """Return the ways to read moves, the usual one first: how numbers are read, and the words for the squares."""
    names = rules.diagram.numbers
    text = _NUMBER.sub(lambda found: found[0] if (found[0] + found[1]).lower() in names else " ", text.strip())
    pairs = [(int(one), int(other)) for one, other in _PAIR.findall(text)]
    if pairs and rules.diagram.is_grid and not _PAIR.sub("", text).strip("[], ;\t\n"):
        orders = [("rows and columns", 1), ("columns and rows", -1)]
        return [
            (f"{order} counted from {base}", [_square_at(rules, *(at - base for at in pair[::step])) for pair in pairs])
            for order, step in orders
            for base in (0, 1)
        ]
    words = re.sub(r"[\[\]\"',]", " ", text).split() if text.startswith("[") else MARKS.sub(" ", text).split()
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 100 for word in words):
        return [("", words)]
    if any(map(str.isdecimal, rules.diagram.names)):
        return [("", words)]
    if rules.gravity:
        words = [move for word in words for move in split_moves(rules, word)]
        return [(f"columns counted from {base}", [str(int(word) + 1 - base) for word in words]) for base in (1, 0)]
    if rules.squares < 10:
        words = [*"".join(words)]
    return [(f"squares counted from {base}", [str(int(word) - base) for word in words]) for base in (0, 1)]


def _square_at(rules: Rules, row: int, column: int) -> str:
    diagram = rules.diagram
    is_inside = 0 <= row < diagram.rows and 0 <= column < diagram.columns
    return diagram.names[row * diagram.columns + column] if is_inside else f"({row};{column})"


def _play(position: Position, words: Sequence[object]) -> PlayedGame:
    """Play moves. Raises NotationError and IllegalMove."""
    rules, positions, moves = position.rules, [position], list[int]()
    for word in words:
        for move in split_moves(rules, word) if isinstance(word, str) else [word]:
            moves.append(parse_move(rules, position.x | position.o, move))
            try:
                position = position.play(moves[-1])
            except IllegalMove as error:
                raise IllegalMove(f"Move {len(moves)} of the game can't be played: {error}") from error
            positions.append(position)
    if not moves:
        raise NotationError("A game to review has at least one move; give the moves, such as 'b2 a1 c3', X first.")
    return PlayedGame(tuple(positions), tuple(moves))


def split_games(text: str) -> list[str]:
    """Return the games in the text of a file: one in PSQ, the games of a collection in SGF, or one in each line.

    The last line of `mnk match --json`, the result, is left out.
    """
    text = text.strip()
    if _PSQ.match(text):
        return [text]
    if not _SGF.match(text):
        return [line for line in text.splitlines() if line.strip() and not _RESULT.match(line)]
    games, depth, start = [], 0, 0
    for part in _SGF_PART.finditer(text):
        depth += (part[1] == "(") - (part[1] == ")")
        if part[1] == ")" and depth == 0:
            games.append(text[start : part.end()])
            start = part.end()
    return games


def write_psq(
    start: Position, moves: Sequence[int], seconds: Sequence[float], names: Sequence[str], *, is_lost: bool = False
) -> str:
    """Return a game in PSQ, whose first moves lead to the first position. Raises NotationError if PSQ has no such game.

    seconds: the time for each move. names: of the players of X and of O. is_lost: the side to move failed to give a
    legal move in time.
    """
    rules = start.rules
    _require_grid(rules)
    stones = [[square for square, cell in enumerate(start.cells) if cell == side] for side in "XO"]
    before = [square for pair in zip_longest(*stones) for square in pair if square is not None]
    lines = [f"Piskvorky {rules.diagram.columns}x{rules.diagram.rows}, 11:11, 0"]
    for square, used in zip([*before, *moves], [*[0.0] * len(before), *seconds], strict=True):
        row, column = divmod(square, rules.diagram.columns)
        lines.append(f"{column + 1},{row + 1},{round(1000 * used)}")
    code = "-2" if is_lost else "0"  # as the manager writes it after an error, and at the end of a game
    return "\n".join([*lines, *(" ".join(name.split()) for name in names), code, ""])


def _is_record(rules: Rules, text: str) -> bool:
    """Return whether a text is a game in PSQ or SGF or, on a board without gravity, an opening of Gomocup."""
    is_opening = rules.diagram.is_grid and not rules.gravity and _OPENING.fullmatch(text)
    return bool(is_opening or _PSQ.match(text) or _SGF.match(text))


def _require_grid(rules: Rules) -> None:
    if not rules.diagram.is_grid or rules.gravity:
        raise NotationError(
            f"PSQ and SGF have no games of {rules}: expected a board of rows and columns; list the moves."
        )


def _read_record(rules: Rules, text: str) -> list[str]:
    """Return the moves of a game in PSQ, of an opening, or of the main line of a game in SGF. Raises NotationError."""
    _require_grid(rules)
    columns, rows = rules.diagram.columns, rules.diagram.rows
    if header := _PSQ.match(text):
        if (int(header[1]), int(header[2])) != (columns, rows):
            raise NotationError(
                f"This game was played on {header[1]} columns and {header[2]} rows, and {rules} has {columns} and "
                f"{rows}; name the game that was played."
            )
        lines = takewhile(bool, map(_PSQ_MOVE.fullmatch, filter(None, text.splitlines()[1:])))  # then come the names
        places = [(int(line[1]), int(line[2])) for line in lines if line]
    elif _OPENING.fullmatch(text):
        numbers = [*map(int, text.split(","))]
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        places = [(columns // 2 + 1 + column, rows // 2 + 1 + row) for column, row in pairs]
    else:
        main = takewhile(lambda part: part[1] != ")", _SGF_PART.finditer(text))  # the first of all variations
        places = _read_sgf(rules, [(part[2], part[3].strip()) for part in main if part[2] and part[4]])
    for number, (column, row) in enumerate(places, 1):
        if not (0 < column <= columns and 0 < row <= rows):
            raise NotationError(
                f"Move {number} of the file is off the board of {rules}; give the game that was played."
            )
    return [rules.diagram.names[(row - 1) * columns + column - 1] for column, row in places]


def _read_sgf(rules: Rules, properties: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    """Return the columns and rows of the moves, given the names and values of SGF properties. Raises NotationError."""
    columns, rows, refused = rules.diagram.columns, rules.diagram.rows, ""
    sizes = {f"{columns}:{rows}", str(columns) if columns == rows else ""}
    moves = [(name, value) for name, value in properties if name in {"B", "W"}]
    while moves and not moves[-1][1]:  # it changes nothing
        moves.pop()
    if any(name in {"AB", "AE", "AW"} and value for name, value in properties):
        refused = "has stones that were not played"
    elif size := next(
        (value for name, value in properties if name == "SZ" and "".join(value.split()) not in sizes), ""
    ):
        refused = f"was played on a board of size {size}"
    elif any(not value for _, value in moves) or any(one[0] == other[0] for one, other in pairwise(moves)):
        refused = "has a pass, or two moves of a side in a row"
    if refused:
        raise NotationError(f"This game {refused}; give one of {rules} from the empty board, in which sides alternate.")
    return [(ord(value[0]) - 96, ord(value[-1]) - 96) for _, value in moves]


def read_link(text: str) -> dict[str, str]:
    """Return the parameters in the query string of a link to the explorer page."""
    query = text.partition("#")[0].split("?", 1)[-1]
    return {name: values[-1] for name, values in parse_qs(query).items()}
