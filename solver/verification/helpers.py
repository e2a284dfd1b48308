"""Check the helpers of an engine's file, such as `winner`, over every position that arises in play.

Most wrong minimaxes have a wrong `winner`, and this says so before anybody looks at the search.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from solver.game.position import Position
from solver.support.english import plural
from solver.verification.contract import NOT_IN_TIME, Answer, Helper
from solver.verification.conventions.convention import Convention, report_wrong_type
from solver.verification.conventions.move_formats import Opaque
from solver.verification.wording import format_squares


class HelperKind(NamedTuple):
    """A kind of function that takes a board and tells one thing of it."""

    names: tuple[str, ...]
    """The names it may have in an engine's file."""
    read: Callable[[Any, Convention, Position], Any]
    """Turns what it returned, plain, into the terms of this package, or into an Answer that says what is wrong."""


def _read_winner(returned: Any, convention: Convention, position: Position) -> Any:
    x, o = convention.layout.marks.of_sides(position)
    for mark, side in ((x, "X"), (o, "O")):
        if returned == mark and type(returned) is type(mark):
            return side
    nobody = ("", " ", "-", ".", "draw", "tie", "none", "d", "t")
    if returned is None or returned == 0 or (isinstance(returned, str) and returned.lower() in nobody):
        return None
    return report_wrong_type(returned, f"{x!r}, {o!r} or None")


def _read_terminal(returned: Any, *_: object) -> Any:
    is_truth = returned is None or type(returned) in {bool, int}
    return bool(returned) if is_truth else report_wrong_type(returned, "True or False")


def _read_utility(returned: Any, *_: object) -> Any:
    return returned if type(returned) in {int, float} else report_wrong_type(returned, "a number")


def _read_player(returned: Any, convention: Convention, position: Position) -> Any:
    x, o = convention.layout.marks.of_sides(position)
    if returned in (x, o):
        return "X" if returned == x else "O"
    return report_wrong_type(returned, f"{x!r} or {o!r}")


def _read_actions(returned: Any, convention: Convention, position: Position) -> Any:
    if not isinstance(returned, tuple) or any(isinstance(move, Opaque) for move in returned):
        return report_wrong_type(returned, "a collection of moves")
    move_format = convention.reply.move
    squares = [move_format.read(move, position, convention.layout) for move in returned]
    if None in squares:
        return report_wrong_type(returned, f"moves as {move_format.name}")
    return frozenset(squares)


HELPERS: Final[Mapping[str, HelperKind]] = {
    "winner": HelperKind(("winner", "get_winner", "check_winner", "find_winner"), _read_winner),
    "terminal": HelperKind(
        ("terminal", "is_terminal", "terminal_test", "game_over", "is_game_over", "is_over"), _read_terminal
    ),
    "utility": HelperKind(("utility", "get_utility"), _read_utility),
    "actions": HelperKind(
        ("actions", "available_moves", "legal_moves", "possible_moves", "get_available_moves", "empty_squares"),
        _read_actions,
    ),
    "player": HelperKind(("player", "to_move", "current_player", "get_player"), _read_player),
}
"""The kinds of helpers by what they tell."""


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
    given = [(p, answer) for p, answer in zip(asked, helper(asked), strict=True) if not _is_unasked(answer)]
    if name == "utility":
        given = [(position, _sign_of(answer)) for position, answer in given]
    pairs = [(position, answer, _TRUTHS[name](position)) for position, answer in given]
    wrong = [(position, answer, right) for position, answer, right in pairs if answer != right]
    mistakes = [
        HelperMistake(p, _describe(p, answer), _describe(p, right)) for p, answer, right in wrong[:MOST_MISTAKES]
    ]
    return HelperCheck(name, len(pairs), len(wrong), tuple(mistakes))


def _is_unasked(answer: Any) -> bool:
    return isinstance(answer, Answer) and answer.detail == NOT_IN_TIME


def _sign_of(answer: Any) -> Any:
    """Return a utility, whatever its unit, as 1, 0 or -1."""
    return answer if isinstance(answer, Answer) else (answer > 0) - (answer < 0)


def _describe(position: Position, answer: object) -> str:
    if isinstance(answer, Answer):
        return answer.detail or str(answer.failure or "nothing")
    if isinstance(answer, frozenset):
        return format_squares(position.rules, sorted(answer)) or "no move"
    return repr(answer)
