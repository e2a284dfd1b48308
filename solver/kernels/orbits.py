"""Find the pages of X-sets under the symmetries of the rules: the canonical set of a class is its smallest mask.

Nothing here takes memory for every set of squares. The canonical sets of a level are listed from those of the level
before, and a page is found by canonicalising its set and searching for that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit


class PageIndex(NamedTuple):
    """The place of every page of a level, or of those that a shard reads; ask `page_of`."""

    images: np.ndarray  # int64[G, 5, 256]: the images of masks, see game.arrays
    patterns: np.ndarray  # int64[5, 256]: a mask's pattern on the block, see game.block
    rows: np.ndarray  # int64[2**T, 2]: by pattern the first row of the canonical sets with it, and the last plus 1
    keys: np.ndarray  # int64[C]: canonical X-sets, those with the same pattern together and ascending


@jit
def page_of(index: PageIndex, x_set: int) -> tuple[int, int]:
    """Find the page of an X-set: its row, and the permutation that maps the set to the canonical one of the page.

    Raises KeyError when the index has no such page.
    """
    key, permutation = canonical(index.images, x_set)
    rows = index.rows[image(index.patterns, key)]
    first, last = rows[0], rows[1]
    while first < last:
        middle = (first + last) >> 1
        if index.keys[middle] < key:
            first = middle + 1
        else:
            last = middle
    if first == rows[1] or index.keys[first] != key:
        raise KeyError("a set of squares has no page among those that were read")
    return first, permutation


@jit
def image(tables: np.ndarray, mask: int) -> int:
    """Map a mask by `tables` (int64[5, 256]): tables[b, v] is the image of the squares in byte b, when it is v."""
    # By five terms, not a loop, which would take twice as long.
    return (
        tables[0, mask & 255]
        | tables[1, mask >> 8 & 255]
        | tables[2, mask >> 16 & 255]
        | tables[3, mask >> 24 & 255]
        | tables[4, mask >> 32 & 255]
    )


@jit
def canonical(images: np.ndarray, mask: int) -> tuple[int, int]:
    """Find the smallest image of a mask and the number of a permutation that leads there."""
    smallest, permutation = mask, 0  # the identity comes first
    for g in range(1, images.shape[0]):
        picture = image(images[g], mask)
        if picture < smallest:
            smallest, permutation = picture, g
    return smallest, permutation


@jit
def mask_image(mask: int, permutation: np.ndarray) -> int:
    """Map one mask by a permutation of the squares, when tables are not worth their making."""
    picture = 0
    for s in range(permutation.size):
        if mask >> s & 1:
            picture |= 1 << permutation[s]
    return picture


@jit
def completing_squares(stones: int, lines: np.ndarray, guards: np.ndarray) -> int:
    """Find the squares that complete a line of the stones (all of `lines[t]`) not too long (none of `guards[t]`)."""
    squares = 0
    for t in range(lines.size):
        missing = lines[t] & ~stones
        if missing & (missing - 1) == 0 and stones & guards[t] == 0:
            squares |= missing
    return squares


@jit
def list_children(
    squares: int, images: np.ndarray, lines: np.ndarray, guards: np.ndarray, keys: np.ndarray, children: np.ndarray
) -> int:
    """Fill `children` with the canonical sets of a square more than `keys` that complete no line; return their number.

    `children` is an int64 array with room for every free square of every key. A set comes once for each way there.
    """
    count = 0
    everywhere = (1 << squares) - 1
    for key in keys:
        rest = everywhere & ~key & ~completing_squares(key, lines, guards)
        while rest:
            square = rest & -rest
            rest ^= square
            children[count] = canonical(images, key | square)[0]
            count += 1
    return count


@jit
def count_images(images: np.ndarray, keys: np.ndarray, sizes: np.ndarray) -> None:
    """Fill `sizes` (int32[C]) with the number of different images of each canonical set."""
    for i in range(keys.size):
        fixed = 0
        for g in range(images.shape[0]):
            fixed += image(images[g], keys[i]) == keys[i]
        sizes[i] = images.shape[0] // fixed
