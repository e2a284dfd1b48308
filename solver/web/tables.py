"""Keep the tables that are served: open one when it is first asked for, and again when its file has changed."""

import json
import os
import threading
import weakref
from hashlib import sha256
from pathlib import Path

from solver.errors import MissingTable, RulesError, TableError, quoted
from solver.game.files import is_file_game
from solver.game.json_file import to_json
from solver.game.rules import Rules, require_buildable
from solver.store.paths import build_command, default_folder, table_path
from solver.tablebase import Tablebase, TablebaseFolder, open_tablebase
from solver.version import __version__

_Stamp = tuple[int, int, int]  # a file's inode, size in bytes and time of change in nanoseconds


class ServedTable:
    """An open table and its file's stamp. It is closed once nobody holds it."""

    def __init__(self, table: Tablebase, stamp: _Stamp) -> None:
        self.table = table
        self.stamp = stamp
        self.bytes = stamp[1]
        rest = __version__, table.meta["builder"], table.metric, self.bytes, json.dumps(to_json(table.rules))
        other = sha256(" ".join(map(str, rest)).encode()).hexdigest()
        self.tag = f"{table.meta['digest']}-{other[:8]}"
        """Of every answer that is read from the table: the digest, which changes when a value does, and a mark of
        all else that answers hold: the size of the file, the names and places of squares, and the versions of the
        programs that built and serve it."""
        weakref.finalize(self, table.close)


class ServedTables:
    """The tables of a folder. A table that is built, built again or removed meanwhile is noticed at the next request.

    Files are found by the names that rules have, so no text from outside becomes a path. May be shared by threads.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[Rules, ServedTable] = {}
        self._lock = threading.Lock()

    def table(self, rules: Rules) -> ServedTable:
        """Open the table of a game as it now is.

        Raises RulesError (no game of this size has a table), MissingTable with the command that builds it,
        DamagedTable and UnsupportedTable.
        """
        path = table_path(self.folder, rules)
        stamp = _read_stamp(path)
        if served := self._find_open(rules, stamp):
            return served
        require_buildable(rules)
        with self._lock:
            if served := self._find_open(rules, stamp):  # another thread was quicker
                return served
            self._open.pop(rules, None)
            if stamp is None:
                raise missing_table(rules)
            self._open[rules] = served = ServedTable(open_tablebase(path), stamp)
            return served

    def _find_open(self, rules: Rules, stamp: _Stamp | None) -> ServedTable | None:
        served = self._open.get(rules)
        return served if served is not None and served.stamp == stamp else None

    def has_table(self, rules: Rules) -> bool:
        """Whether there is a table of a game, without opening it."""
        return table_path(self.folder, rules).exists()

    def game(self, name: str) -> Rules:
        """Return the rules of a game by its name. Raises RulesError."""
        try:
            return TablebaseFolder(self.folder).game(name)
        except RulesError as error:
            if not is_file_game(name.strip()):
                raise
            raise RulesError(f"There is no table of {quoted(name)} here, so its rules are not known.") from error

    def open_all(self) -> dict[Rules, ServedTable | TableError]:
        """Open every table there is, by its game; in the place of one that can't be read stands the error."""
        return {rules: self._open_or_error(rules) for rules in TablebaseFolder(self.folder).games()}

    def unreadable(self) -> dict[Path, TableError]:
        """Return the errors of tables whose games are not known, as they can't be read."""
        return TablebaseFolder(self.folder).unreadable()

    def _open_or_error(self, rules: Rules) -> ServedTable | TableError:
        try:
            return self.table(rules)
        except TableError as error:
            return error


def missing_table(rules: Rules) -> MissingTable:
    """Make the error for a game without a table; whoever asks over HTTP is not told where the tables are."""
    command = build_command(rules, default_folder())
    return MissingTable(f"There is no table of {rules} here; build it with `{command}`.", command)


def _read_stamp(path: Path) -> _Stamp | None:
    """Read the stamp of a file; None if there is none."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
