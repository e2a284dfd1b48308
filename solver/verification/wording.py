"""Write what every format of a report says alike: kinds of faults, shares, squares, lines of play."""

from collections.abc import Collection, Iterable

from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.squares import square_name

__all__ = ["format_kind", "format_line", "format_percent", "format_squares"]


def format_kind(kind: str) -> str:
    """Write the name of a fault as words: `win_to_draw` is "win to draw"."""
    return kind.replace("_", " ")


def format_percent(share: float) -> str:
    """Write a share of 1; what is not all or nothing is never rounded to that.

    >>> format_percent(1.0), format_percent(0.99999), format_percent(0.25), format_percent(0.00001)
    ('100%', '>99.99%', '25.00%', '<0.01%')
    """
    if share in {0.0, 1.0}:
        return f"{share:.0%}"
    if share > 0.9999:
        return ">99.99%"
    return f"{share:.2%}" if share >= 0.0001 else "<0.01%"


def format_squares(rules: Rules, squares: Iterable[int]) -> str:
    """Write squares by name, in their order: `b2 a1`."""
    return " ".join(square_name(rules, square) for square in squares)


def format_line(start: Position, line: Iterable[int], mistakes: Collection[int] = ()) -> str:
    """Write a line of play with its outcome; moves whose index is among the `mistakes` bear a question mark.

    >>> format_line(Position.parse(Rules.parse("3,3,3"), "XX./OO./..."), [2])
    'X c1, X wins'
    """
    position, parts = start, []
    for index, move in enumerate(line):
        parts.append(f"{position.to_move} {square_name(position.rules, move)}{'?' * (index in mistakes)}")
        position = position.play(move)
    outcome = position.outcome
    if outcome is not None:
        parts.append("a draw" if outcome == "draw" else f"{outcome} wins")
    return ", ".join(parts)
