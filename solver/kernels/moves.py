"""Move whole planes along a move: insert or remove an index bit, and merge the result with OR.

`flip` is all ones where complements are to be merged (see placement), else zero.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.words import ABSENT, WORD_BITS, ZERO, gather, spread

_HALF = np.uint64(32)
_EIGHT = np.uint64(8)


@jit
def or_runs(
    target: np.ndarray,
    t_start: int,
    t_step: int,
    source: np.ndarray,
    s_start: int,
    s_step: int,
    run: int,
    flip: np.uint64,
) -> None:
    """OR runs of words, one every s_step words of `source` from s_start on, into `target` likewise."""
    # Short runs by name: with a constant length the compiler unrolls them into wide vectors.
    if run == 1:
        _or_runs(target, t_start, t_step, source, s_start, s_step, 1, flip)
    elif run == 2:
        _or_runs(target, t_start, t_step, source, s_start, s_step, 2, flip)
    elif run == 4:
        _or_runs(target, t_start, t_step, source, s_start, s_step, 4, flip)
    else:
        _or_runs(target, t_start, t_step, source, s_start, s_step, run, flip)


@jit
def _or_runs(
    target: np.ndarray,
    t_start: int,
    t_step: int,
    source: np.ndarray,
    s_start: int,
    s_step: int,
    run: int,
    flip: np.uint64,
) -> None:
    """As `or_runs`, for a length that the compiler may know."""
    # Unsigned indices spare the compiler the question whether one counts from the end.
    for block in range(np.uint64(source.size // s_step)):
        t = block * np.uint64(t_step) + np.uint64(t_start)
        s = block * np.uint64(s_step) + np.uint64(s_start)
        for w in range(np.uint64(run)):
            target[t + w] |= source[s + w] ^ flip


@jit
def insert_bit(source: np.ndarray, i: int, value: int, flip: np.uint64, index_bits: int, target: np.ndarray) -> None:
    """OR `source` into `target`, which has an index bit more: bit i, where its answers go under `value` (0 or 1).

    `source` is uint64[word_count(index_bits - 1)], `target` uint64[word_count(index_bits)].
    """
    if i >= WORD_BITS:
        run = 1 << (i - WORD_BITS)
        or_runs(target, run * value, 2 * run, source, 0, run, run, flip)
        return
    shift = np.uint64(value << i)
    keep = ABSENT[i] << shift
    target[0] |= ((spread(source[0], i) << shift) ^ flip) & keep
    if index_bits > WORD_BITS:
        target[1] |= ((spread(source[0] >> _HALF, i) << shift) ^ flip) & keep
        for w in range(1, source.size):
            target[2 * w] |= ((spread(source[w], i) << shift) ^ flip) & keep
            target[2 * w + 1] |= ((spread(source[w] >> _HALF, i) << shift) ^ flip) & keep


@jit
def remove_bit(source: np.ndarray, i: int, value: int, flip: np.uint64, index_bits: int, target: np.ndarray) -> None:
    """OR into `target` the answers of `source` where its index bit i is `value`; `target` lacks that bit.

    `source` is uint64[word_count(index_bits + 1)], `target` uint64[word_count(index_bits)].
    """
    if i >= WORD_BITS:
        run = 1 << (i - WORD_BITS)
        or_runs(target, 0, run, source, run * value, 2 * run, run, flip)
        return
    shift = np.uint64(value << i)
    if index_bits < WORD_BITS:
        target[0] |= gather(source[0] >> shift, i) ^ flip
        return
    for w in range(target.size):
        lower = gather(source[2 * w] >> shift, i)
        upper = gather(source[2 * w + 1] >> shift, i)
        target[w] |= (lower | (upper << _HALF)) ^ flip


@jit
def add_stones(source: np.ndarray, target: np.ndarray) -> None:
    """Fill `target` with the subsets that a square more leads into `source`: half planes, of as many words.

    `source` must be zero where the subset would need a square less.
    """
    _add_inside_words(source, target)
    run = 1
    if source.size >= _EIGHT:
        _add_inside_eights(source, target)
        run = 8
    while run < source.size:
        or_runs(target, 0, 2 * run, source, run, 2 * run, run, ZERO)
        run *= 2


@jit
def _add_inside_words(source: np.ndarray, target: np.ndarray) -> None:
    """Fill `target` with what the seven lowest squares lead to; written out, it takes half the time of a loop."""
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


@jit
def _add_inside_eights(source: np.ndarray, target: np.ndarray) -> None:
    """OR into `target` what the three lowest bits of word numbers lead to: short runs, so they are written out."""
    for start in range(np.uint64(0), np.uint64(source.size), _EIGHT):
        there, here = source[start : start + _EIGHT], target[start : start + _EIGHT]
        here[0] |= there[1] | there[2] | there[4]
        here[1] |= there[3] | there[5]
        here[2] |= there[3] | there[6]
        here[3] |= there[7]
        here[4] |= there[5] | there[6]
        here[5] |= there[7]
        here[6] |= there[7]


@jit
def end_game(planes: np.ndarray, by_x: int, with_line: np.ndarray, line_is_x: bool) -> None:
    """End the game where the side that just moved has a line, whatever the moves would have led to."""
    for p in range(planes.shape[0]):
        holds = (p < by_x) == line_is_x
        for w in range(planes.shape[1]):
            if holds:
                planes[p, w] |= with_line[w]
            else:
                planes[p, w] &= ~with_line[w]
