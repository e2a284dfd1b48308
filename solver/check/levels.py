"""The levels of a table upwards, each with the kernel that checks it; two levels are in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import comb
from typing import NamedTuple

import numpy as np

from solver.check.board import Keys
from solver.check.loading import Loader
from solver.check.scores import Scores
from solver.count import PlyCount
from solver.kernels.recheck import DRAW, LIVE, Board, Ints, Pages
from solver.kernels.recheck_moves import check_gravity, check_placement, count_marks, reach_shapes
from solver.support.threads import ThreadPool

Kernel = Callable[[int, int, Ints, Ints], int]
"""Checks pages [first, last): (first, last, tally, found) -> successors looked at, see kernels.recheck_moves."""


class Ended(NamedTuple):
    """The positions of a ply where the game is over."""

    x_wins: int
    o_wins: int
    draws: int

    @staticmethod
    def counted(count: PlyCount) -> Ended:
        """As the enumerator has counted them."""
        return Ended(count.x_wins, count.o_wins, count.draws)


def placement_levels(
    board: Board, levels: list[Keys], loader: Loader, scores: Scores
) -> Iterator[tuple[Pages, Kernel]]:
    """The pages by the number of X's stones, in a game without gravity."""
    pages = _load_scored(board, loader, 0, levels)
    for stones in range(len(levels)):
        children = _load_scored(board, loader, stones + 1, levels)
        x_line, o_line = scores.line(True, 2 * stones + 1), scores.line(False, 2 * stones)
        yield pages, partial(check_placement, board, pages, children, x_line, o_line)
        pages = children


def gravity_levels(
    board: Board, levels: list[Keys], loader: Loader, scores: Scores, pool: ThreadPool, ended: list[Ended]
) -> Iterator[tuple[Pages, Kernel]]:
    """The pages by the number of stones, in a game with gravity.

    Adds to `ended` the positions of each ply where the game is over, which are met on the way.
    """
    pages = loader.load(0, levels[0])._replace(marks=np.full((1, 1), LIVE, np.uint8))
    ended.append(Ended(0, 0, 0))
    for stones in range(board.squares):
        last = stones + 1 == board.squares
        children = _full_board(board.squares) if last else loader.load(stones + 1, levels[stones + 1])
        children = children._replace(marks=np.empty_like(children.scores))
        for _ in pool.map_ranges(partial(reach_shapes, board, children, pages), *children.scores.shape):
            pass
        live, over = count_marks(children)
        by_x = scores.line(stones % 2 == 0, stones + 1) > DRAW
        ended.append(Ended(over if by_x else 0, 0 if by_x else over, live if last else 0))
        yield pages, partial(check_gravity, board, pages, children, scores.line(stones % 2 == 0, stones + 1))
        pages = children


def _load_scored(board: Board, loader: Loader, stones: int, levels: list[Keys]) -> Pages:
    """The pages of a level with the scores of all their positions, also of those that threats decide."""
    if stones == len(levels):
        return _no_pages(stones)
    pages = loader.load(stones, levels[stones])
    if loader.whole:
        loader.score_decided(board, pages)
    return pages


def _no_pages(stones: int) -> Pages:
    """What follows the last level of a game without gravity: nothing that a table keeps."""
    none = np.empty((0, 0), np.uint8)
    return Pages(stones, np.empty(0, np.int32), np.empty(0, np.int64), none, none)


def _full_board(squares: int) -> Pages:
    """What follows the last level of a game with gravity: draws, where no line has ended it."""
    scores = np.full((1, comb(squares, squares // 2)), DRAW, np.uint8)
    return Pages(squares, np.array([(1 << squares) - 1], np.int32), np.ones(1, np.int64), scores, scores)
