"""Count on a board with gravity: a forward sweep over the shapes that columns of stones can have.

A shape is the set of occupied squares; which colourings of it arise in play is a plane, made from the planes of the
shapes with a stone less (see kernels.gravity). Shapes are few, so this reaches boards that are far too large to walk.
Up to the symmetries of the board, Burnside's lemma takes the mean over the symmetries of the positions they leave
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.count.counts import PlyCount, Tally, ply_count
from solver.game.arrays import line_array
from solver.game.rules import Rules, require_buildable
from solver.kernels import gravity
from solver.kernels.words import word_count

Planes = npt.NDArray[np.uint64]


class Shapes(NamedTuple):
    """The shapes of one ply and which of their colourings arise."""

    masks: npt.NDArray[np.int64]  # the occupied squares, S of them
    reached: Planes  # uint64[S, words]: arises in play
    lineless: Planes  # uint64[S, words]: arises, and the last move completed no line


def columns(rules: Rules) -> tuple[gravity.Columns, list[npt.NDArray[np.int64]]]:
    """Return the board for the kernels, and the shapes of every ply, each ply ascending by mask."""
    lines = line_array(rules)
    numbers = np.zeros((rules.m + 1) ** rules.n, dtype=np.int32)
    board = gravity.Columns(rules.m, rules.n, lines[:, 0].copy(), lines[:, 1].copy(), numbers, rules.misere)
    masks = gravity.list_shapes(board)
    stones = np.bitwise_count(masks)
    by_ply = []
    for ply in range(rules.squares + 1):
        codes = np.nonzero(stones == ply)[0]
        codes = codes[np.argsort(masks[codes])]
        numbers[codes] = np.arange(codes.size)
        by_ply.append(masks[codes])
    return board, by_ply


def sweep(board: gravity.Columns, by_ply: list[npt.NDArray[np.int64]]) -> Iterator[Shapes]:
    """Yield the shapes of ply 0, 1, ... with the colourings that arise."""
    start = np.ones((1, 1), dtype=np.uint64)
    before = Shapes(by_ply[0], start, start)
    yield before
    for ply, masks in enumerate(by_ply[1:], 1):
        reached = np.empty((masks.size, word_count(ply)), dtype=np.uint64)
        lineless = np.empty_like(reached)
        gravity.reach_shapes(board, ply, masks, before.lineless, reached, lineless)
        before = Shapes(masks, reached, lineless)
        yield before


def count_ply(rules: Rules, ply: int, shapes: Shapes) -> PlyCount:
    """Count the positions of one ply, all of them and up to the symmetries of the board."""
    fixed = [_count_fixed(rules, ply, shapes, symmetry) for symmetry in rules.board_symmetries]
    classes = Tally(*(sum(column) // len(fixed) for column in zip(*fixed, strict=True)))
    return ply_count(ply, rules.misere, fixed[0], classes)


def count_positions(rules: Rules) -> list[PlyCount]:
    """Count the positions of a game with gravity. Raises RulesError for a board that is too large for a table."""
    require_buildable(rules)
    board, by_ply = columns(rules)
    return [count_ply(rules, ply, shapes) for ply, shapes in enumerate(sweep(board, by_ply))]


def _count_fixed(rules: Rules, ply: int, shapes: Shapes, symmetry: Any) -> Tally:
    """Count the positions of a ply that a symmetry leaves as they are (all, for the identity)."""
    permutation = np.array(symmetry, dtype=np.int64)
    total, lineless = (
        gravity.count_fixed(planes, shapes.masks, permutation) for planes in (shapes.reached, shapes.lineless)
    )
    at_end = ply == rules.squares
    return Tally(live=0 if at_end else lineless, lined=total - lineless, full=lineless if at_end else 0)
