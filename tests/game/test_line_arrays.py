"""Lines and permutations as arrays: the same numbers as the plain Python values."""

import numpy as np
import pytest

from solver.game.arrays import byte_images, line_array
from solver.game.rules import Rules
from solver.game.symmetry import transform


@pytest.mark.parametrize("game", ["3,3,3", "4,4,3,exact", "2,2,3"])
def test_lines_are_rows_of_mask_and_guard(game: str) -> None:
    rules = Rules.parse(game)
    array = line_array(rules)
    assert array.shape == (len(rules.lines), 2)
    assert [tuple(row) for row in array.tolist()] == list(rules.lines)


@pytest.mark.parametrize("game", ["3,3,3", "4,4,4", "5,5,5", "1,1,1"])
def test_the_images_of_bytes_make_up_the_image_of_a_mask(game: str) -> None:
    rules = Rules.parse(game)
    images = byte_images(rules.symmetries)
    for mask in np.random.default_rng(3).integers(0, 1 << rules.squares, 20).tolist():
        for table, permutation in zip(images, rules.symmetries, strict=True):
            image = sum(int(table[byte, mask >> 8 * byte & 255]) for byte in range(4))
            assert image == transform(mask, permutation)
