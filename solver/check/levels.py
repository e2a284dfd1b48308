"""Read a table of pages level by level, fewest stones first, with the kernel that checks each level.

Every byte of a page is checked. Two levels are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import comb
from typing import NamedTuple

import numpy as np

from solver.check.board import Ended, Keys, Scores
from solver.check.report import CheckReport, needless_bits, page_name, stones_at
from solver.errors import DamagedTable
from solver.kernels.recheck import DRAW, LIVE, Board, Bytes, Pages, unpack
from solver.kernels.recheck_moves import check_gravity, check_placement, count_marks, reach_shapes, score_decided
from solver.kernels.recheck_sets import Ints
from solver.store.codec import CodecError, page_digest, sum_digest, unpack_page
from solver.store.layout import PageLayout, PageSize
from solver.store.sqlite import SqliteSource
from solver.support.threads import ThreadPool

Kernel = Callable[[int, int, Ints, Ints], int]
"""Checks pages [first, last): (first, last, tally, found) -> successors looked at, see kernels.recheck_moves."""


class _Read(NamedTuple):
    """The result of reading some pages."""

    digest: int
    unreadable: list[str]  # a sentence for each page that can't be read
    padded: list[str]  # a sentence for each page with bits past its last position


class Loader:
    """Read the levels of a table, and add a finding for each page that is not whole.

    `whole` becomes False with the first page whose values can't be known.
    """

    def __init__(self, source: SqliteSource, layout: PageLayout, pool: ThreadPool, report: CheckReport) -> None:
        self.whole = True
        self._source = source
        self._layout = layout
        self._pool = pool
        self._report = report
        self._scores = Scores(layout.rules, layout.metric)
        self._digest = 0

    def load(self, stones: int, levels: list[Keys]) -> Pages:
        """Read the pages whose keys have `stones` squares: their scores as stored, without marks."""
        keys, smaller = levels[stones], levels[max(stones - 1, 0)].keys
        size = self._layout.page_size((1 << stones) - 1)
        scores = np.empty((keys.keys.size, size.positions), np.uint8)
        score_of = self._scores.of_codes(size.digits)

        def read(first: int, last: int) -> _Read:
            return self._read(keys.keys[first:last].tolist(), size, score_of, scores[first:last])

        for part in self._pool.map_ranges(read, *scores.shape):
            self._digest += part.digest
            self.whole = self.whole and not part.unreadable
            for problem in part.unreadable + part.padded:
                self._report.add(problem)
        return Pages(stones, keys.keys, smaller, keys.weights, scores, np.empty((0, 0), np.uint8))

    def score_decided(self, board: Board, pages: Pages) -> None:
        """Score the positions that threats decide, and add a finding where one has bits of its own."""
        if not self._layout.has_threats:
            return
        ply = 2 * pages.stones  # with X to move
        o_lines = np.array([self._scores.line(False, ply), self._scores.line(False, ply + 2)])

        def score(first: int, last: int) -> Ints:
            wrong = np.empty(last - first, np.int64)
            score_decided(board, pages, self._scores.line(True, ply + 1), o_lines, first, last, wrong)
            return wrong

        wrong = np.concatenate(list(self._pool.map_ranges(score, *pages.scores.shape)))
        for page in np.flatnonzero(wrong >= 0).tolist():
            found = needless_bits(self._layout, stones_at(self._layout, int(pages.keys[page]), int(wrong[page])))
            self._report.add(found)

    def compare_digest(self, stored: str | None) -> None:
        """Compare the digest of all pages with the one in the table, if all pages could be read."""
        if self.whole:
            self._report.compare_digest(sum_digest(self._digest), stored)

    def _read(self, keys: list[int], size: PageSize, score_of: Bytes, scores: Bytes) -> _Read:
        """Read some pages of one size into `scores`."""
        digest, unreadable, padded = 0, [], []
        for key, row in zip(keys, scores, strict=True):
            try:
                raw = self._raw(key, size.raw_bytes)
            except (CodecError, DamagedTable) as error:
                reason = str(error).rstrip(".")
                unreadable.append(f"The page {page_name(self._layout, key)} can't be read: {reason}.")
                continue
            digest += page_digest(key, raw)
            planes = np.frombuffer(raw, np.uint8).reshape(1 + size.digits, size.plane_bytes)
            if not unpack(planes, score_of, row):
                padded.append(f"The page {page_name(self._layout, key)} has bits set past its last position.")
        return _Read(digest, unreadable, padded)

    def _raw(self, key: int, raw_bytes: int) -> bytes:
        data = self._source.page(key)
        if data is None:
            raise CodecError("it is missing")
        if not isinstance(data, bytes):
            raise CodecError("it is not a blob")
        return unpack_page(data, raw_bytes)


def placement_levels(
    board: Board, levels: list[Keys], loader: Loader, scores: Scores
) -> Iterator[tuple[Pages, Kernel]]:
    """Yield the pages by the number of X's stones, in a game without gravity."""
    pages = _load_scored(board, loader, 0, levels)
    for stones in range(len(levels)):
        children = _load_scored(board, loader, stones + 1, levels)
        x_line, o_line = scores.line(True, 2 * stones + 1), scores.line(False, 2 * stones)
        yield pages, partial(check_placement, board, pages, children, x_line, o_line)
        pages = children


def gravity_levels(
    board: Board, levels: list[Keys], loader: Loader, scores: Scores, pool: ThreadPool, ended: list[Ended]
) -> Iterator[tuple[Pages, Kernel]]:
    """Yield the pages by the number of stones, in a game with gravity.

    Adds to `ended` the positions of each ply where the game is over.
    """
    pages = loader.load(0, levels)._replace(marks=np.full((1, 1), LIVE, np.uint8))
    ended.append(Ended(0, 0, 0))
    for stones in range(board.squares):
        last = stones + 1 == board.squares
        children = _full_board(board.squares) if last else loader.load(stones + 1, levels)
        children = children._replace(marks=np.empty_like(children.scores))
        for _ in pool.map_ranges(partial(reach_shapes, board, children, pages), *children.scores.shape):
            pass
        live, over = count_marks(children)
        by_x = scores.line(stones % 2 == 0, stones + 1) > DRAW
        ended.append(scores.ended(over if by_x else 0, 0 if by_x else over, live if last else 0))
        yield pages, partial(check_gravity, board, pages, children, scores.line(stones % 2 == 0, stones + 1))
        pages = children


def _load_scored(board: Board, loader: Loader, stones: int, levels: list[Keys]) -> Pages:
    """Load the pages of a level with the scores of all their positions, also of those that threats decide."""
    if stones == len(levels):
        return _no_pages(stones)
    pages = loader.load(stones, levels)
    if loader.whole:
        loader.score_decided(board, pages)
    return pages


def _no_pages(stones: int) -> Pages:
    """The level after the last of a game without gravity, of which a table keeps no pages."""
    no_keys, none = np.empty(0, np.int64), np.empty((0, 0), np.uint8)
    return Pages(stones, no_keys, no_keys, no_keys, none, none)


def _full_board(squares: int) -> Pages:
    """The full board after the last level of a game with gravity: draws, where no line has ended it."""
    scores = np.full((1, comb(squares, squares // 2)), DRAW, np.uint8)
    key, one = np.array([(1 << squares) - 1]), np.ones(1, np.int64)
    return Pages(squares, key, np.empty(0, np.int64), one, scores, scores)
