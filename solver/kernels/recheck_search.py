"""Check values by an alpha-beta search to the end of the game, one position at a time, without planes or a tablebase.

It shares only `popcount` with the kernels that solve games. A position is a pair of masks, in which bit s represents
square s. Two null-window searches find the value of a position: win, draw or loss. Each determines whether one side,
the *attacker*, can force a win. The other side, the *defender*, needs only a draw. So the search leaves an attacker's
node at the first winning move, and a defender's node at the first move that keeps the draw. One side needs a line to be
completed: the defender if the rules give games without a line to the attacker, otherwise the attacker. This side is
called the *maker* below, and the other side the *breaker*.

These methods make the search strong enough for boards of 25 squares and more:

* Forced moves. A side to move that can complete a line wins. Otherwise it must take the square on which the other
  side would complete a line, and it loses if there are two such squares. In misere, a side does not complete its own
  line while it has another move.
* Weights. A line that can still be made has the weight 2**-n, where n is the number of stones that it lacks. The weight
  of a square is the total weight of the lines through it. Without gravity, a breaker that always takes the square of
  the greatest weight stops every line if the total weight of all lines is below 1, or below 1/2 if the maker is to move
  (Erdos and Selfridge, Journal of Combinatorial Theory A 14, 1973). In misere, the breaker must not complete a line,
  and always takes the square of the least weight. Its stone doubles the weight of the lines through this square, but
  the maker's reply, on a square of at least the same weight, removes as much. So a total below 1 is enough if every
  move of the breaker gets a reply, and a total below 1/2 if the last one does not.
* Dead squares are on no line that either side can still make. They are all equivalent, and moves there are useless
  unless an extra stone can hurt, as in misere or with exact lines.
* Move order. The squares with the most stones on their open lines come first; in misere, those with the fewest.
* A hash table of results, with open addressing. Positions that are reflections or rotations of each other share an
  entry. The key is the whole position and not a hash of it, so that a result never belongs to another position. The key
  also contains the number of the search, so that entries of earlier searches count as empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part

MOST_SQUARES = 49
MOST_SEARCHES = (1 << 63 - MOST_SQUARES - 1) - 1  # numbered from 1 on, with one memory

NO, YES, UNKNOWN = 0, 1, 2

_WHOLE = 1 << 40  # the weight of a complete line

# An entry of the hash table, int64[2]: number of the search | X's squares | whether X attacks, and
# O's squares | cost | answer.
_COST = 0xFFE
_SHIFT = 12
_BUCKET = 4  # entries of a bucket
_MULTIPLIER = -7046029254386353131  # 2**64 / golden ratio, less 2**64 (Knuth, TAOCP 6.4)


class SearchedGame(NamedTuple):
    """The rules as numbers."""

    squares: int
    ground: int  # the squares that need no stone below them
    stride: int  # the difference to the number of the square below
    x_lines: np.ndarray  # int64[L, 2]: the squares of a line of X, and those that must not be its owner's
    o_lines: np.ndarray  # the same of O's lines
    images: np.ndarray  # int64[G, 7, 256]: the image of each byte of a mask under each symmetry
    misere: bool
    idle: bool  # whether a stone on a dead square may be the best move
    gravity: bool
    plies: int  # the length of the longest game
    unfinished: int  # the winner of a game without a line: 0 nobody, 1 X, 2 O


class Memory(NamedTuple):
    """The hash table, the move scores and the counters for the searches of one thread."""

    entries: np.ndarray  # int64[E, 2], E a power of 2; 0 at first
    scores: np.ndarray  # int64[squares + 1, squares]: the scores that order the moves of each ply
    nodes: np.ndarray  # int64[3]: positions entered, their limit, and the searches so far


@jit
def can_win(board: SearchedGame, memory: Memory, own: int, other: int, attacks: bool) -> int:
    """Return whether the attacker can force a win: NO, YES or UNKNOWN.

    The attacker is the side to move if `attacks`, else the other side. `own` contains the stones of the side to move;
    the game must not be over. The result is UNKNOWN if the search would enter more than `memory.nodes[1]` positions;
    the number of positions entered is stored in `memory.nodes[0]`. A memory can be used for at most MOST_SEARCHES
    searches.
    """
    memory.nodes[0] = 0
    memory.nodes[2] += 1
    return _search(board, memory, own, other, attacks)


@jit_part
def _search(board: SearchedGame, memory: Memory, own: int, other: int, attacks: bool) -> int:
    # One function, not two that call each other: Numba crashes when it loads such functions from its cache.
    memory.nodes[0] += 1
    if memory.nodes[0] > memory.nodes[1]:
        return UNKNOWN
    ply = popcount(np.uint64(own | other))
    answer, moves = _judge(board, own, other, attacks, ply)
    if answer != UNKNOWN:
        return answer
    if moves & (moves - 1) == 0:
        return _search(board, memory, other, own | moves, not attacks)
    key = _key(board, own, other, attacks, ply, memory.nodes[2])
    answer = _recall(memory.entries, key)
    if answer != UNKNOWN:
        return answer
    before = memory.nodes[0]
    _score(board, own, other, ply % 2 == 0, memory.scores[ply])
    answer = NO if attacks else YES
    while moves:
        square = _best(board, memory.scores[ply], moves)
        moves ^= 1 << square
        child = _search(board, memory, other, own | 1 << square, not attacks)
        if child == UNKNOWN:
            return UNKNOWN
        if (child == YES) == attacks:
            answer = child
            break
    _remember(memory.entries, key, answer, memory.nodes[0] - before)
    return answer


@jit_part
def _judge(board: SearchedGame, own: int, other: int, attacks: bool, ply: int) -> tuple[int, int]:
    """Return (result, moves): the result, which is UNKNOWN if a search is needed, and the moves to try."""
    taken, left, x_moves = own | other, board.plies - ply, ply % 2 == 0
    moves = ((1 << board.squares) - 1) & ~taken & (board.ground | taken >> board.stride)
    breaker_attacks = board.unfinished == (1 if attacks == x_moves else 2)
    unfinished = YES if breaker_attacks else NO
    if moves == 0 or left == 0:
        return unfinished, 0
    weight, wins, alive = _survey(board, own, other, x_moves, (left + 1) >> 1)
    their_weight, threats, their_alive = _survey(board, other, own, not x_moves, left >> 1)
    maker_moves = attacks != breaker_attacks
    stopped = _is_stopped(board, weight if maker_moves != board.misere else their_weight, maker_moves, left)
    if board.misere:
        moves &= ~wins
        answer = NO if attacks and moves == 0 else YES if moves == 0 else UNKNOWN
    else:
        answer, moves = _forced(moves, wins & moves, threats & moves, attacks)
    if stopped and answer == UNKNOWN:
        return unfinished, 0
    return answer, moves if board.gravity else _worth_trying(board, moves, alive | their_alive)


@jit_part
def _forced(moves: int, wins: int, threats: int, attacks: bool) -> tuple[int, int]:
    """Return (result, moves): the result, which is UNKNOWN unless completing squares decide it, and the moves to try.

    `wins` are the squares on which the side to move completes a line, `threats` those on which the other side does.
    """
    if wins:
        return YES if attacks else NO, wins
    if threats & (threats - 1):
        return NO if attacks else YES, threats
    return UNKNOWN, threats or moves


@jit_part
def _survey(board: SearchedGame, own: int, other: int, by_x: bool, most: int) -> tuple[int, int, int]:
    """Summarize the lines that one side, X if `by_x`, can still make with at most `most` more stones.

    `own` contains the stones of this side. Returns the weight of these lines, the squares that complete one of them,
    and the squares that lie on them or guard them.
    """
    weight = completing = alive = 0
    lines = board.x_lines if by_x else board.o_lines
    for i in range(lines.shape[0]):
        mask, guard = lines[i, 0], lines[i, 1]
        if mask & other or guard & own:
            continue
        lacking = popcount(np.uint64(mask & ~own))
        if lacking > most:
            continue
        weight += _WHOLE >> lacking
        alive |= mask | guard
        if lacking == 1:
            completing |= mask & ~own
    return weight, completing, alive


@jit_part
def _is_stopped(board: SearchedGame, weight: int, maker_moves: bool, left: int) -> bool:
    """Return whether the breaker can prevent every line that the maker needs, given the total weight of these lines."""
    if board.gravity:
        return weight == 0
    if board.misere:
        unanswered = (left - maker_moves) % 2 == 1
        return weight < (_WHOLE >> 1 if unanswered else _WHOLE)
    return weight < (_WHOLE >> 1 if maker_moves else _WHOLE)


@jit_part
def _worth_trying(board: SearchedGame, moves: int, alive: int) -> int:
    """Return the moves that affect a line, and one move on a dead square if such a move may be the best."""
    dead = moves & ~alive
    if board.idle:
        return moves & alive | dead & -dead
    return moves & alive


@jit_part
def _score(board: SearchedGame, own: int, other: int, x_moves: bool, scores: np.ndarray) -> None:
    """Score each free square by the lines through it that either side can still make."""
    scores[:] = 0
    x, o = (own, other) if x_moves else (other, own)
    _add_scores(board.x_lines, x, o, board.misere, scores)
    _add_scores(board.o_lines, o, x, board.misere, scores)


@jit_part
def _add_scores(lines: np.ndarray, own: int, other: int, misere: bool, scores: np.ndarray) -> None:
    """For each line that the side with the stones `own` can still make, add to the scores of its free squares."""
    step = 1 if misere else 2
    for i in range(lines.shape[0]):
        mask = lines[i, 0]
        if mask & other or lines[i, 1] & own:
            continue
        score = 1 << step * popcount(np.uint64(mask & own))
        rest = mask & ~own
        square = 0
        while rest:
            if rest & 1:
                scores[square] += score
            rest >>= 1
            square += 1


@jit_part
def _best(board: SearchedGame, scores: np.ndarray, moves: int) -> int:
    """Return the square to try first."""
    best = square = -1
    s = 0
    while moves:
        if moves & 1 and (square < 0 or (scores[s] < best if board.misere else scores[s] > best)):
            best, square = scores[s], s
        moves >>= 1
        s += 1
    return square


@jit_part
def _key(board: SearchedGame, own: int, other: int, attacks: bool, ply: int, search: int) -> tuple[int, int]:
    """Return an entry's key: the smallest image of the position, whether X attacks, and the number of the search."""
    x, o = (own, other) if ply % 2 == 0 else (other, own)
    least_x, least_o = x, o
    for g in range(1, board.images.shape[0]):
        o_image = _image(board.images[g], o)
        if o_image > least_o:
            continue
        x_image = _image(board.images[g], x)
        if o_image < least_o or x_image < least_x:
            least_x, least_o = x_image, o_image
    return (search << MOST_SQUARES | least_x) << 1 | (attacks == (ply % 2 == 0)), least_o


@jit_part
def _image(table: np.ndarray, mask: int) -> int:
    found = byte = 0
    while mask:
        found |= table[byte, mask & 255]
        mask >>= 8
        byte += 1
    return found


@jit_part
def _place(entries: np.ndarray, key: tuple[int, int]) -> int:
    """Return the index of the first entry of a key's bucket."""
    mixed = key[0] * _MULTIPLIER
    mixed = (mixed ^ mixed >> 32 ^ key[1]) * _MULTIPLIER
    return (mixed ^ mixed >> 32) & (entries.shape[0] - _BUCKET)


@jit_part
def _recall(entries: np.ndarray, key: tuple[int, int]) -> int:
    """Return the stored result for a key, or UNKNOWN."""
    place = _place(entries, key)
    for i in range(place, place + _BUCKET):
        if entries[i, 0] == key[0] and entries[i, 1] >> _SHIFT == key[1]:
            return entries[i, 1] & 1
    return UNKNOWN


@jit_part
def _remember(entries: np.ndarray, key: tuple[int, int], answer: int, nodes: int) -> None:
    """Store the result for a key in its bucket.

    This overwrites a result of an earlier search or, if the bucket has none, the result that took the fewest nodes.
    """
    cost = 1
    while nodes:
        nodes >>= 1
        cost += 1
    search = key[0] >> MOST_SQUARES + 1
    place = _place(entries, key)
    cheapest, least = place, _COST
    for i in range(place, place + _BUCKET):
        found = entries[i, 1] & _COST if entries[i, 0] >> MOST_SQUARES + 1 == search else 0
        if found < least:
            cheapest, least = i, found
    entries[cheapest, 0], entries[cheapest, 1] = key[0], key[1] << _SHIFT | cost << 1 | answer
