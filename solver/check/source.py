"""What a check reads from the file and nobody else does."""

from __future__ import annotations

from solver.store.schema import POSITIONS_COLUMNS
from solver.store.sqlite import SqliteSource

Row = tuple[object, ...]


class CheckSource(SqliteSource):
    """The bytes of a table, row by row and with everything that may be wrong about them."""

    def keys(self) -> list[int]:
        """The keys of all pages, ascending."""
        return [key for (key,) in self._rows("SELECT key FROM pages ORDER BY key")]

    def rows(self) -> list[Row]:
        """The rows of `positions` in the order of POSITIONS_COLUMNS, of whatever types they are."""
        return self._rows(f"SELECT {', '.join(POSITIONS_COLUMNS)} FROM positions ORDER BY hash")
