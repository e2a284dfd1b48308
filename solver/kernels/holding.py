"""Prove that one side, the *attacker*, can't complete a line: depth-first proof-number search (Nagai 2002).

The other side is the *holder*. A position is held if the attacker can't complete a line in it, whichever moves he
makes. The proof number of a position estimates the work to prove that it is held, and the disproof number the work to
prove the opposite. The search ends at positions with a pairing (`solver.kernels.pairings`), and at positions with the
attacker to move in which the weights 2**-n of the open lines, for n empty squares, sum up to less than 1/2 (Erdos and
Selfridge 1973).

Positions are brought to their normal form (`reduce`). The key of a position is the least of the hashes of its images
under the symmetries, mixed, because least numbers are small. Two positions may share a key, and only the holder's best
moves are tried. So a result is a hint: whoever needs a proof must follow the holder's moves down to the pairings.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.bit_sets import add, has, lowest
from solver.kernels.jit import jit, jit_inline, jit_part
from solver.kernels.pairings import NO_LINE, Lines, Matching, make_matching, match, reduce, weigh
from solver.kernels.words import FULL, ONE, ZERO

HELD, LOST, OPEN = 0, 1, 2

_MANY = 1 << 28  # the proof number of a position that is lost, and the disproof number of one that is held
_SCALE = 8.0  # the first proof number is the total weight of the lines, times this, plus 1
_MOST_FIRST = 200  # the largest first proof number
_PROBES = 4  # entries of the table that a key may have
_HOLDER_KEY = np.uint64(0x1234567890ABCDEF)  # distinguishes positions with the holder to move

# The numbers of a search: nodes entered; the depth to resume at, -1 at the end; the side to move at depth 0, 1 for the
# holder; the most moves of the holder that are tried, and how many of those as soon as a position is seen; and the most
# nodes of a search for a pairing.
NODES, DEPTH, FIRST, WIDTH, PROBED, PAIRING_NODES, _STATE = range(7)


class Holding(NamedTuple):
    """A search and its memory. D is the greatest depth, and the last two rows of positions are scratch."""

    lines: Lines
    matching: Matching
    hashes: np.ndarray  # uint64[2, squares, G]: a random number for a stone of each side, for each symmetry
    entries: np.ndarray  # uint64[E, 2], E a power of 2: a key, and its proof and disproof number
    attacker: np.ndarray  # uint64[D + 2, W]: the attacker's stones at each depth
    holder: np.ndarray  # uint64[D + 2, W]
    own_keys: np.ndarray  # uint64[D]
    limits: np.ndarray  # int64[D, 2]: the proof and disproof number at which a node is left
    counts: np.ndarray  # int64[D]: the number of moves, -1 before they are listed
    moves: np.ndarray  # int64[D + 2, squares], best first
    keys: np.ndarray  # uint64[D, squares]: the keys of the positions after the moves
    first: np.ndarray  # int64[D, squares]: their first proof numbers
    common: np.ndarray  # uint64[squares, W], scratch: the squares that all open lines through a square share
    images: np.ndarray  # uint64[G], scratch
    state: np.ndarray  # int64[_STATE]


def make_holding(lines: Lines, symmetries: np.ndarray, entries: int) -> Holding:
    """Return a search. symmetries: int64[G, squares], the image of each square. entries: a power of 2."""
    squares, words = lines.through.shape[0], lines.masks.shape[1]
    depth = squares + 2
    random = np.random.default_rng(1).integers(0, 1 << 64, (2, squares), np.uint64)
    return Holding(
        lines,
        make_matching(lines),
        np.ascontiguousarray(random[:, symmetries.T]),
        np.zeros((entries, 2), np.uint64),
        np.zeros((depth + 2, words), np.uint64),
        np.zeros((depth + 2, words), np.uint64),
        np.zeros(depth, np.uint64),
        np.zeros((depth, 2), np.int64),
        np.zeros(depth, np.int64),
        np.zeros((depth + 2, squares), np.int64),
        np.zeros((depth, squares), np.uint64),
        np.zeros((depth, squares), np.int64),
        np.zeros((squares, words), np.uint64),
        np.zeros(len(symmetries), np.uint64),
        np.zeros(_STATE, np.int64),
    )


@jit_part
def _key_of(search: Holding, place: int, holder_moves: bool) -> np.uint64:
    """Return the key of a position in its normal form."""
    images = search.images
    images[:] = ZERO
    for side in range(2):
        stones = search.attacker[place] if side == 0 else search.holder[place]
        for w in range(stones.size):
            rest = stones[w]
            while rest:
                row = search.hashes[side, 64 * w + lowest(rest)]
                rest &= rest - ONE
                for g in range(images.size):
                    images[g] ^= row[g]
    least = FULL
    for g in range(images.size):
        least = min(least, images[g])
    if holder_moves:
        least ^= _HOLDER_KEY
    least = (least ^ least >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    least = (least ^ least >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return least ^ least >> np.uint64(31) | ONE  # 0 marks an empty entry


@jit_part
def look_up(search: Holding, key: np.uint64) -> tuple[int, int]:
    """Return the proof and disproof number of a key; (-1, -1) if the table does not have it."""
    last = search.entries.shape[0] - 1
    for i in range(_PROBES):
        entry = search.entries[(np.int64(key >> np.uint64(20)) + i) & last]
        if entry[0] == key:
            return int(np.int64(entry[1] >> np.uint64(32))), int(np.int64(entry[1] & np.uint64(0xFFFFFFFF)))
    return -1, -1


@jit_part
def _store(search: Holding, key: np.uint64, proof: int, disproof: int) -> None:
    """Store the numbers of a key, if necessary in place of the position with the smallest proof number but 0."""
    last = search.entries.shape[0] - 1
    best, least = 0, 1 << 40
    for i in range(_PROBES):
        place = (np.int64(key >> np.uint64(20)) + i) & last
        entry = search.entries[place]
        if entry[0] == key or entry[0] == ZERO:
            best = place
            break
        work = int(np.int64(entry[1] >> np.uint64(32)))
        if work == 0:
            work = 2 * _MANY
        if work < least:
            best, least = place, work
    search.entries[best, 0] = key
    search.entries[best, 1] = np.uint64(proof) << np.uint64(32) | np.uint64(disproof)


@jit_part
def _play(search: Holding, source: int, target: int, square: int, holder_moves: bool) -> int:
    """Make the position after a move, in its normal form; return the number of pairs that this settles."""
    for w in range(search.lines.board.size):
        search.attacker[target, w] = search.attacker[source, w]
        search.holder[target, w] = search.holder[source, w]
    add(search.holder[target] if holder_moves else search.attacker[target], square)
    return reduce(search.lines, search.matching, search.attacker[target], search.holder[target])


@jit_part
def _first_proof(total: float) -> int:
    """Return the proof number of a position that has not been searched, given the total weight of its lines."""
    return min(1 + int(_SCALE * total), _MOST_FIRST)


@jit_part
def _judge(search: Holding, place: int, key: np.uint64, pairs: int) -> int:
    """Return HELD, LOST or OPEN for a position with the attacker to move, just made; store what is found."""
    total, fewest, _ = weigh(search.lines, search.matching, search.attacker[place])
    if fewest <= 1:
        _store(search, key, _MANY, 0)
        return LOST
    limit = search.state[PAIRING_NODES]
    held = (
        total < 0.5
        or match(search.lines, search.matching, search.attacker[place], search.holder[place], pairs, limit) >= 0
    )
    if held:
        _store(search, key, 0, _MANY)
        return HELD
    _store(search, key, _first_proof(total), 1)
    return OPEN


@jit_part
def _list_moves(search: Holding, place: int, holder_moves: bool, row: int, forced: int) -> int:
    """List the moves in a position that was just weighed, best first, in search.moves[row]; return their number.

    The holder must stop a line that lacks one stone. Otherwise his WIDTH heaviest squares are listed. The attacker's
    squares are left out if all open lines through them share another square that is at least as good.
    """
    moves, weights, words, count = search.moves[row], search.matching.weights, search.lines.board.size, 0
    attacker, holder, common = search.attacker[place], search.holder[place], search.common
    if holder_moves and forced > 0:
        for w in range(words):
            if search.matching.forced[w]:
                moves[0] = 64 * w + lowest(search.matching.forced[w])
        return 1 if forced == 1 else 0
    if not holder_moves:
        _share(search, place)
    for w in range(words):
        rest = search.lines.board[w] & ~attacker[w] & ~holder[w]
        while rest:
            square = 64 * w + lowest(rest)
            rest &= rest - ONE
            if not holder_moves and _is_dominated(common, square):
                continue
            at = count
            while at > 0 and weights[moves[at - 1]] < weights[square]:
                moves[at] = moves[at - 1]
                at -= 1
            moves[at] = square
            count += 1
    return min(count, search.state[WIDTH]) if holder_moves else count


@jit_part
def _share(search: Holding, place: int) -> None:
    """Fill `search.common`: for each empty square, the empty squares on all open lines through it."""
    attacker, opens, common = search.attacker[place], search.matching.open[0], search.common
    common[:] = FULL
    for v in range(opens.size):
        rest = opens[v]
        while rest:
            mask = search.lines.masks[64 * v + lowest(rest)]
            rest &= rest - ONE
            for w in range(mask.size):
                empty = mask[w] & ~attacker[w]
                while empty:
                    square = 64 * w + lowest(empty)
                    empty &= empty - ONE
                    for u in range(mask.size):
                        common[square, u] &= mask[u] & ~attacker[u]


@jit_part
def _is_dominated(common: np.ndarray, square: int) -> bool:
    """Return whether another square is on all open lines through a square, and is better or has a lower number."""
    for w in range(common.shape[1]):
        rest = common[square, w]
        while rest:
            other = 64 * w + lowest(rest)
            rest &= rest - ONE
            if other != square and (other < square or not has(common[other], square)):
                return True
    return False


@jit_inline
def _probe(search: Holding, place: int, key: np.uint64, total: float, fewest: int, forced: int) -> int:
    """Return HELD, LOST or OPEN for a position with the holder to move, just weighed; store what is found.

    It is held if one of the PROBED best moves leads to a position that is known or seen at once to be held.
    """
    scratch = search.counts.size  # the place of the position is `scratch`, those after the moves are behind it
    count = _list_moves(search, place, True, scratch, forced)
    answer = HELD if fewest == NO_LINE else LOST if count == 0 else OPEN
    if answer == OPEN:
        for i in range(min(count, search.state[PROBED])):
            pairs = _play(search, place, scratch + 1, search.moves[scratch, i], True)
            child = _key_of(search, scratch + 1, False)
            proof, _ = look_up(search, child)
            if proof == 0 or (proof < 0 and _judge(search, scratch + 1, child, pairs) == HELD):
                answer = HELD
                break
    if answer == OPEN:
        _store(search, key, _first_proof(total), 1)
    elif answer == HELD:
        _store(search, key, 0, _MANY)
    else:
        _store(search, key, _MANY, 0)
    return answer


@jit_inline
def _expand(search: Holding, depth: int, holder_moves: bool) -> int:
    """List the moves of a node, and judge the positions after them. Returns HELD or LOST if that settles it."""
    scratch = search.counts.size
    reduce(search.lines, search.matching, search.attacker[depth], search.holder[depth])
    _, fewest, forced = weigh(search.lines, search.matching, search.attacker[depth])
    if fewest == NO_LINE:
        return HELD
    moves = _list_moves(search, depth, holder_moves, depth, forced)
    count, good = 0, HELD if holder_moves else LOST
    for i in range(moves):
        square = search.moves[depth, i]
        pairs = _play(search, depth, scratch, square, holder_moves)
        key = _key_of(search, scratch, not holder_moves)
        is_new = True
        for j in range(count):
            if search.keys[depth, j] == key:
                is_new = False
        if not is_new:
            continue
        total, fewest, forced = weigh(search.lines, search.matching, search.attacker[scratch])
        proof, disproof = look_up(search, key)
        answer = HELD if proof == 0 else LOST if disproof == 0 else OPEN
        if proof < 0 and holder_moves:
            answer = _judge(search, scratch, key, pairs)
        elif proof < 0:
            answer = _probe(search, scratch, key, total, fewest, forced)
        if answer == good:
            return good
        if answer != OPEN:
            continue
        search.moves[depth, count], search.keys[depth, count] = square, key
        search.first[depth, count] = _first_proof(total)
        count += 1
    search.counts[depth] = count
    if count == 0:
        return LOST if holder_moves else HELD
    return OPEN


@jit_part
def _choose(search: Holding, depth: int, holder_moves: bool) -> tuple[int, int, int, int, int]:
    """Return (proof, disproof, the best move's index, and the limits of its proof and disproof number)."""
    best, second, best_other, total, unsolved = -1, _MANY, 0, 0, 0
    least = _MANY  # of the number that is minimal: proof for the holder, disproof for the attacker
    greatest = 0
    for i in range(search.counts[depth]):
        proof, disproof = look_up(search, search.keys[depth, i])
        if proof < 0:
            proof, disproof = search.first[depth, i], 1
        if holder_moves:
            number, other = proof, disproof
        else:
            number, other = disproof, proof
        if number == 0:
            return (0, _MANY, i, 0, 0) if holder_moves else (_MANY, 0, i, 0, 0)
        if other == 0:
            continue
        unsolved += 1
        total += other
        greatest = max(greatest, other)
        if number < least or (number == least and not holder_moves and other > best_other):
            second, least, best, best_other = least, number, i, other
        elif number < second:
            second = number
    if unsolved == 0:
        return (_MANY, 0, -1, 0, 0) if holder_moves else (0, _MANY, -1, 0, 0)
    limit = second + 1 + second // 4
    if holder_moves:
        total = min(total, _MANY - 1)
        most = min(limit, search.limits[depth, 0])
        return least, total, best, most, search.limits[depth, 1] - total + best_other
    total = greatest + unsolved - 1
    most = min(limit, search.limits[depth, 1])
    return total, least, best, search.limits[depth, 0] - total + best_other, most


@jit
def start(search: Holding, holder_moves: bool) -> np.uint64:
    """Begin a search from the position in row 0 of `attacker` and `holder`; return its key."""
    reduce(search.lines, search.matching, search.attacker[0], search.holder[0])
    search.own_keys[0] = _key_of(search, 0, holder_moves)
    search.limits[0, 0] = search.limits[0, 1] = _MANY
    search.counts[0] = -1
    search.state[DEPTH], search.state[FIRST] = 0, holder_moves
    return search.own_keys[0]


@jit
def run(search: Holding, until: int) -> int:
    """Continue a search until it has entered `until` nodes; return HELD or LOST if it ends, otherwise OPEN.

    LOST means that the moves that were tried do not hold.
    """
    state = search.state
    depth = state[DEPTH]
    answer = OPEN
    while depth >= 0:
        holder_moves = (state[FIRST] + depth) % 2 == 1
        proof = disproof = -1
        best = most_proof = most_disproof = 0
        if search.counts[depth] < 0:
            if state[NODES] >= until:
                state[DEPTH] = depth
                return OPEN
            state[NODES] += 1
            answer = _expand(search, depth, holder_moves)
            if answer != OPEN:
                proof, disproof = (0, _MANY) if answer == HELD else (_MANY, 0)
        if proof < 0:
            proof, disproof, best, most_proof, most_disproof = _choose(search, depth, holder_moves)
        if proof == 0 or disproof == 0 or proof >= search.limits[depth, 0] or disproof >= search.limits[depth, 1]:
            _store(search, search.own_keys[depth], proof, disproof)
            answer = HELD if proof == 0 else LOST if disproof == 0 else OPEN
            depth -= 1
            continue
        _play(search, depth, depth + 1, search.moves[depth, best], holder_moves)
        depth += 1
        search.own_keys[depth] = search.keys[depth - 1, best]
        search.limits[depth, 0], search.limits[depth, 1] = most_proof, most_disproof
        search.counts[depth] = -1
    state[DEPTH] = -1
    return answer


@jit
def find_held(search: Holding) -> int:
    """Return a move of the holder from the position in row 0, to move, that is known to hold; -1 if there is none."""
    scratch = search.counts.size
    reduce(search.lines, search.matching, search.attacker[0], search.holder[0])
    _, _, forced = weigh(search.lines, search.matching, search.attacker[0])
    for i in range(_list_moves(search, 0, True, 0, forced)):
        _play(search, 0, scratch, search.moves[0, i], True)
        proof, _ = look_up(search, _key_of(search, scratch, False))
        if proof == 0:
            return search.moves[0, i]
    return -1


@jit
def forget_lost(search: Holding) -> None:
    """Remove the positions in which the moves that were tried do not hold, before more moves are tried."""
    for i in range(search.entries.shape[0]):
        if search.entries[i, 1] & np.uint64(0xFFFFFFFF) == ZERO:
            search.entries[i, 0] = ZERO
