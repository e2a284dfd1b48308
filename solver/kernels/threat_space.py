"""Victory by continuous threats: each move of the attacker makes a four, or a three.

A *three* is a move after which the attacker could make two fours at once if the other side, the defender, passed. So
the defender must answer on one of a few squares, or make fours of his own.

Threat-space search (Allis, van den Herik and Huntjens, 1993) gives the defender all his answers to a three at once. It
follows single lines of play, is fast, and finds most wins. It is valid only if he can make no four, and if these stones
bar none of his own lines, since he plays but one of them. The search in `threat_proof` finds the others. Both are
sound. A win comes with a bound on its plies, and with its zone: the squares on which one more stone of the defender
could matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.bit_sets import add, lowest, size
from solver.kernels.jit import jit_inline, jit_part, jit_within
from solver.kernels.threat_lines import (
    Board,
    Lines,
    change,
    completions,
    has_line,
    other_empty,
    put,
    ready,
    take,
    weigh,
)
from solver.kernels.threat_search import LENGTH, WON, Forcing, find_forced_win, forced_plies, mark_zone
from solver.kernels.words import ONE, or_into

DEPTH = 40
"""The depth of a proof, in moves of both sides."""

NODES, LEFT, SPACE_LEFT, TRUNCATED, STAMP, FIRST, SPACE_NODES = range(7)
"""Indices of `Space.state`: nodes so far; nodes left, of which eight nodes of a threat-space search take one; nodes
left of a threat-space search; whether its depth has cut it; a counter; the first move of the win; the limit of each
threat-space search."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_REMIX = np.uint64(0xD6E8FEB86659FD93)
_O = np.uint64(0xBF58476D1CE4E5B9)
_THREES = 10  # of one search
_FOURS = 4
_LEAF_NODES = 30  # of a search for fours
_WEIGHTS = np.array([0, 60, 30, 12, 4, 1], np.int64)  # of a line, by the stones that it lacks
_MANY = np.int16(32_000)


class Nodes(NamedTuple):
    """A table of nodes."""

    keys: np.ndarray  # uint64[T], 0 for an empty entry
    numbers: np.ndarray  # int32[T, 4]: proof and disproof numbers, plies, move
    zones: np.ndarray  # uint64[T, words]


class Space(NamedTuple):
    """The work space of a search, and the win that it found."""

    moves: np.ndarray  # int16[D, S]
    points: np.ndarray  # int32[D, S]
    answers: np.ndarray  # uint64[D, words]: bit sets of the defender's answers
    zones: np.ndarray  # uint64[D, words]
    zone: np.ndarray  # uint64[words]: that of the win found last
    marks: np.ndarray  # bool[S]
    partner: np.ndarray  # int16[S], -1
    second: np.ndarray  # int16[S]
    stamps: np.ndarray  # int64[S]
    nodes: Nodes  # of the search in `threat_proof`
    failed: np.ndarray  # uint64[F]
    state: np.ndarray  # int64[7]


def make_space(squares: int, table_bits: int, failure_bits: int) -> Space:
    """Return the work space of a search with 2**table_bits nodes and 2**failure_bits failures of threat spaces."""
    depths, words = DEPTH + _THREES + 2 * _FOURS + 4, (squares + 63) // 64
    return Space(
        np.zeros((depths, squares), np.int16),
        np.zeros((depths, squares), np.int32),
        np.zeros((depths, words), np.uint64),
        np.zeros((depths, words), np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(squares, np.bool_),
        np.full(squares, -1, np.int16),
        np.zeros(squares, np.int16),
        np.zeros(squares, np.int64),
        Nodes(
            np.zeros(1 << table_bits, np.uint64),
            np.zeros((1 << table_bits, 4), np.int32),
            np.zeros((1 << table_bits, words), np.uint64),
        ),
        np.zeros(1 << failure_bits, np.uint64),
        np.zeros(7, np.int64),
    )


@jit_part
def _is_empty(bits: np.ndarray) -> bool:
    for word in range(bits.size):
        if bits[word]:
            return False
    return True


@jit_within
def _makes_four(lines: Lines, board: Board, side: int, move: int) -> bool:
    """Return True if a move makes a four of a side."""
    for word in range(len(board.lines)):
        if ready(board, side, 2, word) & lines.through[move, 0, word]:
            return True
    return False


@jit_within
def _keeps_three(lines: Lines, board: Board, side: int, move: int) -> bool:
    """Return True if a side still has a living line that lacks at most two stones after a move of the other side."""
    for word in range(len(board.lines)):
        if (ready(board, side, 1, word) | ready(board, side, 2, word)) & ~lines.through[move, 0, word]:
            return True
    return False


@jit_part
def mark_lines(lines: Lines, board: Board, side: int, least: int, most: int, bits: np.ndarray) -> None:
    """Add the empty squares of a side's living lines that lack from `least` to `most` stones to a bit set."""
    for level in range(least, most + 1):
        for word in range(len(board.lines)):
            found = ready(board, side, level, word)
            while found:
                line = (word << 6) + lowest(found)
                found &= found - ONE
                for at in range(lines.lengths[line]):
                    square = lines.squares[line, at]
                    if board.cells[square] == 0:
                        add(bits, square)


@jit_within
def _score(lines: Lines, board: Board, side: int, square: int) -> int:
    return weigh(lines, board, square, _WEIGHTS, 1 if side else 4, 4 if side else 1)


@jit_part
def _insert(moves: np.ndarray, points: np.ndarray, count: int, square: int, score: int) -> None:
    while count and points[count - 1] < score:
        points[count], moves[count] = points[count - 1], moves[count - 1]
        count -= 1
    points[count], moves[count] = score, square


@jit_part
def _pair_up(lines: Lines, board: Board, space: Space, side: int, order: np.ndarray) -> int:
    """List the squares that make a four in `order`. `space.partner` has the square that completes it; _MANY: two."""
    partner, count = space.partner, 0
    for word in range(len(board.lines)):
        bits = ready(board, side, 2, word)
        while bits:
            line = (word << 6) + lowest(bits)
            bits &= bits - ONE
            at = 0
            while board.cells[lines.squares[line, at]]:
                at += 1
            one = int(lines.squares[line, at])
            at += 1
            while board.cells[lines.squares[line, at]]:
                at += 1
            other = int(lines.squares[line, at])
            for _ in range(2):
                if partner[one] < 0:
                    partner[one] = other
                    order[count] = one
                    count += 1
                elif partner[one] != other:
                    partner[one] = _MANY
                one, other = other, one
    return count


@jit_part
def _makes_three(lines: Lines, board: Board, space: Space, side: int, move: int) -> bool:
    """Return True if a square could make two fours after this move. `space.partner` has the fours before it."""
    state, partner, second, stamps = space.state, space.partner, space.second, space.stamps
    state[STAMP] += 1
    for word in range(len(board.lines)):
        bits = ready(board, side, 3, word) & lines.through[move, 0, word]
        while bits:
            line = (word << 6) + lowest(bits)
            bits &= bits - ONE
            one, other = -1, -1
            for place in range(lines.lengths[line]):
                square = lines.squares[line, place]
                if board.cells[square] == 0 and square != move:
                    one, other = other, square
            for _ in range(2):
                if partner[one] >= 0 and partner[one] != other:
                    return True
                if stamps[one] == state[STAMP] and second[one] != other:
                    return True
                stamps[one], second[one] = state[STAMP], other
                one, other = other, one
    return False


@jit_within
def list_threats(lines: Lines, board: Board, space: Space, side: int, must: int, row: int, stops: bool) -> int:
    """List the moves of a side that make a four or seem to make a three, best first. Return their number.

    must: the square on which it must play, or -1. stops: whether to leave out threes after which the other side could
    make a four.
    """
    moves, points, partner = space.moves[row], space.points[row], space.partner
    order = space.moves[row + 1]
    fours, count = _pair_up(lines, board, space, side, order), 0
    for at in range(fours):
        if must < 0 or order[at] == must:
            _insert(moves, points, count, order[at], 240 + _score(lines, board, side, order[at]))
            count += 1
    for word in range(len(board.lines)):
        bits = ready(board, side, 3, word)
        while bits:
            line = (word << 6) + lowest(bits)
            bits &= bits - ONE
            for at in range(lines.lengths[line]):
                square = int(lines.squares[line, at])
                if board.cells[square] or partner[square] >= 0 or space.marks[square]:
                    continue
                space.marks[square] = True
                if (must >= 0 and square != must) or (stops and _keeps_three(lines, board, 1 - side, square)):
                    continue
                if _makes_three(lines, board, space, side, square):
                    _insert(moves, points, count, square, 240 + _score(lines, board, side, square))
                    count += 1
    for at in range(fours):
        partner[order[at]] = -1
    for square in range(board.cells.size):
        space.marks[square] = False
    return count


@jit_within
def list_answers(lines: Lines, board: Board, space: Space, side: int, row: int, zone: np.ndarray) -> int:
    """Write the squares that prevent each double four of a side to `space.answers[row]`. Return the number of these.

    All their squares are added to `zone`.
    """
    answers, order, count, partner = space.answers[row], space.moves[row + 1], 0, space.partner
    answers[:] = ~np.uint64(0)
    one_zone = space.answers[row + 1]
    fours = _pair_up(lines, board, space, side, order)
    for at in range(fours):
        move = int(order[at])
        if partner[move] == _MANY:
            one_zone[:] = 0
            for word in range(len(board.lines)):
                bits = ready(board, side, 2, word) & lines.through[move, 0, word]
                while bits:
                    add(one_zone, other_empty(lines, board, (word << 6) + lowest(bits), move))
                    bits &= bits - ONE
            squares = size(one_zone)
            if squares >= 2:
                count += 1
                or_into(one_zone, zone)
                if squares > 2:
                    one_zone[:] = 0
                add(one_zone, move)
                add(zone, move)
                for word in range(one_zone.size):
                    answers[word] &= one_zone[word]
    for at in range(fours):
        partner[order[at]] = -1
    return count


@jit_part
def _may_go_on(lines: Lines, board: Board, side: int, answers: np.ndarray) -> bool:
    """Return False if, after all answers to its last three, a side can't make a four, and the other has no line.

    The other side has no line that lacks fewer than three stones. Without threes left, no search is needed then.
    """
    for word in range(len(board.lines)):
        fours, others = ready(board, side, 2, word), ready(board, 1 - side, 3, word)
        count = 0
        for part in range(answers.size):
            bits = answers[part]
            while bits:
                through = lines.through[(part << 6) + lowest(bits), 0, word]
                bits &= bits - ONE
                fours &= ~through
                others &= through
                count += 1
        if fours or (others and count >= 3):
            return True
    return False


@jit_part
def _search_space(
    lines: Lines, board: Board, work: Forcing, space: Space, side: int, threes: int, fours: int, row: int, left: int
) -> int:
    """Search for a win of `side`, to move, by at most so many threes and fours. Return its plies, 0 or -1 (limits).

    The zone of a win is added to `space.zone`.
    """
    state, other = space.state, 1 - side
    state[SPACE_LEFT] -= 1
    if state[SPACE_LEFT] < 0:
        return -1
    if find_forced_win(lines, board, work, side, left, _LEAF_NODES, False) == WON:
        add_zone(lines, board, work, space, side)
        state[FIRST] = first_forced(work)
        return forced_plies(work)
    must, second = completions(lines, board, other)
    if second >= 0 or left < 7:
        return 0
    if threes == 0:
        state[TRUNCATED] = 1
        return 0
    exhausted = (board.hash[0] + np.uint64(side) * _O) * _MIX
    exhausted ^= exhausted >> np.uint64(29)
    limited = (exhausted + np.uint64(threes * 16 + fours)) * _REMIX
    mask = np.uint64(space.failed.size - 1)
    slot, limited_slot = int(np.int64(exhausted & mask)), int(np.int64((limited >> np.uint64(20)) & mask))
    if space.failed[slot] == exhausted:
        return 0
    if space.failed[limited_slot] == limited:
        state[TRUNCATED] = 1
        return 0
    before, state[TRUNCATED] = state[TRUNCATED], 0
    moves = space.moves[row]
    for at in range(list_threats(lines, board, space, side, must, row, True)):
        move = int(moves[at])
        result, is_four = 0, _makes_four(lines, board, side, move)
        if is_four and fours == 0:
            state[TRUNCATED] = 1
            continue
        put(lines, board, move, side)
        if is_four:
            first, second = completions(lines, board, side)
            if second < 0:
                put(lines, board, first, other)
                result = _search_space(lines, board, work, space, side, threes, fours - 1, row + 1, left - 2)
                take(lines, board, first, other)
                if result > 0:
                    add(space.zone, first)
        else:
            zone, answers = space.zones[row], space.answers[row]
            zone[:] = 0
            if list_answers(lines, board, space, side, row, zone):
                if _is_empty(answers):
                    result = 5
                elif threes == 1 and state[TRUNCATED] and not _may_go_on(lines, board, side, answers):
                    state[SPACE_LEFT] -= 1
                    result = -1 if state[SPACE_LEFT] < 0 else 0
                else:
                    for word in range(answers.size):
                        bits = answers[word]
                        while bits:
                            change(lines, board, (word << 6) + lowest(bits), other, True, False)
                            bits &= bits - ONE
                    if not has_line(board, other):
                        result = _search_space(lines, board, work, space, side, threes - 1, fours, row + 1, left - 2)
                    for word in range(answers.size):
                        bits = answers[word]
                        while bits:
                            change(lines, board, (word << 6) + lowest(bits), other, False, False)
                            bits &= bits - ONE
                    result += 2 if result > 0 else 0
                if result > 0:
                    mark_lines(lines, board, other, 3, 3, zone)
                    or_into(zone, space.zone)
        take(lines, board, move, side)
        if result > 0:
            add(space.zone, move)
            mark_lines(lines, board, other, 1, 2, space.zone)
            state[FIRST] = move
            return result + 2 if is_four else result
        if result < 0:
            return result
    if state[TRUNCATED]:
        space.failed[limited_slot] = limited
    else:
        space.failed[slot] = exhausted
    state[TRUNCATED] |= before
    return 0


@jit_part
def first_forced(work: Forcing) -> int:
    """Return the first move of the win by continuous fours that was found last."""
    return int(work.moves[0, 0] if work.counts[LENGTH] else work.last[0])


@jit_part
def add_zone(lines: Lines, board: Board, work: Forcing, space: Space, side: int) -> None:
    """Add the zone of the win by continuous fours that was found last."""
    marks = space.marks
    mark_zone(lines, board, work, side, marks)
    for square in range(marks.size):
        if marks[square]:
            add(space.zone, square)
            marks[square] = False


@jit_inline
def find_space_win(lines: Lines, board: Board, work: Forcing, space: Space, side: int, left: int, row: int) -> int:
    """Search the threat space with more and more threes. Return the plies of a win, or 0. The zone is in `space`."""
    state = space.state
    state[SPACE_LEFT], result = state[SPACE_NODES], 0
    for threes in range(1, _THREES + 1):
        space.zone[:] = 0
        state[TRUNCATED] = 0
        fours = 2 if threes < 3 else 3 if threes < 6 else _FOURS
        result = _search_space(lines, board, work, space, side, threes, fours, row, left)
        if result or not state[TRUNCATED]:
            break
    state[LEFT] -= (state[SPACE_NODES] - state[SPACE_LEFT]) >> 3
    return max(result, 0)
