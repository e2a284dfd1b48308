"""Sentences and forms of words that more than one part of the package writes."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.game.position import Position

__all__ = ["legend", "plural", "result"]


def plural(count: int, noun: str, nouns: str = "") -> str:
    """A number with its noun.

    >>> plural(1, "ply", "plies"), plural(5478, "position")
    ('1 ply', '5,478 positions')
    """
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def legend(labels: Iterable[str], more: str = "") -> str:
    """What labels such as `W3`, `=` and `L` (`Value.label`) mean on a board, followed by `more`, as a sentence.

    >>> legend(["W3", "="])
    'On an empty square: a move there wins (W), draws (=) or loses (L), in so many plies.'
    """
    timed = any(sign.isdecimal() for label in labels for sign in label)
    end = ", in so many plies" if timed else ""
    return f"On an empty square: a move there wins (W), draws (=) or loses (L){end}{more}."


def result(position: "Position") -> str:
    """How a finished game ended, as a sentence."""
    outcome = position.outcome
    return "The game is over: a draw." if outcome == "draw" else f"The game is over: {outcome} has won."
