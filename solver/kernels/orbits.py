"""Find the pages of X-sets under the symmetries of the rules: the canonical set of a class is its smallest mask.

Nothing here takes memory for every set of squares. The canonical sets of a level are listed from those of the level
before, and a page is found by searching for the canonical form of its set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit, jit_allocating


class PageIndex(NamedTuple):
    """The place of every page of a level, or of those that a shard reads, for `find_larger`."""

    images: np.ndarray  # int64[N, G]: the image of each square under each permutation, see game.arrays
    patterns: np.ndarray  # int64[5, 256]: a mask's pattern on the block, see solve.block
    rows: np.ndarray  # int64[2**T, 2]: by pattern the first row of the canonical sets with it, and the last plus 1
    keys: np.ndarray  # int64[C]: canonical X-sets, those with the same pattern together and ascending


class FoundPages(NamedTuple):
    """The pages of the X-sets that add one square to a given set, by that square."""

    rows: np.ndarray  # int64[N], where the page is
    permutations: np.ndarray  # int64[N], the number of the one that maps the set to the canonical set of the page
    set_images: np.ndarray  # int64[G], scratch


@jit
def find_larger(index: PageIndex, x_set: int, added: int, found: FoundPages) -> None:
    """Find the pages of an X-set with one more square, for each square of the mask `added`, and fill `found`.

    Raises KeyError if the index lacks one. One call finds all of them, because passing the arrays takes longer than
    finding a page.
    """
    map_set(index.images, x_set, found.set_images)
    for s in range(index.images.shape[0]):
        if added >> s & 1:
            key, permutation = smallest_image(found.set_images, index.images[s])
            pattern = pattern_of(index.patterns, key)
            row = _search(index.keys, index.rows[pattern, 0], index.rows[pattern, 1], key)
            if row < 0:
                raise KeyError("a set of squares has no page among those that were read")
            found.rows[s] = row
            found.permutations[s] = permutation


@jit
def _search(keys: np.ndarray, first: int, last: int, key: int) -> int:
    """Find a key among keys[first:last], which ascend; return its row, or -1."""
    left = last - first
    while left > 1:  # no branch depends on a key, which a processor cannot predict
        half = left >> 1
        first += half * (keys[first + half - 1] < key)
        left -= half
    return first if left and keys[first] == key else -1


@jit
def pattern_of(patterns: np.ndarray, mask: int) -> int:
    """Find the pattern of a mask on the block; `patterns` is int64[5, 256], those of each byte."""
    # By five terms, not a loop, which would take twice as long.
    return (
        patterns[0, mask & 255]
        | patterns[1, mask >> 8 & 255]
        | patterns[2, mask >> 16 & 255]
        | patterns[3, mask >> 24 & 255]
        | patterns[4, mask >> 32 & 255]
    )


@jit
def map_set(images: np.ndarray, mask: int, set_images: np.ndarray) -> None:
    """Fill `set_images` (int64[G]) with those of a set; `images` (int64[N, G]) are those of single squares."""
    for g in range(set_images.size):
        set_images[g] = 0
    for s in range(images.shape[0]):
        if mask >> s & 1:
            for g in range(set_images.size):
                set_images[g] |= images[s, g]


@jit
def smallest_image(set_images: np.ndarray, added: np.ndarray) -> tuple[int, int]:
    """Return the smallest image of a set with one more square, and the number of the first permutation to it.

    `set_images` and `added` (int64[G]) are the images of the set and of the square.
    """
    # Two loops, not one: without a branch, the first handles several permutations at a time.
    smallest = set_images[0] | added[0]
    for g in range(1, set_images.size):
        smallest = min(smallest, set_images[g] | added[g])
    permutation = 0
    while set_images[permutation] | added[permutation] != smallest:
        permutation += 1
    return smallest, permutation


@jit
def mask_image(mask: int, permutation: np.ndarray) -> int:
    """Return the image of one mask under a permutation of the squares, without tables."""
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


@jit_allocating
def list_children(
    images: np.ndarray, lines: np.ndarray, guards: np.ndarray, keys: np.ndarray, children: np.ndarray
) -> int:
    """Fill `children` with the canonical sets with one more square than `keys` and no line; return their number.

    `images` is int64[N, G], see `PageIndex`; `children` is an int64 array with room for every free square of every
    key. It gets duplicates of sets with several parents.
    """
    count = 0
    set_images = np.empty(images.shape[1], np.int64)
    for key in keys:
        map_set(images, key, set_images)
        barred = key | completing_squares(key, lines, guards)
        for s in range(images.shape[0]):
            if not barred >> s & 1:
                children[count] = smallest_image(set_images, images[s])[0]
                count += 1
    return count


@jit_allocating
def count_images(images: np.ndarray, keys: np.ndarray, sizes: np.ndarray) -> None:
    """Fill `sizes` (int32[C]) with the number of different images of each canonical set; `images` is int64[N, G]."""
    set_images = np.empty(images.shape[1], np.int64)
    for i in range(keys.size):
        map_set(images, keys[i], set_images)
        fixed = 0
        for g in range(set_images.size):
            fixed += set_images[g] == keys[i]
        sizes[i] = set_images.size // fixed
