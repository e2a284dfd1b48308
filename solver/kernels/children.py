"""Merge X's moves: compute the planes of an X-set with X to move from the pages of its children, with O to move.

An X-set is the set of squares with X's stones, an O-set the set with O's. A child has one more square. Only canonical
X-sets have a page. For any other child, the page of the child's canonical image is permuted. This is done in the stored
form (a sign and the digits of a count), because it has fewer planes than the parent, and a child's plane is half as
long as the parent's. Then a bit for the new square is inserted, and the page is merged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit_inline, jit_part
from solver.kernels.layers import Insertion, Layer, fold_two, insert_square
from solver.kernels.orbits import FoundPages, PageIndex, completing_squares, find_larger
from solver.kernels.pages import merge_page
from solver.kernels.permute import image_order, unfold_permuted
from solver.kernels.sparse import permute_sparse
from solver.kernels.words import FULL, ZERO, invert_kind, or_into


class PlacementBoard(NamedTuple):
    """The rules as numbers and arrays. They are the same for a whole build."""

    squares: int
    plies: int  # the most stones that are placed
    x_lines: np.ndarray  # int64[L, 2]: the mask and the guard of each line; a guard is 0 unless the rules are exact
    o_lines: np.ndarray  # int64[L', 2]
    misere: bool
    exact: bool
    threats: bool  # positions decided by threats have no bits in the file


class Turn(NamedTuple):
    """The O-sets of a page for one side to move. They all have the same number of stones."""

    layer: Layer
    insertion: Insertion


class Children(NamedTuple):
    """The pages of the level with one more stone of X, for the positions with O to move."""

    places: PageIndex
    by_x: int  # planes ended by X's line
    by_o: int  # planes ended by O's line
    layer: Layer  # the layer of their planes
    pages: np.ndarray  # uint64[C, D, W'], a sign and the digits of a count, folded


class Workspace(NamedTuple):
    """Scratch arrays for merging X's moves, allocated once and reused for many pages.

    A folded plane of the parent has W words, and a folded plane of a child has W' words.
    """

    planes: np.ndarray  # uint64[2 * words], two half planes
    numbers: np.ndarray  # uint32[words of a child's half plane], the order of words
    place: np.ndarray  # int64[N], the index bit of each square of an image
    source: np.ndarray  # int64[N], see permute.image_order
    found: FoundPages  # the pages of all children
    page: np.ndarray  # uint64[D, W'], the page of a child, permuted
    child: np.ndarray  # uint64[D, W], the page of a child with the new square
    plane: np.ndarray  # uint64[W]


@jit_inline
def merge_x_moves(
    board: PlacementBoard, turn: Turn, by_x: int, x: int, children: Children, workspace: Workspace, x_turn: np.ndarray
) -> int:
    """Fill `x_turn` (uint64[P, W]) with the planes of the X-set `x` with X to move.

    The first `by_x` planes are for games that end with a line of X, the others for games that end with a line of O.
    O-sets that already contain a line, and full boards, get no special treatment. Returns the squares that complete a
    line of X, as a mask of index bits.
    """
    flip_x = FULL if board.misere else ZERO
    insertion = turn.insertion
    x_turn[:] = ZERO
    wins = 0
    completing = completing_squares(x, board.x_lines)
    index, found = children.places, workspace.found
    has_pages = index.keys.size > 0  # every set that play can lead to has a page, up to half the board
    everywhere = (1 << board.squares) - 1
    if has_pages:
        find_larger(index, x, everywhere & ~(x | completing), found)
    i = -1
    for square in range(board.squares):
        child = x | 1 << square
        if child == x:
            continue
        i += 1
        known_x, known_o = 0, 0
        ended = completing >> square & 1 == 1
        if ended:
            wins |= 1 << i
        elif has_pages:
            known_x, known_o = children.by_x, children.by_o
            row = found.rows[square]
            page = children.pages[row]
            if index.keys[row] != child:
                free, image_free = everywhere & ~child, everywhere & ~index.keys[row]
                _permute_page(page, children.layer, free, image_free, found.permutations[square], workspace)
                page = workspace.page
            insert_square(page, i, insertion, workspace.child)
            merge_page(workspace.child, known_x, known_o, insertion.lacks[i], flip_x, workspace.plane, x_turn, by_x)
        _add_unanswered(insertion.lacks[i], ended, known_x, known_o, by_x, flip_x, x_turn)
    invert_kind(x_turn, by_x, board.misere)
    return wins


@jit_part
def _add_unanswered(
    lacks: np.ndarray, ended: bool, known_x: int, known_o: int, by_x: int, flip_x: np.uint64, x_turn: np.ndarray
) -> None:
    """OR into `x_turn` the planes that a child's page does not contain.

    Those for O's lines are all false; those for X's lines are all true if X completed a line (`ended`), else all false.
    """
    if ended != (flip_x == FULL):
        for p in range(known_x, by_x):
            or_into(lacks, x_turn[p])
    if flip_x != FULL:
        for p in range(by_x + known_o, x_turn.shape[0]):
            or_into(lacks, x_turn[p])


@jit_part
def _permute_page(
    page: np.ndarray, layer: Layer, free: int, image_free: int, permutation: np.ndarray, workspace: Workspace
) -> None:
    """Fill `workspace.page` with planes over the squares `free`, given a page over their image, `image_free`."""
    planes, out = workspace.planes[: 2 * layer.places.size], workspace.page
    if layer.places.size == 0:
        image_order(free, image_free, permutation, workspace.place, workspace.source)
        permute_sparse(page, layer.sets, workspace.source, out)
        return
    for p in range(0, page.shape[0], 2):
        q = min(p + 1, page.shape[0] - 1)
        index_bits = image_order(free, image_free, permutation, workspace.place, workspace.source)
        unfold_permuted(page[p], page[q], layer, workspace.source, index_bits, workspace.numbers, planes)
        fold_two(planes, layer, out[p], out[q])
