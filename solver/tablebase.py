"""Probe tables: values, best moves, main lines, strategies.

    table = open_tablebase("data/mnk-3-3-3.sqlite")     one game
    tables = open_tablebases("data")                    every game in a folder
    table.probe(Position.parse(table.rules, "XO./.X./..."))

A missing table raises an error, except in `get`, which returns a default. A damaged table always raises an error. Only
`probe_many` and `moves_many` need NumPy, and nothing needs Numba.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeAlias, TypeVar

from solver.errors import (
    BeyondTable,
    ImpossiblePosition,
    MissingTable,
    PositionError,
    RulesError,
    TableError,
    UnsupportedTable,
    missing_package,
    quoted,
)
from solver.game.base3 import HASHED_SQUARES
from solver.game.descriptions import describe_rules
from solver.game.game_files import is_file_game
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.strategies import Strategy, find_strategy
from solver.game.value import Value
from solver.store.layout import MeaninglessBits
from solver.store.paths import FILE_ENDING, SHIPPED, game_of_file, missing_table, require_table
from solver.store.reader import PageCache, TableReader
from solver.store.schema import NO_DISTANCE, UNREACHABLE, Metric
from solver.store.sqlite import SqliteSource

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from solver.store.bulk import Bulk


RankedMoves: TypeAlias = list[tuple[int, Value]]
"""(square, value for the mover, counted from before the move) of every legal move, best first."""

Source = Literal["table", "search"]  # the source of a value


_T = TypeVar("_T")


class Replies(NamedTuple):
    """The number of moves that keep the value of a position, and the number of all its moves."""

    holding: int
    """Moves that keep the win, the draw, or (all of them) the loss."""

    total: int
    """Legal moves; 0 when the game is over."""

    @property
    def mistakes(self) -> float:
        """The share of moves that make the result worse, from 0 to 1."""
        return (self.total - self.holding) / (self.total or 1)


class Evaluation(NamedTuple):
    """The values of a position and of its moves. A table contains all of them; a search might not find them all."""

    value: Value | None
    """The value for the side to move."""
    moves: list[tuple[int, Value | None]]
    """(square, value for the mover) of every legal move, best first. Unsettled moves come last, with the value None."""
    source: Source = "table"
    """`table` if the values of all moves come from a table, otherwise `search`."""


class Prober(ABC):
    """A source of the values of positions, with methods that need nothing but these values."""

    @abstractmethod
    def probe(self, position: Position) -> Value:
        """Return the value for the side to move. Raises MissingTable or DamagedTable."""

    def close(self) -> None:
        """Close the files, if there are any."""
        return

    def get(self, position: Position, default: _T | None = None) -> Value | _T | None:
        """Return the value for the side to move, or the default if the table of the game is missing."""
        try:
            return self.probe(position)
        except MissingTable:
            return default

    def probe_wdl(self, position: Position) -> int:
        """Return 1, 0 or -1: win, draw or loss for the side to move."""
        return self.probe(position).wdl

    def moves(self, position: Position) -> list[tuple[int, Value]]:
        """Return (square, value) for every legal move, best first, ties ordered by square; [] if the game is over.

        The value is for the side that moves, and its distance is counted from `position`: a move that wins immediately
        has Value(1, 1).
        """
        moves = [(s, self.probe(position.play(s)).before_move()) for s in position.legal_moves]
        return sorted(moves, key=lambda move: (move[1].rank, move[0]))

    def evaluate(self, position: Position) -> Evaluation:
        """Return the value of a position and of its moves. Values that a search does not find in time are None."""
        return Evaluation(self.probe(position), [*self.moves(position)])

    def moves_many(self, positions: Iterable[Position]) -> list[RankedMoves]:
        """Return `moves(position)` for each position."""
        return [self.moves(position) for position in positions]

    def best_move(self, position: Position) -> int:
        """Return the first of the best moves. Raises PositionError if the game is over."""
        moves = self.moves(position)
        if not moves:
            raise PositionError(f"The game is over in {position.board}, so there is no best move.")
        return moves[0][0]

    def replies(self, position: Position) -> Replies:
        """Return how many moves keep the value, and how many are legal.

        After a1 on 3,3,3, one of eight replies keeps the draw; after b2, four of eight do.
        """
        values = [value.wdl for _, value in self.moves(position)]
        return Replies(values.count(values[0]) if values else 0, len(values))

    def moves_by_traps(self, position: Position) -> list[tuple[int, Value, Replies]]:
        """Return (square, value, replies) for every move, best first; ties by share of mistakes, largest first."""
        moves = [(square, value, self.replies(position.play(square))) for square, value in self.moves(position)]
        return sorted(moves, key=lambda move: (move[1].rank, -move[2].mistakes, move[0]))

    def mainline(self, position: Position) -> list[int]:
        """Return the squares of best play by both sides, up to the end of the game."""
        line = []
        while not position.is_over:
            line.append(self.best_move(position))
            position = position.play(line[-1])
        return line

    def strategy(
        self, position: Position, player: str | None = None, draw_ok: bool = True, depth: int | None = None
    ) -> Strategy | None:
        """Return a strategy by which a player reaches the goal, or None if no strategy does.

        player: `X` or `O`, by default the side to move; if the other side is to move, the strategy starts with answers
        to that side's moves. draw_ok: whether a draw is enough; otherwise, the goal is a win. depth: the number of the
        player's moves after which the strategy ends.
        """
        return find_strategy(self.probe, position, player, draw_ok, depth)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Tablebase(Prober):
    """The table of one game. Threads can share it. Pickling stores its path."""

    rules: Rules
    """The rules of the game."""

    metric: Metric
    """`distance` if it has plies to the end of the game, otherwise `wdl`."""

    meta: dict[str, str | None]
    """The facts in the table `meta` of the file, by key."""

    name: str
    """The path of its file."""

    opening_plies: int | None
    """The last ply of an opening table, None for a whole table. Later positions raise BeyondTable."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self.rules = reader.rules
        self.metric: Metric = reader.metric
        self.meta = reader.meta
        self.name = reader.name
        self.opening_plies = reader.opening_plies
        self._page = PageCache(reader.page)
        # Cached properties would make each probe a tenth slower: in Python 3.11 and later they disable a fast path for
        # the attributes of an object.
        self._dense: bytes | None = None
        self._bulk: Bulk | None = None
        self._answer: Callable[[Position], Value] = self._first_answer

    def probe(self, position: Position) -> Value:
        """Return the value for the side to move.

        Raises MissingTable (a position of another game), BeyondTable (the opening table ends before the position),
        ImpossiblePosition, and DamagedTable.
        """
        if position.rules is not self.rules and not position.rules.is_same_game(self.rules):
            raise MissingTable(f"The table {self.name} answers {self.rules}, not {position.rules}.")
        return self._answer(position)

    def plies(self) -> list[dict[str, int | None]]:
        """Return the statistics of each ply, as dicts whose keys are the columns of the file's table `plies`."""
        return self._reader.plies()

    def live_counts(self) -> list[int]:
        """Return the number of unfinished positions at each ply."""
        return [(row["positions"] or 0) - (row["terminal"] or 0) for row in self.plies()]

    def __repr__(self) -> str:
        return f"<Tablebase of {self.rules}: {self.name}>"

    def __reduce__(self) -> tuple[Callable[[str], "Tablebase"], tuple[str]]:
        """Support pickling and copying: only the path is pickled, and the file is opened again."""
        return open_tablebase, (os.path.abspath(self.name),)

    def _repr_html_(self) -> str:
        from solver.drawing.html import statistics_html

        root = self.probe(Position.start(self.rules))
        title = f"{self.rules}: {describe_rules(self.rules)}; the empty board is a {root} for X"
        return statistics_html(title, self.plies())

    def probe_many(self, hashes: "npt.ArrayLike") -> "tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]":
        """Probe many positions at once, given their base-3 hashes (int64, any shape).

        Return wdl (int8) and distance (int16), which have the same shape. An unknown distance is -1. Raises
        ImpossiblePosition for the first hash that is not a position of the game. For a table of pages, the check
        covers stones, supports and lines, but not the order of moves, which matters with gravity and exact.
        """
        if self._bulk is None:
            try:
                from solver.store import bulk  # here, because a single probe does not need NumPy
            except ModuleNotFoundError as error:
                raise missing_package(error) from error

            self._bulk = bulk.bulk_of(self._reader, self._dense_array, self._page)
        return self._bulk(hashes)

    def moves_many(self, positions: Iterable[Position]) -> list[RankedMoves]:
        """Return `moves(position)` for each position; all are probed together."""
        legal = [(position, position.legal_moves) for position in positions]
        if self.rules.squares > HASHED_SQUARES:
            return [self.moves(position) for position, _ in legal]
        after = [position.hash + (1 + position.ply % 2) * 3**square for position, moves in legal for square in moves]
        wdl, distance = self.probe_many(after)
        values = (
            Value(won, None if plies < 0 else plies).before_move()
            for won, plies in zip(wdl.tolist(), distance.tolist(), strict=True)
        )
        moves = (list(zip(squares, values, strict=False)) for _, squares in legal)
        return [sorted(ranked, key=lambda move: (move[1].rank, move[0])) for ranked in moves]

    def close(self) -> None:
        """Close the file. Pages that have been read can still be probed."""
        self._reader.close()

    def _first_answer(self, position: Position) -> Value:
        is_small = self._reader.storage == "positions"
        later = self._page_answer if self.opening_plies is None else self._opening_answer
        self._answer = _dense_answers(self._dense_array(), self.metric) if is_small else later
        return self._answer(position)

    def _dense_array(self) -> bytes:
        if self._dense is None:
            self._dense = self._reader.dense()
        return self._dense

    def _opening_answer(self, position: Position) -> Value:
        if position.ply > (self.opening_plies or 0) and not position.is_over:
            raise BeyondTable(
                f"{position.board} has {position.ply} stones, and the opening table of {self.rules} has positions of "
                f"up to {self.opening_plies}; search later ones with `solver.open_truth`."
            )
        return self._page_answer(position)

    def _page_answer(self, position: Position) -> Value:
        over = position.value_if_over
        if over is not None:
            return over if self.metric == "distance" else Value(over.wdl)
        try:
            return self._reader.layout.answer(position, self._page)
        except MeaninglessBits as error:
            raise self._reader.damaged(str(error)) from error


class TablebaseFolder(Prober):
    """The tables in a folder; each is opened when a position of its game is first probed. Threads can share it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tables: dict[Rules, Tablebase] = {}

    def table(self, rules: Rules) -> Tablebase:
        """Return the table of a game. Raises MissingTable with the command that builds the table."""
        if rules not in self._tables:
            self._tables[rules] = Tablebase(TableReader(SqliteSource(require_table(self.folder, rules)), rules))
        return self._tables[rules]

    def game(self, name: str) -> Rules:
        """Return the rules of the game with this name. A game from a file must have its table here.

        Raises RulesError, and DamagedTable or UnsupportedTable if the rules cannot be read from the table.
        """
        name = name.strip()
        if is_file_game(name):
            path = self.folder / f"mnk-{name}{FILE_ENDING}"
            rules = _game_of_table(path) if path.is_file() else None
            if isinstance(rules, TableError):
                raise rules
            if rules is None:
                raise RulesError(
                    f"There is no table of {quoted(name)}, so its rules are unknown; build it from its file."
                )
            return rules
        return parse_game(name)

    def games(self) -> list[Rules]:
        """Return the games with a table here or in this package, sorted by rows, columns and the length of a line."""
        shipped = map(game_of_file, SHIPPED.glob(f"mnk-*{FILE_ENDING}"))
        games = {found for found in (*shipped, *self._found().values()) if isinstance(found, Rules)}
        return sorted(games, key=lambda rules: (rules.rectangle is None, rules.rectangle or (), rules.name))

    def unreadable(self) -> dict[Path, TableError]:
        """Return, by path, the error of each table whose game is unknown because the table can't be read."""
        return {path: found for path, found in self._found().items() if isinstance(found, TableError)}

    def _found(self) -> dict[Path, Rules | TableError | None]:
        """Return a dict from the path of each file here to the result of `_game_of_table`."""
        return {path: _game_of_table(path) for path in sorted(filter(Path.is_file, self.folder.glob("mnk-*")))}

    def probe(self, position: Position) -> Value:
        """Return the value for the side to move. Raises the errors of `table` and `Tablebase.probe`."""
        return self.table(position.rules).probe(position)

    def close(self) -> None:
        """Close all open tables."""
        for table in self._tables.values():
            table.close()
        self._tables.clear()


def open_tablebase(path: str | os.PathLike[str]) -> Tablebase:
    """Open the table of one game.

    Raises MissingTable (no such file), UnsupportedTable (a folder, a file that is not a table, or an unknown version),
    and DamagedTable.
    """
    path = Path(path)
    if path.is_dir():
        raise UnsupportedTable(f"{path} is a folder, not the file of one table; open it with open_tablebases.")
    rules = game_of_file(path)
    if rules and not path.exists():
        raise missing_table(rules, path.parent)
    return Tablebase(TableReader(SqliteSource(path), rules))


def open_tablebases(folder: str | os.PathLike[str]) -> TablebaseFolder:
    """Open a folder of tables; each table is opened when it is first probed.

    Raises MissingTable (no such folder) and UnsupportedTable (the path is a file).
    """
    folder = Path(folder)
    if not folder.exists():
        raise MissingTable(
            f"There is no folder {folder}; create it, or use `open_truth` for a game whose table is in this package."
        )
    if not folder.is_dir():
        raise UnsupportedTable(f"{folder} is a file, not a folder of tables; open it with open_tablebase.")
    return TablebaseFolder(folder)


def _game_of_table(path: Path) -> Rules | TableError | None:
    """Return a table's rules, from its file name or else from its content; None if the name is not that of a table.

    If the content is needed and cannot be read, return the error: DamagedTable or UnsupportedTable.
    """
    rules = game_of_file(path)
    if rules is None and is_file_game(path.stem.removeprefix("mnk-")):
        try:
            with closing(SqliteSource(path)) as source:
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
