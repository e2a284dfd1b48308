"""Read the score of a game: where it began, and the moves played.

It is text, such as `b2 a1 c3`, `moves:4,0,8`, `1. b2 a1 2. c3` or `X b2, O a1?, X wins`; a link to the explorer page,
or its query; an object as `mnk match` writes one a line, as text or parsed; or a list of squares.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import parse_qs, quote, urlencode

from solver.errors import IllegalMove, NotationError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.squares import parse_move, square_name

_RESULT: Final = re.compile(
    r"[,;(]?\s*\b(?:[xo] (?:wins|has won)|(?:a )?draws?|1-0|0-1|1/2-1/2|\*)\)?[.\s]*$", re.IGNORECASE
)
_PREFIX: Final = re.compile(r"^\s*(?:moves|main line|line)\s*:", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<!\S)\d+\.+(?!\d)\s*")  # of a move: `1.` or `1...`
_BOARD: Final = re.compile(r"[xo._\-/\s#]*[._\-/][xo._\-/\s#]*", re.IGNORECASE)
_SIDES: Final = frozenset({"x", "o", "x:", "o:"})


class Score(NamedTuple):
    """A game as it was played."""

    start: Position
    moves: tuple[int, ...]
    """The squares in the order they were played."""
    players: tuple[str, str] | None = None
    """The names of X and O, where they are told."""

    @property
    def positions(self) -> list[Position]:
        """The positions of the game, from the first to the last. Raises IllegalMove, which names the move."""
        found = [self.start]
        for number, square in enumerate(self.moves, 1):
            try:
                found.append(found[-1].play(square))
            except IllegalMove as error:
                raise IllegalMove(f"Move {number} of the game can't be played: {error}") from error
        return found

    @property
    def link(self) -> str:
        """The query of the explorer page that shows the whole game."""
        rules = self.start.rules
        parts = {"game": rules.name} | ({"position": self.start.board} if self.start.ply else {})
        parts["moves"] = ",".join(square_name(rules, square) for square in self.moves)
        return "?" + urlencode(parts, quote_via=quote, safe="/,")


def read_score(rules: Rules, given: object, start: object = None) -> Score:
    """Read a game, in any form above, that began at `start` or where it says itself, by default on the empty board.

    Raises NotationError, ImpossiblePosition and IllegalMove.
    """
    if isinstance(given, Score):
        return given
    if isinstance(given, str):
        given = _read_text(given)
    if isinstance(given, Mapping):
        return _read_object(rules, given, start)
    moves = given if isinstance(given, Sequence) and not isinstance(given, bytes) else [given]
    return _read_moves(_read_start(rules, start), moves)


def _read_text(text: str) -> object:
    """Return the object that is written or linked, or else the words for the squares."""
    text = text.strip()
    if text.startswith("{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise NotationError(f"{quoted(text)} begins as JSON and can't be read as such: {error}.") from error
    if "moves=" in text:
        query = text.partition("#")[0].split("?", 1)[-1]
        return {name: values[-1] for name, values in parse_qs(query).items()}
    if _BOARD.fullmatch(text):
        raise NotationError(
            f"{quoted(text)} is a board, which does not tell the order of its moves; "
            "give the moves, such as 'b2 a1 c3', X first."
        )
    text = _NUMBER.sub(" ", _RESULT.sub("", _PREFIX.sub("", text)))
    return [word.rstrip("?!") for word in re.split(r"[\s,;]+", text) if word.strip("?!")]


def _read_object(rules: Rules, given: Mapping[str, object], start: object) -> Score:
    """Read an object with `moves`, and perhaps `start` (in a link `position`), `game`, and the players `x` and `o`."""
    game = given.get("game", rules.name)
    if game != rules.name:
        raise NotationError(f"This is a game of {quoted(game)}, not of {rules}; give one of {rules}.")
    moves = given.get("moves")
    if isinstance(moves, str):
        moves = moves.replace(",", " ").split()
    if not isinstance(moves, Sequence):
        raise NotationError("The object of a game has a list of squares, 'moves'; this one has none.")
    began = start if start is not None else given.get("start", given.get("position"))
    is_record = "outcome" in given  # in a link `x` and `o` say who plays
    names = (str(given["x"]), str(given["o"])) if is_record and "x" in given and "o" in given else None
    return _read_moves(_read_start(rules, began), moves, names)


def _read_start(rules: Rules, start: object) -> Position:
    return Position.start(rules) if start is None else Position.parse(rules, start)


def _read_moves(start: Position, moves: Sequence[object], players: tuple[str, str] | None = None) -> Score:
    """Read the score of moves that can all be played; the letters of the sides between them are passed over."""
    rules, taken = start.rules, start.x | start.o
    names, squares = rules.diagram.numbers, []
    for move in moves:
        if not (isinstance(move, str) and move.lower() in _SIDES and move.lower() not in names):
            squares.append(parse_move(rules, taken, move))
            taken |= 1 << squares[-1]
    if not squares:
        raise NotationError("A game to review has at least one move; give the moves, such as 'b2 a1 c3', X first.")
    score = Score(start, tuple(squares), players)
    _ = score.positions
    return score
