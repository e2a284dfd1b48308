"""Collect the strategy that a proof contains: one move for each position that short searches do not settle.

These searches find a win by continuous fours or by continuous threats.

By default, the walk tries every legal reply to each move, not only those that the proof searched. So it needs no trust
in zones and tables. Only a position that was seen before, up to symmetry, is not walked again.

A caller that wants the strategy sooner leaves out the replies that cannot disturb a known win: that of a threat, if the
other side passes (`keep_replies`), and that after another reply, whose stone the other side then lacks (`state[LEAN]`).
The attacker wins after them, too, but whether the short searches find that win shows only when the strategy is checked.

The walk is an explicit stack: `advance` returns after some positions, or when the proof has lost a result. Then the
caller searches the position on the board again, and calls `advance` again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.bit_sets import add, has
from solver.kernels.jit import jit, jit_inline, jit_part
from solver.kernels.proof_moves import candidates
from solver.kernels.proof_nodes import (
    ATTACKER,
    FORCE_NODES,
    INFINITE,
    ORDER,
    PLIES,
    Proof,
    look_up,
    make_key,
    restore,
    root_hashes,
)
from solver.kernels.threat_lines import Board, Lines, completions, has_line, make_board, put, take
from solver.kernels.threat_search import WON, Forcing, find_forced_win, forced_plies, mark_zone

DONE, RUNNING, ASKED, LOST_RESULT, FULL, WRONG, MOVED = range(7)
"""Results of `advance`: all positions were walked; some are left; `state[ANSWER]` needs the plies of a win by
continuous threats in `Walk.image`, or 0; the proof has lost a result; an array is full; the other side has completed a
line, so the proof is wrong; the attacker has moved on the board, and the replies are listed."""

DEPTH, SEEN, ROWS, LEAVES, REPLIES, STONES, BOUND, ANSWER, LEAN = range(9)
"""Indices of `Walk.state`: depth of the stack, -1 at the end; positions seen; rows; positions that the strategy leaves
out; replies tried; stones on the board; bound of the first position; the answer that was asked for, or UNASKED; whether
replies are left out that do not disturb the win after another reply."""

UNASKED = -1

LEAF_NODES = 500
"""The nodes of the search for continuous fours in each position: a part of the format of strategies."""

ENTERED, COUNT, NEXT, MOVE, REPLY, LONGEST = range(6)
"""Indices of a frame."""


class Walk(NamedTuple):
    """A walk. A bound is a number of plies in which the attacker wins at the latest."""

    hashes: np.ndarray  # uint64[D, G]
    frames: np.ndarray  # int64[D, 6]
    replies: np.ndarray  # int16[D, S]
    moves: np.ndarray  # int16[S]
    points: np.ndarray  # int32[S]
    images: np.ndarray  # int16[G, S]: for each symmetry and each square, the square that is mapped to it
    image: Board  # the canonical image of the position on the board
    zone: np.ndarray  # uint64[words], a bit set of squares of this image: those of a win that was found in it
    marks: np.ndarray  # bool[S], all False between two uses
    seen_keys: np.ndarray  # uint64[M], 0 for an empty entry
    seen_bounds: np.ndarray  # int16[M]
    row_cells: np.ndarray  # int8[R, S]: the positions of the strategy
    rows: np.ndarray  # int16[R, 2]: the moves and the bounds
    state: np.ndarray  # int64[9]


def make_walk(lines: Lines, proof: Proof, images: np.ndarray, bits: int = 12) -> Walk:
    """Return a walk with room for 2**bits positions and rows. images: int[G, S], the symmetries."""
    squares, order = proof.codes.shape[1:]
    depths = squares // 2 + 2
    return Walk(
        np.zeros((depths, order), np.uint64),
        np.zeros((depths, 6), np.int64),
        np.zeros((depths, squares), np.int16),
        np.zeros(squares, np.int16),
        np.zeros(squares, np.int32),
        np.argsort(images, axis=1).astype(np.int16),
        make_board(lines),
        np.zeros((squares + 63) // 64, np.uint64),
        np.zeros(squares, np.bool_),
        np.zeros(1 << bits, np.uint64),
        np.zeros(1 << bits, np.int16),
        np.zeros((1 << bits, squares), np.int8),
        np.zeros((1 << bits, 2), np.int16),
        np.array([0, 0, 0, 0, 0, 0, 0, UNASKED, 0]),
    )


def enlarge(walk: Walk) -> Walk:
    """Return a walk in the same state with room for twice as many positions and rows."""
    more = walk._replace(
        seen_keys=np.zeros(2 * len(walk.seen_keys), np.uint64),
        seen_bounds=np.zeros(2 * len(walk.seen_keys), np.int16),
        row_cells=np.vstack([walk.row_cells, np.zeros_like(walk.row_cells)]),
        rows=np.vstack([walk.rows, np.zeros_like(walk.rows)]),
    )
    _insert_all(more, walk.seen_keys, walk.seen_bounds)
    return more


@jit
def _insert_all(walk: Walk, keys: np.ndarray, bounds: np.ndarray) -> None:
    for at in range(keys.size):
        if keys[at]:
            place = _place(walk, keys[at])
            walk.seen_keys[place], walk.seen_bounds[place] = keys[at], bounds[at]


@jit_part
def _place(walk: Walk, key: np.uint64) -> int:
    """Return the index of a key's entry, or of the empty one where it belongs."""
    at = int(np.int64(key >> np.uint64(8))) & (walk.seen_keys.size - 1)
    while walk.seen_keys[at] and walk.seen_keys[at] != key:
        at = (at + 1) & (walk.seen_keys.size - 1)
    return at


def begin(board: Board, proof: Proof, walk: Walk) -> None:
    """Begin at the position on the board, with the attacker to move."""
    walk.hashes[0], walk.state[STONES] = root_hashes(board, proof), np.count_nonzero(board.cells)
    walk.state[DEPTH] = 0
    walk.frames[0] = 0


@jit
def advance(lines: Lines, board: Board, work: Forcing, proof: Proof, walk: Walk, positions: int) -> int:
    """Walk until the end, or at most `positions` more positions. Return a result. work: of searches in `Walk.image`."""
    state, attacker = walk.state, proof.state[ATTACKER]
    while state[DEPTH] >= 0:
        depth = state[DEPTH]
        frame, replies = walk.frames[depth], walk.replies[depth]
        bound = -1
        if not frame[ENTERED]:
            if positions == 0:
                return RUNNING
            if 2 * state[SEEN] >= walk.seen_keys.size or state[ROWS] == len(walk.rows):
                return FULL
            positions -= 1
            if has_line(board, 1 - attacker):
                return WRONG
            place = _place(walk, make_key(walk.hashes[depth], proof.codes, -1, 0, 0))
            if walk.seen_keys[place]:
                bound = int(walk.seen_bounds[place])
            else:
                chosen, bound = _set_image(lines, board, walk), int(state[ANSWER])
                if bound == UNASKED:
                    left = proof.state[PLIES] - state[STONES]
                    if find_forced_win(lines, walk.image, work, attacker, left, LEAF_NODES, True) != WON:
                        return ASKED
                    bound = forced_plies(work)
                    if state[LEAN]:
                        mark_zone(lines, walk.image, work, attacker, walk.marks)
                        walk.zone[:] = 0
                        for square in range(walk.marks.size):
                            if walk.marks[square]:
                                add(walk.zone, square)
                            walk.marks[square] = False
                state[ANSWER] = UNASKED
                if bound > 0:
                    state[LEAVES] += 1
                    _remember(proof, walk, depth, bound)
                    if state[LEAN] and depth:
                        _narrow(walk, depth - 1, chosen)
            if bound <= 0:
                frame[MOVE] = _proved_move(lines, board, proof, walk, depth)
                if frame[MOVE] < 0:
                    return LOST_RESULT
                put(lines, board, frame[MOVE], attacker)
                frame[COUNT] = _list_replies(lines, board, attacker, replies)
                frame[ENTERED], frame[NEXT], frame[LONGEST] = 1, 0, 0
                return MOVED
        elif frame[NEXT] < frame[COUNT]:
            reply = int(replies[frame[NEXT]])
            frame[NEXT] += 1
            state[REPLIES] += 1
            put(lines, board, reply, 1 - attacker)
            state[STONES] += 2
            for g in range(walk.hashes.shape[1]):
                walk.hashes[depth + 1, g] = (
                    walk.hashes[depth, g] ^ proof.codes[attacker, frame[MOVE], g] ^ proof.codes[1 - attacker, reply, g]
                )
            walk.frames[depth + 1] = 0
            walk.frames[depth + 1, REPLY] = reply
            state[DEPTH] += 1
            continue
        else:
            take(lines, board, frame[MOVE], attacker)
            bound = 2 + frame[LONGEST]
            for square in range(board.cells.size):
                walk.row_cells[state[ROWS], square] = board.cells[square]
            walk.rows[state[ROWS], 0], walk.rows[state[ROWS], 1] = frame[MOVE], bound
            state[ROWS] += 1
            _remember(proof, walk, depth, bound)
        if depth:
            take(lines, board, frame[REPLY], 1 - attacker)
            state[STONES] -= 2
            walk.frames[depth - 1, LONGEST] = max(walk.frames[depth - 1, LONGEST], bound)
        else:
            state[BOUND] = bound
        state[DEPTH] -= 1
    return DONE


@jit
def keep_replies(walk: Walk, zone: np.ndarray, plies: int) -> None:
    """Keep only the replies in a zone (a bit set), after a move that threatens to win within so many plies."""
    for square in range(walk.marks.size):
        walk.marks[square] = has(zone, square)
    _keep_marked(walk, walk.state[DEPTH])
    walk.frames[walk.state[DEPTH], LONGEST] = plies


@jit_part
def _narrow(walk: Walk, depth: int, chosen: int) -> None:
    """Leave out the replies in a frame that do not disturb the win in the image of the position after one of them."""
    for square in range(walk.marks.size):
        if has(walk.zone, square):
            walk.marks[walk.images[chosen, square]] = True
    _keep_marked(walk, depth)


@jit_part
def _keep_marked(walk: Walk, depth: int) -> None:
    """Keep only the marked ones of the replies left in a frame; unmark all squares."""
    frame, replies = walk.frames[depth], walk.replies[depth]
    count = frame[NEXT]
    for at in range(frame[NEXT], frame[COUNT]):
        if walk.marks[replies[at]]:
            replies[count] = replies[at]
            count += 1
    frame[COUNT] = count
    for square in range(walk.marks.size):
        walk.marks[square] = False


@jit_part
def _set_image(lines: Lines, board: Board, walk: Walk) -> int:
    """Set `walk.image` to the image with the least base-3 hash of the position on the board; return its symmetry.

    The searches that decide whether a position is stored depend on the order of the squares. So they see this image,
    when the strategy is written and when it is read.
    """
    cells, images, chosen = board.cells, walk.images, 0
    for g in range(1, len(images)):
        square = cells.size - 1
        while square >= 0 and cells[images[g, square]] == cells[images[chosen, square]]:
            square -= 1
        if square >= 0 and cells[images[g, square]] < cells[images[chosen, square]]:
            chosen = g
    for square in range(cells.size):
        old, new = walk.image.cells[square], cells[images[chosen, square]]
        if old != new:
            if old:
                take(lines, walk.image, square, old - 1)
            if new:
                put(lines, walk.image, square, new - 1)
    return chosen


def add_proved(proof: Proof, walk: Walk, move: int) -> None:
    """Add a move of the attacker that wins in the position on the board, where the proof has lost a result."""
    key = make_key(walk.hashes[walk.state[DEPTH]], proof.codes, proof.state[ATTACKER], move, 1)
    restore(proof, np.array([key], np.uint64), np.array([[0, INFINITE]], np.int32))


@jit_part
def _remember(proof: Proof, walk: Walk, depth: int, bound: int) -> None:
    key = make_key(walk.hashes[depth], proof.codes, -1, 0, 0)
    place = _place(walk, key)
    walk.seen_keys[place], walk.seen_bounds[place] = key, bound
    walk.state[SEEN] += 1


@jit_part
def _list_replies(lines: Lines, board: Board, attacker: int, replies: np.ndarray) -> int:
    """Write the replies to a move and return their number: to a four, only the one that fills it."""
    first, second = completions(lines, board, attacker)
    if first >= 0 and second < 0:
        replies[0] = first
        return 1
    count = 0
    for square in range(board.cells.size):
        if board.cells[square] == 0:
            replies[count] = square
            count += 1
    return count


@jit_inline
def _proved_move(lines: Lines, board: Board, proof: Proof, walk: Walk, depth: int) -> int:
    """Return the proved move with the fewest open replies, or -1: it tends to have the smallest strategy."""
    attacker, best, least = proof.state[ATTACKER], -1, 2 * INFINITE
    left, nodes, squares = proof.state[PLIES] - walk.state[STONES], proof.state[FORCE_NODES], board.cells.size
    for at in range(
        candidates(
            lines, board, proof.space_work, proof.zone, attacker, 1, left, nodes, squares, walk.moves, walk.points
        )
    ):
        move = int(walk.moves[at])
        entry = look_up(proof.nodes, proof.state[ORDER], make_key(walk.hashes[depth], proof.codes, attacker, move, 1))
        if entry >= 0 and proof.nodes.numbers[entry, 0] == 0 and proof.nodes.numbers[entry, 1] < least:
            best, least = move, proof.nodes.numbers[entry, 1]
    return best
