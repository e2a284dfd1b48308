"""Apply moves to planes: combine the values after each added stone, and end games in which there is a line."""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit, jit_part
from solver.kernels.words import ABSENT

_EIGHT = np.uint64(8)


@jit
def add_stones(source: np.ndarray, target: np.ndarray) -> None:
    """Mark in `target` each subset that becomes a subset marked in `source` when one square is added.

    Both are half planes with the same number of words. All subsets in `source` have the same size. If the subset at a
    place is too small for that size, even with the lowest square added, the bit of `source` there must be 0.
    """
    _add_inside_words(source, target)
    run = 1
    if source.size >= _EIGHT:
        _add_inside_eights(source, target)
        run = 8
    while run < source.size:
        _add_runs(source, target, run)
        run *= 2


@jit_part
def _add_runs(source: np.ndarray, target: np.ndarray, run: int) -> None:
    """Add the square whose index bit is a bit of the word number: the one whose place value is `run`.

    In each pair of adjacent runs of `run` words, the second run of `source` is ORed into the first run of `target`.
    """
    # Unsigned indices cannot count from the end, which the compiler would check.
    length = np.uint64(run)
    for block in range(np.uint64(source.size // (2 * run))):
        start = block * (length + length)
        for w in range(start, start + length):
            target[w] |= source[w + length]


@jit_part
def _add_inside_words(source: np.ndarray, target: np.ndarray) -> None:
    """Fill `target` with the results of adding one of the seven lowest squares to each set.

    The loop is unrolled, which halves the time.
    """
    for w in range(source.size):
        word = source[w]
        target[w] = (
            word  # the lowest square, which half planes leave out
            | ((word >> np.uint64(1)) & ABSENT[0])
            | ((word >> np.uint64(2)) & ABSENT[1])
            | ((word >> np.uint64(4)) & ABSENT[2])
            | ((word >> np.uint64(8)) & ABSENT[3])
            | ((word >> np.uint64(16)) & ABSENT[4])
            | ((word >> np.uint64(32)) & ABSENT[5])
        )


@jit_part
def _add_inside_eights(source: np.ndarray, target: np.ndarray) -> None:
    """Add a square whose index bit is one of the three lowest bits of the word number: OR the results into `target`.

    The runs are short, so the loop over them is unrolled.
    """
    for start in range(np.uint64(0), np.uint64(source.size), _EIGHT):
        there, here = source[start : start + _EIGHT], target[start : start + _EIGHT]
        here[0] |= there[1] | there[2] | there[4]
        here[1] |= there[3] | there[5]
        here[2] |= there[3] | there[6]
        here[3] |= there[7]
        here[4] |= there[5] | there[6]
        here[5] |= there[7]
        here[6] |= there[7]


@jit_part
def end_game(planes: np.ndarray, by_x: int, with_line: np.ndarray, line_is_x: bool) -> None:
    """Where the side that moved last (X if `line_is_x`) has a line, set the bits of its planes and clear the others."""
    for p in range(planes.shape[0]):
        holds = (p < by_x) == line_is_x
        for w in range(planes.shape[1]):
            if holds:
                planes[p, w] |= with_line[w]
            else:
                planes[p, w] &= ~with_line[w]
