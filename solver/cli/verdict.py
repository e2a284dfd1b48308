"""What a move threw away, said to the person who made it."""

from solver.cli.words import outlook, some
from solver.game.position import Position
from solver.game.squares import square_name
from solver.game.value import Value

__all__ = ["verdict"]

_BLAME = {1: "Not the quickest", 0: "Inexact", -1: "Not the most stubborn"}


def verdict(position: Position, moves: list[tuple[int, Value]], square: int) -> str | None:
    """What a move in `position` gave away, as a sentence; None if there was no better one."""
    best, played = moves[0][1], dict(moves)[square]
    if played.rank == best.rank:
        return None
    better = [square_name(position.rules, s) for s, value in moves if value.rank == best.rank]
    blame = "A mistake" if played.wdl != best.wdl else _BLAME[best.wdl]
    return f"{blame}: {square_name(position.rules, square)} {outlook(played)}; {some(better, 'or')} {outlook(best)}."
