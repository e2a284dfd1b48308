"""Walk over positions as sorted arrays of base-3 hashes; move counts along the edges of an automaton.

A hash is a sum over squares, so every linear function of it (X's squares, O's squares, the hash of its mirror image) is
a sum too. It is taken CHUNK squares at a time from a *digit table*: `table[c, v]` is the sum over the squares of chunk
c if their digits are v in base 3.

    hash                = ... v2 * 243**2  + v1 * 243     + v0
    linear(table, hash) = ... table[2, v2] + table[1, v1] + table[0, v0]
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import jit

CHUNK = 5  # squares; the tables of the 8 symmetries of a square board then stay in the cache
CHUNK_VALUES = 3**CHUNK

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@jit
def linear(table: Ints, position: int) -> int:
    """Sum a digit table (int64[chunks, 243]) over a hash."""
    total = 0
    for chunk in range(table.shape[0]):
        total += table[chunk, position % CHUNK_VALUES]
        position //= CHUNK_VALUES
    return total


@jit
def judge(
    hashes: Ints,
    own: Ints,
    other: Ints,
    lines: Ints,
    ground: int,
    stride: int,
    allowed: int,
    lined: Flags,
    moves: Ints,
) -> None:
    """Find the finished positions, and the legal moves of the others.

    `own` and `other` are the digit tables of the squares of the side that moved last and of its opponent. Only the side
    that moved last can have one of `lines` (int64[count, 2]: mask, guard). A move is legal on a free square of
    `allowed` that belongs to `ground`, or whose square below (its number is greater by `stride`) is taken. Fills
    `lined` with True where a line exists, and `moves` with the legal squares as a bitmask, 0 if the game is over.
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
    """Write the hash of every child, including duplicates; a stone on square s adds `steps[s]` to a hash."""
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
    """Add to each child the numbers of sequences of moves that lead to its parents.

    Both levels are sorted and a stone on a square adds the same to every hash, so one pass for each square finds the
    children without a search.
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
    """Mark each hash that is the smallest of its `images` (int64[symmetries, chunks, 243])."""
    for i in range(len(hashes)):
        canonical[i] = True
        for symmetry in range(len(images)):
            if linear(images[symmetry], hashes[i]) < hashes[i]:
                canonical[i] = False
                break


@jit
def add_along(before: Ints, sources: Ints, targets: Ints, runs: Ints, after: Ints) -> None:
    """Add the counts of each edge's source to the counts of its target.

    The counts are `before` and `after` (int64[states, columns]), the edges `sources` and `targets` (int64[edges]). A
    row of `runs` (int64[R, 3]) is the first column of the source, the column of the target to which this column is
    added, and the number of columns.
    """
    for edge in range(len(sources)):
        source, target = before[sources[edge]], after[targets[edge]]
        for run in range(len(runs)):
            kept = source[runs[run, 0] : runs[run, 0] + runs[run, 2]]
            grown = target[runs[run, 1] : runs[run, 1] + runs[run, 2]]
            for i in range(len(kept)):
                grown[i] += kept[i]
