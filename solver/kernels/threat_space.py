"""Victory by continuous threats: each move of the attacker makes a four, or a three.

A *three* is a move after which the attacker could make two fours at once if the other side, the defender, passed. So
the defender must answer on one of a few squares, or make fours of his own. Two searches use this:

- Threat-space search (Allis, van den Herik and Huntjens, 1993): after a three, the defender gets all his answers at
  once. It follows single lines of play, is fast, and finds most wins. It is valid only if he can make no four.
- Proof-number search (Nagai 2002) with the defender's answers one by one, for the other wins. Its leaves are searched
  for continuous fours and by threat-space search.

Both are sound. A win comes with a bound on its plies, and with its zone: the squares on which one more stone of the
defender could matter. A search with `fresh` depends on nothing but the position and the limits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.instructions import bit_length
from solver.kernels.jit import jit, jit_inline
from solver.kernels.threat_search import (
    LENGTH,
    WON,
    Board,
    Forcing,
    Lines,
    completions,
    find_forced_win,
    forced_plies,
    has_line,
    make_forcing,
    mark_zone,
    put,
    take,
)
from solver.kernels.words import copy

INFINITE = 1_000_000

LEAF_NODES, LEAF_THREATS, LEAF_SPACE = 500, 1_000, 500
"""Limits of `find_leaf_win`: nodes of the search for fours, of that for threats, and of each threat-space search."""

NODES, LEFT, SPACE_LEFT, TRUNCATED, STAMP, FIRST, SPACE_NODES = range(7)
"""Indices of `Space.state`: nodes so far; nodes left, of which eight nodes of a threat-space search take one; nodes
left of a threat-space search; whether its depth has cut it; a counter; the first move of the win; the limit of each
threat-space search."""

_PN, _DN, _PLIES, _MOVE = range(4)

_ONE = np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_REMIX = np.uint64(0xD6E8FEB86659FD93)
_AND, _O = np.uint64(0x94D049BB133111EB), np.uint64(0xBF58476D1CE4E5B9)
_DEPTH = 40  # of the proof-number search, in moves of both sides
_THREES = 10  # of one threat-space search
_FOURS = 4
_LEAF_NODES = 60  # of a search for fours at a leaf of the proof-number search
_SPACE_LEAF_NODES = 30  # of a search for fours in a threat-space search
_WAYS = 4
_WEIGHTS = np.array([0, 60, 30, 12, 4, 1], np.int64)  # of a line, by the stones that it lacks
_MANY = np.int16(32_000)


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
    keys: np.ndarray  # uint64[T], 0 for an empty entry
    table: np.ndarray  # int32[T, 4]: proof and disproof numbers, plies, move
    table_zones: np.ndarray  # uint64[T, words]
    failed: np.ndarray  # uint64[F]
    state: np.ndarray  # int64[7]


def make_space(squares: int, table_bits: int, failure_bits: int) -> Space:
    """Return the work space of a search with 2**table_bits nodes and 2**failure_bits failures of threat spaces."""
    depths, words = _DEPTH + _THREES + 2 * _FOURS + 4, (squares + 63) // 64
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
        np.zeros(1 << table_bits, np.uint64),
        np.zeros((1 << table_bits, 4), np.int32),
        np.zeros((1 << table_bits, words), np.uint64),
        np.zeros(1 << failure_bits, np.uint64),
        np.zeros(7, np.int64),
    )


@jit
def _lowest(bits: np.uint64) -> int:
    return bit_length(bits & (~bits + _ONE)) - 1


@jit
def _add(bits: np.ndarray, square: int) -> None:
    bits[square >> 6] |= _ONE << np.uint64(square & 63)


@jit
def _unite(into: np.ndarray, bits: np.ndarray) -> None:
    for word in range(into.size):
        into[word] |= bits[word]


@jit
def _is_empty(bits: np.ndarray) -> bool:
    for word in range(bits.size):
        if bits[word]:
            return False
    return True


@jit
def _lacks_at_most(lines: Lines, board: Board, side: int, lacks: int) -> bool:
    """Return True if a side has a living line that lacks at most `lacks` stones."""
    for level in range(1, lacks + 1):
        for word in range(lines.words[side], lines.words[side + 1]):
            if board.ready[level, word]:
                return True
    return False


@jit
def _mark_lines(lines: Lines, board: Board, side: int, least: int, most: int, bits: np.ndarray) -> None:
    """Add the empty squares of a side's living lines that lack from `least` to `most` stones to a bit set."""
    for level in range(least, most + 1):
        for word in range(lines.words[side], lines.words[side + 1]):
            ready = board.ready[level, word]
            while ready:
                line = (word << 6) + _lowest(ready)
                ready &= ready - _ONE
                for at in range(lines.lengths[line]):
                    square = lines.squares[line, at]
                    if board.cells[square] == 0:
                        _add(bits, square)


@jit
def _score(lines: Lines, board: Board, side: int, square: int) -> int:
    total = 0
    for owner in range(2):
        for at in range(lines.grow_at[owner, square], lines.grow_at[owner, square + 1]):
            line = lines.grow[at]
            if board.dead[line] == 0:
                total += _WEIGHTS[min(int(board.missing[line]), 5)] * (4 if owner == side else 1)
    return total


@jit
def _insert(moves: np.ndarray, points: np.ndarray, count: int, square: int, score: int) -> None:
    while count and points[count - 1] < score:
        points[count], moves[count] = points[count - 1], moves[count - 1]
        count -= 1
    points[count], moves[count] = score, square


@jit
def _pair_up(lines: Lines, board: Board, space: Space, side: int, order: np.ndarray) -> int:
    """List the squares that make a four in `order`. `space.partner` has the square that completes it; _MANY: two."""
    partner, count = space.partner, 0
    for word in range(lines.words[side], lines.words[side + 1]):
        ready = board.ready[2, word]
        while ready:
            line = (word << 6) + _lowest(ready)
            ready &= ready - _ONE
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


@jit
def _makes_three(lines: Lines, board: Board, space: Space, side: int, move: int) -> bool:
    """Return True if a square could make two fours after this move. `space.partner` has the fours before it."""
    state, partner, second, stamps = space.state, space.partner, space.second, space.stamps
    state[STAMP] += 1
    for at in range(lines.grow_at[side, move], lines.grow_at[side, move + 1]):
        line = lines.grow[at]
        if board.dead[line] or board.missing[line] != 3:
            continue
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


@jit
def _list_threats(lines: Lines, board: Board, space: Space, side: int, must: int, row: int) -> int:
    """List the moves of a side that make a four or seem to make a three, best first. Return their number.

    must: the square on which it must play, or -1.
    """
    moves, points, partner = space.moves[row], space.points[row], space.partner
    order = space.moves[row + 1]
    fours, count = _pair_up(lines, board, space, side, order), 0
    for at in range(fours):
        if must < 0 or order[at] == must:
            _insert(moves, points, count, order[at], 240 + _score(lines, board, side, order[at]))
            count += 1
    for word in range(lines.words[side], lines.words[side + 1]):
        ready = board.ready[3, word]
        while ready:
            line = (word << 6) + _lowest(ready)
            ready &= ready - _ONE
            for at in range(lines.lengths[line]):
                square = int(lines.squares[line, at])
                if board.cells[square] or partner[square] >= 0 or space.marks[square]:
                    continue
                space.marks[square] = True
                if (must < 0 or square == must) and _makes_three(lines, board, space, side, square):
                    _insert(moves, points, count, square, 240 + _score(lines, board, side, square))
                    count += 1
    for at in range(fours):
        partner[order[at]] = -1
    for square in range(board.cells.size):
        space.marks[square] = False
    return count


@jit
def _list_answers(lines: Lines, board: Board, space: Space, side: int, row: int, zone: np.ndarray) -> int:
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
            put(lines, board, move, side)
            if completions(lines, board, side)[1] >= 0:
                count += 1
                one_zone[:] = 0
                _mark_lines(lines, board, side, 1, 1, one_zone)
                squares = 0
                for word in range(one_zone.size):
                    bits = one_zone[word]
                    while bits:
                        bits &= bits - _ONE
                        squares += 1
                _unite(zone, one_zone)
                if squares > 2:
                    one_zone[:] = 0
                _add(one_zone, move)
                _add(zone, move)
                for word in range(one_zone.size):
                    answers[word] &= one_zone[word]
            take(lines, board, move, side)
    for at in range(fours):
        partner[order[at]] = -1
    return count


@jit
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
    if find_forced_win(lines, board, work, side, left, _SPACE_LEAF_NODES) == WON:
        _add_zone(lines, board, work, space, side)
        state[FIRST] = _first_forced(work)
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
    for at in range(_list_threats(lines, board, space, side, must, row)):
        move = int(moves[at])
        result = 0
        put(lines, board, move, side)
        first, second = completions(lines, board, side)
        if first >= 0:
            if fours == 0:
                state[TRUNCATED] = 1
            elif second < 0:
                put(lines, board, first, other)
                result = _search_space(lines, board, work, space, side, threes, fours - 1, row + 1, left - 2)
                take(lines, board, first, other)
                if result > 0:
                    _add(space.zone, first)
        elif not _lacks_at_most(lines, board, other, 2):
            zone, answers = space.zones[row], space.answers[row]
            zone[:] = 0
            if _list_answers(lines, board, space, side, row, zone):
                if _is_empty(answers):
                    result = 5
                else:
                    for square in range(board.cells.size):
                        if answers[square >> 6] >> np.uint64(square & 63) & _ONE:
                            put(lines, board, square, other)
                    if not has_line(lines, board, other):
                        result = _search_space(lines, board, work, space, side, threes - 1, fours, row + 1, left - 2)
                    for square in range(board.cells.size):
                        if answers[square >> 6] >> np.uint64(square & 63) & _ONE:
                            take(lines, board, square, other)
                    result += 2 if result > 0 else 0
                if result > 0:
                    _mark_lines(lines, board, other, 3, 3, zone)
                    _unite(space.zone, zone)
        take(lines, board, move, side)
        if result > 0:
            _add(space.zone, move)
            _mark_lines(lines, board, other, 1, 2, space.zone)
            state[FIRST] = move
            return result if first < 0 else result + 2
        if result < 0:
            return result
    if state[TRUNCATED]:
        space.failed[limited_slot] = limited
    else:
        space.failed[slot] = exhausted
    state[TRUNCATED] |= before
    return 0


@jit
def _first_forced(work: Forcing) -> int:
    """Return the first move of the win by continuous fours that was found last."""
    return int(work.moves[0, 0] if work.counts[LENGTH] else work.last[0])


@jit
def _add_zone(lines: Lines, board: Board, work: Forcing, space: Space, side: int) -> None:
    """Add the zone of the win by continuous fours that was found last."""
    marks = space.marks
    mark_zone(lines, board, work, side, marks)
    for square in range(marks.size):
        if marks[square]:
            _add(space.zone, square)
            marks[square] = False


@jit_inline
def _space_win(lines: Lines, board: Board, work: Forcing, space: Space, side: int, left: int, row: int) -> int:
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


@jit
def _make_key(position: np.uint64, side: int, is_and: int) -> np.uint64:
    key = (position + np.uint64(side) * _O + np.uint64(is_and) * _AND) * _MIX
    key = (key ^ (key >> np.uint64(32))) * _REMIX
    return key ^ (key >> np.uint64(29)) | _ONE


@jit
def _look_up(space: Space, key: np.uint64) -> int:
    start = int(np.int64(key >> np.uint64(20)))
    for way in range(_WAYS):
        at = (start + way) & (space.keys.size - 1)
        if space.keys[at] == key:
            return at
    return -1


@jit
def _store(space: Space, key: np.uint64, pn: int, dn: int, plies: int, move: int, zone: np.ndarray) -> None:
    """Store a node; of a win, with its plies, its first move and its zone."""
    start = int(np.int64(key >> np.uint64(20)))
    place = (start + int(np.int64(key >> np.uint64(3) & np.uint64(_WAYS - 1)))) & (space.keys.size - 1)
    for way in range(_WAYS):
        at = (start + way) & (space.keys.size - 1)
        if space.keys[at] == key or space.keys[at] == 0:
            place = at
            break
    space.keys[place] = key
    entry = space.table[place]
    entry[_PN], entry[_DN], entry[_PLIES], entry[_MOVE] = pn, dn, plies, move
    if pn == 0:
        copy(zone, space.table_zones[place])


@jit
def _promise(lines: Lines, board: Board, side: int) -> int:
    """Return the first proof number of a position with the attacker to move."""
    points = 0
    for word in range(lines.words[side], lines.words[side + 1]):
        for level in range(2, 4):
            bits = board.ready[level, word]
            while bits:
                bits &= bits - _ONE
                points += 3 if level == 2 else 1
    return max(1, min(1 + (30 - points) // 2, 14))


@jit
def _answer(lines: Lines, board: Board, space: Space, side: int, row: int) -> int:
    """Find the answers to a move of `side`. Return -1 if it is no threat, 0 if it wins, else the number of answers.

    `space.answers[row]` and `space.zones[row]` have the answers and the zone.
    """
    answers, zone, other = space.answers[row], space.zones[row], 1 - side
    zone[:] = 0
    if completions(lines, board, other)[0] >= 0:
        return -1
    first, second = completions(lines, board, side)
    if first >= 0:
        answers[:] = 0
        _add(zone, first)
        _mark_lines(lines, board, other, 1, 2, zone)
        if second >= 0:
            _add(zone, second)
            return 0
        _add(answers, first)
        return 1
    if _list_answers(lines, board, space, side, row, zone) == 0:
        return -1
    _mark_lines(lines, board, other, 1, 3, zone)
    _mark_lines(lines, board, other, 1, 2, answers)
    count = 0
    for word in range(answers.size):
        bits = answers[word]
        while bits:
            bits &= bits - _ONE
            count += 1
    return count


@jit
def _prove(
    lines: Lines,
    board: Board,
    work: Forcing,
    space: Space,
    side: int,
    pn_limit: int,
    dn_limit: int,
    row: int,
    left: int,
) -> int:
    """Search a position with `side`, the attacker, to move, until a limit of its numbers is reached. Always return 0.

    Its zone, and the moves that are tried, are in this row; the next row belongs to the position after a move.
    """
    state, other, key = space.state, 1 - side, _make_key(board.hash[0], side, 0)
    zone, moves, answers, wider = space.zones[row], space.moves[row], space.answers[row + 1], space.zones[row + 1]
    state[LEFT] -= 1
    state[NODES] += 1
    if _look_up(space, key) < 0:
        if find_forced_win(lines, board, work, side, left, _LEAF_NODES) == WON:
            space.zone[:] = 0
            _add_zone(lines, board, work, space, side)
            _store(space, key, 0, INFINITE, forced_plies(work), _first_forced(work), space.zone)
            return 0
        plies = _space_win(lines, board, work, space, side, left, row)
        if plies > 0:
            _store(space, key, 0, INFINITE, plies, state[FIRST], space.zone)
            return 0
    must, second = completions(lines, board, other)
    count = 0
    if second < 0 and row < _DEPTH and left >= 7:
        if must < 0:
            count = _list_threats(lines, board, space, side, -1, row)
        else:  # an earlier three may still threaten
            moves[0], count = must, 1
    while True:
        best, best_pn, best_dn, second, total = -1, INFINITE, INFINITE, INFINITE, 0
        for at in range(count):
            move = int(moves[at])
            child = _make_key(board.hash[0] ^ lines.codes[side, move], side, 1)
            entry = _look_up(space, child)
            if entry < 0:
                put(lines, board, move, side)
                found = _answer(lines, board, space, side, row + 1)
                if found < 0:
                    _store(space, child, INFINITE, 0, 0, -1, zone)
                elif found == 0:
                    plies = 2 if completions(lines, board, side)[0] >= 0 else 4
                    _store(space, child, 0, INFINITE, plies, -1, wider)
                else:
                    _store(space, child, found + _promise(lines, board, side) - 1, 1, 0, -1, zone)
                take(lines, board, move, side)
                entry = _look_up(space, child)
            pn, dn = int(space.table[entry, _PN]), int(space.table[entry, _DN])
            if pn == 0:
                copy(space.table_zones[entry], zone)
                _add(zone, move)
                _mark_lines(lines, board, other, 1, 2, zone)
                _store(space, key, 0, INFINITE, space.table[entry, _PLIES] + 1, move, zone)
                return 0
            total += dn
            if pn < best_pn:
                second, best_pn, best, best_dn = best_pn, pn, at, dn
            elif pn < second:
                second = pn
        if best < 0 or total == 0:
            _store(space, key, INFINITE, 0, 0, -1, zone)
            return 0
        total = min(total, INFINITE - 1)
        if best_pn >= pn_limit or total >= dn_limit or state[LEFT] < 0:
            _store(space, key, best_pn, total, 0, -1, zone)
            return 0
        state[LEFT] -= 1  # so that the search ends even if the table loses results
        move = int(moves[best])
        most_pn, most_dn = min(second + 1 + second // 4, pn_limit), dn_limit - total + best_dn
        child = _make_key(board.hash[0] ^ lines.codes[side, move], side, 1)
        put(lines, board, move, side)
        _answer(lines, board, space, side, row + 1)
        guess = _promise(lines, board, side)
        while True:  # over the answers
            reply, reply_pn, reply_dn, second, hardest, still, longest = -1, 0, INFINITE, INFINITE, 0, 0, 3
            for square in range(board.cells.size):
                if not answers[square >> 6] >> np.uint64(square & 63) & _ONE:
                    continue
                entry = _look_up(space, _make_key(board.hash[0] ^ lines.codes[other, square], side, 0))
                pn, dn = guess, 1
                if entry >= 0:
                    pn, dn = int(space.table[entry, _PN]), int(space.table[entry, _DN])
                if pn == 0:
                    longest = max(longest, int(space.table[entry, _PLIES]))
                    continue
                still += 1
                hardest = max(hardest, pn)
                if dn < reply_dn:
                    second, reply_dn, reply, reply_pn = reply_dn, dn, square, pn
                elif dn < second:
                    second = dn
            if still == 0:
                for square in range(board.cells.size):
                    if answers[square >> 6] >> np.uint64(square & 63) & _ONE:
                        _add(wider, square)
                        entry = _look_up(space, _make_key(board.hash[0] ^ lines.codes[other, square], side, 0))
                        _unite(wider, space.table_zones[entry])
                _store(space, child, 0, INFINITE, longest + 1, -1, wider)
                break
            if reply_dn == 0:
                _store(space, child, INFINITE, 0, 0, -1, zone)
                break
            pn = hardest + still - 1
            if pn >= most_pn or reply_dn >= most_dn or state[LEFT] < 0:
                _store(space, child, pn, reply_dn, 0, -1, zone)
                break
            put(lines, board, reply, other)
            _prove(
                lines, board, work, space, side, most_pn - pn + reply_pn, min(second + 1, most_dn), row + 2, left - 2
            )
            take(lines, board, reply, other)
        take(lines, board, move, side)


@jit
def find_threat_win(
    lines: Lines,
    board: Board,
    work: Forcing,
    space: Space,
    side: int,
    left: int,
    nodes: int,
    space_nodes: int,
    fresh: bool = False,
) -> int:
    """Search for a win of `side`, which is to move, by continuous threats. Return the plies of the win found, or 0.

    `space.state[FIRST]` has its first move and `space.zone` its zone. left: the plies until the game ends. nodes: the
    limit of the search; space_nodes: that of each threat-space search. fresh: whether to ignore earlier results, so
    that this one depends on nothing but the position and the limits.
    """
    if fresh:
        space.keys[:] = 0
        space.failed[:] = 0
        work.failed[:] = 0
    state, key = space.state, _make_key(board.hash[0], side, 0)
    state[LEFT], state[SPACE_NODES] = nodes, space_nodes
    entry = _look_up(space, key)
    if entry < 0 or (space.table[entry, _PN] and space.table[entry, _DN]):
        _prove(lines, board, work, space, side, INFINITE, INFINITE, 0, left)
        entry = _look_up(space, key)
    if entry < 0 or space.table[entry, _PN]:
        return 0
    copy(space.table_zones[entry], space.zone)
    state[FIRST] = space.table[entry, _MOVE]
    return int(space.table[entry, _PLIES])


class Leaf(NamedTuple):
    """The work space of the search that decides which positions a strategy leaves out."""

    work: Forcing
    space: Space


def make_leaf(squares: int) -> Leaf:
    """Return a work space."""
    return Leaf(make_forcing(squares, 12), make_space(squares, 12, 12))


@jit
def find_leaf_win(lines: Lines, board: Board, leaf: Leaf, side: int, left: int) -> int:
    """Search for a win of `side`, to move, by fours, then by threats, within fixed limits. Return its plies, or 0.

    `leaf.space.state[FIRST]` has its first move. The limits are a part of the format of strategies.
    """
    if find_forced_win(lines, board, leaf.work, side, left, LEAF_NODES, True) == WON:
        leaf.space.state[FIRST] = _first_forced(leaf.work)
        return forced_plies(leaf.work)
    return find_threat_win(lines, board, leaf.work, leaf.space, side, left, LEAF_THREATS, LEAF_SPACE, True)
