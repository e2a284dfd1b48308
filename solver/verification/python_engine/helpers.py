"""The functions beside an engine that can be checked, such as `winner`, and how what they return is read."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from solver.game.position import Position
from solver.verification.conventions.convention import Convention
from solver.verification.conventions.interpret import report_wrong_type
from solver.verification.conventions.plain import Opaque

__all__ = ["HELPERS", "HelperKind"]


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
