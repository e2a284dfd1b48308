"""Victory by continuous fours: the search for a forced win in which every reply is forced.

A *four* is a line that lacks one stone and holds none of the other side. The attacker makes a four with each move, so
that the other side must fill it, until he makes two at once (Allis, van den Herik and Huntjens, "Go-Moku and
Threat-Space Search", 1993). Lines can have any lengths, and the sides can have different lines.

The search deepens step by step and finds a short win: depth first, long detours would come first, and many replies
could disturb them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.bit_sets import lowest
from solver.kernels.jit import jit, jit_part, jit_within
from solver.kernels.threat_lines import (
    Board,
    Lines,
    completions,
    empty_square,
    has_line,
    is_dead,
    other_empty,
    put,
    ready,
    set_up,
    take,
)
from solver.kernels.words import ONE

WON, NOT_WON, UNKNOWN = 1, 0, -1
"""Results of a search: a win was found; there is none; the limits of the search were reached."""

DEEPEST = 40  # forced moves of one side in a row, at most

_MIX = np.uint64(0x9E3779B97F4A7C15)
_CALL = np.uint64(0xD6E8FEB86659FD93)
_DEPTHS = (1, 2, 3, 5, 8, 12, 20, 38)  # limits of a search, one after another
_STEPS = tuple(range(1, 39))  # those of a search for the shortest win
_EXHAUSTED = 99  # the depth of a failure that holds at every depth


class Forcing(NamedTuple):
    """The work space of a search, and the win that it found."""

    moves: np.ndarray  # int16[DEEPEST + 2, 2]: the attacker's moves and the forced replies
    last: np.ndarray  # int16[4]: the squares after them: of the last move, and those where it threatens to win
    counts: np.ndarray  # int64[6], see below
    partner: np.ndarray  # int16[DEEPEST + 2, S]
    order: np.ndarray  # int16[DEEPEST + 2, S, 2]: moves, and their partners
    failed: np.ndarray  # uint64[F]: hashes of positions without a win
    failed_at: np.ndarray  # int8[F]: the depth to which they have none


NODES, LEFT, CALLS, LENGTH, LASTS, TRUNCATED = range(6)
"""Indices of `Forcing.counts`: nodes so far, nodes left, fresh searches so far; of the win, the moves with a forced
reply and the last squares; whether the depth has cut the search."""


def make_forcing(squares: int, failure_bits: int = 18) -> Forcing:
    """Return the work space of a search that remembers 2**failure_bits positions without a win."""
    return Forcing(
        np.zeros((DEEPEST + 2, 2), np.int16),
        np.zeros(4, np.int16),
        np.zeros(6, np.int64),
        np.full((DEEPEST + 2, squares), -1, np.int16),
        np.zeros((DEEPEST + 2, squares, 2), np.int16),
        np.zeros(1 << failure_bits, np.uint64),
        np.zeros(1 << failure_bits, np.int8),
    )


@jit_part
def _failure(position: np.uint64, work: Forcing, side: int, left: int, call: int) -> tuple[np.uint64, int]:
    """Return the key of a failure and its place."""
    key = (position + _CALL * np.uint64((call << 10) + 2 * left + side)) * _MIX
    key ^= key >> np.uint64(29)
    return key, int(np.int64(key & np.uint64(work.failed.size - 1)))


@jit_part
def _has_failed(position: np.uint64, work: Forcing, side: int, depth: int, left: int, call: int) -> bool:
    """Return True if the search of a position has failed before, to this depth or a greater one."""
    key, slot = _failure(position, work, side, left, call)
    if work.failed[slot] != key or work.failed_at[slot] < depth:
        return False
    work.counts[TRUNCATED] |= work.failed_at[slot] < _EXHAUSTED
    return True


@jit_part
def _force(lines: Lines, board: Board, work: Forcing, side: int, depth: int, level: int, left: int, call: int) -> int:
    """Search for a win of `side`, to move, by at most `depth` more fours before a double one. Return a result.

    level: forced moves so far. left: the plies until the game ends. call: mixed into the hashes of failures.
    """
    counts = work.counts
    counts[NODES] += 1
    square, _ = completions(lines, board, side)
    if left < 1:
        return NOT_WON
    if square >= 0:
        counts[LENGTH], counts[LASTS], work.last[0] = level, 1, square
        return WON
    must, second = completions(lines, board, 1 - side)
    if second >= 0 or left < 3:
        return NOT_WON
    partner, order, found = work.partner[level], work.order[level], 0
    double = False
    for word in range(len(board.lines)):
        bits = ready(board, side, 2, word)
        while bits:
            line = (word << 6) + lowest(bits)
            bits &= bits - ONE
            at = 0
            while board.cells[lines.squares[line, at]]:
                at += 1
            one, other = int(lines.squares[line, at]), empty_square(lines, board, line, at + 1)
            for _ in range(2):
                if must < 0 or one == must:
                    if partner[one] < 0:
                        partner[one] = other
                        order[found, 0] = one
                        found += 1
                    elif partner[one] != other:
                        partner[one] = partner.size  # two fours at once, unless a guard prevents it
                        double = True
                one, other = other, one
    if found == 0:
        return NOT_WON
    for at in range(found):
        move = order[at, 0]
        order[at, 1], partner[move] = partner[move], -1
    if double:
        for at in range(found):
            if order[at, 1] == partner.size and _doubles(lines, board, work, side, order[at, 0]):
                counts[LENGTH] = level
                return WON
    if depth <= 0 or left < 5:
        counts[TRUNCATED] |= left >= 5
        return NOT_WON
    if _has_failed(board.hash[0], work, side, depth, left, call):
        return NOT_WON
    counts[LEFT] -= 1
    if counts[LEFT] < 0:
        return UNKNOWN
    before, counts[TRUNCATED] = counts[TRUNCATED], 0
    for at in range(found):
        move, reply = int(order[at, 0]), int(order[at, 1])
        if reply < partner.size and not _goes_on(lines, board, side, move, reply):
            continue
        if depth > 1 and left >= 7 and reply < partner.size:
            after = board.hash[0] ^ lines.codes[side, move] ^ lines.codes[1 - side, reply]
            if _has_failed(after, work, side, depth - 1, left - 2, call):
                continue
        put(lines, board, move, side)
        reply, _ = completions(lines, board, side)
        result = NOT_WON
        if reply >= 0:
            put(lines, board, reply, 1 - side)
            result = _force(lines, board, work, side, depth - 1, level + 1, left - 2, call)
            take(lines, board, reply, 1 - side)
        take(lines, board, move, side)
        if result == WON:
            work.moves[level, 0], work.moves[level, 1] = move, reply
        if result != NOT_WON:
            return result
    key, slot = _failure(board.hash[0], work, side, left, call)
    work.failed[slot] = key
    work.failed_at[slot] = depth if counts[TRUNCATED] else _EXHAUSTED
    counts[TRUNCATED] |= before
    return NOT_WON


@jit_within
def _goes_on(lines: Lines, board: Board, side: int, move: int, reply: int) -> bool:
    """Return False if a side can't make a four after a four and the reply to it."""
    for word in range(len(board.lines)):
        through = lines.through[move, 0, word]
        fours = (ready(board, side, 2, word) & ~through) | (ready(board, side, 3, word) & through)
        if fours & ~lines.through[reply, 0, word]:
            return True
    return False


@jit_part
def _doubles(lines: Lines, board: Board, work: Forcing, side: int, move: int) -> bool:
    """Return True if a move makes two fours that one reply cannot fill; then `work.last` has the three squares."""
    first = -1
    for word in range(len(board.lines)):
        bits = ready(board, side, 2, word) & lines.through[move, 0, word]
        while bits:
            square = other_empty(lines, board, (word << 6) + lowest(bits), move)
            bits &= bits - ONE
            if first < 0:
                first = square
            elif square != first:
                work.counts[LASTS] = 3
                work.last[0], work.last[1], work.last[2] = move, first, square
                return True
    return False


@jit_part
def find_forced_win(lines: Lines, board: Board, work: Forcing, side: int, left: int, nodes: int, fresh: bool) -> int:
    """Search for a short win of `side`, which is to move, by continuous fours. Return a result.

    left: the plies until the game ends. nodes: the limit of the search. The win is in `work`. fresh: whether to find
    the shortest win, and to ignore failures of earlier searches, so that the result depends on nothing but the position
    and the limit.
    """
    counts = work.counts
    counts[LEFT] = nodes
    counts[CALLS] += fresh
    call = counts[CALLS] if fresh else 0
    for step in range(len(_STEPS)):
        if not fresh and step == len(_DEPTHS):
            break
        depth = _STEPS[step] if fresh else _DEPTHS[step]
        counts[TRUNCATED] = 0
        result = _force(lines, board, work, side, depth, 0, left, call)
        if result != NOT_WON:
            return result
        if not counts[TRUNCATED]:
            return NOT_WON
    return UNKNOWN


@jit
def answer_replies(
    lines: Lines, board: Board, work: Forcing, side: int, left: int, nodes: int, unanswered: np.ndarray
) -> tuple[int, int]:
    """Search for a win of `side` by continuous fours after each reply of the other side, which is to move.

    Write the replies after which none is found to `unanswered` (int16[S]). Return their number, and the plies of the
    longest of the wins, 0 if there is none. left: the plies until the game ends. nodes: the limit of each search.
    """
    count, longest = 0, 0
    for reply in range(board.cells.size):
        if board.cells[reply] == 0:
            put(lines, board, reply, 1 - side)
            if not has_line(board, 1 - side) and WON == find_forced_win(
                lines, board, work, side, left - 1, nodes, True
            ):
                longest = max(longest, forced_plies(work))
            else:
                unanswered[count] = reply
                count += 1
            take(lines, board, reply, 1 - side)
    return count, longest


@jit
def find_forced_win_of(
    lines: Lines, board: Board, cells: np.ndarray, work: Forcing, side: int, left: int, nodes: int
) -> int:
    """Set up a position and search it afresh: one call, because the call takes longer than most searches."""
    set_up(lines, board, cells)
    return find_forced_win(lines, board, work, side, left, nodes, True)


@jit_part
def forced_plies(work: Forcing) -> int:
    """Return the number of plies of the win that was found last."""
    return 2 * work.counts[LENGTH] + work.counts[LASTS]


@jit_part
def mark_zone(lines: Lines, board: Board, work: Forcing, side: int, zone: np.ndarray) -> None:
    """Mark in `zone` (bool[S]) the squares on which a stone of the other side can disturb the win found last.

    The win was found after a pass of the other side. His stone on any other square changes nothing: it is on no square
    of the win, and no line of his can lack one stone at any moment of it, because even with all forced replies he
    lacks at least three stones without that one. `zone` is False at first.
    """
    other = 1 - side
    for at in range(work.counts[LASTS]):
        zone[work.last[at]] = True
    for at in range(work.counts[LENGTH]):
        zone[work.moves[at, 0]] = zone[work.moves[at, 1]] = True
    for line in range(len(lines.lengths)):
        if is_dead(board, other, line):
            continue
        missing = 0
        for at in range(lines.lengths[line]):
            missing += board.cells[lines.squares[line, at]] != 1 + other
            for reply in range(work.counts[LENGTH]):
                missing -= lines.squares[line, at] == work.moves[reply, 1]
        if missing <= 2:
            for at in range(lines.lengths[line]):
                if board.cells[lines.squares[line, at]] == 0:
                    zone[lines.squares[line, at]] = True
