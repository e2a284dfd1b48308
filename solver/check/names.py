"""Pages and their positions in words."""

from __future__ import annotations

from math import comb

from solver.check.plain import Stones, board_text, disagreement, ply_of, said, value_if_over
from solver.check.scores import Scores
from solver.game.legality import reason_impossible
from solver.game.lines import squares_of
from solver.game.squares import square_name
from solver.store.layout import Layout, colex_set


def page_name(layout: Layout, key: int) -> str:
    """A page by its key and the stones that all its positions have in common."""
    whose = "stones" if layout.has_gravity else "X"
    squares = " ".join(square_name(layout.rules, square) for square in squares_of(key))
    return f"{key} ({whose} on {squares or 'no square'})"


def stones_at(layout: Layout, key: int, rank: int) -> Stones:
    """The position with a rank on a page."""
    stones = key.bit_count()
    if layout.has_gravity:
        x = _spread(colex_set(rank, (stones + 1) // 2), key)
        return x, key ^ x
    free = layout.squares - stones
    split = comb(free, stones - 1) if stones else 0
    before = rank < split
    bits = colex_set(rank, stones - 1) if before else colex_set(rank - split, stones)
    return key, _spread(bits, (1 << layout.squares) - 1 ^ key)


def name_disagreement(layout: Layout, stones: Stones, stored: int, expected: int) -> str:
    """The sentence for a position whose stored score is not the expected one."""
    rules, ply, scores = layout.rules, ply_of(stones), Scores(layout.rules, layout.metric)
    found, wanted = scores.value(stored, ply), scores.value(expected, ply)
    board = board_text(rules, stones)
    table_says = "has bits that mean nothing" if found is None else f"says {said(found)}"
    if value_if_over(rules, stones) or reason_impossible(rules, *stones):
        return f"The board {board} is never looked up, so its bits must be 0, but the table {table_says}."
    return disagreement(board, wanted, table_says)


def name_decided(layout: Layout, stones: Stones) -> str:
    """The sentence for a position with bits although threats decide it."""
    return f"The board {board_text(layout.rules, stones)} is decided by threats, so its bits must be 0, and are not."


def _spread(bits: int, allowed: int) -> int:
    """The squares behind index bits of the allowed squares."""
    squares = list(squares_of(allowed))
    return sum(1 << squares[bit] for bit in squares_of(bits))
