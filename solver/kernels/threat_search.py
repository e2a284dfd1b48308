"""Victory by continuous fours: the search for a forced win in which every reply is forced.

A *four* is a line that lacks one stone and holds none of the other side. The attacker makes a four with each move, so
that the other side must fill it, until he makes two at once (Allis, van den Herik and Huntjens, "Go-Moku and
Threat-Space Search", 1993). Lines can have any lengths, and the sides can have different lines. A line with a guard is
dead for its owner as soon as he has a stone on the guard, because stones are never removed.

The search counts, for each line, the stones that its owner lacks and the stones that kill it. Bit sets list the living
lines that lack one, two or three stones; they are read in the order of the lines, so that the result for a position
does not depend on the order of the moves that led to it. The search deepens step by step and finds a short win: depth
first, long detours would come first, and many replies could disturb them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.kernels.bit_sets import lowest
from solver.kernels.jit import jit, jit_part

WON, NOT_WON, UNKNOWN = 1, 0, -1
"""Results of a search: a win was found; there is none; the limits of the search were reached."""

LEVELS = 3  # living lines that lack at most this many stones are listed
DEAD = 1 << 10
"""A line whose number in `Board.lacks` is not less than this can't be completed any more."""

DEEPEST = 40  # forced moves of one side in a row, at most

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_EMPTY_BOARD = np.uint64(0x94D049BB133111EB)  # its hash: not 0, which marks an empty entry of a table
_CALL = np.uint64(0xD6E8FEB86659FD93)
_DEPTHS = (0, 1, 2, 3, 5, 8, 12, 20, 38)  # limits of a search, one after another
_STEPS = tuple(range(39))  # those of a search for the shortest win
_EXHAUSTED = 99  # the depth of a failure that holds at every depth


class Lines(NamedTuple):
    """The lines of both sides. Those of X (side 0) come first; those of O (side 1) start at a multiple of 64."""

    squares: np.ndarray  # int16[L, K], the squares of each line, then -1; rows without a line lack all squares
    lengths: np.ndarray  # int16[L]; 0 for rows without a line
    words: np.ndarray  # int64[3]: the first words of X's lines and of O's in a bit set, and the end
    grow_at: np.ndarray  # uint32[2, S + 1]
    grow: np.ndarray  # uint32[N]: grow[grow_at[p, s] : grow_at[p, s + 1]] lists p's lines through square s
    kill_at: np.ndarray  # uint32[2, S + 1]
    kill: np.ndarray  # uint32[N]: likewise the lines, of either side, that die when p takes square s
    codes: np.ndarray  # uint64[2, S]: random numbers; a position's hash is the XOR of those of its stones


class Board(NamedTuple):
    """A position."""

    cells: np.ndarray  # int8[S]: 0 for an empty square, 1 for X, 2 for O
    lacks: np.ndarray  # int32[L]: the stones that a line's owner lacks, and DEAD for each stone that kills it
    ready: np.ndarray  # uint64[LEVELS + 1, W]: bit sets of the living lines that lack 0, 1, 2 or 3 stones
    hash: np.ndarray  # uint64[1]


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


def make_lines(squares: int, sides: Sequence[Sequence[tuple[Sequence[int], Sequence[int]]]]) -> Lines:
    """Return the lines of X and of O, each given as its squares and the squares of its guard."""
    words = np.cumsum([0, *(max(len(lines) + 63, 64) // 64 for lines in sides)])
    longest = max((len(line) for lines in sides for line, _ in lines), default=1)
    places = np.full((int(words[2]) * 64, longest), -1, np.int16)
    lengths = np.zeros(len(places), np.int16)
    grow: list[list[list[int]]] = [[[] for _ in range(squares)] for _ in range(2)]
    kill: list[list[list[int]]] = [[[] for _ in range(squares)] for _ in range(2)]
    for side, lines in enumerate(sides):
        for index, (line, guard) in enumerate(lines, start=64 * int(words[side])):
            places[index, : len(line)], lengths[index] = line, len(line)
            for square in line:
                grow[side][square].append(index)
                kill[1 - side][square].append(index)
            for square in guard:
                kill[side][square].append(index)
    codes = np.random.default_rng(0x3B).integers(1, 1 << 63, (2, squares), dtype=np.uint64)
    return Lines(places, lengths, words.astype(np.int64), *_listed(grow), *_listed(kill), codes)


def _listed(lists: list[list[list[int]]]) -> tuple[np.ndarray, np.ndarray]:
    flat = [index for side in lists for one in side for index in one]
    ends = np.cumsum([len(one) for side in lists for one in side]).reshape(2, -1)
    starts = np.hstack([[[0], [ends[0, -1]]], ends]).astype(np.uint32)  # signed indices would be checked for their sign
    return starts, np.array(flat or [0], np.uint32)


def make_board(lines: Lines) -> Board:
    """Return the empty board."""
    count = len(lines.lengths)
    ready = np.zeros((LEVELS + 1, count // 64), np.uint64)
    for index in np.flatnonzero(lines.lengths):
        if lines.lengths[index] <= LEVELS:
            ready[lines.lengths[index], index // 64] |= np.uint64(1 << (index % 64))
    lacks = np.where(lines.lengths, lines.lengths, DEAD).astype(np.int32)
    return Board(np.zeros(lines.codes.shape[1], np.int8), lacks, ready, np.full(1, _EMPTY_BOARD))


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
def _shift(board: Board, line: int, by: int) -> None:
    """Add to what a line lacks, and keep the bit sets of the lines that lack few stones."""
    word, bit = np.uint32(line >> 6), _ONE << np.uint64(line & 63)
    before = board.lacks[line]
    after = before + by
    board.lacks[line] = after
    if before <= LEVELS:
        board.ready[np.uint32(before), word] ^= bit
    if after <= LEVELS:
        board.ready[np.uint32(after), word] ^= bit


@jit_part
def _change(lines: Lines, board: Board, square: int, side: int, by: int) -> None:
    """Change the lines for a stone of a side that is placed (by = 1) or taken back (-1)."""
    board.hash[0] ^= lines.codes[side, square]
    for at in range(lines.grow_at[side, square], lines.grow_at[side, square + 1]):
        _shift(board, lines.grow[at], -by)
    for at in range(lines.kill_at[side, square], lines.kill_at[side, square + 1]):
        _shift(board, lines.kill[at], by * DEAD)


@jit
def put(lines: Lines, board: Board, square: int, side: int) -> None:
    """Place a stone of a side (0 for X, 1 for O)."""
    board.cells[square] = side + 1
    _change(lines, board, square, side, 1)


@jit
def take(lines: Lines, board: Board, square: int, side: int) -> None:
    """Take back a stone of a side."""
    board.cells[square] = 0
    _change(lines, board, square, side, -1)


@jit
def set_up(lines: Lines, board: Board, stones: np.ndarray) -> None:
    """Set up a position. stones: uint8[2, (S + 7) // 8], bit sets of the stones of X and of O."""
    for square in range(len(board.cells)):
        board.cells[square] = 0
    for level in range(len(board.ready)):
        for word in range(board.ready.shape[1]):
            board.ready[level, word] = 0
    for line in range(len(lines.lengths)):
        board.lacks[line] = DEAD
        _shift(board, line, lines.lengths[line] - (DEAD if lines.lengths[line] else 0))
    board.hash[0] = _EMPTY_BOARD
    for side in range(2):
        for square in range(len(board.cells)):
            if stones[side, square >> 3] >> (square & 7) & 1:
                put(lines, board, square, side)


@jit_part
def has_line(lines: Lines, board: Board, side: int) -> bool:
    """Return True if a side has completed a line."""
    for word in range(lines.words[side], lines.words[side + 1]):
        if board.ready[0, word]:
            return True
    return False


@jit_part
def completions(lines: Lines, board: Board, side: int) -> tuple[int, int]:
    """Return two different squares that complete a line of a side; -1 in place of those that do not exist."""
    first = -1
    for word in range(lines.words[side], lines.words[side + 1]):
        bits = board.ready[1, word]
        while bits:
            square = _empty(lines, board, (word << 6) + lowest(bits), 0)
            bits &= bits - _ONE
            if first < 0:
                first = square
            elif square != first:
                return first, square
    return first, -1


@jit_part
def _empty(lines: Lines, board: Board, line: int, start: int) -> int:
    """Return the first empty square of a line from an index on."""
    while board.cells[lines.squares[line, start]]:
        start += 1
    return int(lines.squares[line, start])


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
    for word in range(lines.words[side], lines.words[side + 1]):
        bits = board.ready[2, word]
        while bits:
            line = (word << 6) + lowest(bits)
            bits &= bits - _ONE
            at = 0
            while board.cells[lines.squares[line, at]]:
                at += 1
            one, other = int(lines.squares[line, at]), _empty(lines, board, line, at + 1)
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


@jit_part
def _doubles(lines: Lines, board: Board, work: Forcing, side: int, move: int) -> bool:
    """Return True if a move makes two fours that one reply cannot fill; then `work.last` has the three squares."""
    put(lines, board, move, side)
    first, second = completions(lines, board, side)
    take(lines, board, move, side)
    if second < 0:
        return False
    work.counts[LASTS] = 3
    work.last[0], work.last[1], work.last[2] = move, first, second
    return True


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
            if not has_line(lines, board, 1 - side) and WON == find_forced_win(
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
    lines: Lines, board: Board, stones: np.ndarray, work: Forcing, side: int, left: int, nodes: int
) -> int:
    """Set up a position and search it afresh: one call, because the call takes longer than most searches."""
    set_up(lines, board, stones)
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
    for line in range(64 * lines.words[other], 64 * lines.words[other + 1]):
        lacks = int(board.lacks[line])
        if lacks >= DEAD:
            continue
        for at in range(lines.lengths[line]):
            for reply in range(work.counts[LENGTH]):
                lacks -= lines.squares[line, at] == work.moves[reply, 1]
        if lacks <= 2:
            for at in range(lines.lengths[line]):
                if board.cells[lines.squares[line, at]] == 0:
                    zone[lines.squares[line, at]] = True
