"""Turn the lines and permutations of a game into NumPy arrays."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solver.game.rules import Permutation, Rules

__all__ = ["byte_images", "line_array"]


def line_array(rules: Rules) -> npt.NDArray[np.int64]:
    """Return the lines of a game of up to 63 squares: int64[L, 2], the mask and the guard of each."""
    return np.array(rules.lines, np.int64).reshape(-1, 2)


def byte_images(group: Sequence[Permutation]) -> npt.NDArray[np.int64]:
    """Return the image of each byte of a mask of up to 32 squares under each permutation: int64[G, 4, 256].

    The image of a mask is the OR of the images of its bytes.
    """
    permutations = np.array(group, np.int64)
    images = np.zeros((len(permutations), 4, 256), np.int64)
    values = np.arange(256)
    for square in range(permutations.shape[1]):
        taken = values >> square % 8 & 1
        images[:, square // 8] |= taken << permutations[:, square, None]
    return images
