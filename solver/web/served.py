"""Keep the served tables open: a table is opened on its first request, and again when its file has changed."""

import json
import os
import threading
import weakref
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias

from solver import __version__
from solver.errors import MissingTable, TableError
from solver.game.json_file import to_json
from solver.game.rules import Rules, require_buildable
from solver.search import is_searchable
from solver.search.truth import LARGE, Truth, open_truth
from solver.store.paths import build_command, default_folder, find_table, table_path
from solver.tablebase import Tablebase, TablebaseFolder, open_tablebase

_Stamp = tuple[int, int, int]  # a file's inode, size in bytes and modification time in nanoseconds


SECONDS: Final = 1.0
"""The seconds that a search takes for one answer, at most. Another request for the same position resumes it."""


class ServedTable:
    """An open table with the stamp of its file. The table is closed when nothing uses it any more."""

    def __init__(self, table: Tablebase, stamp: _Stamp) -> None:
        self.table = table
        self.truth = open_truth(table.rules, table, seconds=SECONDS)
        self.stamp = stamp
        self.bytes = stamp[1]
        rest = __version__, table.meta["builder"], table.metric, self.bytes, json.dumps(to_json(table.rules))
        other = sha256(" ".join(map(str, rest)).encode()).hexdigest()
        self.tag = f"{table.meta['digest']}-{other[:8]}"
        """The tag (ETag) of every answer from the table: the digest, which changes with any value, and a hash of
        everything else in answers: the size of the file, the names and places of squares, and the versions of the
        programs that built and serve it."""
        weakref.finalize(self, table.close)


class ServedSearch:
    """A search that answers requests for a game without a table."""

    stamp = None

    def __init__(self, rules: Rules) -> None:
        self.truth = Truth(rules, seconds=SECONDS)
        self.tag = sha256(f"{rules} {__version__}".encode()).hexdigest()


Served: TypeAlias = ServedTable | ServedSearch


class ServedTables:
    """The tables of a folder. Each request detects whether its table was built, rebuilt or removed. Thread-safe.

    Files are found by the names of rules, so no part of a request becomes a path.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[Rules, Served] = {}
        self._lock = threading.Lock()

    def table(self, rules: Rules) -> ServedTable:
        """Return a game's current table. Raises the errors of `find`, and MissingTable if `find` returns a search."""
        served = self.find(rules)
        if isinstance(served, ServedSearch):
            raise _missing(rules)
        return served

    def find(self, rules: Rules) -> Served:
        """Return the current table of a game, or a search for a large game that has no table and can be searched.

        Raises RulesError (the game has no table and is too large for one), MissingTable with the command that builds
        the table, DamagedTable and UnsupportedTable.
        """
        path = find_table(self.folder, rules) or table_path(self.folder, rules)
        try:
            status = os.stat(path)
            stamp = status.st_ino, status.st_size, status.st_mtime_ns
        except FileNotFoundError:
            stamp = None
        served = self._open.get(rules)
        if served is not None and served.stamp == stamp:
            return served
        with self._lock:
            served = self._open.get(rules)
            if served is None or served.stamp != stamp:  # otherwise another thread was faster
                self._open.pop(rules, None)
                if stamp is None and not (rules.squares > LARGE and is_searchable(rules)):
                    require_buildable(rules)
                    raise _missing(rules)
                served = ServedTable(open_tablebase(path), stamp) if stamp else ServedSearch(rules)
                self._open[rules] = served
            return served

    def game(self, name: str) -> Rules:
        """Return the rules of the game with this name. Raises RulesError."""
        return TablebaseFolder(self.folder).game(name)

    def open_all(self) -> dict[str, ServedTable | TableError]:
        """Return a dict from the name of each game to its open table, or to the error raised by opening the table."""
        folder, found = TablebaseFolder(self.folder), dict[str, ServedTable | TableError]()
        for rules in folder.games():
            try:
                found[rules.name] = self.table(rules)
            except TableError as error:
                found[rules.name] = error
        return found | {path.stem.removeprefix("mnk-"): error for path, error in folder.unreadable().items()}


def _missing(rules: Rules) -> MissingTable:
    """Return the error for a game without a table; it does not reveal the path of the folder."""
    command = build_command(rules, default_folder())
    return MissingTable(f"There is no table of {rules} here; build it with `{command}`.", command)
