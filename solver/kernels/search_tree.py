"""Search games with gravity: decide whether the side to move can score at least a given value.

This is a null-window search with an explicit stack, so that it can stop after a number of nodes and resume. A node is a
position in which the side to move can't win at once and has at least two safe moves, which are moves that don't lose at
once. Each safe move begins a *lane*: forced replies, and forced replies to those, are played without a search until the
next node, the child. So a child can be any number of plies later, and either side can be to move there. A node examines
all its lanes before it searches any of them:

1. A move that leaves the other side no safe reply wins in three plies.
2. The follow-up strategy and the table bound the score of each child (see search_bounds and search_table). If a lane is
   certain to be good enough, the node is finished; a lane that cannot be good enough is dropped.
3. The other lanes are searched in an order that prefers forced replies and threats.

Bounds are fail-soft: the result of a node is the tightest known bound on its score, on the same side of the given value
as the score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_within
from solver.kernels.search_board import (
    ONE,
    Board,
    Grid,
    Word,
    completing,
    make_grid,
    never_filled,
    playable,
    safe_moves,
)
from solver.kernels.search_bounds import bound_by, follow_up, score_of
from solver.kernels.search_table import Bounds, look_up, make_key, mirror_key, prefetch_bucket, store

_OPEN = 99  # no score: the node has lanes to search
_PAUSED = 98  # no score: the limit of nodes was reached
_NOTHING = -99  # less than any score

MOST_COLUMNS = 16
_MIRRORED_PLIES = 12  # the last ply at which a position and its mirror image share a key
_LEAST_KEPT = 6  # positions with fewer free squares are not kept in the table

# A position, the root or a lane, is a place in two arrays; its fields lie MOST_COLUMNS apart, those of all lanes of a
# node side by side. The lanes of the node at depth d have the level d + 1, the root is the first lane of level 0.
_FIELDS = [np.uint64(field * MOST_COLUMNS) for field in range(8)]
_LEVEL = np.uint64(8 * MOST_COLUMNS)
# The words of a position. Until a lane's move is played, the safe moves contain that move.
_OWN, _OTHER, _OWN_THREATS, _OTHER_THREATS, _SAFE, _FIRST_KEY, _SECOND_KEY, _CLOSED = _FIELDS
_OWN_LINE, _OTHER_LINE = _FIRST_KEY, _SECOND_KEY  # before the key is made
# Its numbers: bounds of its score, its ply, its rank in the order of search, and the lane at its place in that order.
_LEAST, _MOST, _PLY, _RANK, _ORDER, *_ = _FIELDS
# The numbers of a node: the score to reach, the best so far, the lanes to search and those
# searched, -1 if the node before is the other side's, the count of nodes when it was entered, and its place.
_NODE = 8
_WINDOW, _BEST, _LANES, _SEARCHED, _SIGN, _ENTERED, _PLACE = range(7)
# The state of the search: nodes entered, the depth to resume at, -1 for a new question, bounds of the root's score, and
# the greatest score, regardless of sign, that was possible when its sign became known, 0 before that.
NODES, _DEPTH, _LOW, _HIGH, _HIGHEST, _STATE = range(6)

# The weights that order moves: a free square that completes a line for the side, one of them above a square that can be
# played, one that completes a line for the other side, a forced reply, a safe reply, half a column from the centre, and
# a row from the bottom.
_THREAT, _NEAR_THREAT, _COUNTER_THREAT, _FORCED, _REPLY, _ASIDE, _HEIGHT = 48, 12, -4, 20, -2, -4, -1


class Stack(NamedTuple):
    """The nodes from the root to the one being searched, with their lanes, and the state of the search."""

    words: np.ndarray  # uint64[levels * _LEVEL], the words of positions
    numbers: np.ndarray  # int64[levels * _LEVEL], their numbers
    nodes: np.ndarray  # int64[levels * _NODE], the numbers of nodes
    progress: np.ndarray  # int64[_STATE], the state of the search


def make_stack(squares: int) -> Stack:
    """Return the stack for the search of a board with this number of squares."""
    levels = squares + 2
    return Stack(
        words=np.zeros(levels * int(_LEVEL), dtype=np.uint64),
        numbers=np.zeros(levels * int(_LEVEL), dtype=np.int64),
        nodes=np.zeros(levels * _NODE, dtype=np.int64),
        progress=np.zeros(_STATE, dtype=np.int64),
    )


@jit
def start(board: Board, table: Bounds, stack: Stack, own: Word, other: Word) -> tuple[int, int]:
    """Make an unfinished position the root of the search; return bounds on its score."""
    grid = make_grid(board)
    taken = own | other
    ply = popcount(taken)
    winning = completing(grid, own) & playable(grid, taken)
    threats = completing(grid, other) & ~taken
    safe = safe_moves(grid, taken, threats)
    least, most = -score_of(grid, ply + 4), score_of(grid, ply + 3)
    if winning:
        least = most = score_of(grid, ply + 1)
    elif safe == np.uint64(0):
        least = most = -score_of(grid, ply + 2)
    elif ply >= grid.squares - 2:
        least = most = 0
    else:
        words, numbers = stack.words, stack.numbers
        words[_OWN], words[_OTHER], words[_SAFE] = own, other, safe
        words[_OWN_THREATS], words[_OTHER_THREATS] = completing(grid, own) & ~taken, threats
        first, second = make_key(grid, own, other, words[_OWN_THREATS], threats)
        if ply <= _MIRRORED_PLIES:
            first, second = mirror_key(grid, first, second)
        words[_FIRST_KEY], words[_SECOND_KEY] = first, second
        least, most = look_up(grid, table, first, second, least, most)
        numbers[_PLY], numbers[_LEAST], numbers[_MOST] = ply, least, most
    progress = stack.progress
    progress[_DEPTH], progress[_LOW], progress[_HIGH], progress[_HIGHEST] = -1, least, most, 0
    return least, most


@jit
def settle(board: Board, table: Bounds, stack: Stack, nodes: int) -> tuple[int, int]:
    """Search the root until its score is known, or `nodes` nodes have been entered; return bounds on the score.

    To resume, call again with a greater `nodes`; for a new position, call `start` first.
    """
    grid, progress = make_grid(board), stack.progress
    low, high = progress[_LOW], progress[_HIGH]
    while low < high:
        if progress[_HIGHEST] == 0 and (low > 0 or high < 0):
            progress[_HIGHEST] = max(high, -low)
        window = next_window(low, high, progress[_HIGHEST])
        score = _search(grid, table, stack, window, nodes)
        if score == _PAUSED:
            break
        if score >= window:
            low = progress[_LOW] = stack.numbers[_LEAST] = score
        else:
            high = progress[_HIGH] = stack.numbers[_MOST] = score
    return low, high


@jit
def settle_all(
    board: Board, table: Bounds, stack: Stack, positions: np.ndarray, scores: np.ndarray, done: int, nodes: int
) -> int:
    """Find the scores of unfinished positions until `nodes` nodes have been entered; return how many scores are known.

    Each row of `positions` contains the stones of the side to move and those of the other side. To resume, call again
    with the returned number as `done` and a greater `nodes`. For the first call, `done` is -1.
    """
    for i in range(max(done, 0), scores.size):
        low, high = stack.progress[_LOW], stack.progress[_HIGH]
        if i != done:
            low, high = start(board, table, stack, positions[i, 0], positions[i, 1])
        if low < high:
            low, high = settle(board, table, stack, nodes)
        if low < high:
            return i
        scores[i] = low
    return scores.size


@jit_within
def next_window(least: int, most: int, highest: int) -> int:
    """Choose the score to test next, above `least` and at most `most`.

    The sign is tested first. `highest` is the greatest absolute score that was possible when the sign became known.
    Games that end early are cheap to search, so four fifths and three fifths of `highest` are tested next. Then the
    scores follow one by one, beginning with those of the longest games.
    """
    if least <= 0 < most:
        return 1
    if least < 0 <= most:
        return 0
    for fifths in (4, 3):
        score = (fifths * highest + 4) // 5
        if least < score <= most:
            return score
        if least <= -score < most:
            return 1 - score
    return least + 1 if least > 0 else most


@jit_within
def _search(grid: Grid, table: Bounds, stack: Stack, window: int, nodes: int) -> int:
    """Decide by null-window search whether the root's score is at least `window`; pause after `nodes` nodes in all.

    Returns a bound on the score: a lower bound if the score is at least `window`, else an upper bound. If the search is
    paused, returns _PAUSED. `window` must be above the root's lower bound and at most its upper bound.
    """
    numbers, progress = stack.nodes, stack.progress
    depth = progress[_DEPTH]
    if depth < 0:
        depth = 0
        numbers[_WINDOW], numbers[_PLACE] = window, 0
    while True:
        if progress[NODES] >= nodes:
            progress[_DEPTH] = depth
            return _PAUSED
        node = depth * _NODE
        numbers[node + _ENTERED] = progress[NODES]
        progress[NODES] += 1
        score = _expand(grid, table, stack, depth)
        while score != _OPEN or numbers[node + _SEARCHED] == numbers[node + _LANES]:
            if score == _OPEN:
                score = numbers[node + _BEST]
            if numbers[node + _LANES] > 0:
                _keep(grid, table, stack, depth, score)
            if depth == 0:
                progress[_DEPTH] = -1
                return score
            score *= numbers[node + _SIGN]
            depth -= 1
            node -= _NODE
            numbers[node + _BEST] = max(numbers[node + _BEST], score)
            if score < numbers[node + _WINDOW]:
                score = _OPEN
        _descend(stack, depth)
        depth += 1


@jit_within
def _descend(stack: Stack, depth: int) -> None:
    """Make the child at the end of a node's next lane the current node."""
    nodes, node = stack.nodes, depth * _NODE
    place = stack.numbers[_level(depth + 1) + _ORDER + np.uint64(nodes[node + _SEARCHED])]
    plies = stack.numbers[np.uint64(place) + _PLY] - stack.numbers[np.uint64(nodes[node + _PLACE]) + _PLY]
    nodes[node + _SEARCHED] += 1
    child, window = node + _NODE, nodes[node + _WINDOW]
    nodes[child + _PLACE] = place
    if plies & 1:
        nodes[child + _SIGN], nodes[child + _WINDOW] = -1, 1 - window
    else:
        nodes[child + _SIGN], nodes[child + _WINDOW] = 1, window


@jit_within
def _level(depth: int) -> Word:
    return np.uint64(depth) * _LEVEL


@jit_within
def _keep(grid: Grid, table: Bounds, stack: Stack, depth: int, score: int) -> None:
    """Store the result of a node in the table."""
    node = depth * _NODE
    at = np.uint64(stack.nodes[node + _PLACE])
    if grid.squares - stack.numbers[at + _PLY] < _LEAST_KEPT:
        return
    least, most = stack.numbers[at + _LEAST], stack.numbers[at + _MOST]
    if score >= stack.nodes[node + _WINDOW]:
        least = score
    else:
        most = score
    work = stack.progress[NODES] - stack.nodes[node + _ENTERED]
    store(grid, table, stack.words[at + _FIRST_KEY], stack.words[at + _SECOND_KEY], least, most, work)


@jit_within
def _expand(grid: Grid, table: Bounds, stack: Stack, depth: int) -> int:
    """Return a node's result if the node needs no search; otherwise order its lanes and return _OPEN."""
    words, numbers, node = stack.words, stack.numbers, depth * _NODE
    at, level = np.uint64(stack.nodes[node + _PLACE]), _level(depth + 1)
    ply, window = numbers[at + _PLY], stack.nodes[node + _WINDOW]
    stack.nodes[node + _LANES] = stack.nodes[node + _SEARCHED] = 0
    lanes = _list_moves(grid, words, numbers, at, level)
    if not _play_moves(grid, words, at, level, lanes):
        return score_of(grid, ply + 3)
    most = min(numbers[at + _MOST], score_of(grid, ply + 5))
    numbers[at + _MOST] = most
    if most < window:
        return most
    for lane in range(lanes):
        _play_forced(grid, words, numbers, level + np.uint64(lane), ply + 1)
    _follow_up_lanes(grid, words, level)
    _bound_lanes(grid, words, numbers, level)
    best = _NOTHING
    for lane in range(lanes):
        place = level + np.uint64(lane)
        best = max(best, -numbers[place + _MOST] if (numbers[place + _PLY] - ply) & 1 else numbers[place + _LEAST])
    if best >= window:
        return best
    _set_keys(grid, words, level)
    for lane in range(lanes):
        place = level + np.uint64(lane)
        if numbers[place + _PLY] <= _MIRRORED_PLIES:
            first, second = mirror_key(grid, words[place + _FIRST_KEY], words[place + _SECOND_KEY])
            words[place + _FIRST_KEY], words[place + _SECOND_KEY] = first, second
        prefetch_bucket(grid, table, words[place + _FIRST_KEY], words[place + _SECOND_KEY])
    _rank_lanes(grid, words, numbers, level, ply)
    return _sort_lanes(grid, table, stack, depth, lanes)


@jit_within
def _list_moves(grid: Grid, words: np.ndarray, numbers: np.ndarray, at: Word, level: Word) -> int:
    """Assign a lane to each safe move of a node; the lane's initial rank depends on the square of the move.

    Returns the number of lanes.
    """
    moves, column = words[at + _SAFE], grid.column
    centre = grid.columns - 1
    lane = level
    for number in range(grid.columns):
        move = moves & column
        words[lane + _SAFE] = move  # the next column takes this lane if there is no move
        row = popcount((move - ONE) & column)
        numbers[lane + _RANK] = _HEIGHT * row + _ASIDE * abs(2 * number - centre)
        lane += np.uint64(move != np.uint64(0))
        column <<= grid.diagonals[0]
    return np.int64(lane - level)  # type: ignore[return-value] # int() would stay unsigned in Numba


@jit_within
def _play_moves(grid: Grid, words: np.ndarray, at: Word, level: Word, lanes: int) -> bool:
    """Play the move of each lane; return False if any of these moves leaves the other side no safe reply."""
    own, other, threats = words[at + _OWN], words[at + _OTHER], words[at + _OTHER_THREATS]
    for i in range(grid.lanes):
        lane = level + np.uint64(i)
        move = words[lane + _SAFE]
        stones = own | move
        taken = other | stones
        new_threats = completing(grid, stones) & ~taken
        words[lane + _OWN] = other
        words[lane + _OTHER] = stones
        words[lane + _OWN_THREATS] = threats & ~move
        words[lane + _OTHER_THREATS] = new_threats
        words[lane + _SAFE] = safe_moves(grid, taken, new_threats)
    for i in range(lanes):
        if words[level + np.uint64(i) + _SAFE] == np.uint64(0):
            return False
    return True


@jit_within
def _play_forced(grid: Grid, words: np.ndarray, numbers: np.ndarray, lane: Word, ply: int) -> None:
    """Continue a lane as long as there is exactly one safe move."""
    safe = words[lane + _SAFE]
    while safe & (safe - ONE) == np.uint64(0) and safe and ply < grid.squares - 2:
        own, other = words[lane + _OTHER], words[lane + _OWN] | safe
        own_threats, threats = words[lane + _OTHER_THREATS] & ~safe, completing(grid, other) & ~(own | other)
        words[lane + _OWN], words[lane + _OTHER] = own, other
        words[lane + _OWN_THREATS], words[lane + _OTHER_THREATS] = own_threats, threats
        safe = safe_moves(grid, own | other, threats)
        ply += 1
    words[lane + _SAFE], numbers[lane + _PLY] = safe, ply


@jit_within
def _follow_up_lanes(grid: Grid, words: np.ndarray, level: Word) -> None:
    """Store the result of the follow-up strategy for each lane's child."""
    for i in range(grid.lanes):
        lane = level + np.uint64(i)
        own, other, threats = words[lane + _OWN], words[lane + _OTHER], words[lane + _OTHER_THREATS]
        own_line, closed, other_line = follow_up(grid, own, other, threats)
        words[lane + _OWN_LINE] = own_line
        words[lane + _CLOSED] = closed
        words[lane + _OTHER_LINE] = other_line


@jit_within
def _bound_lanes(grid: Grid, words: np.ndarray, numbers: np.ndarray, level: Word) -> None:
    """Set the bounds on the score of each lane's child."""
    for i in range(grid.lanes):
        lane = level + np.uint64(i)
        ply = numbers[lane + _PLY]
        most = bound_by(grid, words[lane + _OWN_LINE], words[lane + _CLOSED], words[lane + _OTHER_LINE])
        least, most = -score_of(grid, ply + 4), min(most, score_of(grid, ply + 3))
        is_full = ply >= grid.squares - 2
        least, most = (0, 0) if is_full else (least, most)
        lost = -score_of(grid, ply + 2)
        is_lost = words[lane + _SAFE] == np.uint64(0)
        numbers[lane + _LEAST] = lost if is_lost else least
        numbers[lane + _MOST] = lost if is_lost else most


@jit_within
def _set_keys(grid: Grid, words: np.ndarray, level: Word) -> None:
    for i in range(grid.lanes):
        lane = level + np.uint64(i)
        own_threats, other_threats = words[lane + _OWN_THREATS], words[lane + _OTHER_THREATS]
        first, second = make_key(grid, words[lane + _OWN], words[lane + _OTHER], own_threats, other_threats)
        words[lane + _FIRST_KEY] = first
        words[lane + _SECOND_KEY] = second


@jit_within
def _rank_lanes(grid: Grid, words: np.ndarray, numbers: np.ndarray, level: Word, ply: int) -> None:
    """Adjust the rank of each lane by the threats and replies in its child."""
    for i in range(grid.lanes):
        lane = level + np.uint64(i)
        plies = numbers[lane + _PLY] - ply
        is_own_turn = np.uint64(plies & 1) - ONE  # all bits, or none
        difference = (words[lane + _OWN_THREATS] ^ words[lane + _OTHER_THREATS]) & is_own_turn
        own, other = words[lane + _OTHER_THREATS] ^ difference, words[lane + _OWN_THREATS] ^ difference
        never = never_filled(grid, own, other)
        own &= ~never
        other &= ~never
        near = own & (playable(grid, words[lane + _OWN] | words[lane + _OTHER]) << ONE)
        threats = _THREAT * popcount(own) + _NEAR_THREAT * popcount(near) + _COUNTER_THREAT * popcount(other)
        replies = popcount(words[lane + _SAFE]) * (2 * (plies & 1) - 1)
        numbers[lane + _RANK] += threats + _FORCED * (plies - 1) + _REPLY * replies


@jit_within
def _sort_lanes(grid: Grid, table: Bounds, stack: Stack, depth: int, lanes: int) -> int:
    """Return the result of a node if its children's bounds decide it; otherwise order its lanes and return _OPEN."""
    words, numbers, node, level = stack.words, stack.numbers, depth * _NODE, _level(depth + 1)
    at, window = np.uint64(stack.nodes[node + _PLACE]), stack.nodes[node + _WINDOW]
    best = most = dropped = _NOTHING
    order = last = level + _ORDER
    for i in range(lanes):
        lane = level + np.uint64(i)
        low, high = numbers[lane + _LEAST], numbers[lane + _MOST]
        if low < high and grid.squares - numbers[lane + _PLY] >= _LEAST_KEPT:
            low, high = look_up(grid, table, words[lane + _FIRST_KEY], words[lane + _SECOND_KEY], low, high)
            numbers[lane + _LEAST], numbers[lane + _MOST] = low, high
        if (numbers[lane + _PLY] - numbers[at + _PLY]) & 1:
            low, high = -high, -low
        best, most = max(best, low), max(most, high)
        if high < window:
            dropped = max(dropped, high)
            continue
        place, rank = last, numbers[lane + _RANK]
        while place > order and numbers[np.uint64(numbers[place - ONE]) + _RANK] < rank:
            numbers[place] = numbers[place - ONE]
            place -= ONE
        numbers[place] = np.int64(lane)
        last += ONE
    numbers[at + _MOST] = min(numbers[at + _MOST], most)
    if best >= window or last == order:
        score = best if best >= window else most
        _keep(grid, table, stack, depth, score)
        return score
    stack.nodes[node + _BEST], stack.nodes[node + _LANES] = dropped, np.int64(last - order)
    return _OPEN
