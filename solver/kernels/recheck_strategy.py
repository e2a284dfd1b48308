"""Check a strategy that wins: try every legal reply to each of its moves, by plain rules.

Nothing here is shared with the kernels that prove. Lines are counted anew after each stone, and each position is
compared with the rows of the strategy by its stones. Where it has no row, a short win by continuous fours is searched
for here and replayed. Where there is none, the caller is asked for a move. Such a move is not trusted: every reply to
it is tried too, and so on until the winner has completed a line.

Each row is walked once, those with the most stones first: where a reply leads to another row, its plies are known. So
threads can share the rows of a ply. Each has a `Check` of its own, and they share `row_plies`.

Nearly all replies are lost to the win by fours that was found after another reply. Replaying it takes less time than
comparing the position with the rows. So each position has a *sum*, which is the same for symmetric positions: only if
the sum is that of a row can the position have one. Most of these replies are *idle*: the win holds without a reply,
and they touch no line on which it depends, so that it need not be replayed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit, jit_inline, jit_part, jit_within

DONE, RUNNING, FULL, WANTED, WANTED_WITHIN = range(5)
"""Results of `recheck`. WANTED: `state[ADVICE]` needs a move in the position `Check.image`, or NONE. WANTED_WITHIN: the
same, within the win of a position that the strategy leaves out."""

DEPTH, ROOT, SEEN, VISITED, REPLIES, FORCED, FAULTS, NODES, LONGEST, ADVICE, FOURS, LINKS, SUM, STONES, IDLE = range(15)
"""Indices of `Check.state`: depth of the stack, -1 at the end; the row with which the walk began, or -1; positions
remembered, and visited in all; replies tried, and lost to fours; faults (`Check.faults` has the row, or -1, and the
kind of each); nodes left of a search; plies of the win of the last walk; the move that was asked for; fours of the last
win found, or -1; links since the last call; the sum of the position, and its stones; the depth of the position whose
idle replies are known, or -1."""

NO_MOVE, ILLEGAL, LOST, TOO_LONG, NOT_FORCED, NOT_WON = range(1, 7)
"""Kinds of faults: no move is known in a position; a move is not legal; the other side completes a line; a win takes
longer than its row says; a win by fours fails when it is replayed; the board is full."""

NONE, UNASKED = -2, -1
"""Values of `state[ADVICE]` other than a move."""

DEEPEST = 20  # fours of a short win
_FORCE_NODES = 20_000  # of each search for fours
_FEW = 3  # fours, at which most searches end
_EMPTY = -1
_NEVER = 1_000
_PART = (1 << 16) - 1
_BY_O, _BY_X = _PART << 16 | _PART << 32, _PART | _PART >> 1 << 48  # what keeps a line of X, or of O, from counting
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Game(NamedTuple):
    """The lines of a game, and the rows of the strategy."""

    squares: np.ndarray  # int16[L, K], then -1: a line of one side, or of both
    lengths: np.ndarray  # int16[L]
    own: np.ndarray  # int32[2, M]: the lines of each side, then -1
    grow: np.ndarray  # int32[2, S, T]: a side's lines through each square, then -1
    touched: np.ndarray  # uint32[S, 1 + T]: the number of lines through each square, and these lines
    guarded: np.ndarray  # uint32[2, S, 1 + U]: likewise, a side's lines whose guard has the square
    images: np.ndarray  # int16[G, S]: the symmetries; inverse permutations
    rows: np.ndarray  # int8[R, S]: the positions, each the least of its images
    moves: np.ndarray  # int16[R, 2]: the move and the plies within which it wins
    row_at: np.ndarray  # int32[H]: a hash table of the rows, -1 where empty
    has_sum: np.ndarray  # bool[H]: whether a row has a sum with these last bits
    sum_codes: np.ndarray  # int64[2, S]: what a stone adds to the sum of a position, the same on symmetric squares
    codes: np.ndarray  # uint64[2, 2, S]: two random numbers for each stone
    side: int  # 1 for X, 2 for O: the side that wins
    plies: int


class Check(NamedTuple):
    """The state of a check."""

    cells: np.ndarray  # int8[S]
    stones: np.ndarray  # int64[L], of 16 bits each: the stones of X and O on a line, and on its guard for X and for O
    frames: np.ndarray  # int64[D, 8]
    image: np.ndarray  # int8[S]
    found: np.ndarray  # int16[DEEPEST + 2, 2]: the moves of the last win by fours, and the replies
    idle: np.ndarray  # bool[S]: the idle replies in the position whose depth is `state[IDLE]`
    near: np.ndarray  # int32[M + 1]: the lines that a search for fours can reach, then -1
    failed: np.ndarray  # uint64[F]
    failed_at: np.ndarray  # int8[F]
    seen: np.ndarray  # uint64[V, 2]: hashes of the positions visited, 0 where empty
    seen_plies: np.ndarray  # int16[V]
    row_plies: np.ndarray  # int16[R]: the plies of the longest win from each row, 0 if it was not walked yet
    links: np.ndarray  # int32[P, 2]: a row and a row that follows it; -1 and a row that follows a position without one
    faults: np.ndarray  # int64[F, 2]
    fault_images: np.ndarray  # int8[F, S]: for NO_MOVE, the canonical image of the position without a move
    state: np.ndarray  # int64[15]


ENTERED, NEXT, MOVE, REPLY, IS_ROW, MOST, HAS_WON, IS_MET = range(8)
"""Indices of a frame. IS_ROW: whether its position is that of the row with which the walk began; MOST: the plies of the
longest win after the replies so far; HAS_WON: whether the move completes a line; IS_MET: whether the other side
threatens to complete one."""


@jit_within
def place(game: Game, check: Check, square: int, side: int, step: int) -> None:
    """Place a stone (step 1), or remove it (step -1)."""
    check.cells[square] = side if step > 0 else 0
    check.state[SUM] += step * game.sum_codes[side - 1, square]
    check.state[STONES] += step
    _count(check.stones, game.touched, game.guarded, square, side - 1, step)


@jit_part
def _count(
    stones: np.ndarray, touched: np.ndarray, guarded: np.ndarray, square: int, owner: int, step: int
) -> None:  # few arguments: passing all arrays of a game takes longer than to count
    for at in range(1, np.int64(touched[square, 0]) + 1):
        stones[touched[square, at]] += step << 16 * owner
    for at in range(1, np.int64(guarded[owner, square, 0]) + 1):
        stones[guarded[owner, square, at]] += step << 16 * (2 + owner)


@jit_within
def _lacks(game: Game, check: Check, line: int, side: int) -> int:
    """Return the stones that a side lacks on a line, or more than any line has if it does not count any more."""
    stones = check.stones[line]
    if stones & (_BY_O if side == 1 else _BY_X):
        return _NEVER
    return int(game.lengths[line] - (stones >> 16 * (side - 1) & _PART))


@jit_part
def _empty_square(cells: np.ndarray, squares: np.ndarray) -> int:
    """Return an empty square of a line."""
    at = 0
    while cells[squares[at]]:
        at += 1
    return int(squares[at])


@jit_within
def _winning_squares(game: Game, check: Check, lines: np.ndarray, side: int) -> tuple[int, int]:
    """Return two different squares that complete one of a side's lines; -1 for those that do not exist.

    lines: int32[N], then -1: all of the side, or those through its last stone, on which it wins if it has no other
    winning square.
    """
    first = _EMPTY
    for at in range(lines.size):
        line = lines[at]
        if line < 0:
            break
        if _lacks(game, check, line, side) == 1:
            square = _empty_square(check.cells, game.squares[line])
            if first < 0:
                first = square
            elif square != first:
                return first, square
    return first, _EMPTY


@jit_within
def _completes(game: Game, check: Check, last: int, side: int) -> bool:
    """Return True if a side's stone on a square completes a line."""
    for at in range(game.grow.shape[2]):
        line = game.grow[side - 1, last, at]
        if line < 0:
            break
        if _lacks(game, check, line, side) == 0:
            return True
    return False


@jit_part
def _hash(game: Game, cells: np.ndarray, which: int) -> np.uint64:
    total = np.uint64(1)
    for square in range(cells.size):
        if cells[square]:
            total ^= game.codes[which, cells[square] - 1, square]
    return total


@jit_part
def _win_by_fours(game: Game, check: Check, must: int, key: np.uint64, depth: int, level: int, left: int) -> int:
    """Return the number of fours before the winning move, at most `depth`; -1 if there is no win, -2 if unknown.

    The side to move has no winning square. Any that it gets is on a line through its last stone, and so with the other
    side's. must: the only winning square of the other side, or -1; key: the hash of the position.
    """
    side, other = game.side, 3 - game.side
    if left < 3:
        return -1
    if depth == 0:
        return -2
    slot = int(np.int64((key * _MIX) >> np.uint64(40))) & (check.failed.size - 1)
    if check.failed[slot] == key and check.failed_at[slot] >= depth:
        return -1 if check.failed_at[slot] == 99 else -2
    check.state[NODES] -= 1
    if check.state[NODES] < 0:
        return -2
    result = -1
    for line in check.near:
        if line < 0:
            break
        if _lacks(game, check, line, side) != 2:
            continue
        for at in range(game.squares.shape[1]):
            move = int(game.squares[line, at])
            if move < 0 or check.cells[move] or (must >= 0 and move != must):
                continue
            place(game, check, move, side, 1)
            reply, another = _winning_squares(game, check, game.grow[side - 1, move], side)
            deeper = -1
            if another >= 0:
                deeper = level + 1
                check.found[level + 1, 0] = another
            elif reply >= 0 and (depth > 1 or result == -1):  # at the last four, one that could go on is enough
                place(game, check, reply, other, 1)
                threat, second = _winning_squares(game, check, game.grow[other - 1, reply], other)
                if second < 0:
                    after = key ^ game.codes[0, side - 1, move] ^ game.codes[0, other - 1, reply]
                    deeper = _win_by_fours(game, check, threat, after, depth - 1, level + 1, left - 2)
                place(game, check, reply, other, -1)
            place(game, check, move, side, -1)
            if deeper >= 0:
                check.found[level, 0], check.found[level, 1] = move, reply
                return deeper
            result = min(result, deeper)
    if check.state[NODES] >= 0:
        check.failed[slot] = key
        check.failed_at[slot] = 99 if result == -1 else depth
    return result


@jit_part
def _list_near(game: Game, check: Check, most: int) -> None:
    """List the winner's lines that lack at most so many stones."""
    count = 0
    for line in game.own[game.side - 1]:
        if line < 0:
            break
        if _lacks(game, check, line, game.side) <= most:
            check.near[count] = line
            count += 1
    check.near[count] = -1


@jit_inline
def _replay(game: Game, check: Check, must: int, fours: int, left: int) -> bool:
    """Return True if the win by fours in `check.found` holds against every reply, by the plain rules.

    Neither side has completed a line. must: the only winning square of the other side, or -1.
    """
    side, other, played, second = game.side, 3 - game.side, 0, _EMPTY
    good = left >= 2 * fours + 1
    for level in range(fours if good else 0):
        move, reply = int(check.found[level, 0]), int(check.found[level, 1])
        good = check.cells[move] == 0 and second < 0 and (must < 0 or must == move)
        if not good:
            break
        place(game, check, move, side, 1)
        first, another = _winning_squares(game, check, game.grow[side - 1, move], side)
        good = first >= 0 and (first == reply or another >= 0) and check.cells[reply] == 0
        if not good:
            place(game, check, move, side, -1)
            break
        place(game, check, reply, other, 1)
        played += 1
        must, second = _winning_squares(game, check, game.grow[other - 1, reply], other)
    last = int(check.found[fours, 0])
    if good and check.cells[last] == 0:
        place(game, check, last, side, 1)
        good = _completes(game, check, last, side)
        place(game, check, last, side, -1)
    else:
        good = False
    for level in range(played - 1, -1, -1):
        place(game, check, int(check.found[level, 1]), other, -1)
        place(game, check, int(check.found[level, 0]), side, -1)
    return good


@jit_part
def _canonical(game: Game, cells: np.ndarray, best: np.ndarray) -> int:
    """Write the least image of a position to `best` (int8[S]), by its squares from the last. Return the symmetry."""
    chosen = 0
    for square in range(cells.size):
        best[square] = cells[game.images[0, square]]
    for g in range(1, len(game.images)):
        for square in range(cells.size - 1, -1, -1):
            mine = cells[game.images[g, square]]
            if mine != best[square]:
                if mine < best[square]:
                    chosen = g
                    for other in range(cells.size):
                        best[other] = cells[game.images[g, other]]
                break
    return chosen


@jit
def fill_index(game: Game, best: np.ndarray) -> bool:
    """Fill the hash table of the rows. Return False if a row is not canonical, or if two are equal.

    best: int8[S], scratch space.
    """
    for row in range(len(game.rows)):
        _canonical(game, game.rows[row], best)
        for square in range(best.size):
            if best[square] != game.rows[row, square]:
                return False
        place_of = int(np.int64((_hash(game, best, 0) * _MIX) >> np.uint64(20))) & (game.row_at.size - 1)
        while game.row_at[place_of] >= 0:
            if _is_equal(game.rows[game.row_at[place_of]], best):
                return False
            place_of = (place_of + 1) & (game.row_at.size - 1)
        game.row_at[place_of], total = row, 0
        for square in range(best.size):
            if best[square]:
                total += game.sum_codes[best[square] - 1, square]
        game.has_sum[total & (game.has_sum.size - 1)] = True
    return True


@jit_part
def _is_equal(one: np.ndarray, other: np.ndarray) -> bool:
    for square in range(one.size):
        if one[square] != other[square]:
            return False
    return True


@jit_part
def _find_row(game: Game, image: np.ndarray) -> int:
    at = int(np.int64((_hash(game, image, 0) * _MIX) >> np.uint64(20))) & (game.row_at.size - 1)
    while game.row_at[at] >= 0:
        if _is_equal(game.rows[game.row_at[at]], image):
            return int(game.row_at[at])
        at = (at + 1) & (game.row_at.size - 1)
    return -1


@jit_part
def _entry(check: Check, one: np.uint64, two: np.uint64) -> int:
    """Return the index of a visited position, given its two hashes, or of the empty entry where it belongs."""
    at = int(np.int64((one * _MIX) >> np.uint64(20))) & (check.seen_plies.size - 1)
    while check.seen_plies[at] and (check.seen[at, 0] != one or check.seen[at, 1] != two):
        at = (at + 1) & (check.seen_plies.size - 1)
    return at


@jit
def insert_all(check: Check, seen: np.ndarray, plies: np.ndarray) -> None:
    """Insert visited positions (uint64[V, 2]) with their plies (int16[V], 0 where there is none)."""
    for number in range(plies.size):
        if plies[number]:
            at = _entry(check, seen[number, 0], seen[number, 1])
            check.seen[at, 0], check.seen[at, 1], check.seen_plies[at] = seen[number, 0], seen[number, 1], plies[number]


@jit_part
def _fault(check: Check, row: int, kind: int) -> None:
    number = check.state[FAULTS]
    if number < len(check.faults):
        check.faults[number, 0], check.faults[number, 1] = row, kind
        for square in range(check.image.size):
            check.fault_images[number, square] = check.image[square]
    check.state[FAULTS] += 1


@jit
def begin(game: Game, check: Check, row: int) -> None:
    """Begin a walk at the position of a row, or, if it is -1, at the empty board."""
    for square in range(check.cells.size):
        if check.cells[square]:
            place(game, check, square, int(check.cells[square]), -1)
        if row >= 0 and game.rows[row, square]:
            place(game, check, square, int(game.rows[row, square]), 1)
    check.frames[0, ENTERED] = 0
    check.state[DEPTH], check.state[ROOT] = 0, row


@jit_inline
def _plies_again(game: Game, check: Check, left: int) -> int:
    """Return the plies of the last win by fours if it holds here too, or 0.

    It need not be the shortest, so it counts only if it takes no longer than the wins after other replies.
    """
    frame, fours = check.frames[check.state[DEPTH] - 1], check.state[FOURS]
    if frame[IS_MET] or fours < 0 or 2 * fours + 1 > frame[MOST]:
        return 0
    reply = check.frames[check.state[DEPTH], REPLY]
    must, second = _winning_squares(game, check, game.grow[2 - game.side, reply], 3 - game.side)
    if (second >= 0 and fours) or not _replay(game, check, must, fours, left):
        return 0
    check.state[FORCED] += 1
    if check.state[IDLE] != check.state[DEPTH] - 1:
        _mark_idle(game, check, fours, left)
    return int(2 * fours + 1)


@jit_part
def _mark_idle(game: Game, check: Check, fours: int, left: int) -> None:
    """Mark the replies after which the last win by fours goes on as it would without any reply.

    It is replayed without one, because the last reply may bar a line of the other side. The others are no squares of
    the win. Nor do they lie on a line that the winner fills but for one square, or that the other side, with its
    replies during the win, fills but for two. So a stone there forces nothing and stops nothing.
    """
    side, reply = game.side, check.frames[check.state[DEPTH], REPLY]
    place(game, check, reply, 3 - side, -1)
    holds = _replay(game, check, _EMPTY, fours, left)
    for square in range(check.idle.size):
        check.idle[square] = holds and check.cells[square] == 0
    for owner in range(1, 3 if holds else 1):
        ours = int(owner == side)
        for level in range(fours + ours):
            check.idle[check.found[level, 1 - ours]] = False
            place(game, check, check.found[level, 1 - ours], owner, 1)
        for line in game.own[owner - 1]:
            if line < 0:
                break
            stones, missing = check.stones[line], 2 - ours
            is_open = not stones >> 16 * (2 - owner) & _PART  # whatever the guards are, as they fill during the win
            if is_open and (stones >> 16 * (owner - 1) & _PART) >= game.lengths[line] - missing:
                for at in range(game.lengths[line]):
                    check.idle[game.squares[line, at]] = False
        for level in range(fours + ours):
            place(game, check, check.found[level, 1 - ours], owner, -1)
    place(game, check, reply, 3 - side, 1)
    check.state[IDLE] = check.state[DEPTH] - 1


@jit_within
def _is_idle(game: Game, check: Check, reply: int) -> bool:
    """Return True if a reply is idle, so that the last win by fours follows, and leads to no row."""
    if check.state[IDLE] != check.state[DEPTH] or not check.idle[reply]:
        return False
    total = check.state[SUM] + game.sum_codes[2 - game.side, reply]
    return not game.has_sum[total & (game.has_sum.size - 1)]


@jit_inline
def _forced_plies(game: Game, check: Check, left: int, root: int) -> int:
    """Return the plies of a short win by fours in the position on the board, which is replayed, or 0."""
    state, fours = check.state, -1
    lines = game.own[2 - game.side]
    if state[DEPTH] and not check.frames[state[DEPTH] - 1, IS_MET]:
        lines = game.grow[2 - game.side, check.frames[state[DEPTH], REPLY]]
    must, second = _winning_squares(game, check, lines, 3 - game.side)
    _list_near(game, check, _FEW + 1)
    first, _ = _winning_squares(game, check, check.near, game.side)
    if first >= 0 and left >= 1:
        check.found[0, 0] = first
        fours = 0
    elif second < 0:
        state[NODES] = _FORCE_NODES
        key = _hash(game, check.cells, 0)
        for depth in range(1, DEEPEST):
            if depth > _FEW:
                _list_near(game, check, depth + 1)
            fours = _win_by_fours(game, check, must, key, depth, 0, left)
            if fours >= -1 or state[NODES] < 0:
                break
    if fours < 0:
        return 0
    state[FORCED] += 1
    state[FOURS], state[IDLE] = fours, -1
    if not _replay(game, check, must, fours, left):
        _fault(check, root, NOT_FORCED)
    return 2 * fours + 1


@jit
def recheck(game: Game, check: Check, positions: int) -> int:
    """Walk until the end, or at most `positions` (at most P) more positions. Return a result.

    A position that the last win by fours settles again does not count.
    """
    state, side, other = check.state, game.side, 3 - game.side
    while state[DEPTH] >= 0:
        depth = state[DEPTH]
        frame = check.frames[depth]
        root, plies, symmetry = state[ROOT], 0, 0
        if not frame[ENTERED]:
            if positions == 0:
                return RUNNING
            if 2 * state[SEEN] >= check.seen_plies.size:
                return FULL
            left = game.plies - state[STONES]
            may_be_row = game.has_sum[state[SUM] & (game.has_sum.size - 1)]
            if depth and not may_be_row and state[ADVICE] == UNASKED:
                plies = _plies_again(game, check, left)
            if plies == 0:
                symmetry = _canonical(game, check.cells, check.image)
                at = _entry(check, _hash(game, check.image, 0), _hash(game, check.image, 1))
                plies = int(check.seen_plies[at])
            if plies == 0:
                row, move, is_new = _find_row(game, check.image) if may_be_row else -1, -1, True
                if row >= 0 and (depth or row != root):
                    from_root = depth == 1 and check.frames[0, IS_ROW]
                    check.links[state[LINKS], 0], check.links[state[LINKS], 1] = root if from_root else -1, row
                    state[LINKS] += 1
                    plies, is_new = int(check.row_plies[row]), False
                elif row >= 0:
                    move = int(game.images[symmetry, game.moves[row, 0]])
                elif state[ADVICE] == UNASKED:
                    if depth and may_be_row:
                        plies = _plies_again(game, check, left)
                    is_new = plies == 0
                    if is_new:
                        plies = _forced_plies(game, check, left, root)
                    if plies == 0:
                        return WANTED if depth == 0 or check.frames[depth - 1, IS_ROW] else WANTED_WITHIN
                elif state[ADVICE] >= 0:
                    move = int(game.images[symmetry, state[ADVICE]])
                state[ADVICE] = UNASKED
                state[VISITED] += is_new
                state[SEEN] += is_new
                positions -= 1
                if plies == 0 and (move < 0 or check.cells[move] or left < 1):
                    _fault(check, root, NO_MOVE if move < 0 else ILLEGAL)
                    plies = 1
                    if depth == 0 and root >= 0:
                        check.row_plies[root] = plies
                if plies == 0:
                    place(game, check, move, side, 1)
                    frame[ENTERED], frame[NEXT], frame[MOVE], frame[MOST] = 1, 0, move, 0
                    frame[IS_ROW], frame[HAS_WON] = row >= 0, _completes(game, check, move, side)
                    frame[IS_MET] = _winning_squares(game, check, game.own[other - 1], other)[0] >= 0
                    state[IDLE] = -1
                    continue
                if is_new:
                    _note(game, check, plies)
        else:
            has_won, reply = frame[HAS_WON], frame[NEXT]
            while reply < check.cells.size and (check.cells[reply] or _is_idle(game, check, reply)):
                state[REPLIES] += check.cells[reply] == 0
                state[FORCED] += check.cells[reply] == 0
                reply += 1
            if not has_won and reply < check.cells.size:
                frame[NEXT] = reply + 1
                state[REPLIES] += 1
                place(game, check, reply, other, 1)
                if _completes(game, check, reply, other):
                    _fault(check, root, LOST)
                    place(game, check, reply, other, -1)
                    continue
                check.frames[depth + 1, ENTERED], check.frames[depth + 1, REPLY] = 0, reply
                state[DEPTH] += 1
                continue
            plies = 1 if has_won else 2 + frame[MOST]
            if not has_won and frame[MOST] == 0:
                _fault(check, root, NOT_WON)
            place(game, check, frame[MOVE], side, -1)
            if frame[IS_ROW]:
                check.row_plies[root] = plies
                if plies > game.moves[root, 1]:
                    _fault(check, root, TOO_LONG)
            else:
                _canonical(game, check.cells, check.image)
                _note(game, check, plies)
        if depth:
            place(game, check, frame[REPLY], other, -1)
            check.frames[depth - 1, MOST] = max(check.frames[depth - 1, MOST], plies)
        else:
            state[LONGEST] = plies
        state[DEPTH] -= 1
    return DONE


@jit_part
def _note(game: Game, check: Check, plies: int) -> None:
    """Remember the plies of the win from the position `check.image`."""
    one, two = _hash(game, check.image, 0), _hash(game, check.image, 1)
    at = _entry(check, one, two)
    check.seen[at, 0], check.seen[at, 1], check.seen_plies[at] = one, two, plies
