"""Choose the block of a board: a set of squares by which a build groups the board's pages.

Every symmetry maps the block to itself. The *pattern* of a set of squares is the part of the set that lies on the
block. The *class* of a pattern is its smallest image. If a square is added to a set, the set's pattern stays the same
or gains one square. So the pages of a class can be solved from the pages of a few classes of the level with one more
stone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from solver.game.rules import Rules
from solver.game.symmetry import SymmetryGroup

BLOCK_SQUARES = 10  # the most squares of a block: 1,024 patterns, in about a hundred classes


@dataclass(frozen=True)
class Block:
    """A union of orbits of squares under a group of symmetries."""

    squares: tuple[int, ...]  # ascending; bit i of a pattern is squares[i]
    group: SymmetryGroup

    @cached_property
    def classes(self) -> npt.NDArray[np.int64]:
        """The class (smallest image) of each pattern on the T squares of the block: int64[2**T]."""
        smallest = patterns = np.arange(1 << len(self.squares))
        for permutations, _ in reversed(self.group.steps):
            images = {tuple(permutation[square] for square in self.squares) for permutation in permutations}
            smallest = np.min([smallest[self._move(patterns, image)] for image in images], axis=0)
        return smallest

    def _move(self, patterns: npt.NDArray[np.int64], image: Sequence[int]) -> npt.NDArray[np.int64]:
        moved = np.zeros_like(patterns)
        for i, square in enumerate(image):
            moved |= (patterns >> i & 1) << self.squares.index(square)
        return moved

    @cached_property
    def byte_patterns(self) -> npt.NDArray[np.int64]:
        """For each of a mask's five bytes, the pattern of each value of the byte: int64[5, 256].

        The pattern of a mask is the OR of its bytes' patterns.
        """
        patterns = np.zeros((5, 256), np.int64)
        for i, square in enumerate(self.squares):
            patterns[square // 8] |= (np.arange(256) >> square % 8 & 1) << i
        return patterns

    def classes_of(self, masks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the class of each mask's pattern: int64[P]."""
        patterns = np.zeros_like(masks)
        for byte in sorted({square // 8 for square in self.squares}):
            patterns |= self.byte_patterns[byte, masks >> 8 * byte & 255]
        return self.classes[patterns]

    def children(self, pattern: int) -> list[int]:
        """Return, in ascending order, the classes that a set of class `pattern` can have after one square is added."""
        larger = [pattern | 1 << i for i in range(len(self.squares))]
        return sorted({pattern, *self.classes[larger].tolist()}) if larger else [pattern]


def class_ranges(classes: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield (first, last + 1) for each class in an array in which equal classes are adjacent.

    >>> list(class_ranges(np.array([0, 0, 3, 1, 1])))
    [(0, 2), (2, 3), (3, 5)]
    """
    return pairwise([*np.flatnonzero(np.diff(classes, prepend=-1)).tolist(), classes.size])


@lru_cache(maxsize=32)
def block_of(rules: Rules) -> Block:
    """Return the block of a game: a union of orbits with at most BLOCK_SQUARES squares in total.

    Orbits whose squares are on the most lines are added first. If all squares form a single orbit of more than
    BLOCK_SQUARES squares, as on a torus, the block is empty.
    """
    group = rules.symmetries
    orbits = {group.orbit(square) for square in range(rules.squares)}
    chosen: list[int] = []
    for orbit in sorted(orbits, key=lambda orbit: (-len(rules.x_lines_through[orbit[0]]), orbit)):
        if len(chosen) + len(orbit) <= BLOCK_SQUARES:
            chosen += orbit
    return Block(tuple(sorted(chosen)), group)
