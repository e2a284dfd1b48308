"""Read the score of a game: where it began, and the moves played.

It is text, such as `b2 a1 c3`, `1. b2 a1 2. c3` or `X b2, O a1?, X wins` (`solver.study.movetext`); a link to the
explorer page, or its query; an object as `mnk match` writes one a line, as text or parsed; or a list of squares.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qs, quote, urlencode

from solver.errors import NotationError, quoted
from solver.game.notation import parse_move, square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.study.movetext import Movetext, play_nth, read_movetext


class PlayedGame(NamedTuple):
    """A game as it was played."""

    start: Position
    moves: tuple[int, ...]
    """The squares in the order they were played."""
    players: tuple[str, str] | None = None
    """The names of X and O, where they are told."""
    reading: str | None = None
    """How the moves were read, in a sentence, where they may be meant otherwise."""

    @property
    def positions(self) -> list[Position]:
        """The positions of the game, from the first to the last. Raises IllegalMove, which names the move."""
        found = [self.start]
        for number, square in enumerate(self.moves, 1):
            found.append(play_nth(found[-1], square, number))
        return found

    @property
    def link(self) -> str:
        """The query of the explorer page that shows the whole game."""
        rules = self.start.rules
        parts = {"game": rules.name} | ({"position": self.start.board} if self.start.ply else {})
        parts["moves"] = ",".join(square_name(rules, square) for square in self.moves)
        return "?" + urlencode(parts, quote_via=quote, safe="/,")


def read_played_game(rules: Rules, given: object, start: object = None) -> PlayedGame:
    """Read a game, in any form above, that began at `start` or where it says itself, by default on the empty board.

    Raises NotationError, ImpossiblePosition and IllegalMove.
    """
    if isinstance(given, PlayedGame):
        return given
    if isinstance(given, str):
        given = _read_text(given.strip())
    if isinstance(given, Mapping):
        return _read_object(rules, given, start)
    moves = given if isinstance(given, Sequence) and not isinstance(given, bytes) else [given]
    return _read_moves(_read_start(rules, start), moves)


def _read_text(text: str) -> object:
    """Return the object that is written or linked, or else the text."""
    if text.startswith("{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise NotationError(f"{quoted(text)} begins as JSON and can't be read as such: {error}.") from error
    return read_link(text) if "moves=" in text else text


def read_link(text: str) -> dict[str, str]:
    """Return what the query of a link to the page says, by its names."""
    query = text.partition("#")[0].split("?", 1)[-1]
    return {name: values[-1] for name, values in parse_qs(query).items()}


def _read_object(rules: Rules, given: Mapping[str, object], start: object) -> PlayedGame:
    """Read an object with `moves`, and perhaps `start` (in a link `position`), `game`, and the players `x` and `o`."""
    game = given.get("game", rules.name)
    if game != rules.name:
        raise NotationError(f"This is a game of {quoted(game)}, not of {rules}; give one of {rules}.")
    moves = given.get("moves")
    if not isinstance(moves, Sequence):
        raise NotationError("The object of a game has a list of squares, 'moves'; this one has none.")
    began = start if start is not None else given.get("start", given.get("position"))
    is_record = "outcome" in given  # in a link `x` and `o` say who plays
    names = (str(given["x"]), str(given["o"])) if is_record and "x" in given and "o" in given else None
    return _read_moves(_read_start(rules, began), moves, names)


def _read_start(rules: Rules, start: object) -> Position:
    return Position.start(rules) if start is None else Position.parse(rules, start)


def _read_moves(start: Position, moves: Sequence[object], players: tuple[str, str] | None = None) -> PlayedGame:
    """Read the score of moves that can all be played."""
    squares, reading = read_movetext(start, moves) if isinstance(moves, str) else _read_list(start, moves)
    if not squares:
        raise NotationError("A game to review has at least one move; give the moves, such as 'b2 a1 c3', X first.")
    score = PlayedGame(start, squares, players, reading)
    _ = score.positions
    return score


def _read_list(start: Position, moves: Sequence[object]) -> Movetext:
    """Read a list of names and of pairs as text; in any other a number is that of a square, from 0."""
    if all(isinstance(move, str | list | tuple) for move in moves):
        words = [",".join(map(str, move)) if isinstance(move, list | tuple) else str(move) for move in moves]
        return read_movetext(start, " ".join(words))
    taken, squares = start.x | start.o, list[int]()
    for move in moves:
        squares.append(parse_move(start.rules, taken, move))
        taken |= 1 << squares[-1]
    return Movetext(tuple(squares))
