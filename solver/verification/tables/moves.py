"""The moves of somebody's table: one or several for a position, written in any of the ways of `replies`."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from solver.errors import EngineError, quoted
from solver.game.position import Position
from solver.verification.replies import MOVES, OFF, Reading, plain, read_move

__all__ = ["MoveList", "read_moves"]

MOST_TRIED: Final = 2000  # rows by which the way moves are written is found

MoveList = list[int] | None
"""The squares that a row names, OFF for one that is not on the board; None where they can't be read."""


def read_moves(
    rows: Sequence[tuple[Position, Any]],
    form: str | None,
    is_good: Callable[[Position, int], bool],
) -> tuple[Reading, list[MoveList]]:
    """How moves are written, and the moves of each row; no game may be over.

    form: one of `replies.MOVES`; by default the one by which most moves are legal and good (`is_good`, which is asked
    for legal moves only). Raises EngineError for a form that there is not.
    """
    if form is not None and form not in MOVES:
        raise EngineError(f"--moves {quoted(form)} is unknown; choose one of: {'; '.join(MOVES)}.")
    gravity = any(position.rules.gravity for position, _ in rows[:1])
    ways = [form] if form else [way for way in MOVES if gravity or not way.startswith("column") or "," in way]
    tried = rows[:: 1 + len(rows) // MOST_TRIED]

    def worth(way: str) -> tuple[int, int]:
        found = [(position, _moves(Reading("", way), position, given)) for position, given in tried]
        legal = [(p, m) for p, moves in found if moves and all(m in p.legal_moves for m in moves) for m in moves]
        return len({p for p, _ in legal}), sum(is_good(p, m) for p, m in legal)

    reading = Reading("", max(ways, key=worth))
    return reading, [_moves(reading, position, given) for position, given in rows]


def _moves(reading: Reading, position: Position, given: Any) -> MoveList:
    """One move or, failing that, those in a list or in words."""
    given = plain(int(given) if isinstance(given, float) and given.is_integer() else given)
    one = read_move(reading, given, position, (), None)
    if one is not None:
        return [one]
    if isinstance(given, str):
        given = re.findall(r"\([^)]*\)|[^\s,;|\[\]'\"]+", given)
    if not isinstance(given, list | tuple) or not given:
        return None
    moves = [read_move(reading, plain(item), position, (), None) for item in given]
    return None if None in moves else [OFF if move is None else move for move in moves]
