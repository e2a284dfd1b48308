"""Scores, and bounds on them that the follow-up strategy gives without search.

A score encodes the winner and the ply. The side that wins with the last stone of a full board scores 1; if it wins two
plies earlier, it scores 2, and so on. The loser's score is the negative of this; a draw is 0.

In the follow-up strategy (claimeven in Allis, "A Knowledge-based Approach of Connect-Four", 1988), whenever the side to
move places a stone, the other side replies directly above it. If it can do so to the end, the owner of each square is
known. Of the free squares of a column, counted from the lowest, the side to move gets the first, third, fifth and so
on, and the other side gets the rest:

    free squares of a column    side to move   .   1   .   3   .        the last of an odd number has no reply above it
                                other side     .   .   2   .   4

A column ends early if the other side gets a square on which it completes a line. The side to move must not play below
that square, unless no other move is left. Among the other columns, the number of those with an odd number of free
squares must be even, so that they can be paired. When the side to move takes the last square of such a column, the
other side plays in the column's partner, which then has an even number of free squares. All squares of paired columns
are counted as squares of the side to move. If the side to move can't complete a line even then, its score is at most 0,
and less if the other side is certain of a line.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.instructions import popcount
from solver.kernels.jit import jit_within
from solver.kernels.search_board import ONE, Grid, Word, from_lowest, slanted_lines

MOST = 31  # more than any score of a board that fits


@jit_within
def score_of(grid: Grid, plies: int) -> int:
    """Return the score of the side that wins with stone number `plies`."""
    return (grid.squares + 2 - plies) >> 1


@jit_within
def follow_up(grid: Grid, own: Word, other: Word, threats: Word) -> tuple[Word, Word, Word]:
    """Return the follow-up strategy's result for `bound_by`. The side to move must not be able to win at once.

    `threats` are the free squares on which the other side completes a line. The result has three words. The first is 0
    if the side to move can't complete a line. The second contains the squares that stay free because the other side
    wins below or on them. The third is 0 unless the other side is certain of another line. The code has no branches, so
    that a loop over positions can be vectorised.
    """
    free = grid.board & ~(own | other)
    # The first free bits in odd rows; added to the free squares above, they reach the sentinels of those columns.
    odd_firsts = ((own | other) + grid.bottom) & grid.odd_rows
    free_in_odd = ((free + odd_firsts) & grid.sentinels) - odd_firsts
    firsts = (free & ~free_in_odd & ~grid.odd_rows) | (free_in_odd & grid.odd_rows)
    answers = free ^ firsts
    closed = from_lowest(grid, threats & answers)
    ends = firsts & grid.top
    closed_ends, open_ends = ends & closed, ends & ~closed
    # If their number is odd, one more column loses its threat.
    odd = np.uint64(0) - _parity(open_ends)
    given_up = closed_ends & (~closed_ends + ONE) & odd
    none_left = odd & ((given_up - ONE) >> np.uint64(63))
    closed &= ~_columns_under(grid, given_up)
    granted = _columns_under(grid, open_ends | given_up)
    own_line = slanted_lines(grid, own | (firsts & ~closed) | (granted & free))
    other_line = slanted_lines(grid, other | (answers & ~granted))
    return own_line | none_left, closed, other_line


@jit_within
def _parity(squares: Word) -> Word:
    for shift in (32, 16, 8, 4, 2, 1):
        squares ^= squares >> np.uint64(shift)
    return squares & ONE


@jit_within
def bound_by(grid: Grid, own_line: Word, closed: Word, other_line: Word) -> int:
    """Return an upper bound on the score of the side to move, from the result of `follow_up`; MOST if none is known."""
    # The closed squares and the square below each of their columns stay free, but for the last stone of each side.
    most = -score_of(grid, grid.squares + 2 - popcount(closed) - popcount(closed & grid.top))
    most = most if closed else -score_of(grid, grid.squares) if other_line else 0
    return MOST if own_line else most


@jit_within
def _columns_under(grid: Grid, tops: Word) -> Word:
    """Return all squares of the columns whose top squares are `tops`."""
    return (tops << ONE) - (tops >> (grid.diagonals[1] - ONE))
