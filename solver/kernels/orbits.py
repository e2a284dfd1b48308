"""List the canonical X-sets of a game, and find the page of any X-set.

An X-set is the set of squares with X's stones. The X-sets that symmetries of the rules map to each other form a class,
and the canonical set of a class is its smallest mask. No array here has an entry for every set of squares. The
canonical sets of a level are generated from those with one square fewer. The page of an X-set is found by searching for
the canonical form of the set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.kernels.instructions import popcount
from solver.kernels.jit import jit, jit_part


class Group(NamedTuple):
    """The symmetries, divided into steps to the smallest image of a set; see game.symmetry.SymmetryGroup.steps.

    A small group has only the last step, which lists the whole group. Images of squares are masks.
    """

    images: np.ndarray  # int64[N * P]: for each step but the last int64[N, P'], the images of each square, as below
    permutations: np.ndarray  # int64[P, N]
    first: np.ndarray  # int64[S]: the first permutation of each step, then P
    fixed: np.ndarray  # int64[S - 1]: no later step moves this square or one above it
    listed_images: np.ndarray  # int64[N, G]: the image of each square under the permutations of the last step
    listed: np.ndarray  # int64[G, N]


class GroupScratch(NamedTuple):
    """Scratch arrays for finding smallest images."""

    set_images: np.ndarray  # int64[], the images of one set
    masks: np.ndarray  # int64[2, C], different images of a set under products of the first permutations, now and before
    paths: np.ndarray  # int64[2, C], a product that leads to each image: its number in each step, as digits
    counts: np.ndarray  # int64[2, C], the number of such products
    slots: np.ndarray  # int64[C], the slot of each image in the hash table
    table: np.ndarray  # int64[2**T], the image at each slot, if the slot is the image's
    none: np.ndarray  # int64[G], zeros


class PageIndex(NamedTuple):
    """An index of all pages of a level, or of the pages that a shard reads. It is made for `find_larger`."""

    group: Group
    patterns: np.ndarray  # int64[5, 256]: a mask's pattern on the block, see solve.block
    rows: np.ndarray  # int64[2**T, 2]: by pattern, the first row of the canonical sets with it, and the last row plus 1
    keys: np.ndarray  # int64[C]: canonical X-sets, those with the same pattern together and ascending


class FoundPages(NamedTuple):
    """For each square that can be added to an X-set, the page of the larger set."""

    rows: np.ndarray  # int64[N], where the page is
    permutations: np.ndarray  # int64[N, N], a permutation of the set to the canonical set of the page, if they differ
    after: np.ndarray  # int64[N], scratch
    scratch: GroupScratch


def square_images(permutations: Sequence[Sequence[int]]) -> npt.NDArray[np.int64]:
    """Return, for each square, its image under each permutation, as a mask: int64[squares, G].

    The image of a set of squares is the OR of the images of its squares.
    """
    return np.left_shift(1, np.array(permutations, np.int64).T, order="C")


def make_group(steps: Sequence[tuple[Sequence[Sequence[int]], int]]) -> Group:
    """Return a group, given the permutations and the fixed square of each step; see game.symmetry.SymmetryGroup."""
    *single, (listed, _) = steps
    return Group(
        np.concatenate([np.zeros(0, np.int64), *(square_images(permutations).ravel() for permutations, _ in single)]),
        np.array([p for permutations, _ in single for p in permutations], np.int64).reshape(-1, len(listed[0])),
        np.cumsum([0, *(len(permutations) for permutations, _ in single)]),
        np.array([fixed for _, fixed in single], np.int64),
        square_images(listed),
        np.array(listed, np.int64),
    )


def group_scratch(group: Group) -> GroupScratch:
    """Return the scratch arrays for finding smallest images."""
    sizes = np.diff(group.first)
    most = int(sizes.prod())
    listed = group.listed.shape[0]
    return GroupScratch(
        np.empty(max(listed, *sizes.tolist(), 1), np.int64),
        np.empty((2, most), np.int64),
        np.empty((2, most), np.int64),
        np.empty((2, most), np.int64),
        np.empty(most, np.int64),
        np.empty(1 << (2 * most - 1).bit_length(), np.int64),
        np.zeros(listed, np.int64),
    )


@jit
def find_larger(index: PageIndex, x_set: int, added: int, found: FoundPages) -> None:
    """For each square in the mask `added`, find the page of `x_set` plus that square, and fill `found`.

    Raises KeyError if a page is missing from the index. All pages are found in one call, because passing the arrays
    takes longer than finding a page.
    """
    group, scratch = index.group, found.scratch
    set_images = scratch.set_images[: group.listed.shape[0]]
    if group.fixed.size == 0:
        map_set(group.listed_images, x_set, set_images)
    for s in range(group.listed.shape[1]):
        if added >> s & 1:
            path = 0
            if group.fixed.size == 0:
                key, number = smallest_image(set_images, group.listed_images[s])
            else:
                key, path, number = search_image(group, x_set | 1 << s, scratch)
            pattern = pattern_of(index.patterns, key)
            row = _search(index.keys, index.rows[pattern, 0], index.rows[pattern, 1], key)
            if row < 0:
                raise KeyError("a set of squares has no page among those that were read")
            found.rows[s] = row
            if key != x_set | 1 << s:
                _compose(group, path, number, found.permutations[s], found.after)


@jit_part
def _compose(group: Group, path: int, number: int, permutation: np.ndarray, after: np.ndarray) -> None:
    """Fill `permutation` (int64[N]) with a product: the permutations of a path, then `group.listed[number]`.

    `after` is scratch space.
    """
    for s in range(permutation.size):
        permutation[s] = group.listed[number, s]
    for step in range(group.fixed.size - 1, -1, -1):
        size = group.first[step + 1] - group.first[step]
        before = group.permutations[group.first[step] + path % size]
        path //= size
        for s in range(permutation.size):
            after[s] = permutation[s]
        for s in range(permutation.size):
            permutation[s] = after[before[s]]


@jit_part
def _search(keys: np.ndarray, first: int, last: int, key: int) -> int:
    """Find a key by binary search in keys[first:last], which must be sorted; return its index in `keys`, or -1."""
    left = last - first
    while left > 1:  # no branch depends on a key, which a processor cannot predict
        half = left >> 1
        first += half * (keys[first + half - 1] < key)
        left -= half
    return first if left and keys[first] == key else -1


@jit_part
def pattern_of(patterns: np.ndarray, mask: int) -> int:
    """Return the pattern of a mask: the part of the set that lies on the block (see solve.block).

    `patterns` (int64[5, 256]) contains the pattern of each byte.
    """
    # By five terms, not a loop, which would take twice as long.
    return (
        patterns[0, mask & 255]
        | patterns[1, mask >> 8 & 255]
        | patterns[2, mask >> 16 & 255]
        | patterns[3, mask >> 24 & 255]
        | patterns[4, mask >> 32 & 255]
    )


@jit_part
def map_set(images: np.ndarray, mask: int, set_images: np.ndarray) -> None:
    """Fill `set_images` (int64[G]) with the images of a set, given the images of each square (int64[N, G])."""
    for g in range(set_images.size):
        set_images[g] = 0
    while mask:
        lowest = mask & -mask
        mask ^= lowest
        image = images[popcount(np.uint64(lowest - 1))]
        for g in range(set_images.size):
            set_images[g] |= image[g]


@jit_part
def narrow(group: Group, mask: int, scratch: GroupScratch) -> int:
    """Find the images of a set from which the last step can lead to the smallest image; return how many there are.

    Stores the images in scratch.masks[0], a path to each in scratch.paths[0], and the number of paths to each in
    scratch.counts[0].
    """
    masks, paths, counts = scratch.masks, scratch.paths, scratch.counts
    masks[0, 0], paths[0, 0], counts[0, 0], found = mask, 0, 1, 1
    for step in range(group.fixed.size):
        first, size, fixed = group.first[step], group.first[step + 1] - group.first[step], group.fixed[step]
        squares, set_images = group.listed.shape[1], scratch.set_images[:size]
        images = group.images[squares * first : squares * (first + size)].reshape(squares, size)
        for c in range(found):
            masks[1, c], paths[1, c], counts[1, c] = masks[0, c], paths[0, c], counts[0, c]
        before, found, least = found, 0, 1 << 62
        for c in range(before):
            map_set(images, masks[1, c], set_images)
            for g in range(size):
                rest = set_images[g] >> fixed
                if rest < least:
                    least, found = rest, 0
                if rest == least:
                    place = _enter(set_images[g], scratch, found)
                    if place == found:
                        paths[0, found], counts[0, found] = paths[1, c] * size + g, 0
                        found += 1
                    counts[0, place] += counts[1, c]
    return found


@jit_part
def _enter(image: int, scratch: GroupScratch, found: int) -> int:
    """Return the index of an image among the `found` entries of scratch.masks[0]; append the image if it is missing.

    A slot of the hash table is in use only if it refers to one of these entries and that entry refers back to the slot.
    So the table need not be cleared.
    """
    masks, slots, table = scratch.masks, scratch.slots, scratch.table
    slot = image % 0x7FFFFFFF * 0x4F1BBCDD >> 20 & table.size - 1  # a product of 64 bits would be a warning in Python
    while 0 <= table[slot] < found and slots[table[slot]] == slot:
        if masks[0, table[slot]] == image:
            return table[slot]
        slot = slot + 1 & table.size - 1
    table[slot], slots[found], masks[0, found] = found, slot, image
    return found


@jit_part
def search_image(group: Group, mask: int, scratch: GroupScratch) -> tuple[int, int, int]:
    """Return the smallest image of a set, the path to it, and the index of the permutation in the last step."""
    set_images = scratch.set_images[: group.listed.shape[0]]
    least, path, last = 1 << 62, 0, 0
    for c in range(narrow(group, mask, scratch)):
        map_set(group.listed_images, scratch.masks[0, c], set_images)
        image, number = smallest_image(set_images, scratch.none)
        if image < least:
            least, path, last = image, scratch.paths[0, c], number
    return least, path, last


@jit_part
def smallest_image(set_images: np.ndarray, added: np.ndarray) -> tuple[int, int]:
    """Return the smallest image of a set plus one square, and the index of the first permutation that gives it.

    `set_images` contains the images of the set, and `added` those of the square (both int64[G]).
    """
    # Two loops, not one: without a branch, the first handles several permutations at a time.
    smallest = set_images[0] | added[0]
    for g in range(1, set_images.size):
        smallest = min(smallest, set_images[g] | added[g])
    permutation = 0
    while set_images[permutation] | added[permutation] != smallest:
        permutation += 1
    return smallest, permutation


@jit_part
def completing_squares(stones: int, lines: np.ndarray) -> int:
    """Return the squares that complete a line in `lines` (int64[L, 2]: mask, guard) without a stone on its guard."""
    squares = 0
    for t in range(lines.shape[0]):
        missing = lines[t, 0] & ~stones
        if missing & (missing - 1) == 0 and stones & lines[t, 1] == 0:
            squares |= missing
    return squares


@jit
def list_children(
    group: Group, scratch: GroupScratch, lines: np.ndarray, keys: np.ndarray, children: np.ndarray
) -> int:
    """For each set in `keys` and each free square, list the canonical form of their union, unless it contains a line.

    Fills `children` (int64[...]) and returns the number of entries. `children` must have room for every free square of
    every key, because a set with several parents is listed several times.
    """
    count = 0
    set_images = scratch.set_images[: group.listed.shape[0]]
    for key in keys:
        if group.fixed.size == 0:
            map_set(group.listed_images, key, set_images)
        barred = key | completing_squares(key, lines)
        for s in range(group.listed.shape[1]):
            if not barred >> s & 1:
                if group.fixed.size == 0:
                    children[count] = smallest_image(set_images, group.listed_images[s])[0]
                else:
                    children[count] = search_image(group, key | 1 << s, scratch)[0]
                count += 1
    return count


@jit
def count_images(group: Group, scratch: GroupScratch, order: int, keys: np.ndarray, sizes: np.ndarray) -> None:
    """Fill `sizes` (int32[C]) with the number of distinct images of each canonical set.

    `order` is the order of the group.
    """
    set_images = scratch.set_images[: group.listed.shape[0]]
    for i in range(keys.size):
        unchanged = 0
        for c in range(narrow(group, keys[i], scratch)):
            map_set(group.listed_images, scratch.masks[0, c], set_images)
            for g in range(set_images.size):
                unchanged += scratch.counts[0, c] * (set_images[g] == keys[i])
        sizes[i] = order // unchanged
