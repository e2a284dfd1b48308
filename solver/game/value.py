"""Values of positions: win, draw or loss for the side to move, and the plies to the end.

Negation, ordering and wording of values live here and nowhere else.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from solver.support.english import plural

Category = Literal["win", "draw", "loss"]

CATEGORIES: Final[dict[int, Category]] = {1: "win", 0: "draw", -1: "loss"}
_VERBS = {1: "wins", 0: "draws", -1: "loses"}
_LABELS = {1: "W", 0: "=", -1: "L"}
_COLOURS = {1: "#009e73", 0: "#8a8a8a", -1: "#d55e00"}  # of Okabe and Ito; they only repeat the words


class Value(NamedTuple):
    """The value of a position under best play: the winner hurries, the loser delays.

    >>> str(Value(1, 3)), str(Value(0, 9)), str(Value(-1))
    ('win in 3', 'draw', 'loss')
    """

    wdl: int
    """1, 0 or -1: a win, draw or loss for the side to move."""

    distance: int | None = None
    """Plies (single moves) until the game ends, 0 when it is over; for a draw the plies left on the board.
    None when the table does not know distances."""

    @property
    def category(self) -> Category:
        """`win`, `draw` or `loss`."""
        return CATEGORIES[self.wdl]

    @property
    def rank(self) -> tuple[int, int]:
        """Sort key, best first: quick wins, then draws, then the losses that last longest.

        >>> values = Value(-1, 2), Value(0, 5), Value(-1, 4), Value(1, 3), Value(1, 1)
        >>> [value.label for value in sorted(values, key=lambda value: value.rank)]
        ['W1', 'W3', '=', 'L4', 'L2']
        """
        return -self.wdl, self.wdl * (self.distance or 0)

    @property
    def label(self) -> str:
        """A mark of at most a few characters for a square of a board: `W3`, `=`, `L4`."""
        known = self.wdl != 0 and self.distance is not None
        return _LABELS[self.wdl] + (str(self.distance) if known else "")

    def before_move(self) -> "Value":
        """Return this value as the player who moved here sees it, counted from the position before the move.

        >>> Value(-1, 0).before_move()
        Value(wdl=1, distance=1)
        """
        return Value(-self.wdl, None if self.distance is None else self.distance + 1)

    def after_move(self) -> "Value":
        """Return the value of the position that a move of this value leads to, for the side to move there.

        >>> Value(1, 1).after_move()
        Value(wdl=-1, distance=0)
        """
        return Value(-self.wdl, None if self.distance is None else self.distance - 1)

    def __str__(self) -> str:
        known = self.wdl != 0 and self.distance is not None
        return f"{self.category} in {self.distance}" if known else self.category

    def _repr_html_(self) -> str:
        """Show the words in a notebook, on light and dark paper alike."""
        edge = f"border-left:.4em solid {_COLOURS[self.wdl]};padding-left:.5em"
        return f'<span style="{edge};font-family:system-ui,sans-serif">{self}</span>'


def describe_value(value: Value) -> str:
    """Say what becomes of the one to whom a value belongs.

    >>> describe_value(Value(1, 3)), describe_value(Value(0, 9)), describe_value(Value(-1))
    ('wins in 3 plies', 'draws', 'loses')
    """
    timed = value.wdl != 0 and value.distance is not None
    return _VERBS[value.wdl] + (f" in {plural(value.distance or 0, 'ply', 'plies')}" if timed else "")


def describe_standing(mover: str, value: Value) -> str:
    """Say what becomes of a position by the names of the sides, of which `mover` is to move.

    >>> describe_standing("O", Value(-1, 4)), describe_standing("O", Value(-1, 0)), describe_standing("O", Value(1))
    ('X wins in 4 plies', 'X has won', 'O wins')
    """
    if value.wdl == 0:
        return "a draw"
    winner = mover if value.wdl > 0 else "O" if mover == "X" else "X"
    return f"{winner} has won" if value.distance == 0 else f"{winner} {describe_value(Value(1, value.distance))}"


def legend(labels: Iterable[str], more: str = "", *, draws: bool = True) -> str:
    """Explain labels of moves such as `W3`, `=` and `L` (`Value.label`) in a sentence that ends with `more`.

    draws: whether the game can be drawn.

    >>> legend(["W3", "="])
    'On an empty square: a move there wins (W), draws (=) or loses (L), in so many plies.'
    """
    timed = any(sign.isdecimal() for label in labels for sign in label)
    end = ", in so many plies" if timed else ""
    values = "wins (W), draws (=) or loses (L)" if draws else "wins (W) or loses (L)"
    return f"On an empty square: a move there {values}{end}{more}."
