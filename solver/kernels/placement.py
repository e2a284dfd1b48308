"""The bit-sliced solver for games where a stone goes on any free square.

A page holds one X-set x and answers, for every O-set on its free squares at once, yes or no questions, a plane each:

    "the game ends by X's line at ply <= h", h odd,   and   "... by O's line at ply <= h", h even,

for every horizon h that is still to come, the latest first. Planes of one kind are nested. With only the last
horizon of each kind they say win, draw or loss; with all of them they say the distance too. The side whose line it
is wants that end (in misere, dreads it), so on its move a plane is the OR over the moves, and on the other side's
move the AND. An AND is done as an OR of complements: `flip` is all ones for it, and then a move that is not there
adds nothing to either.

The pages of x with X to move come from the pages of x + one square with O to move; those with O to move from the same
page with X to move, where an O stone on index bit i moves bit j to j + 2**i. So X-sets are swept from the largest down
and only positions with O to move are kept between levels, as the file has them: a sign and the digits of a count, and
of each plane the bits of the O-sets that can occur, a fifth of it. (Bit-slicing endgames over the placements of one
side goes back to Stroehlein, "Untersuchungen ueber kombinatorische Spiele", 1970.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import inlined, jit
from solver.kernels.layers import Layer, Room, bring_in, fold, fold_two, unfold_two
from solver.kernels.lines import buildable_plane, line_plane
from solver.kernels.moves import add_stones, end_game
from solver.kernels.orbits import has_line, mask_image
from solver.kernels.pages import append_bits, count_plane, digit_plane, plane_step, tally_live
from solver.kernels.permute import image_order, unfold_permuted
from solver.kernels.threats import count_completions, count_lacking, mark_lines, open_lines
from solver.kernels.words import FULL, ONE, ZERO, copy, invert, or_into, popcount, word_count


class Board(NamedTuple):
    """What does not change during a solve. N squares, G symmetries."""

    squares: int
    lines: np.ndarray  # int64[L], masks
    guards: np.ndarray  # int64[L], masks, 0 unless the rules are exact
    permutations: np.ndarray  # int64[G, N]
    page: np.ndarray  # int32[2**N], see orbits.classify
    via: np.ndarray  # uint16[2**N]
    misere: bool
    exact: bool


class Turn(NamedTuple):
    """The O-sets of a page with one side to move: those of so many stones."""

    stones: int
    layer: Layer
    room: Room
    whole: Layer  # the layer in whole planes, if lines are exact


class Level(NamedTuple):
    """All pages with the same number of X stones, a."""

    stones: int
    keys: np.ndarray  # int64[C], the canonical X-sets
    sizes: np.ndarray  # int32[C], X-sets in each class
    by_x: int  # planes ended by X's line
    by_o: int  # planes ended by O's line
    digits: int  # binary digits kept of a count
    page_bytes: int
    o_turn: Turn  # O to move: a - 1 stones of O
    x_turn: Turn  # X to move: a stones of O


class Scratch(NamedTuple):
    """What a page is solved in, made once for many: half planes of `words`, W folded."""

    wide: np.ndarray  # uint64[2, 2 * words], half planes two by two
    numbers: np.ndarray  # uint32[words], the order of words
    place: np.ndarray  # int64[N], the index bits of the squares of an image
    source: np.ndarray  # int64[N], and in which order they are wanted
    waiting: np.ndarray  # int64[N], squares that lead to turned children
    child: np.ndarray  # uint64[D, W], the sign and the digits of a child
    turned: np.ndarray  # uint64[P, W], what turned children come to
    folded: np.ndarray  # uint64[4, W]
    lines: np.ndarray  # int64[L, 2], those that O can still have
    one_off: np.ndarray  # uint64[L * W], for each line the O-sets that hold it all but for a square
    stream: np.ndarray  # uint64[], a plane of the page in the file


@jit
def solve_pages(
    board: Board,
    level: Level,
    below: Level,
    first: int,
    last: int,
    children: np.ndarray,
    kept: np.ndarray,
    raw: np.ndarray,
    tally: np.ndarray,
) -> None:
    """Solve pages first..last-1 of a level, from those of `below`, which have one stone more.

    `children` is uint64[C', digits' + 1, W']: the pages of `below` with O to move, as kept; it has no rows at the
    largest size, where `below` is not looked at. Results: kept (uint64[C, digits + 1, W], O to move), raw
    (uint8[last - first, page_bytes], the pages as stored) and tally (int64[2, P + 1], added to): positions with O to
    move, then with X to move, for which each plane holds, and all of them.
    """
    planes = level.by_x + level.by_o
    o_words, x_words = level.o_turn.room.lacks.shape[1], level.x_turn.room.lacks.shape[1]
    o_turn = np.empty((planes, o_words), dtype=np.uint64)
    x_turn = np.empty((planes, x_words), dtype=np.uint64)
    o_live, o_stored = np.empty((2, o_words), dtype=np.uint64)
    with_line, x_live, x_stored = np.empty((3, x_words), dtype=np.uint64)
    scratch = _make_scratch(board, level, children.shape[1])
    for c in range(first, last):
        x = level.keys[c]
        free = ~x & ((1 << board.squares) - 1)
        lines = scratch.lines[: open_lines(free, board.lines, board.guards, scratch.lines)]
        wins = _x_moves(board, level, below, x, children, scratch, x_turn)
        _look_at(board, level.x_turn, True, free, lines, wins, scratch, with_line, x_live, x_stored)
        end_game(x_turn, level.by_x, with_line, False)
        _o_moves(x_turn, level, board.misere, scratch.wide, o_turn)
        _look_at(board, level.o_turn, False, free, lines, wins, scratch, scratch.folded[0, :o_words], o_live, o_stored)
        tally_live(o_turn, o_live, level.sizes[c], tally[0])
        tally_live(x_turn, x_live, level.sizes[c], tally[1])
        _keep(level, o_turn, o_live, kept[c])
        _store(level, kept[c], o_stored, x_turn, x_stored, scratch, raw[c - first])


@jit
def _make_scratch(board: Board, level: Level, child_planes: int) -> Scratch:
    """Scratch for the pages of a level."""
    words = word_count(board.squares - level.stones - 1)
    o_words, x_words = level.o_turn.room.lacks.shape[1], level.x_turn.room.lacks.shape[1]
    most = max(o_words, x_words)
    return Scratch(
        np.empty((2, 2 * words), dtype=np.uint64),
        np.empty(words, dtype=np.uint32),
        np.empty(board.squares, dtype=np.int64),
        np.empty(board.squares, dtype=np.int64),
        np.empty(board.squares, dtype=np.int64),
        np.empty((child_planes, x_words), dtype=np.uint64),
        np.empty((level.by_x + level.by_o, x_words), dtype=np.uint64),
        np.empty((4, most), dtype=np.uint64),
        np.empty((board.lines.size, 2), dtype=np.int64),
        np.empty(board.lines.size * most, dtype=np.uint64),
        np.empty(o_words + x_words + 2, dtype=np.uint64),
    )


@inlined
def _x_moves(
    board: Board, level: Level, below: Level, x: int, children: np.ndarray, scratch: Scratch, x_turn: np.ndarray
) -> int:
    """Fill `x_turn` with the planes of x, X to move, lines of O not yet looked at.

    Returns the index bits of the squares that complete a line of X.
    """
    flip_x = FULL if board.misere else ZERO
    room = level.x_turn.room
    plane = scratch.folded[0, : room.lacks.shape[1]]
    x_turn[:] = ZERO
    wins = waiting = 0
    i = -1
    for square in range(board.squares):
        child = x | 1 << square
        if child == x:
            continue
        i += 1
        known_x, known_o = 0, 0
        ended = False
        page = board.page[child]
        if page >= 0:
            known_x, known_o = below.by_x, below.by_o
            if below.keys[page] == child:
                bring_in(children[page], i, room, scratch.child)
                _merge_page(scratch.child, known_x, known_o, room.lacks[i], flip_x, plane, x_turn, level.by_x)
            else:
                scratch.waiting[waiting] = square
                waiting += 1
        elif has_line(child, board.lines, board.guards):
            ended = True
            wins |= 1 << i
        _add_unanswered(room.lacks[i], ended, known_x, known_o, level.by_x, flip_x, x_turn)
    while waiting:
        waiting = _turned_moves(board, level, below, x, children, waiting, scratch, x_turn)
    for p in range(level.by_x + level.by_o):
        invert(x_turn[p], flip_x if p < level.by_x else ~flip_x)
    if level.x_turn.stones == room.lacks.shape[0]:
        # With no free square left nothing is forced any more: the AND over no moves must not say yes.
        x_turn[:] = ZERO
    return wins


@jit
def _add_unanswered(
    lacks: np.ndarray, ended: bool, known_x: int, known_o: int, by_x: int, flip_x: np.uint64, x_turn: np.ndarray
) -> None:
    """OR into `x_turn` what a child does not answer: the same for all its O-sets, yes if X's line is there, else no."""
    if ended != (flip_x == FULL):
        for p in range(known_x, by_x):
            or_into(lacks, x_turn[p])
    if flip_x != FULL:
        for p in range(by_x + known_o, x_turn.shape[0]):
            or_into(lacks, x_turn[p])


@inlined
def _turned_moves(
    board: Board,
    level: Level,
    below: Level,
    x: int,
    children: np.ndarray,
    waiting: int,
    scratch: Scratch,
    x_turn: np.ndarray,
) -> int:
    """Merge into `x_turn` the waiting children of x whose pages are seen from the same side as the first one's.

    The permutation that brings them to their canonical X-sets brings x to an image. The pages are merged as they are
    kept into planes of that image, and those are turned. Returns how many children still wait.
    """
    everywhere = (1 << board.squares) - 1
    flip_x = FULL if board.misere else ZERO
    room, turned = level.x_turn.room, scratch.turned
    plane = scratch.folded[0, : room.lacks.shape[1]]
    via = board.via[x | 1 << scratch.waiting[0]]
    permutation = board.permutations[via]
    image_free = ~mask_image(x, permutation) & everywhere
    turned[:] = ZERO
    left = 0
    for k in range(waiting):
        square = scratch.waiting[k]
        child = x | 1 << square
        if board.via[child] == via:
            i = popcount(np.uint64(image_free & ((1 << permutation[square]) - 1)))
            bring_in(children[board.page[child]], i, room, scratch.child)
            _merge_page(scratch.child, below.by_x, below.by_o, room.lacks[i], flip_x, plane, turned, level.by_x)
        else:
            scratch.waiting[left] = square
            left += 1
    layer, planes = level.x_turn.layer, scratch.wide[0]
    for p in range(0, turned.shape[0], 2):
        q = min(p + 1, turned.shape[0] - 1)
        index_bits = image_order(~x & everywhere, image_free, permutation, scratch.place, scratch.source)
        unfold_permuted(turned[p], turned[q], layer, scratch.source, index_bits, scratch.numbers, planes)
        fold_two(planes, layer, turned[p], turned[q])
        or_into(turned[p], x_turn[p])
        or_into(turned[q], x_turn[q])
    return left


@jit
def _merge_page(
    child: np.ndarray,
    child_by_x: int,
    child_by_o: int,
    lacks: np.ndarray,
    flip_x: np.uint64,
    plane: np.ndarray,
    x_turn: np.ndarray,
    by_x: int,
) -> None:
    """OR into `x_turn`, where O-sets lack a square, the planes of the child (uint64[D, W]) that has it."""
    for p in range(max(child_by_x, child_by_o)):
        count_plane(child, p + 1, plane)
        if p < child_by_x:
            _merge_plane(plane, child[0], FULL, flip_x, lacks, x_turn[p])
        if p < child_by_o:
            _merge_plane(plane, child[0], ZERO, ~flip_x, lacks, x_turn[by_x + p])


@jit
def _merge_plane(
    plane: np.ndarray, sign: np.ndarray, turned: np.uint64, flip: np.uint64, lacks: np.ndarray, target: np.ndarray
) -> None:
    """OR one of the planes of a child into one of the page, where the sign (or, `turned`, its complement) is set."""
    for w in range(target.size):
        target[w] |= ((plane[w] & (sign[w] ^ turned)) ^ flip) & lacks[w]


@inlined
def _o_moves(x_turn: np.ndarray, level: Level, misere: bool, wide: np.ndarray, o_turn: np.ndarray) -> None:
    """Fill `o_turn` with the planes with O to move, from those of the same X-set with X to move."""
    words = level.x_turn.layer.places.size
    for p in range(x_turn.shape[0]):
        invert(x_turn[p], FULL if (p < level.by_x) != misere else ZERO)
    for p in range(0, x_turn.shape[0], 2):
        q = min(p + 1, x_turn.shape[0] - 1)
        unfold_two(x_turn[p], x_turn[q], level.x_turn.layer, wide[0])
        for first in (0, words):  # one after the other, because both do not fit into the first-level cache
            add_stones(wide[0, first : first + words], level.x_turn.room.lacks.shape[0], wide[1, first : first + words])
        fold_two(wide[1], level.o_turn.layer, o_turn[p], o_turn[q])
    for p in range(x_turn.shape[0]):
        flip = FULL if (p < level.by_x) != misere else ZERO
        invert(x_turn[p], flip)
        invert(o_turn[p], flip)


@inlined
def _look_at(
    board: Board,
    turn: Turn,
    x_to_move: bool,
    free: int,
    lines: np.ndarray,
    wins: int,
    scratch: Scratch,
    with_line: np.ndarray,
    live: np.ndarray,
    stored: np.ndarray,
) -> None:
    """Mark the O-sets of a page that have a line, where play goes on, and which of those threats do not settle.

    Threats settle a position when the side to move can complete a line, or when it can't and the other side could do
    so on two squares (see store.layout). `wins` are the squares where X can, `lines` those that O can have. All
    results are uint64[W].
    """
    lacks, words = turn.room.lacks, live.size
    there = scratch.folded[3, :words]
    # A view of some of its columns would have rows that are not known to lie in one piece.
    one_off = scratch.one_off[: lines.shape[0] * words].reshape(lines.shape[0], words)
    mark_lines(lines, lacks, one_off, there, with_line)
    if board.exact:
        whole_words = turn.whole.places.size
        line_plane(free, lacks.shape[0], board.lines, board.guards, scratch.wide[0, :whole_words])
        buildable_plane(scratch.wide[0, :whole_words], lacks.shape[0], scratch.wide[1, :whole_words])
        fold(scratch.wide[1], turn.whole, live)
    else:
        for w in range(words):
            live[w] = ~with_line[w]
    bits = turn.layer.starts[turn.layer.places.size]
    if turn.stones == lacks.shape[0]:  # the board is full
        bits = 0
    live[bits >> 6] &= (ONE << np.uint64(bits & 63)) - ONE
    live[(bits >> 6) + 1 :] = ZERO
    if board.misere:
        for w in range(words):
            stored[w] = live[w]
        return
    once, twice = scratch.folded[1, :words], scratch.folded[2, :words]
    count_lacking(wins, lacks, once, twice)
    by_x = once if x_to_move else twice
    for w in range(words):
        stored[w] = live[w] & ~by_x[w]
    count_completions(lines, lacks, one_off, there, once, twice)
    by_o = twice if x_to_move else once
    for w in range(words):
        stored[w] &= ~by_o[w]


@inlined
def _keep(level: Level, o_turn: np.ndarray, live: np.ndarray, kept: np.ndarray) -> None:
    """Write what the level above reads: every position with O to move, settled by threats or not."""
    for plane in range(level.digits + 1):
        digit_plane(o_turn, level.by_x, plane_step(plane), live, kept[plane])


@inlined
def _store(
    level: Level,
    kept: np.ndarray,
    o_stored: np.ndarray,
    x_turn: np.ndarray,
    x_stored: np.ndarray,
    scratch: Scratch,
    raw: np.ndarray,
) -> None:
    """Write a page as the file has it, the sign plane, then a plane for each digit of the count."""
    plane_bytes = level.page_bytes // (level.digits + 1)
    first = level.o_turn.layer.starts[level.o_turn.layer.places.size]
    stream, x_plane = scratch.stream, scratch.folded[0, : x_stored.size]
    for plane in range(level.digits + 1):
        o_plane = kept[plane]
        for w in range(o_stored.size):
            stream[w] = o_plane[w] & o_stored[w]
        stream[o_stored.size :] = ZERO
        digit_plane(x_turn, level.by_x, plane_step(plane), x_stored, x_plane)
        append_bits(x_plane, first, stream)
        copy(stream.view(np.uint8), raw[plane * plane_bytes : (plane + 1) * plane_bytes])
