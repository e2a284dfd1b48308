"""What a proof-number search (`proof_search`) knows about a move: its kind, the open replies, and its first number.

After a move of the attacker, the side that is to win, most replies need no search:

- A four is answered in the one square that it lacks.
- A *threat* is a move after which the attacker would win by continuous fours if the defender passed. Only the replies
  that disturb that win are tried (see `threat_search.mark_zone`), unless another such win is found after them.
- After any other, *quiet* move, every reply is tried.

The first number of a move is small if the attacker has many lines with several stones after it.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.bit_sets import add, has, size
from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_inline, jit_part
from solver.kernels.proof_nodes import (
    ATTACKER,
    DEPTH,
    FORCE_NODES,
    FOUND,
    INFINITE,
    ORDER,
    PLIES,
    QUIET,
    SPACE_NODES,
    STONES,
    THREAT_NODES,
    TRIED,
    Proof,
)
from solver.kernels.threat_lines import LEVELS, Board, Lines, completions, put, ready, take, weigh
from solver.kernels.threat_proof import find_threat_win
from solver.kernels.threat_search import WON, Forcing, find_forced_win, mark_zone
from solver.kernels.words import ZERO, copy

NEAR_ROOT = 20
"""The factor of the limits of searches for continuous threats near the root."""

UNDECIDED, THREAT, QUIET_MOVE, REFUTED = range(4)
"""Kinds of a move of the attacker: it is no threat by fours, and no more is known; it is a threat; it is quiet;
it is not to be tried."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_QUIET_PN = 40  # the first proof number of a quiet move
_RARE, _LESS = 8, 16  # if fewer than one in so many of these searches finds a win, their limits are divided by 16
_NEAR = 8  # in the second order, 12 replies count as one if there are more replies than this
_STAY = 8  # of so many replies that could disturb a threat, about one stays open
_WEIGHTS = np.array([[0, 16, 14, 10, 2, 1], [0, 60, 30, 12, 4, 1]], np.int64)
"""Of a line, in both orders, by the stones that it lacks."""


@jit_part
def promise(board: Board, state: np.ndarray) -> int:
    """Return the first proof number of a position with the attacker to move, from 1 to 20."""
    points, attacker, order = 0, state[ATTACKER], state[ORDER]
    for word in range(len(board.lines)):
        fours, threes = popcount(ready(board, attacker, 2, word)), popcount(ready(board, attacker, 3, word))
        points += 2 * (fours + threes) if order else 4 * fours + threes
    return max(1, min(1 + (40 - points) // 3, 14 if order else 20))


@jit_inline
def threat_win(lines: Lines, board: Board, proof: Proof, left: int, share: int) -> bool:
    """Return True if the attacker, to move, wins by continuous threats. share: of the limit of the search."""
    state = proof.state
    nodes, space_nodes = state[THREAT_NODES] // share, state[SPACE_NODES]
    if nodes == 0:
        return False
    if state[TRIED] > _RARE * (state[FOUND] + 10):
        nodes, space_nodes = nodes // _LESS, space_nodes // _LESS
    elif state[DEPTH] < 3:
        nodes *= NEAR_ROOT
    space, work = proof.space, proof.space_work
    is_won = find_threat_win(lines, board, work, space, state[ATTACKER], left, nodes, space_nodes, False) > 0
    state[TRIED] += 1
    state[FOUND] += is_won
    return is_won


@jit_part
def _judge(lines: Lines, board: Board, work: Forcing, proof: Proof) -> int:
    """Return the kind of the attacker's last move; mark in `proof.zone` the replies to a threat by fours."""
    state, zone = proof.state, proof.zone
    attacker, left, zone[:] = state[ATTACKER], state[PLIES] - state[STONES], False
    first, second = completions(lines, board, attacker)
    if left < 2 or completions(lines, board, 1 - attacker)[0] >= 0:
        return REFUTED
    if first >= 0:
        zone[first] = second < 0
        return THREAT
    if find_forced_win(lines, board, work, attacker, left - 1, state[FORCE_NODES], False) != WON:
        return UNDECIDED
    mark_zone(lines, board, work, attacker, zone)
    for square in range(zone.size):
        zone[square] &= board.cells[square] == 0
    return THREAT


@jit_part
def open_replies(lines: Lines, board: Board, work: Forcing, proof: Proof, out: np.ndarray) -> int:
    """Write the open replies to the attacker's last move to `out` (uint64[words], a bit set). Return the move's kind.

    A threat without open replies wins.
    """
    state, zone, some = proof.state, proof.zone, False
    attacker, left, nodes = state[ATTACKER], state[PLIES] - state[STONES], state[FORCE_NODES]
    defender = 1 - attacker
    out[:] = 0
    slot = int(np.int64((board.hash[0] * _MIX) >> np.uint64(40))) & (proof.open_keys.size - 1)
    if proof.open_keys[slot] == board.hash[0]:
        copy(proof.open_squares[slot], out)
        return int(proof.open_kinds[slot])
    kind = _judge(lines, board, work, proof)
    if kind == THREAT:
        for reply in range(zone.size):
            if zone[reply]:
                put(lines, board, reply, defender)
                if find_forced_win(lines, board, work, attacker, left - 1, nodes, False) != WON:
                    add(out, reply)
                    some = True
                take(lines, board, reply, defender)
        some &= completions(lines, board, attacker)[0] < 0
    elif kind == UNDECIDED:
        is_threat = threat_win(lines, board, proof, left - 1, 5)
        kind = THREAT if is_threat else QUIET_MOVE if state[QUIET] else REFUTED
        some = kind != REFUTED
        for reply in range(zone.size):
            if board.cells[reply] == 0 and (not is_threat or has(proof.space.zone, reply)):
                add(out, reply)
    if some and find_forced_win(lines, board, work, defender, left, nodes, False) == WON:
        kind = REFUTED
    proof.open_keys[slot], proof.open_kinds[slot] = board.hash[0], kind
    copy(out, proof.open_squares[slot])
    return kind


@jit_inline
def first_number(lines: Lines, board: Board, work: Forcing, proof: Proof, place: int, out: np.ndarray) -> int:
    """Return the first proof number of the position after a move. place: that of the move in the order of moves."""
    state, replies = proof.state, 0
    if state[ORDER]:
        kind = open_replies(lines, board, work, proof, out)
        replies = size(out)
        if kind != REFUTED and replies == 0:
            return 0
        replies = (replies + 3 if replies <= _NEAR else replies // 12) + place
    else:
        kind = _judge(lines, board, work, proof)
        for square in range(proof.zone.size):
            replies += proof.zone[square]
        replies = (replies + _STAY - 1) // _STAY + place // 4
    if kind == REFUTED:
        return INFINITE
    if kind == THREAT:
        return replies + promise(board, state)
    return _QUIET_PN + (place if state[ORDER] else 0)


@jit
def candidates(
    lines: Lines, board: Board, work: Forcing, zone: np.ndarray, attacker: int, order: int, left: int, nodes: int,
    width: int, moves: np.ndarray, points: np.ndarray,
) -> int:  # fmt: skip
    """Write the attacker's moves (int16[S]) that are worth a search, best first. Return their number.

    A move that prevents a line of the defender is the only one. If the defender threatens to win by continuous fours,
    only the moves that can disturb this win are listed. order: whose weights to use. left: the plies until the game
    ends. nodes: the limit of the search for fours. zone (bool[S]) and points (int32[S]) are scratch space.
    """
    must, second = completions(lines, board, 1 - attacker)
    if second >= 0:
        return 0
    if must >= 0:
        moves[0] = must
        return 1
    is_threatened, count = find_forced_win(lines, board, work, 1 - attacker, left - 1, nodes, False) == WON, 0
    zone[:] = not is_threatened
    if is_threatened:
        mark_zone(lines, board, work, 1 - attacker, zone)
    for square in range(board.cells.size):
        if board.cells[square] or not zone[square]:
            continue
        score = weigh(lines, board, square, _WEIGHTS[order], 2 if attacker else 5, 5 if attacker else 2)
        at = count
        while at and points[at - 1] < score:
            points[at], moves[at] = points[at - 1], moves[at - 1]
            at -= 1
        points[at], moves[at] = score, square
        count += 1
    return min(count, width)


@jit_part
def makes_three(lines: Lines, board: Board, side: int, square: int) -> bool:
    """Return True if a stone of a side makes a line that lacks two stones, or fewer."""
    for word in range(len(board.lines)):
        bits = ZERO
        for lacked in range(LEVELS + 1):
            bits |= ready(board, side, lacked, word)
        if bits & lines.through[square, 0, word]:
            return True
    return False
