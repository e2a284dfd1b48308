"""Find pairing strategies: disjoint pairs of empty squares such that every open line contains a pair.

A line is open if the defender, the *holder*, has no stone on it. A holder with such pairs answers each stone of the
attacker on the other square of its pair, so the attacker never completes a line (Hales and Jewett 1963).

Sets are rows of 64-bit words. Bit s of a set of squares is square s, and bit l of a set of lines is line l.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.bit_sets import add, has, lowest, size_of_common
from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part, jit_within
from solver.kernels.words import ONE, ZERO

_MOST_TRIED = 12  # squares of a line whose pairs are tried; only lines of boards with few lines have more
NO_LINE = 1 << 30  # the fewest empty squares of an open line, if there are no open lines
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
    weights: np.ndarray  # float64[squares], see `weigh`
    forced: np.ndarray  # uint64[W], see `weigh`
    stones: np.ndarray  # uint64[2, W], the attacker's and the holder's stones after a move
    partner: np.ndarray  # int64[squares], see `repair`
    made: np.ndarray  # int64[squares], see `repair`
    cover: np.ndarray  # int64[L, 2], see `repair`


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
    near = [
        sum(1 << j for j in range(i + 1, count) if (mask & masks[j]).bit_count() > 1) for i, mask in enumerate(masks)
    ]
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
        np.zeros(len(lines.through)),
        np.zeros(words, np.uint64),
        np.zeros((2, words), np.uint64),
        np.zeros(len(lines.through), np.int64),
        np.zeros(len(lines.through), np.int64),
        np.zeros((len(lines.masks), 2), np.int64),
    )


@jit_part
def _pair_private(lines: Lines, work: Matching, holder: np.ndarray, pairs: int) -> int:
    """Pair the private squares, work.sets[0], of each open line that has two, and give them to the holder.

    Returns the number of pairs, of which `pairs` were known before.
    """
    for line in range(lines.masks.shape[0]):
        mask = lines.masks[line]
        if has(work.open[0], line) and size_of_common(mask, work.sets[0]) > 1:
            part = 0
            for w in range(holder.size):
                own = mask[w] & work.sets[0, w]
                holder[w] |= own
                while own and part < 2:
                    work.pairs[pairs, part] = 64 * w + lowest(own)
                    own &= own - ONE
                    part += 1
            pairs += 1
    return pairs


@jit
def reduce(lines: Lines, work: Matching, attacker: np.ndarray, holder: np.ndarray) -> int:
    """Bring a position to its normal form, in place, and return the number of pairs that this settles.

    A square is private if it is on one open line only. The holder needs no stone to stop a line with two private
    squares: they are a pair. So he receives them, and all squares on no open line, with the attacker's stones there.
    The pairs are in `work.pairs`, and the open lines that are left in work.open[0].
    """
    once, twice, live = work.sets[0], work.sets[1], work.sets[2]
    opens, words, pairs = work.open[0], attacker.size, 0
    opens[:] = ZERO
    for line in range(lines.masks.shape[0]):
        add(opens, line)
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
        pairs = _pair_private(lines, work, holder, pairs)
        if pairs == found:
            break
    return pairs


@jit_part
def _choose_line(lines: Lines, work: Matching, depth: int) -> int:
    """Return the open line with the fewest free squares; -1 if the pairs can't be completed, -2 if no line is open.

    Lines that share at most one free square need a pair each. So the size of any set of such lines, chosen greedily, is
    a lower bound on the number of pairs.
    """
    opens, free, blocked, union = work.open[depth], work.free[depth], work.blocked, work.sets[0]
    best, fewest, needed = -2, NO_LINE, 0
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


@jit_part
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

    Returns the number of all pairs in `work.pairs`, -1 if no pairing is found within `nodes` nodes, or -2 if there are
    too few squares for one. A position with more than 12 free squares on every open line may have a pairing that is
    never found.
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
                if depth == 0:
                    return -2
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


@jit_part
def weigh(lines: Lines, work: Matching, attacker: np.ndarray) -> tuple[float, int, int]:
    """Weigh the open lines of a position in its normal form, just made: 2**-n for n empty squares.

    Returns (total weight, the fewest empty squares of a line or NO_LINE, the number of squares that complete a line).
    Fills `work.weights` with the sum of the squares of the weights of the lines through each square, and `work.forced`
    with the squares that complete a line.
    """
    total, fewest, opens, forced = 0.0, NO_LINE, work.open[0], work.forced
    work.weights[:] = 0.0
    forced[:] = ZERO
    for v in range(opens.size):
        rest = opens[v]
        while rest:
            mask = lines.masks[64 * v + lowest(rest)]
            rest &= rest - ONE
            size = 0
            for w in range(mask.size):
                size += popcount(mask[w] & ~attacker[w])
            fewest = min(fewest, size)
            weight = 0.5**size
            total += weight
            for w in range(mask.size):
                empty = mask[w] & ~attacker[w]
                if size == 1:
                    forced[w] |= empty
                while empty:
                    work.weights[64 * w + lowest(empty)] += weight * weight
                    empty &= empty - ONE
    return total, fewest, size_of_common(forced, forced)


@jit
def find_reply(lines: Lines, work: Matching, attacker: np.ndarray, holder: np.ndarray, nodes: int) -> int:
    """Return a move of the holder after which `match` finds a pairing within `nodes` nodes, or -1.

    The position, which has an empty square, is brought to its normal form, in place. The squares of the greatest weight
    come first, then those with the lowest number. A square that completes a line of the attacker is the only move.
    """
    best = -1
    for square in range(work.weights.size):
        if best < 0 and not has(attacker, square) and not has(holder, square):
            best = square
    reduce(lines, work, attacker, holder)
    _, fewest, _ = weigh(lines, work, attacker)
    if fewest == NO_LINE:
        return best
    for w in range(attacker.size):
        if fewest > 1:
            work.forced[w] = lines.board[w] & ~attacker[w] & ~holder[w]
    after_attacker, after_holder = work.stones[0], work.stones[1]
    while True:
        best, weight = -1, 0.0
        for square in range(work.weights.size):
            if work.weights[square] > weight and has(work.forced, square):
                best, weight = square, work.weights[square]
        if best < 0:
            return -1
        work.weights[best] = 0.0
        for w in range(attacker.size):
            after_attacker[w], after_holder[w] = attacker[w], holder[w]
        add(after_holder, best)
        pairs = reduce(lines, work, after_attacker, after_holder)
        if match(lines, work, after_attacker, after_holder, pairs, nodes) >= 0:
            return best


_FREE, _TAKEN = -1, -2  # of a square without a partner
_TABU = 2  # steps for which a new pair is kept
_SEED = 5  # finds pairings of 14,14,8 and 19,19,9 within a second or two


@jit_part
def _gain(lines: Lines, work: Matching, first: int, second: int, step: int) -> int:
    """Return the weight of the lines that a new pair serves, less that of the lines that lose their only pair."""
    opens, gain = work.open[0], 0
    for v in range(opens.size):
        rest = lines.through[first, v] & lines.through[second, v] & opens[v]
        while rest:
            gain += work.cover[64 * v + lowest(rest), 1]
            rest &= rest - ONE
    for square in (first, second):
        other = work.partner[square]
        if other == _FREE:
            continue
        if step - work.made[square] <= _TABU:
            gain -= 1 << 40
        for v in range(opens.size):
            rest = lines.through[square, v] & lines.through[other, v]
            rest &= ~(lines.through[first, v] & lines.through[second, v])
            while rest:
                line = 64 * v + lowest(rest)
                rest &= rest - ONE
                if work.cover[line, 0] == 1:
                    gain -= work.cover[line, 1]
    return gain


@jit_part
def _choose_pair(lines: Lines, work: Matching, line: int, step: int, random: np.uint64) -> tuple[int, int, np.uint64]:
    """Return the pair on a line that gains most, and the next random number; -1 without a pair."""
    best, first, second, ties = -(1 << 50), -1, -1, 0
    mask = lines.masks[line]
    for a in range(work.partner.size):
        if not has(mask, a) or work.partner[a] == _TAKEN:
            continue
        for b in range(a + 1, work.partner.size):
            if not has(mask, b) or work.partner[b] == _TAKEN:
                continue
            gain = _gain(lines, work, a, b, step)
            random = _next(random)
            ties = 1 if gain > best else ties + (gain == best)
            if gain > best or (gain == best and (random >> np.uint64(33)) % np.uint64(ties) == ZERO):
                best, first, second = gain, a, b
    return first, second, random


@jit_within
def _next(random: np.uint64) -> np.uint64:
    """Return the next random number, of which the high bits are good (Knuth, MMIX)."""
    return random * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)


@jit_part
def _change(lines: Lines, work: Matching, first: int, second: int, by: int) -> int:
    """Add (`by` 1) or remove (`by` -1) a pair; return the change of the number of open lines without a pair."""
    opens, change = work.open[0], 0
    for v in range(opens.size):
        rest = lines.through[first, v] & lines.through[second, v]
        while rest:
            line = 64 * v + lowest(rest)
            rest &= rest - ONE
            work.cover[line, 0] += by
            if work.cover[line, 0] == max(by, 0):
                opens[v] ^= ONE << np.uint64(line & 63)
                change -= by
    work.partner[first], work.partner[second] = (second, first) if by > 0 else (_FREE, _FREE)
    return change


@jit
def repair(lines: Lines, work: Matching, attacker: np.ndarray, holder: np.ndarray, pairs: int, steps: int) -> int:
    """Find a pairing as `match` does, by at most `steps` steps of local search. It is for large boards.

    Each step chooses a random open line without a pair, and makes the pair on it that gains most, in place of those
    that share a square with it. A line's weight is the number of times that it was chosen, plus 1 (Morris 1993, "The
    breakout method for escaping from local minima").

    work.partner: the other square of a pair. work.made: the step at which a square's pair was made.
    work.cover: the number of pairs on each line, and the line's weight.
    """
    opens, left, random = work.open[0], 0, np.uint64(_SEED)
    for square in range(work.partner.size):
        work.partner[square] = _TAKEN if has(attacker, square) or has(holder, square) else _FREE
        work.made[square] = -_TABU - 1
    for line in range(lines.masks.shape[0]):  # lines with a stone of the holder never need a pair
        is_open = has(opens, line)
        work.cover[line, 0], work.cover[line, 1] = 0 if is_open else 1 << 30, 1
        left += is_open
    for step in range(steps):
        if left == 0:
            break
        random = _next(random)
        line = _pick(opens, int(np.int64((random >> np.uint64(33)) % np.uint64(left))))
        work.cover[line, 1] += 1
        first, second, random = _choose_pair(lines, work, line, step, random)
        if first < 0:
            return -1
        for square in (first, second):
            if work.partner[square] >= 0:
                left += _change(lines, work, square, work.partner[square], -1)
        left += _change(lines, work, first, second, 1)
        work.made[first] = work.made[second] = step
    if left:
        return -1
    for square in range(work.partner.size):
        if work.partner[square] > square:
            work.pairs[pairs, 0], work.pairs[pairs, 1] = square, work.partner[square]
            pairs += 1
    return pairs


@jit_part
def _pick(words: np.ndarray, number: int) -> int:
    """Return the element of a set that has `number` smaller elements."""
    for w in range(words.size):
        rest = words[w]
        while rest:
            if number == 0:
                return 64 * w + lowest(rest)
            number -= 1
            rest &= rest - ONE
    return -1
