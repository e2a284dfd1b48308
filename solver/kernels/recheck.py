"""Recompute every value of a table from the values one ply later, in plain loops over positions.

Unlike the kernels that solve games, this module uses neither planes nor words, and processes one position after
another. It shares no code with those kernels. So a mistake goes unnoticed only if it was made twice.

Values are *scores*, one byte per position. Both sides use one scale: X prefers the highest score, O the lowest (see
`solver.check.page_check`). Sets of squares are masks of index bits (see `recheck_sets`). Positions that threats decide
have no bits in a table (see `solver.store.layout`); their scores are computed from the board.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import jit, jit_allocating, jit_part
from solver.kernels.recheck_sets import (
    CheckBoard,
    Ints,
    Ranks,
    canonical,
    find,
    gather,
    has_line,
    list_squares,
    list_subsets,
    make_chunks,
    make_ranks,
    map_bits,
    rank,
    spread,
)

DRAW = 128
LIVE, OVER = 1, 2  # marks of reachable positions: unfinished, or ended by a line; 0: unreachable

Bytes = npt.NDArray[np.uint8]


class Pages(NamedTuple):
    """The P pages whose keys have `stones` squares, with C positions each."""

    stones: int
    keys: Ints  # int64[P], ascending
    o_before: Ints  # int64[...], ascending: without gravity, O's sets that play can lead to, with O to move
    o_after: Ints  # int64[...], the same with X to move; of these sets, only the smallest images are listed
    weights: Ints  # int64[P], the number of images of each key
    scores: Bytes  # uint8[P, C]
    marks: Bytes  # uint8[P, C] with gravity, otherwise uint8[0, 0]


@jit_allocating
def lines_among(lines: Ints, squares: Ints) -> Ints:
    """For each line on the given squares, return the line and those of its guards on these squares: int64[count, 2].

    Lines and guards are masks of index bits.
    """
    allowed = spread(squares, (1 << squares.size) - 1)
    found = np.zeros(lines.shape, np.int64)
    count = 0
    for line in range(lines.shape[0]):
        if lines[line, 0] & ~allowed:
            continue
        for i in range(squares.size):
            for part in range(2):
                found[count, part] |= (lines[line, part] >> squares[i] & 1) << i
        count += 1
    return found[:count]


@jit
def completing(lines: Ints, stones: int) -> int:
    """Return the squares on which one more stone completes a line. The stones must not contain a line yet."""
    found = 0
    for line in range(lines.shape[0]):
        missing = lines[line, 0] & ~stones
        if missing & (missing - 1) == 0 and stones & lines[line, 1] == 0:
            found |= missing
    return found


@jit_allocating
def mark_sets(board: CheckBoard, squares: Ints, lines: Ints, known: Ints, sets: Ints, marks: Bytes) -> None:
    """Fill `marks` for the sets of one side's stones: LIVE, OVER, or 0 for unreachable.

    sets: masks of index bits of `squares`.
    lines: the result of `lines_among`.
    known: the smallest images of all LIVE sets of this side and size. They are used for sets that contain a row only
    as part of a longer row. A longer row is not a line, so such a set is LIVE, but only if its stones can be placed in
    some order without making a line. Otherwise it is unreachable.
    """
    for r in range(sets.size):
        marks[r] = LIVE
        for line in range(lines.shape[0]):
            if sets[r] & lines[line, 0] == lines[line, 0]:
                marks[r] = 0
                if sets[r] & lines[line, 1] == 0:
                    marks[r] = OVER
                    break
        if marks[r] == 0:
            key, _ = canonical(board, spread(squares, sets[r]))
            place = find(known, key)
            if place < known.size and known[place] == key:
                marks[r] = LIVE


@jit
def unpack(raw: Bytes, score_of: Bytes, scores: Bytes) -> bool:
    """Convert the bit planes of a page, `raw` (uint8[planes, bytes]), to `scores` (uint8[C]).

    score_of: uint8[2**planes], the score for each code. Bit p of a position's code is in plane p. Returns False if a
    padding bit is set.
    """
    planes, count = raw.shape[0], scores.size
    for position in range(count):
        code = 0
        for plane in range(planes):
            code |= (raw[plane, position >> 3] >> (position & 7) & 1) << plane
        scores[position] = score_of[code]
    for plane in range(planes):
        if count & 7 and raw[plane, count >> 3] >> (count & 7):
            return False
    return True


@jit_part
def compare(scores: Bytes, marks: Bytes, expected: Bytes, first: int, weight: int, tally: Ints, found: Ints) -> None:
    """Compare stored scores with expected ones.

    The stored bits of positions that are not LIVE must be zero, which stands for DRAW. For each live position, `weight`
    is added to tally[score] (int64[256]). Updates `found` (int64[4]): the number of live positions, the number of
    disagreements, the rank of the first disagreement (`first` plus its index), and the score expected there.
    """
    for i in range(scores.size):
        wanted = DRAW
        if marks[i] == LIVE:
            wanted = expected[i]
            tally[scores[i]] += weight
            found[0] += 1
        if scores[i] != wanted:
            if found[1] == 0:
                found[2], found[3] = first + i, wanted
            found[1] += 1


@jit_allocating
def _mark_page(board: CheckBoard, pages: Pages, squares: Ints, before: Ints, after: Ints, marks: Bytes) -> Ints:
    """Mark the positions of a page of a game without gravity, and return O's lines among `squares`.

    squares: the squares without a stone of X. before, after: O's sets with O to move and with X to move.
    """
    lines, split = lines_among(board.o_lines, squares), before.size
    mark_sets(board, squares, lines, pages.o_before, before, marks[:split])
    mark_sets(board, squares, lines, pages.o_after, after, marks[split:])
    return lines


@jit_allocating
def check_placement(
    board: CheckBoard,
    pages: Pages,
    children: Pages,
    x_line: int,
    o_line: int,
    first: int,
    last: int,
    tally: Ints,
    found: Ints,
) -> int:
    """Check pages first..last-1 of a game without gravity; return the number of successors compared.

    The key of a page is the set of X's stones. If X has n stones, the page's positions are first the O-sets of n - 1
    stones (O to move), then the O-sets of n stones (X to move).

    x_line, o_line: the score if the next stone completes a line of X, or of O.
    tally: int64[squares + 1, 256], indexed by ply and score.
    found: int64[last - first, 4], the results of `compare` for each page.
    """
    stones = pages.stones
    free = board.squares - stones
    before, after = list_subsets(free, stones - 1), list_subsets(free, stones)
    ranks, child_ranks = make_ranks(free, stones), make_ranks(free - 1, stones)
    split, count = before.size, before.size + after.size
    expected, marks = np.empty(count, np.uint8), np.empty(count, np.uint8)
    looked_at = 0
    for page in range(first, last):
        x, scores = pages.keys[page], pages.scores[page]
        squares = list_squares(board, ~x)
        _mark_page(board, pages, squares, before, after, marks)
        at_end = 2 * stones == board.plies
        looked_at += reply_o(free, at_end, ranks, before, marks, scores, o_line, expected)
        if at_end:
            marks[split:] = OVER
        live = np.flatnonzero(marks[split:] == LIVE)
        best = reply_x(board, x, squares, child_ranks, after[live], children, x_line)
        for i in range(live.size):
            expected[split + live[i]] = best[i]
        looked_at += live.size * (free - stones)
        report, weight = found[page - first], pages.weights[page]
        compare(scores[:split], marks[:split], expected[:split], 0, weight, tally[2 * stones - 1], report)
        compare(scores[split:], marks[split:], expected[split:], split, weight, tally[2 * stones], report)
    return looked_at


@jit_part
def reply_o(
    free: int, at_end: bool, ranks: Ranks, sets: Ints, marks: Bytes, scores: Bytes, o_line: int, expected: Bytes
) -> int:
    """For each position with O to move, find the best score after a move of O, among the positions on the same page.

    Fills `expected`, and returns the number of successors compared. `at_end` means that O's move is the last ply.
    """
    looked_at = 0
    for r in range(sets.size):
        if marks[r] != LIVE:
            continue
        best = 255
        for i in range(free):
            if sets[r] >> i & 1:
                continue
            child = sets.size + rank(ranks, sets[r] | 1 << i)
            if marks[child] == OVER:
                score = o_line
            else:
                score = DRAW if at_end else scores[child]
            best = min(best, score)
            looked_at += 1
        expected[r] = best
    return looked_at


@jit_allocating
def reply_x(board: CheckBoard, x: int, squares: Ints, ranks: Ranks, sets: Ints, children: Pages, x_line: int) -> Bytes:
    """For each of `sets`, return the best score that a move of X leads to: uint8[sets].

    The positions after the move are on the pages with one more stone of X, `children`.
    """
    best = np.zeros(sets.size, np.uint8)
    for i in range(squares.size):
        child = x | 1 << squares[i]
        over = has_line(board.x_lines, child)
        if over or children.keys.size == 0:  # nothing is stored
            score = x_line if over else DRAW
            for r in range(sets.size):
                if sets[r] >> i & 1 == 0:
                    best[r] = max(best[r], score)
            continue
        key, symmetry = canonical(board, child)
        chunks, part = make_chunks(map_bits(board, squares, symmetry, ~key))
        scores = children.scores[find(children.keys, key)]
        for r in range(sets.size):
            if sets[r] >> i & 1 == 0:
                best[r] = max(best[r], scores[rank(ranks, gather(chunks, part, sets[r]))])
    return best


@jit_allocating
def reach_shapes(board: CheckBoard, pages: Pages, parents: Pages, first: int, last: int) -> None:
    """On pages first..last-1, mark the positions to which a move leads from a live position; fill `pages.marks`.

    The key of a page is the set of taken squares, and its positions are the sets of X's stones. `parents` are the pages
    with one stone fewer.
    """
    x_moved = pages.stones % 2
    sets = list_subsets(pages.stones, (pages.stones + 1) // 2)
    ranks = make_ranks(pages.stones - 1, pages.stones // 2)
    for page in range(first, last):
        shape, marks = pages.keys[page], pages.marks[page]
        squares = list_squares(board, shape)
        marks[:] = 0
        for i in range(squares.size):
            if shape & board.above[squares[i]]:
                continue
            key, symmetry = canonical(board, shape ^ 1 << squares[i])
            values = map_bits(board, squares, symmetry, key)
            values[i] = 0
            chunks, part = make_chunks(values)
            before = parents.marks[find(parents.keys, key)]
            for r in range(sets.size):
                if sets[r] >> i & 1 == x_moved and before[rank(ranks, gather(chunks, part, sets[r]))] == LIVE:
                    marks[r] = LIVE
        lines, full = lines_among(board.x_lines if x_moved else board.o_lines, squares), (1 << pages.stones) - 1
        for r in range(sets.size):
            if marks[r] == LIVE and has_line(lines, sets[r] if x_moved else full ^ sets[r]):
                marks[r] = OVER


@jit_allocating
def check_gravity(
    board: CheckBoard, pages: Pages, children: Pages, line: int, first: int, last: int, tally: Ints, found: Ints
) -> int:
    """Check pages first..last-1 of a game with gravity; return the number of successors compared.

    line: the score if the next stone completes a line. `tally` and `found` are as in `check_placement`.
    """
    x_moves = pages.stones % 2 == 0
    sets = list_subsets(pages.stones, (pages.stones + 1) // 2)
    ranks = make_ranks(children.stones, (children.stones + 1) // 2)
    expected = np.empty(sets.size, np.uint8)
    squares = np.empty(pages.stones + 1, np.int64)
    looked_at = 0
    for page in range(first, last):
        shape, marks = pages.keys[page], pages.marks[page]
        expected[:] = 0 if x_moves else 255
        squares[:-1] = list_squares(board, shape)
        for square in range(board.squares):
            if shape >> square & 1 or board.below[square] & ~shape:
                continue
            squares[-1] = square
            key, symmetry = canonical(board, shape | 1 << square)
            values = map_bits(board, squares, symmetry, key)
            chunks, part = make_chunks(values[:-1])
            stone = values[-1] if x_moves else 0
            child = find(children.keys, key)
            scores, child_marks = children.scores[child], children.marks[child]
            for r in range(sets.size):
                if marks[r] != LIVE:
                    continue
                place = rank(ranks, gather(chunks, part, sets[r]) | stone)
                score = line if child_marks[place] == OVER else scores[place]
                expected[r] = max(expected[r], score) if x_moves else min(expected[r], score)
                looked_at += 1
        compare(pages.scores[page], marks, expected, 0, pages.weights[page], tally[pages.stones], found[page - first])
    return looked_at


@jit_allocating
def check_last_ply(board: CheckBoard, pages: Pages, first: int, last: int, tally: Ints, found: Ints) -> int:
    """Check pages first..last-1 of an opening table's last ply: every win must come at a later ply.

    `tally` and `found` are as in `check_placement`. Returns 0, because no successors are compared.
    """
    expected = np.empty(pages.scores.shape[1], np.uint8)
    longest = board.squares - pages.stones
    for page in range(first, last):
        for r in range(expected.size):
            score = pages.scores[page, r]
            expected[r] = score if abs(np.int64(score) - DRAW) <= longest else DRAW
        scores, marks, weight = pages.scores[page], pages.marks[page], pages.weights[page]
        compare(scores, marks, expected, 0, weight, tally[pages.stones], found[page - first])
    return 0


@jit
def count_marks(pages: Pages) -> tuple[int, int]:
    """Return (live, over): the numbers of positions marked LIVE and OVER, counted once for each image of their keys."""
    live = over = 0
    for page in range(pages.keys.size):
        for position in range(pages.marks.shape[1]):
            live += pages.weights[page] * (pages.marks[page, position] == LIVE)
            over += pages.weights[page] * (pages.marks[page, position] == OVER)
    return live, over


@jit_allocating
def score_decided(
    board: CheckBoard, pages: Pages, x_line: int, o_lines: Ints, first: int, last: int, wrong: Ints
) -> None:
    """On pages first..last-1, set the scores of the positions that threats decide.

    x_line: the score if X completes a line with its next stone.
    o_lines: int64[2], the scores if O completes a line with its next stone, with O to move and with X to move.
    wrong: int64[last - first], for each page, the rank of the last decided position with a nonzero stored bit, or -1.
    """
    free = board.squares - pages.stones
    before, after = list_subsets(free, pages.stones - 1), list_subsets(free, pages.stones)
    split = before.size
    marks = np.empty(split + after.size, np.uint8)
    for page in range(first, last):
        x, scores = pages.keys[page], pages.scores[page]
        squares = list_squares(board, ~x)
        lines = _mark_page(board, pages, squares, before, after, marks)
        x_wins_on = 0
        for i in range(squares.size):
            x_wins_on |= has_line(board.x_lines, x | 1 << squares[i]) << i
        wrong[page - first] = -1
        for r in range(scores.size):
            if marks[r] != LIVE:
                continue
            o_moves = r < split
            o = before[r] if o_moves else after[r - split]
            by_x, by_o = x_wins_on & ~o, completing(lines, o)
            own, other = (by_o, by_x) if o_moves else (by_x, by_o)
            if own == 0 and other & (other - 1) == 0:
                continue
            if scores[r] != DRAW:
                wrong[page - first] = r
            x_wins = (own > 0) != o_moves
            scores[r] = x_line if x_wins else o_lines[0 if o_moves else 1]
