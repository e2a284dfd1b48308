"""Keep what a level needs of the one before: in memory, or in mapped files where a budget has no room.

A level store says where kept pages lie, and nothing else in a build knows. Other stores can take its place, such as a
folder with a file for each partition.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from solver.solve.cost import WORD_BYTES
from solver.solve.plan import BuildPlan, LevelPlan, Partition
from solver.store.disk import disk_errors_reported

KeptPages = npt.NDArray[np.uint64]
"""uint64[pages, planes, words], see `LevelPlan.kept_shape`."""

KEPT_COMPRESSION: Final = 1
"""The level of Zstandard for kept pages in a store: a tenth of the time of solving, and 1 to 37 % of the bytes."""

_ZEROS = bytes(1 << 20)


class LevelStore(Protocol):
    """Where the kept pages of levels lie."""

    def inputs(self, partition: Partition) -> KeptPages:
        """Return the pages that a partition reads, those of the level one stone later."""

    def output(self, partition: Partition) -> KeptPages:
        """Return an array for the pages that a partition keeps, to be filled."""


class TwoLevels:
    """Two areas of memory that hold the levels by turns, taken once, because touching fresh memory is slow.

    The areas for which `fits` is False are mapped from files in `folder`, whose content the system keeps in memory only
    as long as nobody else needs that. Raises StorageError when these can't be written.
    """

    def __init__(self, plan: BuildPlan, fits: Sequence[bool] = (True, True), folder: Path = Path()) -> None:
        self._levels = plan.levels
        self._arenas = [
            np.empty(size // WORD_BYTES, dtype=np.uint64) if inside else _mapped(folder / f"level-{i}", size)
            for i, (size, inside) in enumerate(zip(plan.arenas, fits, strict=True))
        ]

    def pages(self, level: LevelPlan) -> KeptPages:
        """Return the kept pages of a level; they take the memory of the level before the last."""
        shape = (level.pages, *level.kept_shape)
        return self._arenas[level.number % 2][: prod(shape)].reshape(shape)

    def inputs(self, partition: Partition) -> KeptPages:
        """Return the whole level one stone later; it has no pages for the fullest board."""
        number = partition.level.number
        return self.pages(self._levels[number - 1]) if number else np.zeros((0, 1, 1), dtype=np.uint64)

    def output(self, partition: Partition) -> KeptPages:
        """Return the partition's place among the kept pages of its level."""
        return self.pages(partition.level)[partition.first : partition.last]


def _mapped(path: Path, size: int) -> KeptPages:
    """Map a new file of so many bytes."""
    with disk_errors_reported(path.parent.parent), path.open("w+b") as file:
        # Written, not only made this long: a disk that is full must say so now, not when the memory is touched.
        for first in range(0, size, len(_ZEROS)):
            file.write(_ZEROS[: size - first])
        file.flush()
        return np.frombuffer(mmap.mmap(file.fileno(), size), dtype=np.uint64)
