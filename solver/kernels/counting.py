"""Enumerate positions as sorted arrays of base-3 hashes, and pass counts along the edges of an automaton.

A hash is a sum over squares. So every linear function of a hash (X's squares, O's squares, the hash of the mirror
image) is a sum over squares too. It is computed CHUNK squares at a time with a *digit table*: `table[c, v]` is the
function's sum over the squares of chunk c if v is the number that their base-3 digits form.

    hash                = ... v2 * 243**2  + v1 * 243     + v0
    linear(table, hash) = ... table[2, v2] + table[1, v1] + table[0, v0]
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part
from solver.kernels.line_planes import mark_supersets, to_index_bits
from solver.kernels.words import ONE, WORD_BITS, ZERO, copy, word_count

CHUNK = 5  # squares; the tables of the 8 symmetries of a square board then stay in the cache
CHUNK_VALUES = 3**CHUNK

LOW_SQUARES = 12  # squares whose sets `count_within` counts together
LOW_WORDS = word_count(LOW_SQUARES)

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]


@jit_part
def linear(table: Ints, position: int) -> int:
    """Return the value of a linear function for a hash, given the function's digit table (int64[chunks, 243])."""
    total = 0
    for chunk in range(table.shape[0]):
        total += table[chunk, position % CHUNK_VALUES]
        position //= CHUNK_VALUES
    return total


@jit
def judge(
    hashes: Ints, own: Ints, other: Ints, lines: Ints, ground: int, stride: int, allowed: int, lined: Flags, moves: Ints
) -> None:
    """Find the positions with a line, and the legal moves in all others.

    `own` and `other` are the digit tables for the squares of the side that moved last and for those of its opponent.
    Only the side that moved last can have one of `lines` (int64[count, 2]: mask, guard). A move is legal on a free
    square of `allowed` that belongs to `ground` or lies above a taken square; the number of the square below is greater
    by `stride`. Sets `lined` to True for positions with a line, else to False. Fills `moves` with the legal squares as
    a bitmask, 0 if the game is over.
    """
    for i in range(len(hashes)):
        mine = linear(own, hashes[i])
        taken = mine | linear(other, hashes[i])
        lined[i] = False
        for line in range(len(lines)):
            mask = lines[line, 0]
            if mine & mask == mask and mine & lines[line, 1] == 0:
                lined[i] = True
                break
        moves[i] = 0 if lined[i] else allowed & ~taken & (ground | taken >> stride)


@jit
def list_children(hashes: Ints, moves: Ints, steps: Ints, children: Ints) -> None:
    """Fill `children` with the hash of every child, including duplicates.

    A stone on square s adds `steps[s]` to a hash.
    """
    filled = 0
    for i in range(len(hashes)):
        mask = moves[i]
        square = 0
        while mask:
            if mask & 1:
                children[filled] = hashes[i] + steps[square]
                filled += 1
            mask >>= 1
            square += 1


@jit
def pass_orders(hashes: Ints, moves: Ints, orders: Ints, steps: Ints, children: Ints, reached: Ints) -> None:
    """Count the sequences of moves that lead to each child: add the counts of its parents, `orders`, to `reached`.

    Parents and children are sorted, and a stone on a given square adds the same amount to every hash. So one pass for
    each square finds the children without a search.
    """
    for square in range(len(steps)):
        j = 0
        for i in range(len(hashes)):
            if moves[i] >> square & 1:
                child = hashes[i] + steps[square]
                while children[j] < child:
                    j += 1
                reached[j] += orders[i]


@jit
def mark_canonical(hashes: Ints, images: Ints, canonical: Flags) -> None:
    """Set `canonical` to True for each hash that is not greater than any of its images, else to False.

    `images` (int64[symmetries, chunks, 243]) contains the digit table of each symmetry.
    """
    for i in range(len(hashes)):
        canonical[i] = True
        for symmetry in range(len(images)):
            if linear(images[symmetry], hashes[i]) < hashes[i]:
                canonical[i] = False
                break


@jit
def find_smallest(hashes: Ints, images: Ints, smallest: Ints) -> None:
    """Lower each item of `smallest` to the smallest image of its hash, if that is less; for `images`, see above."""
    for i in range(len(hashes)):
        for symmetry in range(len(images)):
            smallest[i] = min(smallest[i], linear(images[symmetry], hashes[i]))


@jit
def add_along(before: Ints, sources: Ints, targets: Ints, runs: Ints, after: Ints) -> None:
    """For each edge of an automaton, add the counts of its source state to the counts of its target state.

    `before` contains the counts of the sources and `after` those of the targets (int64[states, columns]). `sources` and
    `targets` (int64[edges]) are the states of each edge. Each row of `runs` (int64[R, 3]) selects adjacent columns to
    add. It contains the first column in the source, the column in the target to which this one is added, and the number
    of columns.
    """
    for edge in range(len(sources)):
        source, target = before[sources[edge]], after[targets[edge]]
        for run in range(len(runs)):
            kept = source[runs[run, 0] : runs[run, 0] + runs[run, 2]]
            grown = target[runs[run, 1] : runs[run, 1] + runs[run, 2]]
            for i in range(len(kept)):
                grown[i] += kept[i]


@jit
def count_within(
    keys: Ints,
    weights: Ints,
    lined: Flags,
    lines: Ints,
    starts: Ints,
    sizes: Ints,
    planes: Words,
    by_size: Words,
    scratch: Ints,
    tally: Ints,
) -> None:
    """Count the sets without a line within the squares that each of `keys` leaves free.

    Square s stands for `sizes[s]` squares of a board, and `keys[k]` for `weights[k]` sets. `lines` are masks in
    ascending order; those whose last square is s start at index `starts[s]`. If the squares of a key stand for `stones`
    squares of the board, two weighted counts are added to row [lined[k], stones] of `tally` (int64[2, S, 2]): the
    number of sets of `stones` squares, then that of sets of `stones` - 1 squares.

    The first LOW_SQUARES free squares are *low*. The sets of the other free squares are visited depth first. For each,
    a plane marks the sets of low squares whose union with it has a line. Scratch: planes (uint64[squares + 1, words]),
    by_size (uint64[S, words]: the subsets of the low squares by size) and scratch (int64[3, squares + 1]).
    """
    chosen, taken, following = scratch[0], scratch[1], scratch[2]
    for k in range(keys.size):
        stones, low, low_squares, square = 0, 0, 0, 0
        by_size[:] = ZERO
        by_size[0, 0] = ONE
        for s in range(sizes.size):
            if keys[k] >> s & 1:
                stones += sizes[s]
            elif low < LOW_SQUARES:
                _add_low_square(by_size, low, sizes[s])
                low, low_squares, square = low + 1, low_squares | 1 << s, s + 1
        words, found = word_count(low), tally[np.int64(lined[k]), stones]
        planes[0, :words] = ZERO
        for t in range(starts[square]):
            if lines[t] & ~low_squares == 0:
                mark_supersets(planes[0], low, to_index_bits(lines[t], low_squares), 0)
        chosen[0], taken[0], depth = low_squares, 0, 0
        _add_unmarked(planes[0, :words], by_size, stones, weights[k], found)
        while depth or square < sizes.size:
            if square == sizes.size:
                square = following[depth]
                depth -= 1
                continue
            s = square
            square += 1
            if keys[k] >> s & 1 or taken[depth] + sizes[s] > stones:
                continue
            chosen[depth + 1] = chosen[depth] | 1 << s
            copy(planes[depth, :words], planes[depth + 1, :words])
            lineless = True
            for t in range(starts[s], starts[s + 1]):
                if lines[t] & ~chosen[depth + 1] == 0:
                    lineless &= lines[t] & low_squares != 0
                    mark_supersets(planes[depth + 1], low, to_index_bits(lines[t], low_squares), 0)
            if lineless:
                depth += 1
                taken[depth], following[depth] = taken[depth - 1] + sizes[s], square
                _add_unmarked(planes[depth, :words], by_size, stones - taken[depth], weights[k], found)


@jit_part
def _add_low_square(by_size: Words, index_bit: int, size: int) -> None:
    """Add to `by_size` the subsets that contain a further low square, which stands for `size` squares of the board."""
    for stones in range(by_size.shape[0] - 1, size - 1, -1):
        smaller, larger = by_size[stones - size], by_size[stones]
        if index_bit < WORD_BITS:
            larger[0] |= smaller[0] << np.uint64(1 << index_bit)
        else:
            half = 1 << index_bit - WORD_BITS
            for w in range(half):
                larger[half + w] = smaller[w]


@jit_part
def _add_unmarked(plane: Words, by_size: Words, stones: int, weight: int, found: Ints) -> None:
    """Add to `found` the weighted numbers of unmarked sets: first those of `stones` stones, then of one stone fewer."""
    for fewer in range(min(stones + 1, 2)):
        count = 0
        for w in range(plane.size):
            count += popcount(by_size[stones - fewer, w] & ~plane[w])
        found[fewer] += weight * count
