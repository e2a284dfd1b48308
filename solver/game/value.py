"""Values of positions: win, draw or loss for the side to move, and the number of plies to the end.

Only this module negates and orders values; `solver.game.descriptions` describes them.
"""

from typing import Final, Literal, NamedTuple

Category = Literal["win", "draw", "loss"]

CATEGORIES: Final[dict[int, Category]] = {1: "win", 0: "draw", -1: "loss"}
_LABELS = {1: "W", 0: "=", -1: "L"}


class Value(NamedTuple):
    """The value of a position under best play: the winner takes the fastest win, the loser the slowest loss.

    >>> str(Value(1, 3)), str(Value(0, 9)), str(Value(-1))
    ('win in 3', 'draw', 'loss')
    """

    wdl: int
    """1, 0 or -1: a win, draw or loss for the side to move."""

    distance: int | None = None
    """Plies (single moves) until the game ends, 0 if it is over; for a draw the plies left on the board.
    None if it is unknown."""

    @property
    def within(self) -> int | None:
        """The plies within which the winner wins at the latest, if the distance is unknown; None if unknown too."""
        return None

    @property
    def category(self) -> Category:
        """`win`, `draw` or `loss`."""
        return CATEGORIES[self.wdl]

    @property
    def rank(self) -> tuple[int, int]:
        """The key by which values are sorted, best first: quick wins, then draws, then the losses that last longest.

        >>> values = Value(-1, 2), Value(0, 5), Value(-1, 4), Value(1, 3), Value(1, 1)
        >>> [value.label for value in sorted(values, key=lambda value: value.rank)]
        ['W1', 'W3', '=', 'L4', 'L2']
        """
        return -self.wdl, self.wdl * (self.distance or self.within or 0)

    @property
    def label(self) -> str:
        """A short label for a square of a board: `W3`, `=`, `L4`."""
        known = self.wdl != 0 and self.distance is not None
        return _LABELS[self.wdl] + (str(self.distance) if known else "")

    def before_move(self) -> "Value":
        """Return the value of the move that led to this position, for the player who made that move.

        >>> Value(-1, 0).before_move()
        Value(wdl=1, distance=1)
        """
        return Value(-self.wdl, None if self.distance is None else self.distance + 1)

    def after_move(self) -> "Value":
        """Return the value of the position after a move with this value, for the player who is then to move.

        >>> Value(1, 1).after_move()
        Value(wdl=-1, distance=0)
        """
        return Value(-self.wdl, None if self.distance is None else self.distance - 1)

    def __str__(self) -> str:
        known = self.wdl != 0 and self.distance is not None
        return f"{self.category} in {self.distance}" if known else self.category


class BoundedValue(Value):
    """A win or a loss that comes within a number of plies; how soon under best play is unknown, so `distance` is None.

    >>> value = BoundedValue(1, 35)
    >>> str(value), value.label, value.before_move().within
    ('win within 35', 'W<36', 36)
    """

    _within: int

    def __new__(cls, wdl: int, within: int) -> "BoundedValue":
        """Return a win or a loss within a number of plies."""
        value = super().__new__(cls, wdl, None)
        value._within = within
        return value

    @property
    def within(self) -> int:
        """The plies within which the winner wins at the latest."""
        return self._within

    @property
    def label(self) -> str:
        """A short label for a square of a board: `W<36` for a win within 35 plies."""
        return f"{_LABELS[self.wdl]}<{self.within + 1}"

    def before_move(self) -> "BoundedValue":
        """Return the value of the move that led to this position, for the player who made that move."""
        return BoundedValue(-self.wdl, self.within + 1)

    def after_move(self) -> "BoundedValue":
        """Return the value of the position after a move with this value, for the player who is then to move."""
        return BoundedValue(-self.wdl, self.within - 1)

    def __str__(self) -> str:
        return f"{self.category} within {self.within}"

    def __reduce__(self) -> tuple[type["BoundedValue"], tuple[int, int]]:
        return BoundedValue, (self.wdl, self.within)


def win_within(plies: int) -> Value:
    """Return the value of a win in at most so many plies that a search by fours and threats found.

    A win in five plies is the quickest: such a search finds every win in three plies, which is by two fours at once.
    """
    return Value(1, plies) if plies <= 5 else BoundedValue(1, plies)
