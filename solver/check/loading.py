"""Reading pages for a check: every byte is looked at, each page's scores are kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.check.board import Keys
from solver.check.names import name_decided, page_name, stones_at
from solver.check.report import Findings
from solver.check.scores import Scores
from solver.errors import DamagedTable
from solver.kernels.recheck import Board, Bytes, Ints, Pages, unpack
from solver.kernels.recheck_threats import score_decided
from solver.store.codec import CodecError, page_digest, sum_digest, unpack_page
from solver.store.layout import Layout, PageSize
from solver.store.sqlite import SqliteSource
from solver.support.threads import ThreadPool


class _Read(NamedTuple):
    """What reading some pages gave."""

    digest: int
    unreadable: list[str]
    padded: list[str]


class Loader:
    """Reads the levels of a table; notes in `findings` each page that is not whole.

    `whole` becomes False with the first page whose values can't be known.
    """

    def __init__(self, source: SqliteSource, layout: Layout, pool: ThreadPool, findings: Findings) -> None:
        self.whole = True
        self._source = source
        self._layout = layout
        self._pool = pool
        self._findings = findings
        self._scores = Scores(layout.rules, layout.metric)
        self._digest = 0

    def load(self, stones: int, keys: Keys) -> Pages:
        """The pages whose keys have `stones` squares, with their scores as stored and without marks."""
        size = self._layout.page_size((1 << stones) - 1)
        scores = np.empty((keys.keys.size, size.positions), np.uint8)
        score_of = self._scores.of_codes(size.digits)

        def read(first: int, last: int) -> _Read:
            return self._read(keys.keys[first:last].tolist(), size, score_of, scores[first:last])

        for part in self._pool.map_ranges(read, *scores.shape):
            self._digest += part.digest
            self.whole = self.whole and not part.unreadable
            for problem in part.unreadable + part.padded:
                self._findings.add(problem)
        return Pages(stones, keys.keys, keys.weights, scores, np.empty((0, 0), np.uint8))

    def score_decided(self, board: Board, pages: Pages) -> None:
        """Give the positions that threats decide their scores; note those that have bits of their own."""
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
            found = name_decided(self._layout, stones_at(self._layout, int(pages.keys[page]), int(wrong[page])))
            self._findings.add(found)

    def compare_digest(self, stored: str | None) -> None:
        """Compare the digest of all pages with the one that the table claims; only if all could be read."""
        if self.whole:
            self._findings.compare_digest(sum_digest(self._digest), stored)

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
