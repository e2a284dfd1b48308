"""Read the reply of an engine as an answer, by the convention it was asked in."""

from typing import Any, NamedTuple

from solver.game.legality import vacant
from solver.game.position import Position
from solver.game.squares import square_name
from solver.verification.contract import Answer, Failure
from solver.verification.conventions.convention import Convention
from solver.verification.conventions.move_formats import BOARD_AFTER, OFF
from solver.verification.conventions.plain import to_plain

__all__ = ["Reply", "find_changed_board", "interpret_reply", "quote_reply", "report_wrong_type"]


class Reply(NamedTuple):
    """The reply to one call."""

    returned: Any
    """The value that was returned, plain."""
    board: Any = None
    """The board as it was left, plain, if it was changed."""
    error: str = ""
    """The exception that was raised instead, in one line."""
    seconds: float = 0.0


def interpret_reply(reply: Reply, convention: Convention, position: Position) -> Answer:
    """Return a reply as an Answer; the position is not over."""
    if reply.error:
        return Answer(None, Failure.EXCEPTION, reply.error, seconds=reply.seconds)
    wrapping, move_format = convention.reply
    is_board = move_format is BOARD_AFTER
    unwrapped = wrapping.unwrap(reply.board if reply.returned is None and is_board else reply.returned)
    move, stated = unwrapped or (None, None)
    square = move_format.read(move, position, convention.layout) if unwrapped else None
    if square is None:
        return report_wrong_type(reply.returned, str(convention.reply), reply.seconds)
    value = _value_for_mover(stated, convention, position)
    if square == OFF or not vacant(position.rules, position.x | position.o) >> square & 1:
        detail = f"returned {quote_reply(reply.returned)}: {_describe_illegal(position, square)}"
        return Answer(None if square == OFF else square, Failure.ILLEGAL, detail, value, reply.seconds)
    if reply.board is not None and not is_board:
        return Answer(square, Failure.MUTATED, f"left {quote_reply(reply.board)} as the board", value, reply.seconds)
    return Answer(square, value=value, seconds=reply.seconds)


def report_wrong_type(returned: Any, expected: str, seconds: float = 0.0) -> Answer:
    """Return the Answer for something that can't be read."""
    return Answer(None, Failure.WRONG_TYPE, f"returned {quote_reply(returned)}, expected {expected}", seconds=seconds)


def find_changed_board(convention: Convention, position: Position, board: Any) -> Any:
    """Return a board that was given as it is now, plain, if it was changed since; else None."""
    if not convention.layout.format.is_mutable:
        return None
    given = convention.layout.write(position)
    try:
        if board == given:
            return None
    except ValueError:  # arrays don't say whether they are equal
        pass
    now = to_plain(board)
    return None if now == to_plain(given) else now


def quote_reply(reply: Any) -> str:
    """Return the repr of a reply, cut to a line."""
    text = repr(reply)
    return text if len(text) <= 120 else text[:117] + "..."


def _value_for_mover(stated: Any, convention: Convention, position: Position) -> float | None:
    if type(stated) not in {int, float}:
        return None
    return float(stated if convention.perspective in {"mover", position.to_move} else -stated)


def _describe_illegal(position: Position, square: int) -> str:
    if square == OFF:
        return "no square of the board"
    name = square_name(position.rules, square)
    return f"{name} is taken" if (position.x | position.o) >> square & 1 else f"a stone on {name} would float"
