"""Find pairing strategies: disjoint pairs of empty squares such that every open line contains a pair.

A line is open if the defender, the *holder*, has no stone on it. A holder with such pairs answers each stone of the
attacker on the other square of its pair, so the attacker never completes a line (Hales and Jewett 1963).

Sets are rows of 64-bit words. Bit s of a set of squares is square s, and bit l of a set of lines is line l.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_within
from solver.kernels.words import FULL, ONE, ZERO

_MOST_TRIED = 12  # squares of a line whose pairs are tried; only lines of boards with few lines have more
_SHARED = 18  # a pair should contain in many lines, and touch few others: the weight of the former


class Lines(NamedTuple):
    """The lines that the attacker can complete. W words hold a set of squares, and V words a set of lines."""

    board: np.ndarray  # uint64[W], all squares
    masks: np.ndarray  # uint64[L, W], the squares of each line
    through: np.ndarray  # uint64[squares, V], the lines through each square
    near: np.ndarray  # uint64[L, V], the later lines that share at least two squares with a line


class Matching(NamedTuple):
    """The memory of one search for a pairing."""

    open: np.ndarray  # uint64[D, V], the lines without a pair, at each depth
    free: np.ndarray  # uint64[D, W], the empty squares without a pair
    tried: np.ndarray  # int64[D, P, 2], the pairs to try
    scores: np.ndarray  # int64[D, P], their scores; the highest is tried next
    counts: np.ndarray  # int64[D], the number of pairs to try
    pairs: np.ndarray  # int64[D, 2], the pairs found
    sets: np.ndarray  # uint64[3, W], scratch
    blocked: np.ndarray  # uint64[V], scratch


def words_of(masks: list[int], size: int) -> np.ndarray:
    """Return sets with elements below `size`, given as masks, as rows of words: uint64[masks, words]."""
    width = max(-(-size // 64), 1)
    data = b"".join(mask.to_bytes(8 * width, "little") for mask in masks)
    return np.frombuffer(data, np.dtype("<u8")).astype(np.uint64).reshape(len(masks), width)


def make_lines(masks: list[int], squares: int) -> Lines:
    """Return the lines with these masks for the kernels. They are sorted, for the bound on the number of pairs."""
    masks = sorted(set(masks))
    count = len(masks)
    through = [sum(1 << i for i, mask in enumerate(masks) if mask >> s & 1) for s in range(squares)]
    near = [sum(1 << j for j in range(i + 1, count) if (mask & masks[j]).bit_count() > 1) for i, mask in enumerate(masks)]
    board = words_of([(1 << squares) - 1], squares)[0]
    return Lines(board, words_of(masks, squares), words_of(through, count), words_of(near, count))


def make_matching(lines: Lines) -> Matching:
    """Return the memory for searches with these lines."""
    depth, words, sets = len(lines.through) // 2 + 2, lines.masks.shape[1], lines.near.shape[1]
    tries = _MOST_TRIED * (_MOST_TRIED - 1) // 2
    return Matching(
        np.zeros((depth, sets), np.uint64),
        np.zeros((depth, words), np.uint64),
        np.zeros((depth, tries, 2), np.int64),
        np.zeros((depth, tries), np.int64),
        np.zeros(depth, np.int64),
        np.zeros((depth, 2), np.int64),
        np.zeros((3, words), np.uint64),
        np.zeros(sets, np.uint64),
    )


@jit_within
def lowest(word: np.uint64) -> int:
    """Return the number of the lowest bit that is set in a word other than 0."""
    return popcount(~word & (word - ONE))


@jit_within
def has(words: np.ndarray, element: int) -> bool:
    """Return whether a set contains an element."""
    return words[element >> 6] >> np.uint64(element & 63) & ONE != ZERO


@jit_within
def add(words: np.ndarray, element: int) -> None:
    """Add an element to a set."""
    words[element >> 6] |= ONE << np.uint64(element & 63)


@jit_within
def size_of_common(first: np.ndarray, second: np.ndarray) -> int:
    """Return the number of elements that two sets have in common."""
    size = 0
    for w in range(first.size):
        size += popcount(first[w] & second[w])
    return size


@jit
def reduce(lines: Lines, work: Matching, attacker: np.ndarray, holder: np.ndarray) -> int:
    """Bring a position to its normal form, in place, and return the number of pairs that this settles.

    A square is private if it is on one open line only. The holder needs no stone to stop a line with two private
    squares: they are a pair. So he receives them, and all squares on no open line, with the attacker's stones there.
    The pairs are in `work.pairs`, and the open lines that are left in work.open[0].
    """
    once, twice, live = work.sets[0], work.sets[1], work.sets[2]
    opens, words, pairs = work.open[0], attacker.size, 0
    opens[:] = FULL
    while True:
        for w in range(words):
            once[w] = twice[w] = live[w] = ZERO
        for line in range(lines.masks.shape[0]):
            if not has(opens, line):
                continue
            mask = lines.masks[line]
            for w in range(words):
                if mask[w] & holder[w]:
                    opens[line >> 6] ^= ONE << np.uint64(line & 63)
                    break
            else:
                for w in range(words):
                    rest = mask[w] & ~attacker[w]
                    twice[w] |= once[w] & rest
                    once[w] |= rest
                    live[w] |= mask[w]
        found = pairs
        for w in range(words):
            once[w] &= ~twice[w]
            attacker[w] &= live[w]
            holder[w] |= lines.board[w] & ~live[w]
        for line in range(lines.masks.shape[0]):
            if has(opens, line) and size_of_common(lines.masks[line], once) > 1:
                part = 0
                for w in range(words):
                    own = lines.masks[line, w] & once[w]
                    holder[w] |= own
                    while own and part < 2:
                        work.pairs[pairs, part] = 64 * w + lowest(own)
                        own &= own - ONE
                        part += 1
                pairs += 1
        if pairs == found:
            break
    if lines.masks.shape[0] & 63:  # no bits beyond the last line
        opens[-1] &= (ONE << np.uint64(lines.masks.shape[0] & 63)) - ONE
    return pairs


@jit
def _choose_line(lines: Lines, work: Matching, depth: int) -> int:
    """Return the open line with the fewest free squares; -1 if the pairs can't be completed, -2 if no line is open.

    Lines that share at most one free square need a pair each. So the size of any set of such lines, chosen greedily, is
    a lower bound on the number of pairs.
    """
    opens, free, blocked, union = work.open[depth], work.free[depth], work.blocked, work.sets[0]
    best, fewest, needed = -2, 1 << 30, 0
    blocked[:] = ZERO
    union[:] = ZERO
    for v in range(opens.size):
        rest = opens[v]
        while rest:
            line = 64 * v + lowest(rest)
            rest &= rest - ONE
            mask = lines.masks[line]
            size = size_of_common(mask, free)
            if size < fewest:
                best, fewest = line, size
                if size < 2:
                    return -1
            for w in range(free.size):
                union[w] |= mask[w]
            if has(blocked, line):
                continue
            needed += 1
            for u in range(v, opens.size):
                others = lines.near[line, u] & opens[u] & ~blocked[u]
                while others:
                    other = 64 * u + lowest(others)
                    others &= others - ONE
                    shared = 0
                    for w in range(free.size):
                        shared += popcount(mask[w] & lines.masks[other, w] & free[w])
                    if shared > 1:
                        add(blocked, other)
    return -1 if 2 * needed > size_of_common(union, free) else best


@jit
def _list_pairs(lines: Lines, work: Matching, depth: int, line: int) -> None:
    """List the pairs of free squares of a line, with their scores."""
    opens, free, tried, scores = work.open[depth], work.free[depth], work.tried[depth], work.scores[depth]
    count = squares = 0
    listed = work.tried[depth + 1, :, 0]  # scratch: the squares of the line
    touched = work.scores[depth + 1]
    for w in range(free.size):
        rest = lines.masks[line, w] & free[w]
        while rest and squares < _MOST_TRIED:
            square = 64 * w + lowest(rest)
            rest &= rest - ONE
            listed[squares] = square
            touched[squares] = size_of_common(lines.through[square], opens)
            for i in range(squares):
                shared = 0
                for v in range(opens.size):
                    shared += popcount(lines.through[square, v] & lines.through[listed[i], v] & opens[v])
                tried[count, 0], tried[count, 1] = listed[i], square
                scores[count] = _SHARED * shared - touched[i] - touched[squares]
                count += 1
            squares += 1
    work.counts[depth] = count


@jit
def match(lines: Lines, work: Matching, attacker: np.ndarray, holder: np.ndarray, pairs: int, nodes: int) -> int:
    """Find a pairing of a position in its normal form, just made by `reduce`, which settled `pairs` pairs.

    Returns the number of all pairs in `work.pairs`, or -1 if no pairing is found within `nodes` nodes. A position with
    more than 12 free squares on every open line may have a pairing that is never found.
    """
    for w in range(attacker.size):
        work.free[0, w] = lines.board[w] & ~attacker[w] & ~holder[w]
    work.counts[0] = -1
    depth = 0
    while depth >= 0:
        if work.counts[depth] < 0:
            line = _choose_line(lines, work, depth)
            if line == -2:
                return pairs + depth
            nodes -= 1
            if line < 0:
                depth -= 1
                continue
            if nodes < 0:
                return -1
            _list_pairs(lines, work, depth, line)
        best, score = -1, -(1 << 40)
        for i in range(work.counts[depth]):
            if work.scores[depth, i] > score:
                best, score = i, work.scores[depth, i]
        if best < 0:
            depth -= 1
            continue
        work.scores[depth, best] = -(1 << 40)
        first, second = work.tried[depth, best]
        work.pairs[pairs + depth, 0], work.pairs[pairs + depth, 1] = first, second
        for w in range(attacker.size):
            work.free[depth + 1, w] = work.free[depth, w]
        work.free[depth + 1, first >> 6] ^= ONE << np.uint64(first & 63)
        work.free[depth + 1, second >> 6] ^= ONE << np.uint64(second & 63)
        for v in range(work.blocked.size):
            both = lines.through[first, v] & lines.through[second, v]
            work.open[depth + 1, v] = work.open[depth, v] & ~both
        depth += 1
        work.counts[depth] = -1
    return -1
