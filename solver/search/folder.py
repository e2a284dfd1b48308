"""The games of a folder, with their values: the only place that opens sources and keeps them open.

with Library("data") as library:
truth = library.truth(library.game("4,4,4"))
"""

import os
from collections import OrderedDict
from collections.abc import Callable
from math import inf
from numbers import Real
from os.path import isfile
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple, Self, TypeAlias

from solver.errors import RulesError, TableError, UnsupportedTable, quoted, require_numbers
from solver.game.game_files import is_file_game
from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.search.sources import SEARCH_BYTES
from solver.search.truth import SECONDS, Truth, open_truth
from solver.store.paths import FILE_ENDING, SHIPPED, STRATEGY_ENDING, find_strategy_file, find_table, game_of_file
from solver.tablebase import game_of_table

if TYPE_CHECKING:
    from solver.search.gravity import SearchProgress

_Stamp: TypeAlias = tuple[int, int, int]  # a file's inode, size in bytes and modification time in nanoseconds
_MOST_OPEN: Final = 64  # games
_MOST_BYTES: Final = 512 << 20  # of memory for all sources


class _Opened(NamedTuple):
    truth: Truth
    stamp: _Stamp | None  # of the table's file, or else of the strategy's; None without both


class Library:
    """The games of a folder. Each game is opened when it is first needed, and again when its table has changed.

    Games used last stay open, as long as their sources take at most `most_bytes` of memory together. Tables of this
    package come after those of the folder. seconds, search_bytes, progress: see `open_truth`. hides_folder: errors do
    not name the folder. Threads can share a library, and it can be pickled. Raises UnsupportedTable if the path is a
    file.
    """

    folder: Path
    """The folder of the tables."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        seconds: float = SECONDS,
        search_bytes: int = SEARCH_BYTES,
        most_bytes: int = _MOST_BYTES,
        progress: "Callable[[SearchProgress], None] | None" = None,
        hides_folder: bool = False,
    ) -> None:
        require_numbers(0, inf, Real, seconds=seconds, search_bytes=search_bytes, most_bytes=most_bytes)
        self.folder = Path(folder)
        if isfile(self.folder):
            raise UnsupportedTable(f"{folder} is a file, not a folder of tables; open it with `open_tablebase`.")
        self._options = seconds, search_bytes, most_bytes, hides_folder
        self._progress = progress
        self._open: OrderedDict[Rules, _Opened] = OrderedDict()
        self._lock = Lock()

    def truth(self, rules: Rules) -> Truth:
        """Return the values of a game, from its current table, if there is one, and searches.

        The library may close the game's files when nothing else uses the Truth any more. Raises DamagedTable and
        UnsupportedTable.
        """
        opened = self.opened(rules)
        if opened is not None:
            return opened
        path, stamp = self._file(rules)
        seconds, search_bytes, _, hides_folder = self._options
        truth = open_truth(
            rules, path or self.folder, seconds=seconds, search_bytes=search_bytes, progress=self._progress
        )
        truth.folder = None if hides_folder else self.folder
        with self._lock:
            other = self._open.get(rules)
            if other is None or other.stamp != stamp:  # otherwise another thread was faster
                self._open[rules] = _Opened(truth, stamp)
        return self.opened(rules) or truth

    def opened(self, rules: Rules) -> Truth | None:
        """Return the values of a game, without delay, if they are open and current; otherwise None."""
        _, stamp = self._file(rules)
        with self._lock:
            opened = self._open.get(rules)
            if opened is None or opened.stamp != stamp:
                return None
            self._open.move_to_end(rules)
            self._forget()
            return opened.truth

    def game(self, name: str) -> Rules:
        """Return the rules of the game with this name. A game from a file must have its table here.

        Raises RulesError, and DamagedTable or UnsupportedTable if the rules cannot be read from the table.
        """
        name = name.strip()
        if not is_file_game(name):
            return parse_game(name)
        path = self.folder / f"mnk-{name}{FILE_ENDING}"
        with self._lock:
            for rules, opened in self._open.items():
                if rules.name == name and opened.stamp == _stamp(path):
                    return rules
        found = game_of_table(path) if isfile(path) else None
        if isinstance(found, TableError):
            raise found
        if found is None:
            raise RulesError(f"There is no table of {quoted(name)}, so its rules are unknown; build it from its file.")
        return found

    def games(self) -> list[Rules]:
        """Return the games with a table here or in this package, sorted by rows, columns and the length of a line."""
        shipped = map(game_of_file, SHIPPED.glob(f"mnk-*{FILE_ENDING}"))
        games = {found for found in (*shipped, *self._found().values()) if isinstance(found, Rules)}
        return sorted(games, key=lambda rules: (rules.rectangle is None, rules.rectangle or (), rules.name))

    def unreadable(self) -> dict[Path, TableError]:
        """Return, by path, the error of each table whose game is unknown because the table can't be read."""
        return {path: found for path, found in self._found().items() if isinstance(found, TableError)}

    def close(self) -> None:
        """Close all games."""
        with self._lock:
            for opened in self._open.values():
                opened.truth.close()
            self._open.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Callable[..., "Library"], tuple[object, ...]]:
        """Support pickling: the copy opens its games again."""
        return _reopen, (os.path.abspath(self.folder), *self._options)

    def _file(self, rules: Rules) -> tuple[Path | None, _Stamp | None]:
        """Return the path of a game's table, and the stamp of the table or of the strategy; None without them."""
        path = find_table(self.folder, rules)
        return path, _stamp(path or find_strategy_file(self.folder, rules))

    def _found(self) -> dict[Path, Rules | TableError | None]:
        """Return a dict from the path of each file here to the result of `game_of_table`."""
        try:
            names = sorted(os.listdir(self.folder))
        except (OSError, ValueError):  # there is no such folder
            return {}
        paths = [self.folder / name for name in names if name.startswith("mnk-") and not name.endswith(STRATEGY_ENDING)]
        return {path: game_of_table(path) for path in paths if isfile(path)}

    def _forget(self) -> None:
        """Drop the games used longest ago, except the last. Their files close when nothing uses them any more."""
        most = self._options[2]
        while len(self._open) > 1 and (
            len(self._open) > _MOST_OPEN or sum(opened.truth.memory for opened in self._open.values()) > most
        ):
            self._open.popitem(last=False)


def _reopen(folder: str, seconds: float, search_bytes: int, most_bytes: int, hides_folder: bool) -> Library:
    return Library(folder, seconds=seconds, search_bytes=search_bytes, most_bytes=most_bytes, hides_folder=hides_folder)


def _stamp(path: Path | None) -> _Stamp | None:
    if path is None:
        return None
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # removed since it was found, or no name of a file
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
