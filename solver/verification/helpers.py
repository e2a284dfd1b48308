"""Check the helpers of an engine's file over every position that arises in play, finished ones too.

Most wrong minimaxes have a wrong `winner`, and this says so before anybody looks at the search.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from solver.game.position import Position
from solver.support.english import plural
from solver.verification.contract import Answer, Helper
from solver.verification.wording import format_squares

__all__ = ["HelperCheck", "HelperMistake", "check_helpers"]

MOST_MISTAKES: Final = 3

_TRUTHS: Final[Mapping[str, Callable[[Position], Any]]] = {
    "winner": lambda position: position.outcome if position.outcome in {"X", "O"} else None,
    "terminal": lambda position: position.is_over,
    "utility": lambda position: {"X": 1, "O": -1}.get(position.outcome or "", 0),
    "actions": lambda position: frozenset(position.legal_moves),
    "player": lambda position: position.to_move,
}
"""The right answer of each helper that can be judged."""

_FINISHED: Final = {"utility": True, "actions": False, "player": False}
"""The helpers that mean something only when the game is over, or only while it goes on."""


@dataclass(frozen=True)
class HelperMistake:
    """A position where a helper is wrong: what it says and what is right, in words."""

    position: Position
    said: str
    right: str


@dataclass(frozen=True)
class HelperCheck:
    """The result of one helper."""

    name: str

    positions: int
    """Positions in which it was asked."""

    wrong: int
    """Positions in which it was wrong."""

    mistakes: tuple[HelperMistake, ...]
    """The first of those."""

    @property
    def summary(self) -> str:
        """The result in words."""
        asked = plural(self.positions, "position")
        if not self.wrong:
            return f"right in {asked}"
        first = self.mistakes[0]
        said = f"in {first.position.board} it says {first.said}, right is {first.right}"
        return f"wrong in {self.wrong:,} of {asked}; {said}"


def check_helpers(helpers: Mapping[str, Helper], positions: Sequence[Position]) -> list[HelperCheck]:
    """Check those helpers whose right answer is known."""
    return [_check_helper(name, helper, positions) for name, helper in helpers.items() if name in _TRUTHS and positions]


def _check_helper(name: str, helper: Helper, positions: Sequence[Position]) -> HelperCheck:
    asked = [position for position in positions if _FINISHED.get(name) in {None, position.is_over}]
    answers = helper(asked)
    if name == "utility":
        answers = [_sign_of(answer) for answer in answers]
    pairs = [(position, answer, _TRUTHS[name](position)) for position, answer in zip(asked, answers, strict=True)]
    wrong = [(position, answer, right) for position, answer, right in pairs if answer != right]
    mistakes = [
        HelperMistake(p, _describe(p, answer), _describe(p, right)) for p, answer, right in wrong[:MOST_MISTAKES]
    ]
    return HelperCheck(name, len(asked), len(wrong), tuple(mistakes))


def _sign_of(answer: Any) -> Any:
    """Return a utility, whatever its unit, as 1, 0 or -1."""
    return answer if isinstance(answer, Answer) else (answer > 0) - (answer < 0)


def _describe(position: Position, answer: object) -> str:
    if isinstance(answer, Answer):
        return answer.detail or str(answer.failure or "nothing")
    if isinstance(answer, frozenset):
        return format_squares(position.rules, sorted(answer)) or "no move"
    return repr(answer)
