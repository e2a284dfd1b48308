"""Check a table of pages: the right pages are there and whole, and each value follows from those one move later."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from solver.check.board import Ended, Scores, board_of, list_keys
from solver.check.levels import Kernel, Loader, gravity_levels, placement_levels
from solver.check.plain_rules import ply_of
from solver.check.report import CheckReport, PlyRow, check_statistics, page_disagreement, stones_at
from solver.count import PlyCount, count_pages, count_positions
from solver.errors import DoesNotFit, RulesError
from solver.game.rules import Rules
from solver.kernels.recheck import DRAW, Pages
from solver.kernels.recheck_sets import Ints
from solver.store.reader import TableReader
from solver.store.sqlite import SqliteSource
from solver.support.memory import available_memory, gigabytes
from solver.support.threads import ThreadPool

Progress = Callable[[int, int], None]

_SCORES = 256
_FOUND = 4  # numbers that kernels.recheck.compare fills in for a page
_MOST_WALKED = 20_000_000  # positions: some seconds


class _Part(NamedTuple):
    """The result of checking pages `first`, `first` + 1, ..."""

    first: int
    successors: int
    tally: Ints  # int64[plies, 256], live positions of each ply by score
    found: Ints  # int64[pages, 4], see kernels.recheck.compare


class PageCheck:
    """Check one table of pages."""

    def __init__(self, reader: TableReader, source: SqliteSource, report: CheckReport, progress: Progress) -> None:
        self._reader = reader
        self._source = source
        self._report = report
        self._progress = progress
        self._layout = reader.layout
        self._rules: Rules = reader.rules
        self._scores = Scores(reader.rules, reader.metric)
        sizes = [
            self._layout.page_size((1 << stones) - 1).positions * pages
            for stones, pages in enumerate(count_pages(reader.rules).stored)
        ]
        _require_memory(sizes, 2 if self._layout.has_gravity else 1)
        self._work = sum(sizes)
        self._board = board_of(reader.rules)
        self._levels = list_keys(self._board, self._layout.has_gravity)
        self._done = 0
        self._live = np.zeros((self._rules.squares + 1, _SCORES), np.int64)

    def run(self, threads: int | None) -> None:
        """Check everything."""
        self._check_keys()
        ended: list[Ended] = []
        with ThreadPool(threads) as pool:
            loader = Loader(self._source, self._layout, pool, self._report)
            game = (self._board, self._levels, loader, self._scores)
            levels = gravity_levels(*game, pool, ended) if self._layout.has_gravity else placement_levels(*game)
            for pages, kernel in levels:
                if loader.whole:
                    self._check_level(pool, pages, kernel)
                del pages, kernel  # or they would still be held while the next level is read
        loader.compare_digest(self._reader.meta["digest"])
        if loader.whole:
            self._check_statistics(ended)

    def _check_keys(self) -> None:
        """Add a finding for each page that should not be there; missing ones are found when they are read."""
        expected = np.concatenate([level.keys for level in self._levels])
        for key in sorted(set(self._source.keys()).difference(expected.tolist())):
            self._report.add(f"There is a page {key}, but no page of this game has that key.")

    def _check_level(self, pool: ThreadPool, pages: Pages, kernel: Kernel) -> None:
        """Compare the values of a level with those of the next."""

        def check(first: int, last: int) -> _Part:
            tally = np.zeros_like(self._live)
            found = np.zeros((last - first, _FOUND), np.int64)
            return _Part(first, kernel(first, last, tally, found), tally, found)

        for part in pool.map_ranges(check, *pages.scores.shape):
            self._report.successors += part.successors
            self._report.positions += int(part.found[:, 0].sum())
            self._live += part.tally
            for offset in np.flatnonzero(part.found[:, 1]).tolist():
                self._name(pages, part.first + offset, *part.found[offset, 2:].tolist())
            self._done += part.found.shape[0] * pages.scores.shape[1]
            self._progress(self._done, self._work)

    def _name(self, pages: Pages, page: int, rank: int, expected: int) -> None:
        """Add a finding for the first disagreement on a page."""
        stones = stones_at(self._layout, int(pages.keys[page]), rank)
        found, wanted = (
            self._scores.value(score, ply_of(stones)) for score in (int(pages.scores[page, rank]), expected)
        )
        self._report.add(page_disagreement(self._rules, stones, found, wanted))

    def _check_statistics(self, ended: list[Ended]) -> None:
        """Compare the statistics with the counts; if `ended` is empty, finished games are those of the enumerator."""
        counts = self._enumerated(int(self._live.sum()))
        ended = ended or [Ended.from_count(count) for count in counts]
        rows = [self._row(count.ply, count.canonical, over) for count, over in zip(counts, ended, strict=True)]
        root = self._scores.value(int(self._live[0].argmax()), 0)
        check_statistics(self._reader, rows, root, self._report)

    def _enumerated(self, positions: int) -> list[PlyCount]:
        """Count the positions, by a method that shares nothing with the builder if it takes only some seconds."""
        if self._layout.has_gravity and positions <= _MOST_WALKED:
            with suppress(RulesError):  # it asks how many boards there are, reachable or not
                return count_positions(self._rules, "walk")
        return count_positions(self._rules)

    def _row(self, ply: int, canonical: int, ended: Ended) -> PlyRow:
        """Sum up the statistics of a ply from its live positions by score, and those where the game is over."""
        live = self._live[ply]
        going_on = self._scores.ended(int(live[DRAW + 1 :].sum()), int(live[:DRAW].sum()), int(live[DRAW]))
        x_wins, o_wins, drawn = (sum(pair) for pair in zip(going_on, ended, strict=True))
        values = [
            value for score in np.flatnonzero(live).tolist() if (value := self._scores.value(score, ply)) and value.wdl
        ]
        lengths = [value.distance for value in values if value.distance is not None]
        if ended.x_wins + ended.o_wins:
            lengths.append(0)
        return PlyRow(
            ply=ply,
            positions=x_wins + o_wins + drawn,
            canonical=canonical,
            terminal=sum(ended),
            won=o_wins if ply % 2 else x_wins,
            drawn=drawn,
            lost=x_wins if ply % 2 else o_wins,
            longest=max(lengths, default=None) if self._reader.metric == "distance" else None,
        )


def _require_memory(sizes: list[int], bytes_each: int) -> None:
    """Raise DoesNotFit when memory can't hold two neighbouring levels of so many positions."""
    needed = bytes_each * max(map(sum, pairwise([*sizes, 0])))
    memory = available_memory()
    if memory is not None and needed > memory:
        raise DoesNotFit(
            f"The check needs {gigabytes(needed)} of memory and {gigabytes(memory)} are available; "
            f"check a part of the positions with --sample."
        )
