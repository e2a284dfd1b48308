"""Say what a move is about, and how easily it is found, by what one sees who looks a few plies ahead.

The look of a move is 1, 0 or -1: it wins within so many plies, nothing is seen, it loses within them. The difficulty
of an only move is how many *decoys* there are, other moves that look as good at two plies: the more, the harder.
Whoever looks further never sees more of them. An easy one has none at two plies, a medium one none at four; the others
are hard.

| theme | the only move ... |
| --- | --- |
| finish | wins at once |
| block | is no finish, and every other move loses to the next reply |
| fork | leaves two squares or more on which its side would complete a line next, and the other side none |
| trap | leaves the opponent exactly one reply that holds, of two or more |
| long win | wins, but in five plies or more |
"""

from typing import Final, Literal

from solver.game.legality import vacant
from solver.game.lines import completing
from solver.game.position import Position
from solver.tablebase import RankedMoves, Replies

Theme = Literal["finish", "block", "fork", "trap", "long win"]
Level = Literal["easy", "medium", "hard"]

THEMES: Final[tuple[Theme, ...]] = ("finish", "block", "fork", "trap", "long win")
LEVELS: Final[tuple[Level, ...]] = ("easy", "medium", "hard")

SIGHTS: Final[dict[Level, int]] = {"easy": 2, "medium": 4}
"""Plies to look ahead to find the only move of a level; of a hard one more."""

LONG: Final = 5
"""Plies of a long win."""


def look(position: Position, side: str, plies: int) -> int:
    """Return what a position looks like to a side that sees so many plies: 1 it wins, -1 it loses, 0 anything else."""
    outcome = position.outcome
    if outcome is not None:
        return 0 if outcome == "draw" else 1 if outcome == side else -1
    if plies == 0:
        return 0
    own = position.to_move == side
    best = -1 if own else 1
    for square in position.legal_moves:
        seen = look(position.play(square), side, plies - 1)
        best = max(best, seen) if own else min(best, seen)
        if best == (1 if own else -1):
            break
    return best


def count_decoys(position: Position, moves: RankedMoves, sight: int) -> int:
    """Count the moves that look as good as the first, which is the only move, to one who sees so many plies.

    Where distances are known, a move looks like what it is worth if the game ends in time; otherwise it is searched.
    """
    side = position.to_move
    best, *others = [
        look(position.play(square), side, sight - 1)
        if value.distance is None
        else value.wdl * (value.distance <= sight)
        for square, value in moves
    ]
    return sum(seen >= best for seen in others)


def level_of(position: Position, moves: RankedMoves) -> Level:
    """Return the level of a puzzle, whose moves are given, the only one first."""
    return next((level for level, sight in SIGHTS.items() if not count_decoys(position, moves, sight)), "hard")


def list_themes(position: Position, only: int, *, wins: bool, replies: Replies) -> tuple[Theme, ...]:
    """List what the only move of a position is about. wins: whether it wins. replies: those to it."""
    side, after = position.to_move, position.play(only)
    others = [look(position.play(square), side, 1) for square in position.legal_moves if square != only]
    finish = after.outcome == side
    found: dict[Theme, bool] = {
        "finish": finish,
        "block": not finish and max(others) < 0,
        "fork": not finish and _is_fork(after),
        "trap": replies.holding == 1 < replies.total,
        "long win": wins and look(position, side, LONG - 1) < 1,
    }
    return tuple(theme for theme in THEMES if found[theme])


def _is_fork(after: Position) -> bool:
    """Tell whether the side that has just moved threatens two lines, and the other side none."""
    rules = after.rules
    if rules.misere or after.is_over:
        return False
    taken = after.x | after.o
    free = vacant(rules, taken)
    x, o = completing(rules.x_lines, after.x, taken) & free, completing(rules.o_lines, after.o, taken) & free
    own, other = (o, x) if after.to_move == "X" else (x, o)
    return own.bit_count() >= 2 and not other
