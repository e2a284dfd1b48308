"""Victory by continuous fours: the search for a forced win in which every reply is forced.

A *four* is a line that lacks one stone and holds none of the other side. The attacker makes a four with each move, so
that the other side must fill it, until he makes two at once (Allis, van den Herik and Huntjens, "Go-Moku and
Threat-Space Search", 1993). Lines can have any lengths, and the sides can have different lines. A line with a guard is
dead for its owner as soon as he has a stone on the guard, because stones are never removed.

The search counts the stones of each side on each line. The counts are bit-sliced: bit p of all counts is in plane p, a
bit set of lines, so that a few operations on words count a stone on all lines through its square. Other bit sets list
the living lines that lack one, two or three stones; they are read in the order of the lines, so that the result for a
position does not depend on the order of the moves that led to it. The search deepens step by step and finds a short
win: depth first, long detours would come first, and many replies could disturb them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.kernels.bit_sets import lowest
from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part, jit_within

WON, NOT_WON, UNKNOWN = 1, 0, -1
"""Results of a search: a win was found; there is none; the limits of the search were reached."""

LEVELS = 3  # living lines that lack at most this many stones are listed
DEEPEST = 40  # forced moves of one side in a row, at most

_BLOCK = 12
_DEAD, _ONES, _TWOS, _FOURS, _FULL, _STONES, _BARRED, _ABSENT, _START, _PLANES = map(np.uint64, (*range(4, 12), 24, 27))
"""Columns of `Board.lines`: in the block of a side, after the lines that lack 0 to 3 stones; and after both blocks."""

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_EMPTY_BOARD = np.uint64(0x94D049BB133111EB)  # its hash: not 0, which marks an empty entry of a table
_CALL = np.uint64(0xD6E8FEB86659FD93)
_DEPTHS = (1, 2, 3, 5, 8, 12, 20, 38)  # limits of a search, one after another
_STEPS = tuple(range(1, 39))  # those of a search for the shortest win
_EXHAUSTED = 99  # the depth of a failure that holds at every depth


class Lines(NamedTuple):
    """The lines. Each is a line of X (side 0), of O (side 1), or of both. Bit sets of lines have W words."""

    squares: np.ndarray  # int16[L, K], the squares of each line, then -1
    lengths: np.ndarray  # int16[L]
    through: np.ndarray  # uint64[S, 3, W]: the lines through each square; those that X, and O, can't complete with it
    touched: np.ndarray  # uint64[S, W + 1]: the number of words of those sets that are not 0, and which these are
    start: np.ndarray  # uint64[W, C]: `Board.lines` of the empty board
    codes: np.ndarray  # uint64[2, S]: random numbers; a position's hash is the XOR of those of its stones
    planes: int  # of each side after the first three
    guards: int  # the planes of each side's stones on guards


class Board(NamedTuple):
    """A position.

    A row of `lines` has a word of each set. Of each side: the living lines that lack 0, 1, 2 and 3 stones, and the dead
    ones; three planes of its stones on each line, all set for a complete line; of the planes after them, the lines that
    are set in all, and those on which there are stones; the lines that it can't complete even if the other side has no
    stones there, and those that are not its lines. Then: three planes of a side without stones. At last, of each side:
    further planes, each before that of a side without stones, and planes of its stones on the guards of its lines.
    """

    cells: np.ndarray  # int8[S]: 0 for an empty square, 1 for X, 2 for O
    lines: np.ndarray  # uint64[W, C]
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
    x_lines, o_lines = ([(tuple(line), guard) for line, guard in side] for side in sides)
    rows, at = list[tuple[tuple[int, ...], list[Sequence[int] | None]]](), 0  # the guards, or None: no line of a side
    for line, guard in o_lines:  # the lines of each side keep their order
        same = next((row for row in range(at, len(x_lines)) if x_lines[row][0] == line), None)
        if same is None:
            rows.append((line, [None, guard]))
        else:
            rows += ((other, [other_guard, None]) for other, other_guard in x_lines[at:same])
            rows.append((line, [x_lines[same][1], guard]))
            at = same + 1
    rows += ((line, [guard, None]) for line, guard in x_lines[at:])
    longest = max((len(line) for line, _ in rows), default=0)
    more, words = max(0, longest.bit_length() - 3), (max(len(rows), 1) + 63) // 64
    places, lengths = np.full((64 * words, max(longest, 1)), -1, np.int16), np.zeros(64 * words, np.int16)
    through, absent = np.zeros((squares, 3, words), np.uint64), np.full((words, 2), ~_ZERO)
    start = np.zeros((words, 3 + more), np.uint64)
    for row, (line, guards_of) in enumerate(rows):
        word, bit = row // 64, _ONE << np.uint64(row % 64)
        places[row, : len(line)], lengths[row] = line, len(line)
        through[line, 0, word] |= bit
        for plane in range(3 + more):
            start[word, plane] |= bit if ~len(line) >> plane & 1 else _ZERO
        for side, squares_of_guard in enumerate(guards_of):
            if squares_of_guard is not None:
                absent[word, side] &= ~bit
                through[[*squares_of_guard], 1 + side, word] |= bit
    guards = max((len(guard) for _, guards_of in rows for guard in guards_of if guard), default=0).bit_length()
    touched = np.zeros((squares, words + 1), np.uint64)
    for square in range(squares):
        used = np.flatnonzero(through[square].any(axis=0))
        touched[square, : 1 + len(used)] = [len(used), *used]
    columns, empty = np.zeros((words, int(_PLANES)), np.uint64), np.zeros((words, guards), np.uint64)
    for side in range(2):
        block = columns[:, _BLOCK * side :]
        block[:, int(_ONES) : int(_FULL)], block[:, _BARRED] = start[:, :3], absent[:, side]
        block[:, _FULL], block[:, _ABSENT] = np.bitwise_and.reduce(start[:, 3:], axis=1), absent[:, side]
    columns[:, int(_START) :], further = start[:, :3], start[:, 3:].repeat(2, axis=1)
    codes = np.random.default_rng(0x3B).integers(1, 1 << 63, (2, squares), dtype=np.uint64)
    return Lines(places, lengths, through, touched, np.hstack([columns, *2 * [further, empty]]), codes, more, guards)


def make_board(lines: Lines) -> Board:
    """Return a board, to be set up."""
    return Board(np.zeros(len(lines.through), np.int8), lines.start.copy(), np.zeros(1, np.uint64))


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


@jit_within
def ready(board: Board, side: int, lacked: int, word: int) -> np.uint64:
    """Return a word of the set of a side's living lines that lack so many stones, from 0 to LEVELS."""
    return board.lines[np.uint64(word), np.uint64(_BLOCK * side + lacked)]


@jit_within
def is_dead(board: Board, side: int, line: int) -> bool:
    """Return True if a line is not a side's, or can't be completed any more."""
    return board.lines[line >> 6, np.uint64(_BLOCK * side) + _DEAD] >> np.uint64(line & 63) & _ONE != 0


@jit_within
def _count(rows: np.ndarray, word: np.uint64, column: np.uint64, carry: np.uint64, is_placed: bool) -> np.uint64:
    """Change a plane of counts for a stone that is placed, or taken back. Return what to carry to the next plane."""
    before = rows[word, column]
    after = before ^ carry
    rows[word, column] = after
    return carry & (before if is_placed else after)


@jit_within
def _find_dead(rows: np.ndarray, word: np.uint64, side: int) -> None:
    """Renew a word of a side's dead lines."""
    own, other = np.uint64(_BLOCK * side), np.uint64(_BLOCK * (1 - side))
    stones = rows[word, other + _ONES] ^ rows[word, _START] | rows[word, other + _STONES]
    stones |= rows[word, other + _TWOS] ^ rows[word, _START + np.uint64(1)]
    stones |= rows[word, other + _FOURS] ^ rows[word, _START + np.uint64(2)]
    rows[word, own + _DEAD] = stones | rows[word, own + _BARRED]


@jit_within
def _list(rows: np.ndarray, word: np.uint64, side: int) -> None:
    """Renew a word of each set of a side's living lines that lack few stones."""
    block = np.uint64(_BLOCK * side)
    one, two = rows[word, block + _ONES], rows[word, block + _TWOS]
    full = rows[word, block + _FOURS] & rows[word, block + _FULL] & ~rows[word, block + _DEAD]
    odd, even = full & one, full & ~one
    rows[word, block] = odd & two
    rows[word, block + np.uint64(1)] = even & two
    rows[word, block + np.uint64(2)] = odd & ~two
    rows[word, block + np.uint64(3)] = even & ~two


@jit_part
def _count_more(
    rows: np.ndarray,
    word: np.uint64,
    side: int,
    carry: np.uint64,
    kept: np.uint64,
    planes: int,
    guards: int,
    is_placed: bool,
) -> None:
    """Change the other planes of long lines, and those of guards. Most games have none.

    carry: from the first three planes. kept: the lines whose guard has the square.
    """
    block, column = np.uint64(_BLOCK * side), _PLANES + np.uint64(side * (2 * planes + guards))
    full, stones, barred = ~_ZERO, _ZERO, rows[word, block + _ABSENT]
    for _ in range(planes):
        carry = _count(rows, word, column, carry, is_placed)
        full &= rows[word, column]
        stones |= rows[word, column] ^ rows[word, column + np.uint64(1)]
        column += np.uint64(2)
    for _ in range(guards):
        kept = _count(rows, word, column, kept, is_placed)
        barred |= rows[word, column]
        column += np.uint64(1)
    rows[word, block + _FULL], rows[word, block + _STONES], rows[word, block + _BARRED] = full, stones, barred
    _find_dead(rows, word, side)


@jit_part
def _change(
    through: np.ndarray,
    touched: np.ndarray,
    rows: np.ndarray,
    square: np.uint64,
    side: int,
    planes: int,
    guards: int,
    is_placed: bool,
) -> None:
    """Change `Board.lines` for a stone that is placed, or taken back.

    There is no loop over planes, and indices are unsigned: with a loop, and checks of signs, it took twice as long.
    """
    block = np.uint64(_BLOCK * side)
    for at in range(np.uint64(1), touched[square, np.uint64(0)] + np.uint64(1)):
        word = touched[square, at]
        carry = _count(rows, word, block + _ONES, through[square, np.uint64(0), word], is_placed)
        carry = _count(rows, word, block + _TWOS, carry, is_placed)
        carry = _count(rows, word, block + _FOURS, carry, is_placed)
        if planes + guards:
            kept = through[square, np.uint64(1 + side), word]
            _count_more(rows, word, side, carry, kept, planes, guards, is_placed)
        _find_dead(rows, word, 1 - side)
        _list(rows, word, 0)
        _list(rows, word, 1)


@jit
def put(lines: Lines, board: Board, square: int, side: int) -> None:
    """Place a stone of a side (0 for X, 1 for O)."""
    board.cells[square] = side + 1
    board.hash[0] ^= lines.codes[side, square]
    place, planes, guards = np.uint64(square), lines.planes, lines.guards
    _change(lines.through, lines.touched, board.lines, place, side, planes, guards, True)


@jit
def take(lines: Lines, board: Board, square: int, side: int) -> None:
    """Take back a stone of a side."""
    board.cells[square] = 0
    board.hash[0] ^= lines.codes[side, square]
    place, planes, guards = np.uint64(square), lines.planes, lines.guards
    _change(lines.through, lines.touched, board.lines, place, side, planes, guards, False)


@jit
def set_up(lines: Lines, board: Board, cells: np.ndarray) -> None:
    """Set up a position. cells: int8[S]: 0 for an empty square, 1 for X, 2 for O."""
    board.hash[0] = _EMPTY_BOARD
    for word in range(len(lines.start)):
        for column in range(lines.start.shape[1]):
            board.lines[word, column] = lines.start[word, column]
        for side in range(2):
            _find_dead(board.lines, np.uint64(word), side)
            _list(board.lines, np.uint64(word), side)
    for square in range(len(cells)):
        board.cells[square] = 0
        if cells[square]:
            put(lines, board, square, cells[square] - 1)


@jit_part
def weigh(lines: Lines, board: Board, square: int, weights: np.ndarray, x_factor: int, o_factor: int) -> int:
    """Return the weights of the living lines of both sides through a square, times the factor of each side.

    weights: int64[6], by the number of stones that a line lacks; the last one for more than four.
    """
    total = 0
    for at in range(np.uint64(1), lines.touched[square, 0] + np.uint64(1)):
        word = lines.touched[square, at]
        for side in range(2):
            block = np.uint64(_BLOCK * side)
            living, points = lines.through[square, 0, word] & ~board.lines[word, block + _DEAD], 0
            for lacked in range(LEVELS + 1):
                bits = living & board.lines[word, block + np.uint64(lacked)]
                points += weights[lacked] * popcount(bits)
                living ^= bits
            four = living & board.lines[word, block + _ONES] & board.lines[word, block + _TWOS]
            four &= ~board.lines[word, block + _FOURS] & board.lines[word, block + _FULL]
            points += weights[4] * popcount(four) + weights[5] * popcount(living ^ four)
            total += points * (o_factor if side else x_factor)
    return total


@jit_part
def has_line(board: Board, side: int) -> bool:
    """Return True if a side has completed a line."""
    for word in range(len(board.lines)):
        if ready(board, side, 0, word):
            return True
    return False


@jit_part
def completions(lines: Lines, board: Board, side: int) -> tuple[int, int]:
    """Return two different squares that complete a line of a side; -1 in place of those that do not exist."""
    first = -1
    for word in range(len(board.lines)):
        bits = ready(board, side, 1, word)
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


@jit_within
def other_empty(lines: Lines, board: Board, line: int, square: int) -> int:
    """Return the first empty square of a line that is not the given one."""
    at = 0
    while board.cells[lines.squares[line, at]] or lines.squares[line, at] == square:
        at += 1
    return int(lines.squares[line, at])


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
            bits &= bits - _ONE
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
