"""Estimate the work, scratch memory and tables of a page or a game, for boards of any size; `solve.plan` adds them up.

Work is counted in words: the unit is the time it takes to insert a square into a word and merge it. The weights of
what else a page takes were fitted to the levels of 5,5,4 (kernels/README.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from solver.game.rules import Rules
from solver.kernels.extract import STAGES
from solver.kernels.layers import folded_words

WORD_BYTES = 8

_HALF_PLANE = 2  # a word of a half plane: children permuted, O's moves, folding
_PAGE = 1200  # what is done once for a page
_SHAPE = 200  # the same with gravity
_SHAPE_BYTES = 32  # its squares, its number by its heights, the shape that stands for it, and how many that does
_REACHED = 35  # bytes of a compressed plane of what arises for 100 raw ones
_KEY_BYTES = 12  # of a page, besides the page: its key and the size of its class
_LISTED_BYTES = 16  # of a move while the pages of a level are listed: the child, and again while they are sorted
_LAYER_BYTES = 32  # of a word of a half plane, see kernels.layers.Layer
_INSERTION_BYTES = 12 + 8 * STAGES  # of a word of a folded plane, for each square, see kernels.layers.Insertion


def layer_words(free: int, size: int) -> int:
    """Count the words of a folded plane for the subsets of `size` of `free` squares."""
    return folded_words(comb(free, size) if size >= 0 else 0)


def plane_words(index_bits: int) -> int:
    """Count the words of a plane, as kernels.words.word_count, for boards of any size."""
    return 1 << max(index_bits - 6, 0)


def placement_work(free: int, stones: int, planes: int) -> int:
    """Estimate the work of a page of `stones` stones of X on a board with `free` squares left."""
    return planes * (free * layer_words(free, stones) + _HALF_PLANE * plane_words(free - 1) + _PAGE)


def placement_scratch(rules: Rules, stones: int, planes: int) -> int:
    """Estimate the bytes that a thread works in while it solves such pages, see kernels.placement.Scratch."""
    free = rules.squares - stones
    rows = 4 * planes + 2 * len(rules.o_lines) + 16  # folded planes
    half_planes = 5  # four, and the order of their words
    words = rows * layer_words(free, stones) + half_planes * plane_words(free - 1)
    return words * WORD_BYTES


def placement_tables(rules: Rules, pages: Sequence[int]) -> int:
    """Estimate the bytes of the keys and the layers of all levels, given the pages of each."""
    layers = 0
    for stones in range(len(pages)):
        free = rules.squares - stones
        layers += _LAYER_BYTES * plane_words(free - 1) + _INSERTION_BYTES * free * layer_words(free, stones)
    return _KEY_BYTES * sum(pages) + 2 * layers


def listing_bytes(rules: Rules, pages: Sequence[int]) -> int:
    """Estimate the bytes in which the pages of all levels are listed, one level after the other."""
    return max(_LISTED_BYTES * count * (rules.squares - stones) for stones, count in enumerate(pages))


def gravity_work(rules: Rules, stones: int, planes: int) -> int:
    """Estimate the work of a shape of `stones` stones: a move on each column."""
    return planes * (shape_words(stones) * rules.stride + _SHAPE)


def gravity_tables(rules: Rules) -> int:
    """Count the bytes that tell the numbers and the squares of all shapes."""
    return _SHAPE_BYTES * int((rules.squares // rules.stride + 1) ** rules.stride)


def gravity_reached(shapes: Sequence[int]) -> int:
    """Estimate the bytes that tell which colourings arise, compressed, given the stored shapes of every ply."""
    words = sum(count * shape_words(stones) for stones, count in enumerate(shapes))
    return words * WORD_BYTES * _REACHED // 100


def shape_words(stones: int) -> int:
    """Count the words of a folded plane of the colourings of a shape."""
    return layer_words(stones, (stones + 1) // 2)
