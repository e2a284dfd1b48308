"""The table of one game: the values in its file, and the facts about it.

    table = Tablebase.open("data/mnk-3-3-3.sqlite")
    table.find(Position.parse(table.rules, "XO./.X./..."))

A table is one of the sources of values; `solver.search.truth` answers questions about positions from all of them.
Only `probe_many` needs NumPy, and nothing needs Numba.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from os.path import exists, isdir
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypeAlias

from solver.errors import ImpossiblePosition, MissingExtra, MissingTable, TableError, UnsupportedTable, missing_package
from solver.game.base3 import HASHED_SQUARES
from solver.game.descriptions import describe_rules
from solver.game.game_files import is_file_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.advice import missing_table
from solver.store.layout import MeaninglessBits
from solver.store.paths import game_of_file
from solver.store.reader import TableReader
from solver.store.schema import NO_DISTANCE, UNREACHABLE, Metric
from solver.store.sqlite import SqliteContent
from solver.support.recent import RecentCache

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from solver.store.bulk import Bulk

CACHED_BYTES: Final = 64 << 20  # of the pages of a table that were read last

RankedMoves: TypeAlias = list[tuple[int, Value]]
"""(square, value for the mover, counted from before the move) of every legal move, best first."""

SourceName = Literal["rules", "table", "strategy", "search"]
"""Where a value comes from: the rules (the game is over), a table, or a search."""


class Tablebase:
    """The table of one game. Threads can share it. Pickling stores its path."""

    name: Final = "table"
    """The name of this kind of source."""

    resumes: Final = False
    """More time does not give more values."""

    empty: Final = 0
    """No position is searched."""

    rules: Rules
    """The rules of the game."""

    metric: Metric
    """`distance` if it has plies to the end of the game, otherwise `wdl`."""

    meta: dict[str, str | None]
    """The facts in the table `meta` of the file, by key."""

    path: Path
    """The path of its file."""

    opening_plies: int | None
    """The last ply of an opening table, None for a whole table. Later positions have no value in the table."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self.path = reader.path
        self.rules = reader.rules
        self.metric: Metric = reader.metric
        self.meta = reader.meta
        self.opening_plies = reader.opening_plies
        self._page = RecentCache(reader.page, len, CACHED_BYTES)
        # Cached properties would make each probe a tenth slower: in Python 3.11 and later they disable a fast path for
        # the attributes of an object.
        self._dense: bytes | None = None
        self._bulk: Bulk | None = None
        self._dense_answer: Callable[[Position], Value | None] | None = None

    @classmethod
    def open(cls, path: str | os.PathLike[str], rules: Rules | None = None) -> "Tablebase":
        """Open the table in a file. rules: those of its game, if they are known.

        Raises MissingTable (no such file), UnsupportedTable (a folder, a file that is not a table, or an unknown
        version), and DamagedTable.
        """
        path = Path(path)
        if isdir(path):
            raise UnsupportedTable(f"{path} is a folder, not the file of one table; open it with `Library`.")
        expected = rules or game_of_file(path)
        if expected and not exists(path):
            raise missing_table(expected, path.parent)
        return cls(TableReader(SqliteContent(path), expected))

    def find(self, position: Position, seconds: float = 0.0) -> Value | None:
        """Return the value for the side to move; None after the last ply of an opening table.

        Raises MissingTable (a position of another game), ImpossiblePosition, and DamagedTable.
        """
        del seconds
        if not position.rules.is_same_game(self.rules):
            raise MissingTable(f"The table {self.path} is of {self.rules}, not of {position.rules}.")
        return self.answer(position)

    @property
    def answer(self) -> Callable[[Position], Value | None]:
        """A function like `find` for positions that are known to be of this game; it is twice as fast."""
        if self._reader.storage == "pages":  # a method is not kept: it would be a cycle of references
            return self._page_answer if self.opening_plies is None else self._opening_answer
        if self._dense_answer is None:
            self._dense_answer = _dense_answers(self._dense_array(), self.metric)
        return self._dense_answer

    @property
    def memory(self) -> int:
        """The bytes of its file that it keeps in memory."""
        return self._page.weight + len(self._dense or b"")

    @property
    def size(self) -> int:
        """The bytes of its file."""
        return self.path.stat().st_size

    def plies(self) -> list[dict[str, int | None]]:
        """Return the statistics of each ply, as dicts whose keys are the columns of the file's table `plies`."""
        return self._reader.plies()

    def live_counts(self) -> list[int]:
        """Return the number of unfinished positions at each ply."""
        return [(row["positions"] or 0) - (row["terminal"] or 0) for row in self.plies()]

    def __repr__(self) -> str:
        return f"<Tablebase of {self.rules}: {self.path}>"

    def __reduce__(self) -> tuple[Callable[[str], "Tablebase"], tuple[str]]:
        """Support pickling and copying: only the path is pickled, and the file is opened again."""
        return Tablebase.open, (os.path.abspath(self.path),)

    def _repr_html_(self) -> str:
        from solver.drawing.html import statistics_html

        root = self.find(Position.start(self.rules))
        title = f"{self.rules}: {describe_rules(self.rules)}; the empty board is a {root} for X"
        return statistics_html(title, self.plies())

    def probe_many(self, hashes: "npt.ArrayLike") -> "tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]":
        """Probe many positions at once, given their base-3 hashes (integers, any shape).

        Hashes of boards of more than 39 squares may exceed int64: give these as whole numbers of Python. Return wdl
        (int8) and distance (int16), which have the same shape. An unknown distance is -1. After the last ply of an
        opening table, wdl is `solver.store.bulk.UNKNOWN_WDL` (-128). Raises ImpossiblePosition for the first hash that
        is not a position of the game. For a table of pages, the check covers stones, supports and lines, but not the
        order of moves, which matters with gravity and exact.
        """
        if self._bulk is None:
            try:
                from solver.store import bulk  # here, because a single probe does not need NumPy
            except ModuleNotFoundError as error:
                raise missing_package(error) from error

            self._bulk = bulk.bulk_of(self._reader, self._dense_array(), self._page)
        return self._bulk(hashes)

    def moves_many(self, positions: Iterable[Position]) -> list[list[tuple[int, Value | None]]]:
        """Return (square, value for the mover) of every legal move of each position.

        With the extra `build`, all are probed together.

        The moves are in the order of their squares. Beyond the last ply of an opening table, the values are None.
        """
        legal = [(position, position.legal_moves) for position in positions]
        if self.rules.squares <= HASHED_SQUARES:
            hashes = [position.hash + (1 + position.ply % 2) * 3**at for position, moves in legal for at in moves]
            with suppress(MissingExtra):
                wdl, distance = self.probe_many(hashes)
                values = (
                    Value(won, None if plies < 0 else plies).before_move() if won >= -1 else None
                    for won, plies in zip(wdl.tolist(), distance.tolist(), strict=True)
                )
                return [list(zip(squares, values, strict=False)) for _, squares in legal]
        return [
            [(square, value and value.before_move()) for square in moves for value in [self.find(p.play(square))]]
            for p, moves in legal
        ]

    def close(self) -> None:
        """Close the file. Pages that have been read can still be probed."""
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _dense_array(self) -> bytes:
        if self._dense is None:
            self._dense = self._reader.dense() if self._reader.storage == "positions" else b""
        return self._dense

    def _opening_answer(self, position: Position) -> Value | None:
        is_beyond = position.ply > (self.opening_plies or 0) and not position.is_over
        return None if is_beyond else self._page_answer(position)

    def _page_answer(self, position: Position) -> Value:
        over = position.value_if_over
        if over is not None:
            return over if self.metric == "distance" else Value(over.wdl)
        try:
            return self._reader.layout.answer(position, self._page)
        except MeaninglessBits as error:
            raise self._reader.damaged(str(error)) from error


def game_of_table(path: Path) -> Rules | TableError | None:
    """Return a table's rules, from its file name or else from its content; None if the name is not that of a table.

    If the content is needed and cannot be read, return the error: DamagedTable or UnsupportedTable.
    """
    rules = game_of_file(path)
    if rules is None and is_file_game(path.stem.removeprefix("mnk-")):
        try:
            with closing(SqliteContent(path)) as source:
                return TableReader(source).rules
        except TableError as error:
            return error
    return rules


def _dense_answers(dense: bytes, metric: Metric) -> Callable[[Position], Value]:
    """Return a function that probes by two look-ups: from the position to its code, and from the code to the value."""
    values: list[Any] = [
        Value((code >> 4) - 1, code & 15 if metric == "distance" else None)
        if code >> 4 <= 2 and (metric == "distance" or code & 15 == NO_DISTANCE)
        else None
        for code in range(UNREACHABLE + 1)
    ]

    def answer(position: Position) -> Value:
        value: Value | None = values[dense[position.hash]]
        if value is None:
            raise ImpossiblePosition(f"{position.board} can't arise in play of {position.rules}.")
        return value

    return answer
