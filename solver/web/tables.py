"""Keep the served tables open: each is opened on its first request, and again when its file has changed."""

import json
import os
import threading
import weakref
from hashlib import sha256
from pathlib import Path

from solver import __version__
from solver.errors import MissingTable, RulesError, TableError, quoted
from solver.game.files import is_file_game
from solver.game.json_file import to_json
from solver.game.rules import Rules, require_buildable
from solver.store.paths import build_command, default_folder, table_path
from solver.tablebase import Tablebase, TablebaseFolder, open_tablebase

_Stamp = tuple[int, int, int]  # a file's inode, size in bytes and modification time in nanoseconds


class ServedTable:
    """An open table and its file's stamp. It is closed when nobody uses it any more."""

    def __init__(self, table: Tablebase, stamp: _Stamp) -> None:
        self.table = table
        self.stamp = stamp
        self.bytes = stamp[1]
        rest = __version__, table.meta["builder"], table.metric, self.bytes, json.dumps(to_json(table.rules))
        other = sha256(" ".join(map(str, rest)).encode()).hexdigest()
        self.tag = f"{table.meta['digest']}-{other[:8]}"
        """The tag (ETag) of every answer from the table: the digest, which changes with any value, and a hash of
        everything else in answers: the size of the file, the names and places of squares, and the versions of the
        programs that built and serve it."""
        weakref.finalize(self, table.close)


class ServedTables:
    """The tables of a folder. Each request notices tables that have been built, rebuilt or removed. Thread-safe.

    Files are found by the names of rules, so no text of a request becomes a path.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[Rules, ServedTable] = {}
        self._lock = threading.Lock()

    def table(self, rules: Rules) -> ServedTable:
        """Return the current table of a game.

        Raises RulesError (the game is too large for a table), MissingTable with the command that builds it,
        DamagedTable and UnsupportedTable.
        """
        path = table_path(self.folder, rules)
        try:
            status = os.stat(path)
            stamp = status.st_ino, status.st_size, status.st_mtime_ns
        except FileNotFoundError:
            stamp = None
        served = self._open.get(rules)
        if served is not None and served.stamp == stamp:
            return served
        require_buildable(rules)
        with self._lock:
            served = self._open.get(rules)
            if served is not None and served.stamp == stamp:  # another thread was faster
                return served
            self._open.pop(rules, None)
            if stamp is None:  # the error does not reveal the path of the folder
                command = build_command(rules, default_folder())
                raise MissingTable(f"There is no table of {rules} here; build it with `{command}`.", command)
            self._open[rules] = served = ServedTable(open_tablebase(path), stamp)
            return served

    def has_table(self, rules: Rules) -> bool:
        """Return True if a game has a table, without opening it."""
        return table_path(self.folder, rules).exists()

    def game(self, name: str) -> Rules:
        """Return the rules of a game by its name. Raises RulesError."""
        try:
            return TablebaseFolder(self.folder).game(name)
        except RulesError as error:
            if not is_file_game(name.strip()):
                raise
            raise RulesError(f"There is no table of {quoted(name)} here, so its rules are unknown.") from error

    def open_all(self) -> dict[Rules, ServedTable | TableError]:
        """Return every table by its game, or the error of one that can't be read."""
        found: dict[Rules, ServedTable | TableError] = {}
        for rules in TablebaseFolder(self.folder).games():
            try:
                found[rules] = self.table(rules)
            except TableError as error:
                found[rules] = error
        return found

    def unreadable(self) -> dict[Path, TableError]:
        """Return the errors of tables that can't be read and whose games are therefore unknown."""
        return TablebaseFolder(self.folder).unreadable()
