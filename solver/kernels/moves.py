"""Moving whole planes along a move: an index bit comes in, or goes out, and the result is merged with OR.

`flip` is all ones where complements are to be merged (see placement), else zero.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.jit import jit
from solver.kernels.words import ABSENT, FULL, WORD_BITS, ZERO, gather, spread

_HALF = np.uint64(32)


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
def add_all_without(target: np.ndarray, i: int) -> None:
    """OR into `target` every subset without index bit i."""
    if i < WORD_BITS:
        for w in range(target.size):
            target[w] |= ABSENT[i]
        return
    for w in range(target.size):
        if w >> (i - WORD_BITS) & 1 == 0:
            target[w] = FULL


@jit
def end_game(planes: np.ndarray, by_x: int, with_line: np.ndarray, line_is_x: bool) -> None:
    """Where the side that just moved has a line, the game has ended by it, whatever the moves would have led to."""
    for p in range(planes.shape[0]):
        holds = (p < by_x) == line_is_x
        for w in range(planes.shape[1]):
            if holds:
                planes[p, w] |= with_line[w]
            else:
                planes[p, w] &= ~with_line[w]


@jit
def count_moves(source: np.ndarray, index_bits: int, one: np.ndarray, two: np.ndarray) -> None:
    """Mark in `one` the subsets that a square more leads into `source`, and in `two` those that two squares do."""
    one[:] = ZERO
    two[:] = ZERO
    for i in range(min(WORD_BITS, index_bits)):
        shift = np.uint64(1 << i)
        for w in range(source.size):
            there = (source[w] >> shift) & ABSENT[i]
            two[w] |= one[w] & there
            one[w] |= there
    for b in range(index_bits - WORD_BITS):
        if b == 0:  # the shortest runs by name, as in permute._swap_low_high
            _count_runs(source, 1, one, two)
        elif b == 1:
            _count_runs(source, 2, one, two)
        else:
            _count_long_runs(source, 1 << b, one, two)


@jit
def _count_runs(source: np.ndarray, run: int, one: np.ndarray, two: np.ndarray) -> None:
    """Count for the lower of each pair of neighbouring runs of words what the upper one of `source` holds."""
    length = np.uint64(run)
    for block in range(np.uint64(source.size // (2 * run))):
        start = block * (length + length)
        for w in range(start, start + length):
            there = source[w + length]
            two[w] |= one[w] & there
            one[w] |= there


@jit
def _count_long_runs(source: np.ndarray, run: int, one: np.ndarray, two: np.ndarray) -> None:
    """As `_count_runs`, a slice at a time."""
    length = np.uint64(run)
    for start in range(np.uint64(0), np.uint64(source.size), length + length):
        there = source[start + length : start + length + length]
        found, again = one[start : start + length], two[start : start + length]
        for w in range(length):
            again[w] |= found[w] & there[w]
            found[w] |= there[w]


@jit
def count_absent(squares: int, one: np.ndarray, two: np.ndarray) -> None:
    """Mark in `one` the subsets that lack one of `squares` (a mask of index bits), and in `two` those that lack two."""
    one[:] = ZERO
    two[:] = ZERO
    i = 0
    while squares >> i:
        if squares >> i & 1 and i < WORD_BITS:
            for w in range(one.size):
                two[w] |= one[w] & ABSENT[i]
                one[w] |= ABSENT[i]
        elif squares >> i & 1:
            run = 1 << (i - WORD_BITS)
            for start in range(0, one.size, 2 * run):
                for w in range(np.uint64(start), np.uint64(start + run)):
                    two[w] |= one[w]
                    one[w] = FULL
        i += 1
