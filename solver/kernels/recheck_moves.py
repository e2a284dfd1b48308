"""Check the two kinds of pages against the pages one stone later (see `kernels.recheck`).

Positions that threats decide have no bits in a table (see `solver.store.layout`); they are scored one by one.
"""

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
    Bytes,
    Ints,
    Masks,
    Pages,
    canonical,
    compare,
    fill_chunks,
    gather,
    list_squares,
    list_subsets,
    map_bits,
    rank,
)


@jit
def check_placement(
    board: Board,
    pages: Pages,
    children: Pages,
    x_line: int,
    o_line: int,
    first: int,
    last: int,
    tally: Ints,
    found: Ints,
) -> int:
    """Check pages [first, last) of a game without gravity; returns the number of successors compared.

    A page is X's stones, a of them; its positions are first the O-sets of a - 1 (O to move), then those of a
    (X to move). x_line, o_line: the scores of a line that X, O completes with the next stone. tally:
    int64[squares + 1, 256], for each ply, found: int64[last - first, 4], for each page, see `compare`.
    """
    stones = pages.stones
    free = board.squares - stones
    before, after = list_subsets(free, stones - 1), list_subsets(free, stones)
    split, count = before.size, before.size + after.size
    expected, marks = np.empty(count, np.uint8), np.empty(count, np.uint8)
    chunks = np.empty((CHUNKS, 1 << CHUNK), np.int32)
    looked_at = 0
    for page in range(first, last):
        x, scores = pages.keys[page], pages.scores[page]
        squares = list_squares(board, ~x)
        fill_chunks(1 << squares, chunks)
        for r in range(split):
            marks[r] = board.marks[gather(chunks, before[r])]
        for r in range(split, count):
            marks[r] = board.marks[gather(chunks, after[r - split])]
        looked_at += reply_o(board, stones, before, marks, scores, o_line, expected)
        if free == stones:  # the board is full
            marks[split:] = OVER
        looked_at += reply_x(board, x, squares, after, marks[split:], children, x_line, chunks, expected[split:])
        report, weight = found[page - first], pages.weights[page]
        compare(scores[:split], marks[:split], expected[:split], 0, weight, tally[2 * stones - 1], report)
        compare(scores[split:], marks[split:], expected[split:], split, weight, tally[2 * stones], report)
    return looked_at


@jit
def reply_o(board: Board, stones: int, sets: Masks, marks: Bytes, scores: Bytes, o_line: int, expected: Bytes) -> int:
    """Find the best value for O, to move, among the positions on the same page with a stone of O more."""
    free = board.squares - stones
    high = board.high[stones]
    looked_at = 0
    for r in range(sets.size):
        if marks[r] != LIVE:
            continue
        best = 255
        for i in range(free):
            if sets[r] >> i & 1:
                continue
            child = sets.size + rank(board, high, sets[r] | 1 << i)
            if marks[child] == OVER:
                score = o_line
            else:
                score = DRAW if free == stones else scores[child]
            best = min(best, score)
            looked_at += 1
        expected[r] = best
    return looked_at


@jit
def reply_x(
    board: Board,
    x: int,
    squares: Ints,
    sets: Masks,
    marks: Bytes,
    children: Pages,
    x_line: int,
    chunks: Masks,
    expected: Bytes,
) -> int:
    """Find the best value for X, to move, among the positions on the pages with a stone of X more."""
    values = np.empty(squares.size, np.int64)
    high = board.high[children.stones - 1]
    expected[:] = 0
    looked_at = 0
    for i in range(squares.size):
        child = x | 1 << squares[i]
        over = board.marks[child] == OVER
        stored = not over and children.keys.size > 0
        result = x_line if over else DRAW  # where nothing is stored
        scores = expected[:0]
        if stored:
            key, element = canonical(board, child)
            map_bits(board, squares, element, ~key, values)
            fill_chunks(values, chunks)
            scores = children.scores[np.searchsorted(children.keys, key)]
        for r in range(sets.size):
            if marks[r] != LIVE or sets[r] >> i & 1:
                continue
            score = scores[rank(board, high, gather(chunks, sets[r]))] if stored else result
            expected[r] = max(expected[r], score)
            looked_at += 1
    return looked_at


@jit
def reach_shapes(board: Board, pages: Pages, parents: Pages, first: int, last: int) -> None:
    """Mark the positions of pages [first, last) that arise from a live position.

    A page is a set of taken squares, its positions are the sets of X's stones. Fills pages.marks.
    """
    x_moved = pages.stones % 2
    sets = list_subsets(pages.stones, (pages.stones + 1) // 2)
    high = board.high[pages.stones // 2]
    values = np.empty(pages.stones, np.int64)
    chunks = np.empty((CHUNKS, 1 << CHUNK), np.int32)
    for page in range(first, last):
        shape, marks = pages.keys[page], pages.marks[page]
        squares = list_squares(board, shape)
        marks[:] = 0
        for i in range(squares.size):
            if shape & board.above[squares[i]]:
                continue
            key, element = canonical(board, shape ^ 1 << squares[i])
            map_bits(board, squares, element, key, values)
            values[i] = 0
            fill_chunks(values, chunks)
            before = parents.marks[np.searchsorted(parents.keys, key)]
            for r in range(sets.size):
                if sets[r] >> i & 1 == x_moved and before[rank(board, high, gather(chunks, sets[r]))] == LIVE:
                    marks[r] = LIVE
        fill_chunks(1 << squares, chunks)
        for r in range(sets.size):
            x = gather(chunks, sets[r])
            if marks[r] == LIVE and board.marks[x if x_moved else shape ^ x] == OVER:
                marks[r] = OVER


@jit
def check_gravity(
    board: Board,
    pages: Pages,
    children: Pages,
    line: int,
    first: int,
    last: int,
    tally: Ints,
    found: Ints,
) -> int:
    """Check pages [first, last) of a game with gravity; returns the number of successors compared.

    line: the score of a line completed with the next stone. tally and found as for `check_placement`.
    """
    x_moves = pages.stones % 2 == 0
    sets = list_subsets(pages.stones, (pages.stones + 1) // 2)
    high = board.high[(children.stones + 1) // 2]
    expected = np.empty(sets.size, np.uint8)
    values = np.empty(pages.stones + 1, np.int64)
    chunks = np.empty((CHUNKS, 1 << CHUNK), np.int32)
    looked_at = 0
    for page in range(first, last):
        shape, marks = pages.keys[page], pages.marks[page]
        expected[:] = 0 if x_moves else 255
        squares = np.empty(pages.stones + 1, np.int64)
        squares[:-1] = list_squares(board, shape)
        for square in range(board.squares):
            if shape >> square & 1 or board.below[square] & ~shape:
                continue
            squares[-1] = square
            key, element = canonical(board, shape | 1 << square)
            map_bits(board, squares, element, key, values)
            fill_chunks(values[:-1], chunks)
            stone = values[-1] if x_moves else 0
            child = np.searchsorted(children.keys, key)
            scores, child_marks = children.scores[child], children.marks[child]
            for r in range(sets.size):
                if marks[r] != LIVE:
                    continue
                place = rank(board, high, gather(chunks, sets[r]) | stone)
                score = line if child_marks[place] == OVER else scores[place]
                expected[r] = max(expected[r], score) if x_moves else min(expected[r], score)
                looked_at += 1
        compare(pages.scores[page], marks, expected, 0, pages.weights[page], tally[pages.stones], found[page - first])
    return looked_at


@jit
def count_marks(pages: Pages) -> tuple[int, int]:
    """(live, over): the marked positions of all pages, each times the images of its key."""
    live = over = 0
    for page in range(pages.keys.size):
        for position in range(pages.marks.shape[1]):
            live += pages.weights[page] * (pages.marks[page, position] == LIVE)
            over += pages.weights[page] * (pages.marks[page, position] == OVER)
    return live, over


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
