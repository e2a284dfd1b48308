"""Find all images of a set of squares under a group of symmetries, with a few table look-ups.

The images of a set are packed into one integer, 32 bits an element of the group; the images of a union
are the OR of the images. So one table per byte of the mask, 256 entries each, is enough:

    images(mask) = tables[0][mask & 255] | tables[1][mask >> 8 & 255] | ...
"""

from collections.abc import Sequence
from struct import Struct

from solver.game.symmetry import Permutation

_FIELD_BITS = 32  # a field holds a mask of up to MAX_SQUARES squares
_FIELD = (1 << _FIELD_BITS) - 1


class Images:
    """The images of masks of up to 32 squares under each element of a group of square permutations.

    >>> both = Images(3, [(0, 1, 2), (2, 1, 0)])
    >>> both.canonical(0b110), both.image(0b100, 1)
    ((3, 1), 1)
    """

    def __init__(self, squares: int, group: Sequence[Permutation]) -> None:
        single = [_packed([1 << element[square] for element in group]) for square in range(squares)]
        self._tables = [_unions(single[first : first + 8]) for first in range(0, squares, 8)]
        self._fields = Struct(f"<{len(group)}I")

    def canonical(self, mask: int) -> tuple[int, int]:
        """The smallest image of a mask, and the number of the first element that takes it there."""
        fields = self._fields.unpack(self._images(mask).to_bytes(self._fields.size, "little"))
        smallest = min(fields)
        return smallest, fields.index(smallest)

    def image(self, mask: int, element: int) -> int:
        """The image of a mask under one element of the group."""
        return self._images(mask) >> _FIELD_BITS * element & _FIELD

    def _images(self, mask: int) -> int:
        images = 0
        for table in self._tables:
            images |= table[mask & 255]
            mask >>= 8
        return images


def _packed(fields: Sequence[int]) -> int:
    return int.from_bytes(Struct(f"<{len(fields)}I").pack(*fields), "little")


def _unions(single: Sequence[int]) -> list[int]:
    """The entry of every mask of up to 8 squares, from the entries of its squares."""
    unions = [0]
    for entry in single:
        unions += [union | entry for union in unions]
    return unions
