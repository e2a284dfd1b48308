"""A second implementation of the rules, which is simple rather than fast and handles one position at a time.

A position is the pair (x, o) of bitmasks. Nothing here depends on how tables are built.
"""

from solver.game.rules import Rules
from solver.game.value import Value

Stones = tuple[int, int]


def ply_of(stones: Stones) -> int:
    """Return the number of stones on the board."""
    return (stones[0] | stones[1]).bit_count()


def has_line(rules: Rules, stones: int, x_owns: bool, through: int | None = None) -> bool:
    """Return whether stones of X (if `x_owns`) or O make a line; with `through`, a line that contains this square."""
    if through is None:
        lines = rules.x_lines if x_owns else rules.o_lines
    else:
        lines = (rules.x_lines_through if x_owns else rules.o_lines_through)[through]
    return any(stones & mask == mask and stones & guard == 0 for mask, guard in lines)


def value_if_over(rules: Rules, stones: Stones) -> Value | None:
    """Return the value for the side to move if the last mover has a line or no ply is left; otherwise None."""
    ply = ply_of(stones)
    if has_line(rules, stones[1 - ply % 2], ply % 2 == 1):
        return Value(1 if rules.misere else -1, 0)
    return Value(unfinished(rules, ply), 0) if ply == rules.plies else None


def unfinished(rules: Rules, ply: int) -> int:
    """Return the result (1, 0 or -1) of a game without a line, for the side to move at `ply`."""
    return 0 if rules.unfinished is None else 1 if (rules.unfinished == "X") == (ply % 2 == 0) else -1


def successors(rules: Rules, stones: Stones) -> list[tuple[int, Stones]]:
    """Return (square, position after the move) for each legal move; the game must not be over."""
    x, o = stones
    taken = x | o
    found = []
    for square, below in enumerate(rules.supports):
        if taken >> square & 1 or (below >= 0 and not taken >> below & 1):
            continue
        bit = 1 << square
        found.append((square, (x, o | bit) if taken.bit_count() % 2 else (x | bit, o)))
    return found
