"""Explain a move that gives the result away: the reply that refutes it, and the threats that decide."""

from collections.abc import Sequence
from functools import reduce
from typing import Annotated, Final

from solver.game.legality import vacant
from solver.game.lines import completing, squares_of
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import OTHER, Side
from solver.game.value import Category, Value
from solver.study.answers import PositionName, SquareAnswer, position_name, square_answer
from solver.support.english import join_names
from solver.support.json_types import Described

_NUMBERS: Final = {2: "two", 3: "three", 4: "four"}
_MOST_NAMED: Final = 8  # moves of a line in a sentence


class Why(PositionName, SquareAnswer):
    """The effect of a move, and why it has that effect."""

    verdict: Annotated[Category, Described("The value of the move for the side that makes it.", "loss")]
    sentence: Annotated[str, Described(example="c1 loses: X answers a3 and then has two ways to win, at a2 and b3.")]
    line: Annotated[list[str], Described("Best play after the move.", ["a3", "b1", "a2"])]
    threats: Annotated[list[str], Described("The squares on which the winner then completes a line.", ["a2", "b3"])]


def why_answer(position: Position, square: int, value: Value, line: Sequence[int]) -> Why:
    """Explain a move. value: that of the move, for its side. line: best play after the move, as far as it is known."""
    names = [square_name(position.rules, each) for each in line]
    move, side = square_name(position.rules, square), OTHER[position.to_move]
    threats, reason = list[str](), f"{side} answers {names[0]}" if names else ""
    if value.wdl < 0:
        count, threats = _find_threats(position.play(square), side, line)
        shown = [*names[:_MOST_NAMED], *(["..."] if len(names) > _MOST_NAMED else [])]
        reason = f"{side} wins after {' '.join(shown)}" if names else f"{side} wins"
        if threats:
            where = f"at {join_names(threats, 'and')}"
            ways = f"{_NUMBERS.get(len(threats), len(threats))} ways to win, {where}"
            before = f"{side} answers {names[0]} and then" if count == 1 else f"after {' '.join(names[:count])}, {side}"
            reason = f"{before} has {ways}" if count else f"{side} wins at once, {where}"
    verb = {-1: "loses", 0: "only draws", 1: "wins"}[value.wdl]
    return {
        **position_name(position),
        **square_answer(position.rules, square),
        "verdict": value.category,
        "sentence": f"{move} {verb}{f': {reason}' if reason and value.wdl < 1 else ''}.",
        "line": names,
        "threats": threats,
    }


def _find_threats(after: Position, side: Side, line: Sequence[int]) -> tuple[int, list[str]]:
    """Return the squares on which a side wins at once, or whose two threats can't both be stopped.

    The first number counts the moves of the line before. Without such squares, the list is empty.
    """
    for count in range(len(line) + 1):
        position = reduce(Position.play, line[:count], after)
        if position.is_over or position.rules.misere:
            break
        own = _winning_squares(position, side)
        if (position.to_move == side and count == 0 and own) or (
            position.to_move != side and len(own) > 1 and not _winning_squares(position, OTHER[side])
        ):
            return count, [square_name(position.rules, square) for square in own]
    return 0, []


def _winning_squares(position: Position, side: Side) -> list[int]:
    """Return the squares on which a side would complete a line if it were to move."""
    rules = position.rules
    lines, stones = (rules.x_lines, position.x) if side == "X" else (rules.o_lines, position.o)
    free = vacant(rules, position.x | position.o)
    return [*squares_of(completing(lines, stones, position.x | position.o) & free)]
