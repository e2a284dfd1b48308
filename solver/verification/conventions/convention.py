"""Conventions: the layout of the board, the name of the player to move, and how a reply is read by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from solver.game.legality import vacant
from solver.game.notation import square_name
from solver.game.position import Position
from solver.verification.contract import Answer, Failure
from solver.verification.conventions.board_formats import BOARD_FORMATS, Layout, Marks
from solver.verification.conventions.move_formats import BOARD_AFTER, INDEX, OFF, UNWRAPPED, ReplyFormat


class PlayerFormat(NamedTuple):
    """A way to name the player to move."""

    description: str
    """As reports print it."""
    x: object = None
    """The name of X."""
    o: object = None
    """The name of O."""

    def write(self, position: Position, marks: Marks) -> object:
        """Return the name of the player to move."""
        if self == OWN_MARK:
            return marks.of_mover(position)[0]
        return self.o if position.to_move == "O" else self.x


OWN_MARK: Final = PlayerFormat("by the mark of its stones")

PLAYERS: Final = tuple(
    PlayerFormat(f"as {x}/{o}", x, o)
    for x, o in (("X", "O"), ("x", "o"), (1, -1), (1, 2), (0, 1), (True, False), (-1, 1), (False, True))
)
"""Ways to name the player to move besides by the mark of its stones, the likeliest first."""

MAXIMIZING: Final = (
    PlayerFormat("so that X maximizes", True, False),
    PlayerFormat("so that O maximizes", False, True),
)
"""Ways to say whether the player to move maximizes, the likeliest first."""


@dataclass(frozen=True)
class Argument:
    """An argument that a function is called with."""

    kind: str
    """The kind of value: `board`, `player`, `opponent`, `depth`, ..."""
    parameter: str = ""
    """The name of the parameter."""
    by_name: bool = False
    """True if it is passed as a keyword argument."""


_FLAT_LIST: Final = Layout(BOARD_FORMATS[0])
_PLAIN_INDEX: Final = ReplyFormat(UNWRAPPED, INDEX)


@dataclass(frozen=True, slots=True)
class Convention:
    """The convention by which one engine is asked and understood."""

    layout: Layout = _FLAT_LIST
    """The board format and its marks."""
    player: PlayerFormat = OWN_MARK
    """The name of the player to move."""
    reply: ReplyFormat = _PLAIN_INDEX
    """The format of replies."""

    def describe(self, arguments: Sequence[Argument] = ()) -> str:
        """Describe it for a person to object to.

        arguments: what the engine is called with; the name of the player is left out where none is given.
        """
        parts = [f"board: {self.layout}"]
        if any(argument.kind in {"player", "maximizing"} for argument in arguments):
            parts.append(f"player: {self.player.description}")
        return "; ".join([*parts, f"moves: {self.reply}"])


class Reply(NamedTuple):
    """The reply to one call."""

    returned: Any
    """The value that was returned, plain."""
    board: Any = None
    """The board as it was left, plain, if it was changed."""
    error: str = ""
    """The exception that was raised instead, in one line."""
    seconds: float = 0.0


def interpret_reply(reply: Reply, convention: Convention, position: Position) -> Answer:
    """Return a reply as an Answer; the position is not over."""
    if reply.error:
        return Answer(None, Failure.EXCEPTION, reply.error, seconds=reply.seconds)
    wrapping, move_format = convention.reply
    is_board = move_format is BOARD_AFTER
    after = BOARD_AFTER.read(reply.board, position, convention.layout)  # the square where it put its stone
    answers_by_placing = is_board and after is not None and move_format.read(reply.returned, position) is None
    unwrapped = wrapping.unwrap(reply.board if answers_by_placing else reply.returned)
    move, stated = unwrapped or (None, None)
    square = move_format.read(move, position, convention.layout) if unwrapped else None
    if square is None:
        return report_wrong_type(reply.returned, str(convention.reply), reply.seconds)
    value = float(stated) if isinstance(stated, int | float) and not isinstance(stated, bool) else None
    if square == OFF or not vacant(position.rules, position.x | position.o) >> square & 1:
        detail = f"returned {quote_reply(reply.returned)}: {_describe_illegal(position, square)}"
        return Answer(None if square == OFF else square, Failure.ILLEGAL, detail, value, reply.seconds)
    if after == square:
        return Answer(square, value=value, seconds=reply.seconds, has_placed=True)
    if reply.board is not None and not is_board:
        return Answer(square, Failure.MUTATED, f"left {quote_reply(reply.board)} as the board", value, reply.seconds)
    return Answer(square, value=value, seconds=reply.seconds)


def report_wrong_type(returned: Any, expected: str, seconds: float = 0.0) -> Answer:
    """Return the Answer for something that can't be read."""
    return Answer(None, Failure.WRONG_TYPE, f"returned {quote_reply(returned)}, expected {expected}", seconds=seconds)


def quote_reply(reply: Any) -> str:
    """Return the repr of a reply, cut to a line."""
    text = " ".join(repr(reply).split())
    return text if len(text) <= 120 else text[:117] + "..."


def _describe_illegal(position: Position, square: int) -> str:
    if square == OFF:
        return "no square of the board"
    name = square_name(position.rules, square)
    return f"{name} is taken" if (position.x | position.o) >> square & 1 else f"a stone on {name} would float"
