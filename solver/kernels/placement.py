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

from solver.kernels.jit import jit
from solver.kernels.lines import buildable_plane, last_place, line_plane
from solver.kernels.moves import add_all_without, count_absent, count_moves, end_game, insert_bit, or_runs
from solver.kernels.orbits import has_line, mask_image
from solver.kernels.pages import append_layer, count_plane, digit_plane, layer_of, tally_layer
from solver.kernels.permute import Layer, image_order, unfold_planes
from solver.kernels.words import ABSENT, FULL, WORD_BITS, ZERO, word_count


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


class Level(NamedTuple):
    """All pages with the same number of X stones."""

    stones: int
    keys: np.ndarray  # int64[C], the canonical X-sets
    sizes: np.ndarray  # int32[C], X-sets in each class
    by_x: int  # planes ended by X's line
    by_o: int  # planes ended by O's line
    digits: int  # binary digits kept of a count
    page_bytes: int
    layer: Layer  # the O-sets with O to move, as they lie in a kept plane


class Scratch(NamedTuple):
    """What a page is solved in, made once for many."""

    unfolded: np.ndarray  # uint64[D, words'], the sign and the digits of a child
    plane: np.ndarray  # uint64[words'], one of its planes
    numbers: np.ndarray  # uint32[words'], where its words are
    place: np.ndarray  # int64[N], the index bits of its squares
    source: np.ndarray  # int64[N], and in which order they are wanted
    counted: np.ndarray  # uint64[4, words], threats of either side


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

    `children` is uint64[C', digits' + 1, words']: the pages of `below` with O to move, as kept; it has no rows at the
    largest size, where `below` is not looked at. Results: kept (uint64[C, digits + 1, words], O to move), raw
    (uint8[last - first, page_bytes], the pages as stored) and tally (int64[2, P + 1], added to): positions with O to
    move, then with X to move, for which each plane holds, and all of them.
    """
    index_bits = board.squares - level.stones
    words = word_count(index_bits)
    planes = level.by_x + level.by_o
    x_turn = np.empty((planes, words), dtype=np.uint64)
    o_turn = np.empty((planes, words), dtype=np.uint64)
    with_line = np.empty(words, dtype=np.uint64)
    live = np.empty(words, dtype=np.uint64)
    stored = np.empty((2, words), dtype=np.uint64)
    child_words = word_count(index_bits - 1)
    scratch = Scratch(
        np.empty((children.shape[1], child_words), dtype=np.uint64),
        np.empty(child_words, dtype=np.uint64),
        np.empty(child_words, dtype=np.uint32),
        np.empty(board.squares, dtype=np.int64),
        np.empty(board.squares, dtype=np.int64),
        np.empty((4, words), dtype=np.uint64),
    )
    stream = np.empty((level.page_bytes + 7) // 8 + 2, dtype=np.uint64)
    x_layer = layer_of(index_bits, level.stones)
    for c in range(first, last):
        x = level.keys[c]
        free = ~x & ((1 << board.squares) - 1)
        line_plane(free, index_bits, board.lines, board.guards, with_line)
        buildable_plane(with_line, index_bits, board.exact, live)
        live[words - 1] &= ~last_place(index_bits)  # O on every free square: the board is full
        _x_moves(board, level, below, x, index_bits, children, scratch, x_turn)
        end_game(x_turn, level.by_x, with_line, False)
        _o_moves(x_turn, level.by_x, index_bits, board.misere, o_turn)
        tally_layer(o_turn, live, level.layer.places, level.sizes[c], tally[0])
        tally_layer(x_turn, live, x_layer.places, level.sizes[c], tally[1])
        _unsettled(board, x, index_bits, with_line, live, scratch.counted, stored)
        _store(level, x_layer, o_turn, x_turn, live, stored, with_line, stream, kept[c], raw[c - first])


@jit
def _x_moves(
    board: Board,
    level: Level,
    below: Level,
    x: int,
    index_bits: int,
    children: np.ndarray,
    scratch: Scratch,
    x_turn: np.ndarray,
) -> None:
    """Fill `x_turn` with the planes of x, X to move, lines of O not yet looked at."""
    flip_x = FULL if board.misere else ZERO
    x_turn[:] = ZERO
    i = -1
    for square in range(board.squares):
        child = x | 1 << square
        if child == x:
            continue
        i += 1
        known_x, known_o = 0, 0
        if board.page[child] >= 0:
            _unfold_page(board, below, child, index_bits - 1, children, scratch)
            _merge_page(level, below, i, index_bits, scratch.unfolded, flip_x, scratch.plane, x_turn)
            known_x, known_o = below.by_x, below.by_o
        # What the child does not answer is the same for all its O-sets: yes if X's line is there, else no.
        ended = board.page[child] < 0 and has_line(child, board.lines, board.guards)
        if ended != (flip_x == FULL):
            for p in range(known_x, level.by_x):
                add_all_without(x_turn[p], i)
        if flip_x != FULL:
            for p in range(level.by_x + known_o, level.by_x + level.by_o):
                add_all_without(x_turn[p], i)
    for p in range(level.by_x + level.by_o):
        flip = flip_x if p < level.by_x else ~flip_x
        for w in range(x_turn.shape[1]):
            x_turn[p, w] ^= flip
        # With no free square left nothing is forced any more: the AND over no moves must not say yes.
        x_turn[p, x_turn.shape[1] - 1] &= ~last_place(index_bits)


@jit
def _unfold_page(
    board: Board, below: Level, child: int, index_bits: int, children: np.ndarray, scratch: Scratch
) -> None:
    """Fill `scratch.unfolded` with the sign and the digits of a child, from the page of its canonical X-set."""
    everywhere = (1 << board.squares) - 1
    permutation = board.permutations[board.via[child]]
    image_free = ~mask_image(child, permutation) & everywhere
    image_order(~child & everywhere, image_free, permutation, scratch.place, scratch.source)
    page, out = children[board.page[child]], scratch.unfolded.reshape(-1)
    unfold_planes(page, below.layer, scratch.source, index_bits, scratch.numbers, out)


@jit
def _merge_page(
    level: Level,
    below: Level,
    i: int,
    index_bits: int,
    unfolded: np.ndarray,
    flip_x: np.uint64,
    plane: np.ndarray,
    x_turn: np.ndarray,
) -> None:
    """OR into `x_turn` the planes of a child, whose X-set has the square of index bit i more."""
    for p in range(below.by_x):
        count_plane(unfolded, p + 1, plane)
        for w in range(plane.size):
            plane[w] &= ~unfolded[0, w]
        insert_bit(plane, i, 0, flip_x, index_bits, x_turn[p])
    for p in range(below.by_o):
        if p == 0:  # where the sign is set something is counted
            plane[:] = unfolded[0]
        else:
            count_plane(unfolded, p + 1, plane)
            for w in range(plane.size):
                plane[w] &= unfolded[0, w]
        insert_bit(plane, i, 0, ~flip_x, index_bits, x_turn[level.by_x + p])


@jit
def _o_moves(x_turn: np.ndarray, by_x: int, index_bits: int, misere: bool, o_turn: np.ndarray) -> None:
    """Fill `o_turn` with the planes with O to move, from those of the same X-set with X to move."""
    words = x_turn.shape[1]
    for p in range(x_turn.shape[0]):
        flip = FULL if (p < by_x) != misere else ZERO
        source = x_turn[p]
        target = o_turn[p]
        for w in range(words):
            word = source[w] ^ flip
            found = ZERO
            for i in range(min(WORD_BITS, index_bits)):
                found |= (word >> np.uint64(1 << i)) & ABSENT[i]
            target[w] = found
        for b in range(index_bits - WORD_BITS):
            run = 1 << b
            or_runs(target, 0, 2 * run, source, run, 2 * run, run, flip)
        for w in range(words):
            target[w] ^= flip


@jit
def _unsettled(
    board: Board,
    x: int,
    index_bits: int,
    with_line: np.ndarray,
    live: np.ndarray,
    counted: np.ndarray,
    stored: np.ndarray,
) -> None:
    """Fill `stored` (uint64[2, words]) with the live positions, O to move and X to move, that threats do not settle.

    Threats settle a position when the side to move can complete a line, or when it can't and the other side could do
    so on two squares (see store.layout).
    """
    stored[0] = live
    stored[1] = live
    if board.misere:
        return
    o_once, o_twice, x_once, x_twice = counted[0], counted[1], counted[2], counted[3]
    count_moves(with_line, index_bits, o_once, o_twice)
    wins, i = 0, 0
    for square in range(board.squares):
        if not x >> square & 1:
            if has_line(x | 1 << square, board.lines, board.guards):
                wins |= 1 << i
            i += 1
    count_absent(wins, x_once, x_twice)
    for w in range(live.size):
        stored[0, w] &= ~(o_once[w] | x_twice[w])
        stored[1, w] &= ~(x_once[w] | o_twice[w])


@jit
def _store(
    level: Level,
    x_layer: Layer,
    o_turn: np.ndarray,
    x_turn: np.ndarray,
    live: np.ndarray,
    stored: np.ndarray,
    scratch: np.ndarray,
    stream: np.ndarray,
    kept: np.ndarray,
    raw: np.ndarray,
) -> None:
    """Write a page as the file has it, the sign plane, then a plane for each digit of the count.

    What is kept for the level above has every position with O to move, settled by threats or not.
    """
    plane_bytes = level.page_bytes // (level.digits + 1)
    kept[:] = ZERO
    for plane in range(level.digits + 1):
        stream[:] = ZERO
        step = 0 if plane == 0 else 1 << (plane - 1)
        digit_plane(o_turn, level.by_x, step, live, scratch)
        append_layer(scratch, level.layer, kept[plane], 0)
        for w in range(scratch.size):
            scratch[w] &= stored[0, w]
        at = append_layer(scratch, level.layer, stream, 0)
        digit_plane(x_turn, level.by_x, step, stored[1], scratch)
        append_layer(scratch, x_layer, stream, at)
        raw[plane * plane_bytes : (plane + 1) * plane_bytes] = stream.view(np.uint8)[:plane_bytes]
