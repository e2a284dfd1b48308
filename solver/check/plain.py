"""The rules once more, one position at a time, for the parts of a check that need no speed.

A position is the pair (x, o) of bitmasks. Nothing here knows how tables are built.
"""

from __future__ import annotations

from solver.game.rules import Rules
from solver.game.value import Value

Stones = tuple[int, int]


def ply_of(stones: Stones) -> int:
    """The stones on the board."""
    return (stones[0] | stones[1]).bit_count()


def has_line(rules: Rules, stones: int) -> bool:
    """Whether the stones of one side make a line."""
    return any(stones & mask == mask and stones & guard == 0 for mask, guard in rules.lines)


def value_if_over(rules: Rules, stones: Stones) -> Value | None:
    """The value for the side to move when the game has ended: a line of the side that just moved, or no room."""
    ply = ply_of(stones)
    if has_line(rules, stones[1 - ply % 2]):
        return Value(1 if rules.misere else -1, 0)
    return Value(0, 0) if ply == rules.squares else None


def successors(rules: Rules, stones: Stones) -> list[tuple[int, Stones]]:
    """(square, the position after a stone there) for each legal move; the game must not be over."""
    x, o = stones
    taken = x | o
    found = []
    for square, below in enumerate(rules.supports):
        if taken >> square & 1 or (below >= 0 and not taken >> below & 1):
            continue
        bit = 1 << square
        found.append((square, (x, o | bit) if taken.bit_count() % 2 else (x | bit, o)))
    return found


def board_text(rules: Rules, stones: Stones) -> str:
    """The rows as text, such as XO./.X./..."""
    x, o = stones
    cells = "".join(["X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(rules.squares)])
    return "/".join([cells[start : start + rules.n] for start in range(0, rules.squares, rules.n)])


def said(value: Value) -> str:
    """A value for a sentence, with the distance of a draw too."""
    known = value.wdl == 0 and value.distance is not None
    return f"{value} in {value.distance}" if known else str(value)


def disagreement(board: str, wanted: Value | None, table_says: str) -> str:
    """The sentence for a position that is worth something else by the values one move later."""
    by_successors = "nonsense" if wanted is None else said(wanted)
    return f"The position {board} is a {by_successors} by the values one move later, but the table {table_says}."
