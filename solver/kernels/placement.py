"""Solve, bit-sliced, games in which a stone goes on any free square.

An X-set is the set of squares with X's stones, an O-set the set with O's. A page belongs to one X-set x. For each of
the following statements, it has a plane with a bit for every O-set on the free squares:

    "the game ends by X's line at ply <= h", h odd,   and   "... by O's line at ply <= h", h even,

for every horizon h that is still to come, the latest first. The planes for lines of one side are nested. The two planes
for the last horizons give win, draw or loss; the planes for all horizons also give the distance. The line's owner tries
to make the statement true (in misere, false). So a plane is the OR over the moves if the owner moves, and the AND if
the other side moves. An AND is computed as an OR of complements (`flip` is then all ones), so that in both cases an
impossible move adds nothing.

The planes of x with X to move are computed from the pages of larger sets, x plus one square, with O to move. The planes
of x with O to move are computed from those with X to move: an O stone on index bit i leads from bit j to bit j + 2**i.
So X-sets are processed from the largest to the smallest. Only positions with O to move are kept between levels, in the
stored form: a sign and the digits of a count. Planes are folded: they have only bits for the O-sets that can occur (see
layers). The idea of bit-slicing endgames over the placements of one side goes back to Stroehlein, "Untersuchungen ueber
kombinatorische Spiele", 1970.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.children import Children, PlacementBoard, Turn, Workspace, merge_x_moves
from solver.kernels.jit import jit, jit_part
from solver.kernels.layers import Layer, fold, fold_two, unfold_two
from solver.kernels.line_planes import buildable_plane, line_plane
from solver.kernels.moves import add_stones, end_game
from solver.kernels.orbits import FoundPages, group_scratch
from solver.kernels.pages import page_plane, tally_live, write_bits
from solver.kernels.sparse import add_stones_sparse
from solver.kernels.threats import mark_lines_and_threats, open_lines
from solver.kernels.words import ONE, ZERO, copy, invert_kind


class PageLevel(NamedTuple):
    """The pages whose X-sets have the same number of stones."""

    stones: int
    keys: np.ndarray  # int64[C], the canonical X-sets
    sizes: np.ndarray  # int32[C], X-sets in each class
    by_x: int  # planes ended by X's line
    by_o: int  # planes ended by O's line
    o_turn: Turn  # O to move: a - 1 stones of O
    x_turn: Turn  # X to move: a stones of O
    o_whole: Layer  # the layers of either in whole planes, if lines are exact
    x_whole: Layer


class TurnScratch(NamedTuple):
    """Scratch arrays for a page with one side to move, reused for many pages. A folded plane has W words."""

    planes: np.ndarray  # uint64[P, W]
    with_line: np.ndarray  # uint64[W], O has a line
    live: np.ndarray  # uint64[W], the game is not over
    stored: np.ndarray  # uint64[W], live and not decided by threats: has bits in the file
    work: np.ndarray  # uint64[3, W]
    one_off: np.ndarray  # uint64[L, W], for each line, the O-sets that contain all but one of its squares


class Scratch(NamedTuple):
    """Scratch arrays that one thread uses to solve the pages of a level."""

    o: TurnScratch
    x: TurnScratch
    workspace: Workspace
    moved: np.ndarray  # uint64[2 * words], two half planes
    lines: np.ndarray  # int64[L, 2], the lines that O can still have
    stream: np.ndarray  # uint64[], a plane of the page in the file


def make_scratch(board: PlacementBoard, level: PageLevel, children: Children) -> Scratch:
    """Return the scratch arrays for the pages of a level."""
    planes, child_words = level.by_x + level.by_o, children.layer.places.size
    words = max(level.x_turn.layer.places.size, child_words)
    o, x = (_make_turn_scratch(board, turn, planes) for turn in (level.o_turn, level.x_turn))
    workspace = Workspace(
        planes=np.empty(2 * words, dtype=np.uint64),
        numbers=np.empty(child_words, dtype=np.uint32),
        place=np.empty(board.squares, dtype=np.int64),
        source=np.empty(board.squares, dtype=np.int64),
        found=FoundPages(
            rows=np.empty(board.squares, dtype=np.int64),
            permutations=np.empty((board.squares, board.squares), dtype=np.int64),
            after=np.empty(board.squares, dtype=np.int64),
            scratch=group_scratch(children.places.group),
        ),
        page=np.empty(children.pages.shape[1:], dtype=np.uint64),
        child=np.empty((children.pages.shape[1], x.live.size), dtype=np.uint64),
        plane=np.empty(x.live.size, dtype=np.uint64),
    )
    lines = np.empty_like(board.o_lines)
    stream = np.empty(o.live.size + x.live.size + 2, dtype=np.uint64)
    return Scratch(o, x, workspace, np.empty_like(workspace.planes), lines, stream)


def _make_turn_scratch(board: PlacementBoard, turn: Turn, planes: int) -> TurnScratch:
    words = turn.insertion.lacks.shape[1]
    return TurnScratch(
        planes=np.empty((planes, words), dtype=np.uint64),
        with_line=np.empty(words, dtype=np.uint64),
        live=np.empty(words, dtype=np.uint64),
        stored=np.empty(words, dtype=np.uint64),
        work=np.empty((3, words), dtype=np.uint64),
        one_off=np.empty((board.o_lines.shape[0], words), dtype=np.uint64),
    )


@jit
def solve_pages(
    board: PlacementBoard,
    level: PageLevel,
    scratch: Scratch,
    children: Children,
    kept: np.ndarray,
    raw: np.ndarray,
    tally: np.ndarray,
) -> None:
    """Solve pages of a level, given the solved pages of the level with one more stone of X.

    At the level with the most stones of X, `children` has no pages. Fills `kept` (uint64[C, digits + 1, W]) with the
    values for O to move, and `raw` (uint8[C, page_bytes]) with the pages in the format of the file. Adds to `tally`
    (int64[2, P + 1]) the number of positions in each plane, then the number of all positions: in row 0 for O to move,
    and in row 1 for X to move.

    A page in the file has the sign plane, then a plane for each digit of the count. In each plane, positions with X to
    move follow those with O to move.
    """
    o, x, workspace, moved, lines, stream = scratch
    o_layer, x_layer = level.o_turn.layer, level.x_turn.layer
    first_of_x = o_layer.starts[o_layer.places.size]
    at_end = 2 * level.stones == board.plies
    bits_of_x = 0 if at_end else x_layer.starts[x_layer.places.size]
    index_bits = board.squares - level.stones
    plane_bytes = raw.shape[1] // kept.shape[1]
    for c in range(level.keys.size):
        stones = level.keys[c]
        free = ~stones & ((1 << board.squares) - 1)
        open_to_o = lines[: open_lines(free, board.o_lines, lines)]
        wins = merge_x_moves(board, level.x_turn, level.by_x, stones, children, workspace, x.planes)
        if at_end:  # the AND over no moves must not be true
            x.planes[:] = ZERO
        mark_lines_and_threats(
            open_to_o, wins, level.x_turn.insertion.lacks, True, x.work, x.one_off, x.with_line, x.stored
        )
        end_game(x.planes, level.by_x, x.with_line, False)
        _merge_o_moves(
            x.planes, level.by_x, board.misere, index_bits, x_layer, o_layer, workspace.planes, moved, o.planes
        )
        mark_lines_and_threats(
            open_to_o, wins, level.o_turn.insertion.lacks, False, o.work, o.one_off, o.with_line, o.stored
        )
        if board.exact:
            line_plane(open_to_o, index_bits, workspace.planes)
            buildable_plane(workspace.planes, index_bits, moved)
            fold(moved, level.o_whole, o.live)
            fold(moved, level.x_whole, x.live)
        _mark_live(board.exact, board.threats, first_of_x, o.with_line, o.live, o.stored)
        _mark_live(board.exact, board.threats, bits_of_x, x.with_line, x.live, x.stored)
        tally_live(o.planes, o.live, level.sizes[c], tally[0])
        tally_live(x.planes, x.live, level.sizes[c], tally[1])
        own = kept[c]  # for the next level: all live positions with O to move, decided by threats or not
        for plane in range(own.shape[0]):
            here, x_plane = own[plane], x.work[0]
            page_plane(o.planes, level.by_x, plane, o.live, here)
            for w in range(here.size):
                stream[w] = here[w] & o.stored[w]
            page_plane(x.planes, level.by_x, plane, x.stored, x_plane)
            write_bits(x_plane, first_of_x, stream)
            copy(stream.view(np.uint8), raw[c, plane * plane_bytes : (plane + 1) * plane_bytes])


@jit_part
def _merge_o_moves(
    x_turn: np.ndarray,
    by_x: int,
    misere: bool,
    index_bits: int,
    x_layer: Layer,
    o_layer: Layer,
    before: np.ndarray,
    after: np.ndarray,
    o_turn: np.ndarray,
) -> None:
    """Fill `o_turn` with the planes with O to move, given the planes of the same X-set with X to move.

    `before` and `after` are scratch space, two half planes each.
    """
    words = x_layer.places.size
    invert_kind(x_turn, by_x, not misere)
    if words == 0:
        add_stones_sparse(x_turn, o_layer.sets, index_bits, o_turn)
    for p in range(0, x_turn.shape[0] if words else 0, 2):
        q = min(p + 1, x_turn.shape[0] - 1)
        unfold_two(x_turn[p], x_turn[q], x_layer, before)
        for first in (0, words):  # one after the other, because both do not fit into the first-level cache
            add_stones(before[first : first + words], after[first : first + words])
        fold_two(after, o_layer, o_turn[p], o_turn[q])
    invert_kind(x_turn, by_x, not misere)
    invert_kind(o_turn, by_x, not misere)


@jit_part
def _mark_live(
    exact: bool, threats: bool, bits: int, with_line: np.ndarray, live: np.ndarray, stored: np.ndarray
) -> None:
    """Mark in `live` the positions where the game is not over, and in `stored` those that have bits in the file.

    On entry: if `exact`, `live` marks the reachable O-sets; if `threats`, `stored` marks the positions that threats do
    not decide. On return: `stored` marks the live ones among the positions that it marked on entry or, without
    `threats`, all live positions. `bits` is the length of the planes, or 0 if no ply is left and so no position is
    live.
    """
    if not exact:
        for w in range(live.size):
            live[w] = ~with_line[w]
    live[bits >> 6] &= (ONE << np.uint64(bits & 63)) - ONE
    live[(bits >> 6) + 1 :] = ZERO
    for w in range(live.size):
        stored[w] = stored[w] & live[w] if threats else live[w]
