"""Score the positions that a table leaves out because threats decide them (see `solver.store.layout`), one by one."""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.recheck import (
    CHUNK,
    CHUNKS,
    DRAW,
    LIVE,
    OVER,
    Board,
    Ints,
    Pages,
    fill_chunks,
    gather,
    list_squares,
    list_subsets,
)


@jit
def score_decided(board: Board, pages: Pages, x_line: int, o_lines: Ints, first: int, last: int, wrong: Ints) -> None:
    """Give the positions of pages [first, last) that threats decide their scores.

    x_line: the score of X's line by its next stone. o_lines: int64[2], of O's line by its next stone with O to move,
    and with X to move. wrong: int64[last - first], the rank of the last of them with bits of its own, else -1.
    """
    free = board.squares - pages.stones
    before, after = list_subsets(free, pages.stones - 1), list_subsets(free, pages.stones)
    chunks = np.empty((CHUNKS, 1 << CHUNK), np.int32)
    for page in range(first, last):
        x, scores = pages.keys[page], pages.scores[page]
        squares = list_squares(board, ~x)
        fill_chunks(1 << squares, chunks)
        wrong[page - first] = -1
        for r in range(scores.size):
            o_moves = r < before.size
            o = gather(chunks, before[r] if o_moves else after[r - before.size])
            if board.marks[o] != LIVE:
                continue
            by_x, by_o = count_threats(board, x, o, squares)
            own, other = (by_o, by_x) if o_moves else (by_x, by_o)
            if own == 0 and other < 2:
                continue
            if scores[r] != DRAW:
                wrong[page - first] = r
            x_wins = (own > 0) != o_moves
            scores[r] = x_line if x_wins else o_lines[0 if o_moves else 1]


@jit
def count_threats(board: Board, x: int, o: int, squares: Ints) -> tuple[int, int]:
    """Count the free squares on which X, and O, would complete a line; `squares` are those without X."""
    by_x = by_o = 0
    for square in squares:
        if o >> square & 1 == 0:
            by_x += board.marks[x | 1 << square] == OVER
            by_o += board.marks[o | 1 << square] == OVER
    return by_x, by_o
