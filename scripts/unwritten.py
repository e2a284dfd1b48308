"""Read the contents of a table from the shards of its build, without writing the table."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from solver import __version__
from solver.solve.pages_build import SolvedGame
from solver.store.digests import sum_digest
from solver.store.writer import meta_of


class UnwrittenTable:
    """The bytes of a table that was not written; a `solver.store.reader.TableContent`."""

    def __init__(self, path: Path, solved: SolvedGame) -> None:
        self.path = path
        self._solved = solved
        self._order = np.argsort(solved.pages.keys)
        self._keys = solved.pages.keys[self._order]

    def meta(self) -> dict[object, object]:
        """Return the rows of `meta`."""
        statistics = self._solved.statistics
        digest = sum_digest(self._solved.digest)
        facts = {"digest": digest, "builder": __version__, **statistics.meta()}
        return dict[object, object](meta_of(statistics.rules, statistics.metric, "pages", facts).items())

    def plies(self) -> list[dict[str, object]]:
        """Return the rows of `plies`. Raise CheckFailed if the counts of solver and enumerator differ."""
        return [{**row} for row in self._solved.statistics.rows()]

    def codes(self) -> Iterable[tuple[int, int]]:
        """Return no rows: the game has pages."""
        return []

    def page(self, key: int) -> bytes | None:
        """Return the data of a page, or None if the page does not exist."""
        place = int(np.searchsorted(self._keys, key))
        if place == self._keys.size or self._keys[place] != key:
            return None
        return next(self._solved.pages.read(self._order[place : place + 1]))[1]

    def limit_pages(self, size: int) -> None:
        """Do nothing, because this program has just solved the pages."""

    def close(self) -> None:
        """Do nothing, because no file is open."""
