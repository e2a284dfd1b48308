"""List the pages of small games, and the positions of a page, by trying all sets of squares."""

from collections.abc import Iterator
from itertools import combinations

from solver.game.lines import completed, squares_of
from solver.store.layout import PageLayout


def page_keys(layout: PageLayout) -> list[int]:
    """Return the keys of all pages, ascending."""
    return [
        mask
        for mask in range(1 << layout.squares)
        if has_page(layout, mask) and layout.images.canonical(mask)[0] == mask
    ]


def has_page(layout: PageLayout, mask: int) -> bool:
    if not layout.has_gravity:
        return mask.bit_count() <= layout.rules.plies // 2 and not completed(layout.rules.x_lines, mask)
    supports = layout.rules.supports
    standing = all(supports[s] < 0 or mask >> supports[s] & 1 for s in squares_of(mask))
    return standing and mask != (1 << layout.squares) - 1


def list_stones(layout: PageLayout, key: int) -> Iterator[tuple[int, int]]:
    """Yield the bitboards (x, o) of the positions of a page, in the order of their ranks.

    Some of them cannot arise in play: O may have a line that was complete before X's last stone.
    """
    size = key.bit_count()
    if layout.has_gravity:
        for x in subsets(key, (size + 1) // 2):
            yield x, key ^ x
        return
    for stones in (size - 1, size) if size else (0,):
        for o in subsets((1 << layout.squares) - 1 ^ key, stones):
            yield key, o


def subsets(allowed: int, size: int) -> list[int]:
    """Return the subsets of this size, in colexicographic order."""
    return sorted(sum(1 << square for square in chosen) for chosen in combinations(squares_of(allowed), size))
