"""Prove that one side wins: depth-first proof-number search (Nagai 2002) over moves that need not be fours.

The attacker is the side that is to win. A node is a position with the attacker to move (OR) or with the other side, the
defender, to move (AND). After a move of the attacker, most replies need no search:

- A four is answered in the one square that it lacks.
- A *threat* is a move after which the attacker would win by continuous fours if the defender passed. Only the replies
  that disturb that win are tried (see `threat_search.mark_zone`), unless another such win is found after them.
- After any other, *quiet* move, every reply is tried.

The proof number of a node is that of its hardest reply plus the number of other open replies (weak proof numbers). At a
leaf, it is small if the attacker has many lines with several stones. Symmetric positions share an entry: their key is
the least of the hashes of all images, mixed again, because a least hash is biased. A result can be lost, and two
positions can share a key, so a strategy is collected (`proof_walk`) and checked as a whole before anything is claimed.

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

from typing import NamedTuple

import numpy as np

from solver.kernels.bit_sets import add, has, size
from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_inline, jit_part
from solver.kernels.node_table import WAYS, find, first_place, mix
from solver.kernels.threat_proof import find_threat_win
from solver.kernels.threat_search import (
    DEAD,
    WON,
    Board,
    Forcing,
    Lines,
    completions,
    find_forced_win,
    make_forcing,
    mark_zone,
    put,
    take,
)
from solver.kernels.threat_space import Space, make_space
from solver.kernels.words import copy

INFINITE = 100_000_000  # the proof number of a node that is disproved
NEAR_ROOT = 20  # factor

DEPTH, NODES, ATTACKER, PLIES, STONES, WIDTH, QUIET, FORCE_NODES, THREAT_NODES, SPACE_NODES, TRIED, FOUND, ORDER, LEAN = (
    range(14)
)
"""Indices of `Proof.state`: depth of the stack, -1 at the end; nodes entered; side that is to win; plies of a game;
stones on the board; moves of the attacker that are tried; whether quiet ones are tried; nodes of a search for fours;
nodes of a search for continuous threats, 0 if there are none; nodes of each threat-space search; searches for
continuous threats so far, and those that found a win; which of the two orders is searched; whether a win after one
reply counts after all others that cannot disturb it."""

IS_AND, COUNT, PN_LIMIT, DN_LIMIT, EXPANDED, MOVE, COUNTERS = range(7)
"""Indices of a frame. COUNTERS: the number of replies that threaten something; they come first."""

UNDECIDED, THREAT, QUIET_MOVE, REFUTED = range(4)
"""Kinds of a move of the attacker: it is no threat by fours, and no more is known; it is a threat; it is quiet;
it is not to be tried."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SECOND = np.uint64(0x94D049BB133111EA)  # keeps what the second order knows apart; even, as keys are odd
_QUIET_PN = 40  # the first proof number of a quiet move
_RARE, _LESS = 8, 16  # if fewer than one in so many of these searches finds a win, their limits are divided by 16
_SHARES = np.array([INFINITE, 8])  # in the second order, an eighth of a move's disproof number is added
_NEAR = 8  # in the second order, 12 unvisited replies count as one if there are more replies than this
_QUIET_DN = np.array([1, 8])  # the first disproof number of a reply that threatens nothing; of others, 1
_STAY = 8  # of so many replies that could disturb a threat, about one stays open
_WEIGHTS = np.array([[0, 16, 14, 10, 2, 1], [0, 60, 30, 12, 4, 1]], np.int64)
"""Of a line, in both orders, by the stones that it lacks."""


class Nodes(NamedTuple):
    """The table of nodes."""

    keys: np.ndarray  # uint64[T], 0 for an empty entry
    numbers: np.ndarray  # int32[T, 2]: proof and disproof numbers; 0 and INFINITE + n if n replies were open at first


class Proof(NamedTuple):
    """A search."""

    codes: np.ndarray  # uint64[2, S, G]: for each symmetry, the random number of a stone's image
    hashes: np.ndarray  # uint64[D, G]: at each depth, the hashes of all images of the position
    frames: np.ndarray  # int64[D, 7]
    keys: np.ndarray  # uint64[D]
    moves: np.ndarray  # int16[D, S]
    child_keys: np.ndarray  # uint64[D, S]
    guesses: np.ndarray  # int32[D, S]: the first proof number of each move
    nodes: Nodes
    open_keys: np.ndarray  # uint64[C]
    open_kinds: np.ndarray  # int8[C]
    open_squares: np.ndarray  # uint64[C, words]: bit sets of open replies
    zone: np.ndarray  # bool[S]
    state: np.ndarray  # int64[14]
    space: Space  # of the searches for wins by continuous threats
    space_work: Forcing


def make_proof(lines: Lines, images: np.ndarray, table_bits: int) -> Proof:
    """Return a search with 2**table_bits entries. images: int[G, S], the symmetries; the identity comes first."""
    squares, order = images.shape[1], len(images)
    codes = lines.codes[:, images].transpose(0, 2, 1).copy()  # [side, square, symmetry]
    depths, cached = squares + 2, 1 << min(table_bits, 18)
    return Proof(
        codes,
        np.zeros((depths, order), np.uint64),
        np.zeros((depths, 7), np.int64),
        np.zeros(depths, np.uint64),
        np.zeros((depths, squares), np.int16),
        np.zeros((depths, squares), np.uint64),
        np.zeros((depths, squares), np.int32),
        Nodes(np.zeros(1 << table_bits, np.uint64), np.zeros((1 << table_bits, 2), np.int32)),
        np.zeros(cached, np.uint64),
        np.zeros(cached, np.int8),
        np.zeros((cached, (squares + 63) // 64), np.uint64),
        np.zeros(squares, np.bool_),
        np.zeros(14, np.int64),
        make_space(squares, min(table_bits, 18), min(table_bits, 18)),
        make_forcing(squares),
    )


@jit
def make_key(hashes: np.ndarray, codes: np.ndarray, side: int, square: int, is_and: int) -> np.uint64:
    """Return the key of the position with these hashes (uint64[G]) and one more stone; without it if `side` is -1."""
    least = ~np.uint64(0)
    for g in range(hashes.size):
        least = min(least, hashes[g] if side < 0 else hashes[g] ^ codes[side, square, g])
    return mix(least + np.uint64(is_and))


@jit
def look_up(nodes: Nodes, order: int, key: np.uint64) -> int:
    """Return the index of a key's entry, or -1: of its proof, or of what an order knows about it."""
    at = find(nodes.keys, key)
    if order and (at < 0 or nodes.numbers[at, 0]):
        return find(nodes.keys, key ^ _SECOND)
    return at


@jit_part
def _store(nodes: Nodes, order: int, key: np.uint64, pn: int, dn: int) -> None:
    """Store the numbers of a node. A new node replaces the one that is the least work to search again."""
    if pn and order:
        key ^= _SECOND
    start = first_place(key)
    worst, place = INFINITE + 1, -1
    for way in range(WAYS):
        at = (start + way) & (nodes.keys.size - 1)
        if nodes.keys[at] == key:
            place = at
            break
        worth = 0
        if nodes.keys[at]:
            worth = INFINITE if nodes.numbers[at, 0] == 0 else nodes.numbers[at, 0] + 1
        if worth < worst:
            worst, place = worth, at
    nodes.keys[place] = key
    nodes.numbers[place, 0], nodes.numbers[place, 1] = pn, dn


def numbers(proof: Proof, key: np.uint64) -> tuple[int, int]:
    """Return the proof and disproof numbers of a node; (1, 1) if it has none."""
    entry = look_up(proof.nodes, proof.state[ORDER], key)
    return (int(proof.nodes.numbers[entry, 0]), int(proof.nodes.numbers[entry, 1])) if entry >= 0 else (1, 1)


@jit
def restore(proof: Proof, keys: np.ndarray, table: np.ndarray) -> None:
    """Store nodes (uint64[N]) with their proof and disproof numbers (int32[N, 2]), for example of an earlier search."""
    for at in range(keys.size):
        _store(proof.nodes, proof.state[ORDER], keys[at], table[at, 0], table[at, 1])


@jit_part
def _promise(lines: Lines, board: Board, state: np.ndarray) -> int:
    """Return the first proof number of a position with the attacker to move, from 1 to 20."""
    points, attacker, order = 0, state[ATTACKER], state[ORDER]
    for word in range(lines.words[attacker], lines.words[attacker + 1]):
        fours, threes = popcount(board.ready[2, word]), popcount(board.ready[3, word])
        points += 2 * (fours + threes) if order else 4 * fours + threes
    return max(1, min(1 + (40 - points) // 3, 14 if order else 20))


@jit_inline
def _threat_win(lines: Lines, board: Board, proof: Proof, left: int, share: int) -> bool:
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
def _open_replies(lines: Lines, board: Board, work: Forcing, proof: Proof, out: np.ndarray) -> int:
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
        is_threat = _threat_win(lines, board, proof, left - 1, 5)
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
def _first_number(lines: Lines, board: Board, work: Forcing, proof: Proof, place: int, out: np.ndarray) -> int:
    """Return the first proof number of the position after a move. place: that of the move in the order of moves."""
    state, replies = proof.state, 0
    if state[ORDER]:
        kind = _open_replies(lines, board, work, proof, out)
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
        return replies + _promise(lines, board, state)
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
        score = 0
        for side in range(2):
            for at in range(lines.grow_at[side, square], lines.grow_at[side, square + 1]):
                line = lines.grow[at]
                if board.lacks[line] < DEAD:
                    score += _WEIGHTS[order, min(board.lacks[line], 5)] * (5 if side == attacker else 2)
        at = count
        while at and points[at - 1] < score:
            points[at], moves[at] = points[at - 1], moves[at - 1]
            at -= 1
        points[at], moves[at] = score, square
        count += 1
    return min(count, width)


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
                _store(proof.nodes, proof.state[ORDER], child, 0, INFINITE)


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
        if is_forced or _threat_win(lines, board, proof, left, 1):
            _store(proof.nodes, proof.state[ORDER], key, 0, INFINITE)
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
            pn = _first_number(lines, board, work, proof, at, out)
            _store(proof.nodes, state[ORDER], child, pn, 0 if pn == INFINITE else 1 if pn else INFINITE)
            take(lines, board, move, attacker)
            state[STONES] -= 1
        else:
            pn = int(proof.nodes.numbers[entry, 0])
        if pn == 0:
            _store(proof.nodes, proof.state[ORDER], key, 0, INFINITE)
            return True
        moves[count], child_keys[count], guesses[count] = move, child, pn
        count += 1
    frame[COUNT] = count
    if count == 0:
        _store(proof.nodes, proof.state[ORDER], key, INFINITE, 0)
    return count == 0


@jit_part
def _makes_three(lines: Lines, board: Board, side: int, square: int) -> bool:
    """Return True if a stone of a side makes a line that lacks two stones, or fewer."""
    for at in range(lines.grow_at[side, square], lines.grow_at[side, square + 1]):
        if board.lacks[lines.grow[at]] <= 3:
            return True
    return False


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
    if _open_replies(lines, board, work, proof, out) == REFUTED:
        _store(proof.nodes, proof.state[ORDER], key, INFINITE, 0)
        return True
    count = 0
    for is_quiet in range(2):
        for reply in range(board.cells.size):
            if not has(out, reply) or _makes_three(lines, board, 1 - attacker, reply) == is_quiet:
                continue
            child = make_key(proof.hashes[depth], proof.codes, 1 - attacker, reply, 0)
            is_known = False
            for before in range(count):
                is_known |= child_keys[before] == child
            if is_known:
                continue
            put(lines, board, reply, 1 - attacker)
            moves[count], child_keys[count], guesses[count] = reply, child, _promise(lines, board, proof.state)
            take(lines, board, reply, 1 - attacker)
            count += 1
        frame[COUNTERS] = frame[COUNTERS] if is_quiet else count
    frame[COUNT] = count
    if count == 0:
        _store(proof.nodes, proof.state[ORDER], key, 0, INFINITE)
    return count == 0


def root_hashes(board: Board, proof: Proof) -> np.ndarray:
    """Return the hashes of all images of the position on the board, uint64[G]."""
    squares = np.flatnonzero(board.cells)
    hashes: np.ndarray = np.bitwise_xor.reduce(proof.codes[board.cells[squares] - 1, squares], axis=0)
    return hashes


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
                    _store(proof.nodes, proof.state[ORDER], key, INFINITE, 0)
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
            _store(proof.nodes, proof.state[ORDER], key, 0, INFINITE + count)
            return True, 0, 0, 0
        if proof.state[ORDER] and count > _NEAR:
            unvisited //= 12
        pn = max(hardest, hardest + visited + unvisited - 1)
        if pn >= pn_limit or best_dn >= dn_limit:
            _store(proof.nodes, proof.state[ORDER], key, min(pn, INFINITE - 1), best_dn)
            return True, 0, 0, 0
        return False, best, pn_limit - pn + best_pn, min(second + 1 + second // 4, dn_limit)
    total, best_cost, share = 0, INFINITE, _SHARES[proof.state[ORDER]]
    for at in range(count):
        entry = look_up(proof.nodes, proof.state[ORDER], child_keys[at])
        pn, dn = int(proof.guesses[depth, at]), 1
        if entry >= 0:
            pn, dn = int(proof.nodes.numbers[entry, 0]), int(proof.nodes.numbers[entry, 1])
        if pn == 0:
            _store(proof.nodes, proof.state[ORDER], key, 0, INFINITE)
            return True, 0, 0, 0
        total += dn
        cost = pn + dn // share if pn < INFINITE else pn
        if cost < best_cost:
            second, best_cost, best, best_pn, best_dn = best_cost, cost, at, pn, dn
        elif cost < second:
            second = cost
    if best < 0 or total == 0:
        _store(proof.nodes, proof.state[ORDER], key, INFINITE, 0)
        return True, 0, 0, 0
    total = min(total, INFINITE - 1)
    if best_cost >= pn_limit or total >= dn_limit:
        _store(proof.nodes, proof.state[ORDER], key, best_cost, total)
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
