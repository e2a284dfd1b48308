"""Victory by continuous threats, proved move by move: proof-number search (Nagai 2002).

This search tries the defender's answers to a three one by one, and so finds wins that threat-space search misses. At
its leaves, it searches for continuous fours and the threat space. A search with `fresh` depends on nothing but the
position and the limits.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.bit_sets import add, has, size
from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part
from solver.kernels.node_table import WAYS, find, first_place, mix
from solver.kernels.threat_lines import Board, Lines, completions, put, ready, set_up, take
from solver.kernels.threat_search import WON, Forcing, find_forced_win, forced_plies
from solver.kernels.threat_space import (
    DEPTH,
    FIRST,
    LEFT,
    NODES,
    SPACE_NODES,
    Nodes,
    Space,
    add_zone,
    find_space_win,
    first_forced,
    list_answers,
    list_threats,
    mark_lines,
)
from solver.kernels.words import copy, or_into

INFINITE = 1_000_000

_PN, _DN, _PLIES, _MOVE = range(4)

_AND, _O = np.uint64(0x94D049BB133111EB), np.uint64(0xBF58476D1CE4E5B9)
_LEAF_NODES = 60  # of a search for fours


@jit_part
def _make_key(position: np.uint64, side: int, is_and: int) -> np.uint64:
    return mix(position + np.uint64(side) * _O + np.uint64(is_and) * _AND)


@jit_part
def _store(nodes: Nodes, key: np.uint64, pn: int, dn: int, plies: int, move: int, zone: np.ndarray) -> None:
    """Store a node; of a win, with its plies, its first move and its zone."""
    start = first_place(key)
    place = (start + int(np.int64(key >> np.uint64(3) & np.uint64(WAYS - 1)))) & (nodes.keys.size - 1)
    for way in range(WAYS):
        at = (start + way) & (nodes.keys.size - 1)
        if nodes.keys[at] == key or nodes.keys[at] == 0:
            place = at
            break
    nodes.keys[place] = key
    entry = nodes.numbers[place]
    entry[_PN], entry[_DN], entry[_PLIES], entry[_MOVE] = pn, dn, plies, move
    if pn == 0:
        copy(zone, nodes.zones[place])


@jit_part
def _promise(board: Board, side: int) -> int:
    """Return the first proof number of a position with the attacker to move."""
    points = 0
    for word in range(len(board.lines)):
        points += 3 * popcount(ready(board, side, 2, word)) + popcount(ready(board, side, 3, word))
    return max(1, min(1 + (30 - points) // 2, 14))


@jit_part
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
        add(zone, first)
        mark_lines(lines, board, other, 1, 2, zone)
        if second >= 0:
            add(zone, second)
            return 0
        add(answers, first)
        return 1
    if list_answers(lines, board, space, side, row, zone) == 0:
        return -1
    mark_lines(lines, board, other, 1, 3, zone)
    mark_lines(lines, board, other, 1, 2, answers)
    return size(answers)


@jit_part
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
    if find(space.nodes.keys, key) < 0:
        if find_forced_win(lines, board, work, side, left, _LEAF_NODES, False) == WON:
            space.zone[:] = 0
            add_zone(lines, board, work, space, side)
            _store(space.nodes, key, 0, INFINITE, forced_plies(work), first_forced(work), space.zone)
            return 0
        plies = find_space_win(lines, board, work, space, side, left, row)
        if plies > 0:
            _store(space.nodes, key, 0, INFINITE, plies, state[FIRST], space.zone)
            return 0
    must, second = completions(lines, board, other)
    count = 0
    if second < 0 and row < DEPTH and left >= 7:
        if must < 0:
            count = list_threats(lines, board, space, side, -1, row, False)
        else:  # an earlier three may still threaten
            moves[0], count = must, 1
    while True:
        best, best_pn, best_dn, second, total = -1, INFINITE, INFINITE, INFINITE, 0
        for at in range(count):
            move = int(moves[at])
            child = _make_key(board.hash[0] ^ lines.codes[side, move], side, 1)
            entry = find(space.nodes.keys, child)
            if entry < 0:
                put(lines, board, move, side)
                found = _answer(lines, board, space, side, row + 1)
                if found < 0:
                    _store(space.nodes, child, INFINITE, 0, 0, -1, zone)
                elif found == 0:
                    plies = 2 if completions(lines, board, side)[0] >= 0 else 4
                    _store(space.nodes, child, 0, INFINITE, plies, -1, wider)
                else:
                    _store(space.nodes, child, found + _promise(board, side) - 1, 1, 0, -1, zone)
                take(lines, board, move, side)
                entry = find(space.nodes.keys, child)
            pn, dn = int(space.nodes.numbers[entry, _PN]), int(space.nodes.numbers[entry, _DN])
            if pn == 0:
                copy(space.nodes.zones[entry], zone)
                add(zone, move)
                mark_lines(lines, board, other, 1, 2, zone)
                _store(space.nodes, key, 0, INFINITE, space.nodes.numbers[entry, _PLIES] + 1, move, zone)
                return 0
            total += dn
            if pn < best_pn:
                second, best_pn, best, best_dn = best_pn, pn, at, dn
            elif pn < second:
                second = pn
        if best < 0 or total == 0:
            _store(space.nodes, key, INFINITE, 0, 0, -1, zone)
            return 0
        total = min(total, INFINITE - 1)
        if best_pn >= pn_limit or total >= dn_limit or state[LEFT] < 0:
            _store(space.nodes, key, best_pn, total, 0, -1, zone)
            return 0
        state[LEFT] -= 1  # so that the search ends even if the table loses results
        move = int(moves[best])
        most_pn, most_dn = min(second + 1 + second // 4, pn_limit), dn_limit - total + best_dn
        child = _make_key(board.hash[0] ^ lines.codes[side, move], side, 1)
        put(lines, board, move, side)
        _answer(lines, board, space, side, row + 1)
        guess = _promise(board, side)
        while True:  # over the answers
            reply, reply_pn, reply_dn, second, hardest, still, longest = -1, 0, INFINITE, INFINITE, 0, 0, 3
            for square in range(board.cells.size):
                if not has(answers, square):
                    continue
                entry = find(space.nodes.keys, _make_key(board.hash[0] ^ lines.codes[other, square], side, 0))
                pn, dn = guess, 1
                if entry >= 0:
                    pn, dn = int(space.nodes.numbers[entry, _PN]), int(space.nodes.numbers[entry, _DN])
                if pn == 0:
                    longest = max(longest, int(space.nodes.numbers[entry, _PLIES]))
                    continue
                still += 1
                hardest = max(hardest, pn)
                if dn < reply_dn:
                    second, reply_dn, reply, reply_pn = reply_dn, dn, square, pn
                elif dn < second:
                    second = dn
            if still == 0:
                for square in range(board.cells.size):
                    if has(answers, square):
                        add(wider, square)
                        entry = find(space.nodes.keys, _make_key(board.hash[0] ^ lines.codes[other, square], side, 0))
                        or_into(space.nodes.zones[entry], wider)
                _store(space.nodes, child, 0, INFINITE, longest + 1, -1, wider)
                break
            if reply_dn == 0:
                _store(space.nodes, child, INFINITE, 0, 0, -1, zone)
                break
            pn = hardest + still - 1
            if pn >= most_pn or reply_dn >= most_dn or state[LEFT] < 0:
                _store(space.nodes, child, pn, reply_dn, 0, -1, zone)
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
    fresh: bool,
) -> int:
    """Search for a win of `side`, which is to move, by continuous threats. Return the plies of the win found, or 0.

    `space.state[FIRST]` has its first move and `space.zone` its zone. left: the plies until the game ends. nodes: the
    limit of the search; space_nodes: that of each threat-space search. fresh: whether to ignore earlier results, so
    that this one depends on nothing but the position and the limits.
    """
    if fresh:
        space.nodes.keys[:] = 0
        space.failed[:] = 0
        work.failed[:] = 0
    state, key = space.state, _make_key(board.hash[0], side, 0)
    state[LEFT], state[SPACE_NODES] = nodes, space_nodes
    entry = find(space.nodes.keys, key)
    if entry < 0 or (space.nodes.numbers[entry, _PN] and space.nodes.numbers[entry, _DN]):
        _prove(lines, board, work, space, side, INFINITE, INFINITE, 0, left)
        entry = find(space.nodes.keys, key)
    if entry < 0 or space.nodes.numbers[entry, _PN]:
        return 0
    copy(space.nodes.zones[entry], space.zone)
    state[FIRST] = space.nodes.numbers[entry, _MOVE]
    return int(space.nodes.numbers[entry, _PLIES])


@jit
def find_leaf_win(
    lines: Lines,
    board: Board,
    cells: np.ndarray,
    work: Forcing,
    space: Space,
    plies: int,
    fours: int,
    threats: int,
    spaces: int,
) -> tuple[int, int]:
    """Search a position afresh for a win of the side to move, by continuous fours and then by threats.

    cells: see `set_up`. plies: of a whole game. fours, threats, spaces: the limits of the searches. Return the first
    move of the win found, and its plies, 0 if there is none. This is one call, because calls take long.
    """
    set_up(lines, board, cells)
    stones = 0
    for square in range(len(cells)):
        stones += cells[square] != 0
    side, left = stones & 1, plies - stones
    if find_forced_win(lines, board, work, side, left, fours, True) == WON:
        return first_forced(work), forced_plies(work)
    found = find_threat_win(lines, board, work, space, side, left, threats, spaces, True)
    return int(space.state[FIRST]), found
