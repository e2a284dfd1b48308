"""Find O's lines and both sides' threats on folded planes, for all O-sets of one size at once.

An O-set is the set of squares with O's stones. `lacks` (uint64[n, W]) marks, for each index bit, the O-sets without
that bit; see layers.Insertion. Bits after the last O-set of a plane are undefined.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit, jit_part
from solver.kernels.line_planes import to_index_bits
from solver.kernels.words import ZERO, or_into


@jit
def open_lines(free: int, lines: np.ndarray, out: np.ndarray) -> int:
    """Fill `out` (int64[L, 2]) with each line that lies on free squares, and its guards on such squares, as index bits.

    Returns the number of these lines.
    """
    count = 0
    for t in range(lines.shape[0]):
        if lines[t, 0] & ~free == 0:
            out[count, 0], out[count, 1] = to_index_bits(lines[t, 0], free), to_index_bits(lines[t, 1], free)
            count += 1
    return count


@jit_part
def mark_lines_and_threats(
    lines: np.ndarray,
    wins: int,
    lacks: np.ndarray,
    x_to_move: bool,
    work: np.ndarray,
    one_off: np.ndarray,
    with_line: np.ndarray,
    undecided: np.ndarray,
) -> None:
    """Mark in `with_line` the O-sets that have a line, and in `undecided` those that threats do not decide.

    Both are uint64[W], for the O-sets of one size. Threats decide a position if the side to move can complete a line,
    or if it can't and the other side threatens to complete lines on two squares (see store.layout). `wins` are the
    index bits that complete a line of X. `lines` (int64[C, 2]; see `open_lines`) are the lines that O can have. `work`
    (uint64[3, W]) and `one_off` (uint64[C, W]) are scratch space.
    """
    there, once, twice = work[0], work[1], work[2]
    mark_lines(lines, lacks, one_off, there, with_line)
    count_lacking(wins, lacks, once, twice)
    by_x = once if x_to_move else twice
    for w in range(undecided.size):
        undecided[w] = ~by_x[w]
    count_completions(lines, lacks, one_off, there, once, twice)
    by_o = twice if x_to_move else once
    for w in range(undecided.size):
        undecided[w] &= ~by_o[w]


@jit
def mark_lines(lines: np.ndarray, lacks: np.ndarray, one_off: np.ndarray, two_off: np.ndarray, out: np.ndarray) -> None:
    """Mark in `out` (uint64[W]) the O-sets that contain one of `lines` (int64[C, 2]; see `open_lines`).

    `one_off` (uint64[C, W]) receives, for each line, the O-sets that contain all but exactly one of its squares. In
    both arrays, an O-set that contains a guard square of a line does not count for this line. `two_off` (uint64[W]) is
    scratch space.
    """
    out[:] = ZERO
    for t in range(lines.shape[0]):
        lacking = one_off[t]
        count_lacking(lines[t, 0], lacks, lacking, two_off)
        if lines[t, 1]:
            _add_holding(lines[t, 1], lacks, lacking, two_off)
        for w in range(out.size):
            out[w] |= ~lacking[w]
            lacking[w] &= ~two_off[w]


@jit
def count_completions(
    lines: np.ndarray, lacks: np.ndarray, one_off: np.ndarray, there: np.ndarray, once: np.ndarray, twice: np.ndarray
) -> None:
    """Mark the O-sets for which at least one square completes a line (in `once`) or at least two do (in `twice`).

    `lines` are those that O can have. `one_off` is from `mark_lines`; `there` (uint64[W]) is scratch space.
    """
    once[:] = ZERO
    twice[:] = ZERO
    for i in range(lacks.shape[0]):
        found = 0
        almost = there
        for t in range(lines.shape[0]):
            if lines[t, 0] >> i & 1:
                if found == 0:
                    almost = one_off[t]
                elif found == 1:
                    for w in range(there.size):
                        there[w] = almost[w] | one_off[t, w]
                    almost = there
                else:
                    or_into(one_off[t], there)
                found += 1
        if found:
            lacking = lacks[i]
            for w in range(once.size):
                completed = almost[w] & lacking[w]
                twice[w] |= once[w] & completed
                once[w] |= completed


@jit
def count_lacking(squares: int, lacks: np.ndarray, once: np.ndarray, twice: np.ndarray) -> None:
    """Mark in `once` the O-sets that lack at least one of `squares`, and in `twice` those that lack at least two.

    `squares` is a mask of index bits.
    """
    once[:] = ZERO
    twice[:] = ZERO
    waiting = -1
    for i in range(lacks.shape[0]):
        if squares >> i & 1:
            if waiting < 0:
                waiting = i
            else:  # two at a time are half the passes
                _count_two(lacks[waiting], lacks[i], once, twice)
                waiting = -1
    if waiting >= 0:
        lacked = lacks[waiting]
        for w in range(once.size):
            twice[w] |= once[w] & lacked[w]
            once[w] |= lacked[w]


@jit_part
def _count_two(one: np.ndarray, two: np.ndarray, once: np.ndarray, twice: np.ndarray) -> None:
    for w in range(once.size):
        twice[w] |= (one[w] & two[w]) | (once[w] & (one[w] | two[w]))
        once[w] |= one[w] | two[w]


@jit_part
def _add_holding(squares: int, lacks: np.ndarray, once: np.ndarray, twice: np.ndarray) -> None:
    """Mark in both planes the O-sets that contain at least one of `squares` (a mask of index bits)."""
    for i in range(lacks.shape[0]):
        if squares >> i & 1:
            lacked = lacks[i]
            for w in range(once.size):
                once[w] |= ~lacked[w]
                twice[w] |= ~lacked[w]
