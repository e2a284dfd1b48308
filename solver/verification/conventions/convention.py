"""Conventions: the layout of the board, the name of the player to move, the format of replies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from solver.game.position import Position
from solver.verification.conventions.board_formats import BOARD_FORMATS, Layout
from solver.verification.conventions.marks import Marks
from solver.verification.conventions.move_formats import INDEX, UNWRAPPED, ReplyFormat
from solver.verification.conventions.parameters import Argument

__all__ = ["MAXIMIZING", "OWN_MARK", "PLAYERS", "Convention", "PlayerFormat"]


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
    PlayerFormat("so that always maximizes", True, True),
    PlayerFormat("so that O maximizes", False, True),
)
"""Ways to say whether the player to move maximizes, the likeliest first."""


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
    perspective: Literal["mover", "X", "O"] = "mover"
    """The side that a stated value is from."""

    def describe(self, arguments: Sequence[Argument] = ()) -> str:
        """Describe it for a person to object to.

        arguments: what the engine is called with; the name of the player is left out where none is given.
        """
        parts = [f"board: {self.layout}"]
        if any(argument.kind in {"player", "maximizing"} for argument in arguments):
            parts.append(f"player: {self.player.description}")
        return "; ".join([*parts, f"moves: {self.reply}"])
