"""The helpers of an engine's file, checked over every position that arises in play, finished ones too.

Most wrong minimaxes have a wrong `winner`, and this says so before anybody looks at the search.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from solver.game.position import Position
from solver.support.english import plural
from solver.verification.contract import Answer, Helper
from solver.verification.wording import moves_text

__all__ = ["HelperCheck", "Mistake", "check_helpers"]

MOST_MISTAKES = 3


@dataclass(frozen=True)
class Mistake:
    """A position where a helper is wrong: what it says and what is right, in words."""

    position: Position
    said: str
    right: str


@dataclass(frozen=True)
class HelperCheck:
    """How one helper did: in how many positions it was asked, in how many it was wrong, and the first of those."""

    name: str
    positions: int
    wrong: int
    mistakes: tuple[Mistake, ...]

    @property
    def words(self) -> str:
        """The result in words."""
        asked = plural(self.positions, "position")
        if not self.wrong:
            return f"right in {asked}"
        first = self.mistakes[0]
        said = f"in {first.position.board} it says {first.said}, right is {first.right}"
        return f"wrong in {self.wrong:,} of {asked}; {said}"


def check_helpers(helpers: Mapping[str, Helper], positions: Sequence[Position]) -> list[HelperCheck]:
    """Check those helpers that we know how to judge."""
    return [_check(name, helper, positions) for name, helper in helpers.items() if name in _JUDGES and positions]


def _check(name: str, helper: Helper, positions: Sequence[Position]) -> HelperCheck:
    applies, truth, shown = _JUDGES[name]
    asked = [position for position in positions if applies(position)]
    said = helper(asked)
    if name == "utility":
        said = _signs(said)
    wrong = [
        (position, answer)
        for position, answer in zip(asked, said, strict=True)
        if isinstance(answer, Answer) or answer != truth(position)
    ]
    mistakes = [Mistake(p, _said(p, answer, shown), shown(p, truth(p))) for p, answer in islice(wrong, MOST_MISTAKES)]
    return HelperCheck(name, len(asked), len(wrong), tuple(mistakes))


def _signs(said: Sequence[Any]) -> list[Any]:
    """Utilities as 1, 0 and -1, whatever their unit."""
    return [one if isinstance(one, Answer) else (one > 0) - (one < 0) for one in said]


def _said(position: Position, answer: object, shown: Callable[[Position, Any], str]) -> str:
    if isinstance(answer, Answer):
        return answer.detail or str(answer.failure or "nothing")
    return shown(position, answer)


def _plain(position: Position, answer: object) -> str:
    del position
    return repr(answer)


def _squares(position: Position, answer: frozenset[int]) -> str:
    return moves_text(position.rules, sorted(answer)) or "no move"


def _winner(position: Position) -> str | None:
    return position.outcome if position.outcome in {"X", "O"} else None


def _utility(position: Position) -> int:
    return {"X": 1, "O": -1}.get(position.outcome or "", 0)


def _always(position: Position) -> bool:
    del position
    return True


def _live(position: Position) -> bool:
    return not position.is_over


def _over(position: Position) -> bool:
    return position.is_over


_Judge = tuple[Callable[[Position], bool], Callable[[Position], Any], Callable[[Position, Any], str]]

# Where each helper must be right, what is right there, and how that is written. Whose turn it is, and what may be
# played, is nobody's business once the game is over; a utility means something only then.
_JUDGES: Mapping[str, _Judge] = {
    "winner": (_always, _winner, _plain),
    "terminal": (_always, lambda position: position.is_over, _plain),
    "utility": (_over, _utility, _plain),
    "actions": (_live, lambda position: frozenset(position.legal_moves), _squares),
    "player": (_live, lambda position: position.to_move, _plain),
}
