"""X's moves: the pages of an X-set with X to move, from those of the X-sets with a square more and O to move.

A child's page is kept for its canonical X-set alone. If that is the child itself, room is made in its planes for the
square more, and they are merged. Otherwise the permutation that brings the child there brings its parent to an image:
the children that share it are merged in planes of that image, which are then turned.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.layers import Layer, Room, bring_in, fold_two
from solver.kernels.orbits import has_line, mask_image
from solver.kernels.pages import count_plane
from solver.kernels.permute import image_order, unfold_permuted
from solver.kernels.words import FULL, ZERO, invert, or_into, popcount


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


class Children(NamedTuple):
    """The pages of the level with a stone more, O to move."""

    keys: np.ndarray  # int64[C], their canonical X-sets
    by_x: int  # planes ended by X's line
    by_o: int  # planes ended by O's line
    pages: np.ndarray  # uint64[C, D, W'], a sign and the digits of a count, folded


class Bench(NamedTuple):
    """What X's moves are worked out on, made once for many pages: half planes of `words`, W folded."""

    planes: np.ndarray  # uint64[2 * words], two half planes
    numbers: np.ndarray  # uint32[words], the order of words
    place: np.ndarray  # int64[N], the index bits of the squares of an image
    source: np.ndarray  # int64[N], and in which order they are wanted
    waiting: np.ndarray  # int64[N], squares that lead to turned children
    child: np.ndarray  # uint64[D, W], the sign and the digits of a child
    plane: np.ndarray  # uint64[W]
    turned: np.ndarray  # uint64[P, W], what turned children come to


@jit
def x_moves(board: Board, turn: Turn, by_x: int, x: int, children: Children, bench: Bench, x_turn: np.ndarray) -> int:
    """Fill `x_turn` (uint64[P, W], `by_x` of them ended by X's line) with the planes of x, X to move.

    Lines of O are not yet looked at. Returns the index bits of the squares that complete a line of X.
    """
    flip_x = FULL if board.misere else ZERO
    room = turn.room
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
            known_x, known_o = children.by_x, children.by_o
            if children.keys[page] == child:
                bring_in(children.pages[page], i, room, bench.child)
                _merge_page(bench.child, known_x, known_o, room.lacks[i], flip_x, bench.plane, x_turn, by_x)
            else:
                bench.waiting[waiting] = square
                waiting += 1
        elif has_line(child, board.lines, board.guards):
            ended = True
            wins |= 1 << i
        _add_unanswered(room.lacks[i], ended, known_x, known_o, by_x, flip_x, x_turn)
    while waiting:
        waiting = _turned_moves(board, turn, by_x, x, children, waiting, bench, x_turn)
    for p in range(x_turn.shape[0]):
        invert(x_turn[p], flip_x if p < by_x else ~flip_x)
    if turn.stones == room.lacks.shape[0]:
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


@jit
def _turned_moves(
    board: Board, turn: Turn, by_x: int, x: int, children: Children, waiting: int, bench: Bench, x_turn: np.ndarray
) -> int:
    """Merge into `x_turn` the waiting children of x whose pages are seen from the same side as the first one's.

    The permutation that brings them to their canonical X-sets brings x to an image. The pages are merged as they are
    kept into planes of that image, and those are turned. Returns how many children still wait.
    """
    everywhere = (1 << board.squares) - 1
    flip_x = FULL if board.misere else ZERO
    room, turned = turn.room, bench.turned
    via = board.via[x | 1 << bench.waiting[0]]
    permutation = board.permutations[via]
    image_free = ~mask_image(x, permutation) & everywhere
    turned[:] = ZERO
    left = 0
    for k in range(waiting):
        square = bench.waiting[k]
        child = x | 1 << square
        if board.via[child] == via:
            i = popcount(np.uint64(image_free & ((1 << permutation[square]) - 1)))
            bring_in(children.pages[board.page[child]], i, room, bench.child)
            _merge_page(bench.child, children.by_x, children.by_o, room.lacks[i], flip_x, bench.plane, turned, by_x)
        else:
            bench.waiting[left] = square
            left += 1
    layer, planes = turn.layer, bench.planes
    for p in range(0, turned.shape[0], 2):
        q = min(p + 1, turned.shape[0] - 1)
        index_bits = image_order(~x & everywhere, image_free, permutation, bench.place, bench.source)
        unfold_permuted(turned[p], turned[q], layer, bench.source, index_bits, bench.numbers, planes)
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
