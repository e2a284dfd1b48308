"""Classify X-sets under the symmetries of the rules: which set is canonical, and by what permutation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit

NO_PAGE = np.int32(-1)


class PageIndex(NamedTuple):
    """The place of every X-set's page; ask `page_of`, which alone knows how it is found."""

    rows: np.ndarray  # int32[2**N]: the row of the page among those of X-sets of the same size, or NO_PAGE
    permutations: np.ndarray  # uint16[2**N]: the permutation that maps the X-set to the canonical one of its page


@jit
def page_of(index: PageIndex, x_set: int) -> tuple[int, int]:
    """Find the page of an X-set: (row, permutation).

    The row counts the pages of X-sets of the same size; it is NO_PAGE for a set with a line, one too large, or one that
    can't be built. The permutation maps the set to the canonical one that the page is kept for.
    """
    return index.rows[x_set], index.permutations[x_set]


@jit
def image(tables: np.ndarray, g: int, mask: int) -> int:
    """The image of a mask of up to 32 squares under permutation g; `tables` is int64[G, 4, 256].

    tables[g, b, v] is the image of the squares in byte b of a mask, when that byte is v (see game.arrays).
    """
    return (
        tables[g, 0, mask & 255]
        | tables[g, 1, mask >> 8 & 255]
        | tables[g, 2, mask >> 16 & 255]
        | tables[g, 3, mask >> 24]
    )


@jit
def mask_image(mask: int, permutation: np.ndarray) -> int:
    """The image of one mask under a permutation of the squares, when tables are not worth their making."""
    picture = 0
    for s in range(permutation.size):
        if mask >> s & 1:
            picture |= 1 << permutation[s]
    return picture


@jit
def has_line(stones: int, lines: np.ndarray, guards: np.ndarray) -> bool:
    """True if the stones hold a line (all of `lines[t]`) that is not too long (none of `guards[t]`)."""
    for t in range(lines.size):
        if stones & lines[t] == lines[t] and stones & guards[t] == 0:
            return True
    return False


@jit
def _buildable(stones: int, lines: np.ndarray, guards: np.ndarray, rows: np.ndarray, exact: bool) -> bool:
    """True if the stones can be laid one by one with no line on the way; `rows` must be filled for smaller masks."""
    if has_line(stones, lines, guards):
        return False
    if not exact or stones == 0:
        return True
    rest = stones
    while rest:
        lowest = rest & -rest
        if rows[stones ^ lowest] != NO_PAGE:
            return True
        rest ^= lowest
    return False


@jit
def classify(
    squares: int,
    largest: int,
    tables: np.ndarray,
    inverse: np.ndarray,
    lines: np.ndarray,
    guards: np.ndarray,
    exact: bool,
) -> tuple[np.ndarray, np.ndarray, PageIndex]:
    """Classify the sets of up to `largest` squares that can be built without a line on the way.

    The smallest mask of a class is its canonical one; it is met first because masks are visited in ascending order, and
    marks its images. `tables` is as for `image`, `inverse[g]` (int64[G]) the index of the inverse of g.

    Returns keys (int64[C], ascending canonical masks), sizes (int32[C], masks in each class) and the index of pages.
    """
    rows = np.full(1 << squares, NO_PAGE, dtype=np.int32)
    to_canonical = np.zeros(1 << squares, dtype=np.uint16)
    seen = np.zeros(1 << squares, dtype=np.bool_)
    sizes_of = np.zeros(1 << squares, dtype=np.int32)
    counts = np.zeros(largest + 1, dtype=np.int64)
    for mask in range(1 << squares):
        if seen[mask]:
            continue
        stones = 0
        rest = mask
        while rest:
            rest &= rest - 1
            stones += 1
        if stones > largest:
            continue
        buildable = _buildable(mask, lines, guards, rows, exact)
        size = 0
        for g in range(tables.shape[0]):
            picture = image(tables, g, mask)
            if not seen[picture]:
                seen[picture] = True
                size += 1
                to_canonical[picture] = inverse[g]
                if buildable:
                    rows[picture] = counts[stones]
        if buildable:
            sizes_of[mask] = size
            counts[stones] += 1
    keys = np.nonzero(sizes_of)[0]
    return keys, sizes_of[keys], PageIndex(rows, to_canonical)
