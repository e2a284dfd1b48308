"""Write the sentences of a check: pages, positions and values, and what is wrong with them."""

from __future__ import annotations

from math import comb

from solver.check.plain_rules import Stones, value_if_over
from solver.game.legality import reason_impossible
from solver.game.lines import squares_of
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.game.value import Value
from solver.store.layout import Layout, colex_set


def page_name(layout: Layout, key: int) -> str:
    """Name a page by its key and the stones that all its positions have in common."""
    whose = "stones" if layout.has_gravity else "X"
    squares = " ".join(square_name(layout.rules, square) for square in squares_of(key))
    return f"{key} ({whose} on {squares or 'no square'})"


def page_disagreement(rules: Rules, stones: Stones, found: Value | None, wanted: Value | None) -> str:
    """Report a position of a page whose value is not the expected one; None is a value that means nothing."""
    board = board_text(rules, stones)
    table_says = "has bits that mean nothing" if found is None else f"says {describe(found)}"
    if value_if_over(rules, stones) or reason_impossible(rules, *stones):
        return f"The board {board} is never looked up, so its bits must be 0, but the table {table_says}."
    return disagreement(board, wanted, table_says)


def needless_bits(layout: Layout, stones: Stones) -> str:
    """Report a position that has bits of its own although threats decide it."""
    return f"The board {board_text(layout.rules, stones)} is decided by threats, so its bits must be 0, and are not."


def board_text(rules: Rules, stones: Stones) -> str:
    """Write a position as rows, such as XO./.X./..."""
    x, o = stones
    cells = "".join(["X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(rules.squares)])
    return "/".join([cells[start : start + rules.n] for start in range(0, rules.squares, rules.n)])


def describe(value: Value) -> str:
    """Write a value, with the distance of a draw too."""
    known = value.wdl == 0 and value.distance is not None
    return f"{value} in {value.distance}" if known else str(value)


def disagreement(board: str, wanted: Value | None, table_says: str) -> str:
    """Report a position whose value does not follow from the values one move later."""
    by_successors = "nonsense" if wanted is None else describe(wanted)
    return f"The position {board} is a {by_successors} by the values one move later, but the table {table_says}."


def stones_at(layout: Layout, key: int, rank: int) -> Stones:
    """Find the position with a rank on a page; the inverse of Layout.locate."""
    stones = key.bit_count()
    if layout.has_gravity:
        x = _spread(colex_set(rank, (stones + 1) // 2), key)
        return x, key ^ x
    free = layout.squares - stones
    split = comb(free, stones - 1) if stones else 0
    before = rank < split
    bits = colex_set(rank, stones - 1) if before else colex_set(rank - split, stones)
    return key, _spread(bits, (1 << layout.squares) - 1 ^ key)


def _spread(bits: int, allowed: int) -> int:
    """The squares behind index bits of the allowed squares."""
    squares = list(squares_of(allowed))
    return sum(1 << squares[bit] for bit in squares_of(bits))
