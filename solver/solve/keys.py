"""List the pages of a game without gravity: the canonical X-sets of every level, and the index that finds one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from solver.game.arrays import line_array, sort_distinct, square_images
from solver.game.block import Block, block_of
from solver.game.rules import Rules
from solver.kernels.orbits import PageIndex, count_images, list_children
from solver.support.threads import ThreadPool

Ints = npt.NDArray[np.int64]

_CHUNK = 1 << 14  # sets whose children are listed together


@dataclass(frozen=True)
class LevelKeys:
    """The pages of a level, or some of them: those of a class together, classes and keys ascending."""

    keys: Ints
    """int64[C], canonical X-sets."""
    sizes: npt.NDArray[np.int32]
    """int32[C], the X-sets in the class of each."""

    def part(self, first: int, last: int) -> LevelKeys:
        """Return the pages first..last-1."""
        return LevelKeys(self.keys[first:last], self.sizes[first:last])


def list_keys(rules: Rules, pool: ThreadPool) -> list[LevelKeys]:
    """List the pages of every level, by the number of X's stones from none to half the plies."""
    block, images = block_of(rules), square_images(rules.symmetries)
    levels = [_level(block, images, np.zeros(1, np.int64))]
    for _ in range(rules.plies // 2):
        levels.append(_level(block, images, _children(rules, images, levels[-1].keys, pool)))
    return levels


def _children(rules: Rules, images: Ints, keys: Ints, pool: ThreadPool) -> Ints:
    """List the canonical X-sets with a square more than `keys`, ascending."""
    chunks = [keys[first : first + _CHUNK] for first in range(0, keys.size, _CHUNK)]
    found = list(pool.map(partial(list_larger, rules, images), chunks))
    return sort_distinct(np.concatenate(found)) if found else keys


def list_larger(rules: Rules, images: Ints, keys: Ints) -> Ints:
    """List the X-sets with a square more than `keys` and no line, ascending; canonical under the group of `images`."""
    masks, guards = line_array(rules.x_lines).T.copy()
    children = np.empty(keys.size * rules.squares, np.int64)
    count = list_children(images, masks, guards, keys, children)
    return sort_distinct(children[:count])


def _level(block: Block, images: Ints, keys: Ints) -> LevelKeys:
    classes = block.classes_of(keys)
    keys = keys[np.argsort(classes, kind="stable")]
    sizes = np.empty(keys.size, np.int32)
    count_images(images, keys, sizes)
    return LevelKeys(keys, sizes)


def index_pages(rules: Rules, keys: Ints) -> PageIndex:
    """Index pages by their keys, which are ordered as those of a level; those of some classes may be missing."""
    block = block_of(rules)
    counts = np.bincount(block.classes_of(keys), minlength=block.classes.size)
    ends = counts.cumsum()
    rows = np.stack([ends - counts, ends], axis=1)[block.classes]
    return PageIndex(square_images(rules.symmetries), block.byte_patterns, rows, keys)
