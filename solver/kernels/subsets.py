"""Mark sets of squares in arrays of 2**squares entries, and sum over pairs of disjoint sets.

Bit s of an index says "square s is in the set". A set is what the stones of one side can be: LIVE, the side
can have come to it without a line; OVER, its last stone made a line; otherwise it does not occur in play.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import jit

LIVE, OVER = 1, -1
BLOCK = 1 << 14  # entries worked on together while they are in the cache

Numbers = npt.NDArray[Any]


@jit
def mark_sets(lines: npt.NDArray[np.int64], largest: int, marks: npt.NDArray[np.int8]) -> None:
    """Fill `marks` (int8[2**squares]) with LIVE, OVER or 0 for every set of up to `largest` squares.

    `lines` is int64[count, 2], mask and guard. A set occurs when taking away some one square leaves a LIVE
    set; where longer rows count that is every set without a line, where they do not there are overlines
    that nobody can build.
    """
    marks[0] = LIVE
    for stones in range(1, len(marks)):
        marks[stones] = 0
        size = 0
        occurs = False
        rest = stones
        while rest:
            square = rest & -rest
            rest ^= square
            size += 1
            occurs |= marks[stones ^ square] == LIVE
        if occurs and size <= largest:
            marks[stones] = LIVE
            for line in range(len(lines)):
                mask = lines[line, 0]
                if stones & mask == mask and stones & lines[line, 1] == 0:
                    marks[stones] = OVER
                    break


@jit
def count_orders(marks: npt.NDArray[np.int8], orders: npt.NDArray[np.int64]) -> None:
    """Fill `orders` with the number of orders in which each set can be built, negated for sets that are OVER.

    At most 13! for the 13 stones a side can have on 25 squares: far inside 64 bits.
    """
    orders[0] = 1
    for stones in range(1, len(marks)):
        total = 0
        rest = stones if marks[stones] else 0
        while rest:
            square = rest & -rest
            rest ^= square
            total += max(orders[stones ^ square], 0)
        orders[stones] = total * marks[stones]


@jit
def add_live(weights: Numbers, sizes: npt.NDArray[np.uint8], size: int, sums: Numbers) -> None:
    """Add the weights of the LIVE sets of one size to `sums`."""
    for stones in range(len(weights)):
        sums[stones] += weights[stones] if sizes[stones] == size and weights[stones] > 0 else 0


@jit
def sum_over_subsets(values: Numbers) -> None:
    """Replace the value of each set by the sum of the values of its subsets, in place (Yates 1937)."""
    block = min(len(values), BLOCK)
    for start in range(0, len(values), block):
        _add_halves(values[start : start + block], 1)
    _add_halves(values, block)


@jit
def _add_halves(values: Numbers, step: int) -> None:
    """For each square from the one of index bit `step` on: add to the sets with it their twins without it."""
    while step < len(values):
        for start in range(0, len(values), 2 * step):
            without = values[start : start + step]  # by slices, so that the loop below becomes vector code
            with_it = values[start + step : start + 2 * step]
            for i in range(step):
                with_it[i] += without[i]
        step *= 2


@jit
def sum_disjoint(
    weights: Numbers,
    sizes: npt.NDArray[np.uint8],
    size: int,
    subset_sums: Numbers,
    halves: npt.NDArray[np.int64],
) -> None:
    """Sum weight(set) * subset_sums[complement] over the sets of one size, exactly.

    Fills `halves`, int64[2, 2]: row 0 for LIVE sets, row 1 for sets that are OVER, each as (high, low) with
    the sum being high * 2**32 + low. A product must fit in 63 bits, as must the number of sets times 2**32.
    """
    halves[:] = 0
    everything = len(weights) - 1
    for stones in range(len(weights)):
        weight = np.int64(weights[stones])
        if sizes[stones] == size and weight != 0:
            product = abs(weight) * np.int64(subset_sums[everything ^ stones])
            row = 0 if weight > 0 else 1
            halves[row, 0] += product >> 32
            halves[row, 1] += product & 0xFFFFFFFF
