"""Prove that one side wins: depth-first proof-number search (Nagai 2002) over moves that need not be fours.

The attacker is the side that is to win. A node is a position with the attacker to move (OR) or with the other side, the
defender, to move (AND). `proof_moves` lists the moves and replies that are searched.

The proof number of a node is that of its hardest reply plus the number of other open replies (weak proof numbers). The
table of nodes can lose a result, and two positions can share a key, so a strategy is collected (`proof_walk`) and
checked as a whole before anything is claimed.

How long a proof takes varies widely with the first proof numbers. So there are two *orders*, which take turns: two
searches with different first numbers. They share what they prove, and each goes on from its own open numbers. The first
order only looks whether a move threatens to win by fours, and tries the replies when it comes to the move. The second
tries the replies to all listed moves at once: it knows more, and is about an eighth as fast.

The replies that disprove a move are mostly threats of the defender. So in the second order, his other replies begin
with a larger disproof number, and are searched later. There a win by threats after one reply also counts after all
others that cannot disturb it, if the strategy is to be collected in the same way.

The disproof number of a move grows with the work that was spent on it. In the second order, a share of it is added to
the proof number, so that a row of threats with few replies each, which leads nowhere, gives way to other moves.

The search is an explicit stack: `search` returns after a number of nodes, and continues with the next call.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.bit_sets import has
from solver.kernels.jit import jit, jit_inline, jit_part
from solver.kernels.proof_moves import REFUTED, candidates, first_number, makes_three, open_replies, promise, threat_win
from solver.kernels.proof_nodes import (
    ATTACKER,
    COUNT,
    COUNTERS,
    DEPTH,
    DN_LIMIT,
    EXPANDED,
    FORCE_NODES,
    INFINITE,
    IS_AND,
    LEAN,
    MOVE,
    NODES,
    ORDER,
    PLIES,
    PN_LIMIT,
    STONES,
    WIDTH,
    Proof,
    look_up,
    make_key,
    root_hashes,
    store,
)
from solver.kernels.threat_lines import Board, Lines, put, take
from solver.kernels.threat_search import WON, Forcing, find_forced_win, mark_zone

_SHARES = np.array([INFINITE, 8])  # in the second order, an eighth of a move's disproof number is added
_NEAR = 8  # in the second order, 12 unvisited replies count as one if there are more replies than this
_QUIET_DN = np.array([1, 8])  # the first disproof number of a reply that threatens nothing; of others, 1


@jit_part
def _share_win(lines: Lines, board: Board, work: Forcing, proof: Proof, depth: int, is_forced: bool) -> None:
    """Store a win after one reply for all other replies that cannot disturb it; the defender then lacks that one."""
    zone, before = proof.zone, depth - 1
    if is_forced:
        zone[:] = False
        mark_zone(lines, board, work, proof.state[ATTACKER], zone)
    for at in range(proof.frames[before, COUNT]):
        reply, child = int(proof.moves[before, at]), proof.child_keys[before, at]
        if not (zone[reply] if is_forced else has(proof.space.zone, reply)):
            entry = look_up(proof.nodes, proof.state[ORDER], child)
            if entry < 0 or proof.nodes.numbers[entry, 0]:
                store(proof.nodes, proof.state[ORDER], child, 0, INFINITE)


@jit_inline
def _expand_or(lines: Lines, board: Board, work: Forcing, proof: Proof, depth: int) -> bool:
    """List the attacker's moves. Return True if the node is solved, after storing it."""
    state, frame, attacker = proof.state, proof.frames[depth], proof.state[ATTACKER]
    key, moves, child_keys, guesses = (
        proof.keys[depth],
        proof.moves[depth],
        proof.child_keys[depth],
        proof.guesses[depth],
    )
    left = state[PLIES] - state[STONES]
    if look_up(proof.nodes, proof.state[ORDER], key) < 0:
        is_forced = find_forced_win(lines, board, work, attacker, left, state[FORCE_NODES], False) == WON
        if is_forced or threat_win(lines, board, proof, left, 1):
            store(proof.nodes, proof.state[ORDER], key, 0, INFINITE)
            if state[LEAN] and depth:
                _share_win(lines, board, work, proof, depth, is_forced)
            return True
    nodes, width, count = state[FORCE_NODES], state[WIDTH], 0
    listed = candidates(lines, board, work, proof.zone, attacker, state[ORDER], left, nodes, width, moves, guesses)
    out = proof.child_keys[depth + 1][: proof.open_squares.shape[1]]
    for at in range(listed):
        move = int(moves[at])
        child = make_key(proof.hashes[depth], proof.codes, attacker, move, 1)
        is_known = False
        for before in range(count):
            is_known |= child_keys[before] == child
        if is_known:
            continue
        entry = look_up(proof.nodes, state[ORDER], child)
        if entry < 0:
            put(lines, board, move, attacker)
            state[STONES] += 1
            pn = first_number(lines, board, work, proof, at, out)
            store(proof.nodes, state[ORDER], child, pn, 0 if pn == INFINITE else 1 if pn else INFINITE)
            take(lines, board, move, attacker)
            state[STONES] -= 1
        else:
            pn = int(proof.nodes.numbers[entry, 0])
        if pn == 0:
            store(proof.nodes, proof.state[ORDER], key, 0, INFINITE)
            return True
        moves[count], child_keys[count], guesses[count] = move, child, pn
        count += 1
    frame[COUNT] = count
    if count == 0:
        store(proof.nodes, proof.state[ORDER], key, INFINITE, 0)
    return count == 0


@jit_inline
def _expand_and(lines: Lines, board: Board, work: Forcing, proof: Proof, depth: int) -> bool:
    """List the defender's open replies. Return True if the node is solved, after storing it."""
    frame, attacker = proof.frames[depth], proof.state[ATTACKER]
    key, moves, child_keys, guesses = (
        proof.keys[depth],
        proof.moves[depth],
        proof.child_keys[depth],
        proof.guesses[depth],
    )
    out = proof.child_keys[depth + 1][: proof.open_squares.shape[1]]
    if open_replies(lines, board, work, proof, out) == REFUTED:
        store(proof.nodes, proof.state[ORDER], key, INFINITE, 0)
        return True
    count = 0
    for is_quiet in range(2):
        for reply in range(board.cells.size):
            if not has(out, reply) or makes_three(lines, board, 1 - attacker, reply) == is_quiet:
                continue
            child = make_key(proof.hashes[depth], proof.codes, 1 - attacker, reply, 0)
            is_known = False
            for before in range(count):
                is_known |= child_keys[before] == child
            if is_known:
                continue
            put(lines, board, reply, 1 - attacker)
            moves[count], child_keys[count], guesses[count] = reply, child, promise(board, proof.state)
            take(lines, board, reply, 1 - attacker)
            count += 1
        frame[COUNTERS] = frame[COUNTERS] if is_quiet else count
    frame[COUNT] = count
    if count == 0:
        store(proof.nodes, proof.state[ORDER], key, 0, INFINITE)
    return count == 0


def start(board: Board, proof: Proof, is_and: int) -> None:
    """Begin a search of the position on the board; the attacker is to move, unless `is_and`."""
    proof.hashes[0], proof.state[STONES] = root_hashes(board, proof), np.count_nonzero(board.cells)
    proof.keys[0] = make_key(proof.hashes[0], proof.codes, -1, 0, is_and)
    proof.state[DEPTH] = 0
    frame = proof.frames[0]
    frame[IS_AND], frame[EXPANDED], frame[MOVE] = is_and, 0, -1
    frame[PN_LIMIT] = frame[DN_LIMIT] = INFINITE


@jit_inline
def _choose(proof: Proof, depth: int) -> tuple[bool, int, int, int]:
    """Return whether a node is done for now, and otherwise the index of the move to search, and its limits.

    A node is done if it is solved or if a limit is reached; then its numbers are stored.
    """
    frame, key, child_keys = proof.frames[depth], proof.keys[depth], proof.child_keys[depth]
    count, pn_limit, dn_limit = frame[COUNT], frame[PN_LIMIT], frame[DN_LIMIT]
    best, best_pn, best_dn, second = -1, INFINITE, INFINITE, INFINITE
    if frame[IS_AND]:
        hardest, visited, unvisited = 0, 0, 0
        for at in range(count):
            entry = look_up(proof.nodes, proof.state[ORDER], child_keys[at])
            pn, dn = int(proof.guesses[depth, at]), 1 if at < frame[COUNTERS] else _QUIET_DN[proof.state[ORDER]]
            if entry >= 0:
                pn, dn = int(proof.nodes.numbers[entry, 0]), int(proof.nodes.numbers[entry, 1])
                if dn == 0:
                    store(proof.nodes, proof.state[ORDER], key, INFINITE, 0)
                    return True, 0, 0, 0
                if pn == 0:
                    continue
                visited += 1
            else:
                unvisited += 1
            hardest = max(hardest, pn)
            if dn < best_dn or (dn == best_dn and pn > best_pn):
                second, best_dn, best, best_pn = best_dn, dn, at, pn
            elif dn < second:
                second = dn
        if visited + unvisited == 0:
            store(proof.nodes, proof.state[ORDER], key, 0, INFINITE + count)
            return True, 0, 0, 0
        if proof.state[ORDER] and count > _NEAR:
            unvisited //= 12
        pn = max(hardest, hardest + visited + unvisited - 1)
        if pn >= pn_limit or best_dn >= dn_limit:
            store(proof.nodes, proof.state[ORDER], key, min(pn, INFINITE - 1), best_dn)
            return True, 0, 0, 0
        return False, best, pn_limit - pn + best_pn, min(second + 1 + second // 4, dn_limit)
    total, best_cost, share = 0, INFINITE, _SHARES[proof.state[ORDER]]
    for at in range(count):
        entry = look_up(proof.nodes, proof.state[ORDER], child_keys[at])
        pn, dn = int(proof.guesses[depth, at]), 1
        if entry >= 0:
            pn, dn = int(proof.nodes.numbers[entry, 0]), int(proof.nodes.numbers[entry, 1])
        if pn == 0:
            store(proof.nodes, proof.state[ORDER], key, 0, INFINITE)
            return True, 0, 0, 0
        total += dn
        cost = pn + dn // share if pn < INFINITE else pn
        if cost < best_cost:
            second, best_cost, best, best_pn, best_dn = best_cost, cost, at, pn, dn
        elif cost < second:
            second = cost
    if best < 0 or total == 0:
        store(proof.nodes, proof.state[ORDER], key, INFINITE, 0)
        return True, 0, 0, 0
    total = min(total, INFINITE - 1)
    if best_cost >= pn_limit or total >= dn_limit:
        store(proof.nodes, proof.state[ORDER], key, best_cost, total)
        return True, 0, 0, 0
    limit = min(second + 1 + second // 4, pn_limit)
    most_dn = max(best_dn + 1, min(dn_limit - total + best_dn, (limit - best_pn) * share))
    return False, best, limit - best_dn // share, most_dn


@jit
def search(lines: Lines, board: Board, work: Forcing, proof: Proof, nodes: int) -> bool:
    """Search until the root is solved, or at most `nodes` more nodes. Return True if it is solved."""
    state = proof.state
    until = state[NODES] + nodes
    while state[DEPTH] >= 0:
        depth = state[DEPTH]
        frame = proof.frames[depth]
        is_and = frame[IS_AND]
        mover = state[ATTACKER] ^ is_and
        solved, best, pn_limit, dn_limit = False, 0, 0, 0
        if not frame[EXPANDED]:
            if state[NODES] >= until:
                return False
            state[NODES] += 1
            frame[EXPANDED] = 1
            if is_and:
                solved = _expand_and(lines, board, work, proof, depth)
            else:
                solved = _expand_or(lines, board, work, proof, depth)
        if not solved:
            solved, best, pn_limit, dn_limit = _choose(proof, depth)
        if solved:
            if depth:
                take(lines, board, frame[MOVE], 1 - mover)
                state[STONES] -= 1
            state[DEPTH] -= 1
            continue
        move = int(proof.moves[depth, best])
        put(lines, board, move, mover)
        state[STONES] += 1
        for g in range(proof.hashes.shape[1]):
            proof.hashes[depth + 1, g] = proof.hashes[depth, g] ^ proof.codes[mover, move, g]
        proof.keys[depth + 1] = proof.child_keys[depth, best]
        after = proof.frames[depth + 1]
        after[IS_AND], after[EXPANDED], after[MOVE] = 1 - is_and, 0, move
        after[PN_LIMIT], after[DN_LIMIT] = pn_limit, dn_limit
        state[DEPTH] += 1
    return True
