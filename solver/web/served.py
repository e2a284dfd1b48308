"""The games of a server: their values, and the tags of its answers."""

import json
import weakref
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from solver import __version__
from solver.errors import MnkError, TableError
from solver.game.json_file import to_json
from solver.game.rules import Rules, weigh_rules
from solver.search.folder import Library
from solver.search.strategies import StoredStrategy
from solver.search.truth import Truth
from solver.store.paths import SHIPPED, STRATEGY_ENDING
from solver.support.recent import RecentCache

SECONDS: Final = 1.0
"""The seconds that a search takes for one answer, at most. Another request for the same position resumes it."""

_SEARCH_BYTES: Final = 16 << 20  # for each search; more would not help in SECONDS
_MOST_BYTES: Final = 48 << 20  # for the pages of tables and the results of searches of all games
_NAMES_BYTES: Final = 8 << 20


class ServedGames:
    """The games of a folder. Each request detects whether a table was built, rebuilt or removed. Thread-safe.

    Files are found by the names of rules, so no part of a request becomes a path.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._library = Library(
            folder, seconds=SECONDS, search_bytes=_SEARCH_BYTES, most_bytes=_MOST_BYTES, hides_folder=True
        )
        self._tags = weakref.WeakKeyDictionary[Truth, str]()
        self._names = RecentCache(self._library.game, weigh_rules, _NAMES_BYTES)

    def truth(self, rules: Rules) -> Truth:
        """Return the current values of a game. Raises DamagedTable and UnsupportedTable."""
        return self._library.truth(rules)

    def known(self, name: str) -> Rules | None:
        """Return the rules of a name that was read before; None if `game` must read it, which may take long."""
        return self._names.get(name)

    def opened(self, name: str) -> Truth | None:
        """Return the values of the game with this name if they are open; None if to open them may take long."""
        rules = self._names.get(name)
        return None if rules is None else self._library.opened(rules)

    def game(self, name: str) -> Rules:
        """Return the rules of the game with this name. Raises RulesError."""
        return self._names(name)

    def strategies(self) -> list[StoredStrategy]:
        """Return the strategies of games without a table, here and in this package, sorted by the size of the board."""
        paths = [*self.folder.glob(f"mnk-*{STRATEGY_ENDING}"), *SHIPPED.glob(f"mnk-*{STRATEGY_ENDING}")]
        names = {path.name.removeprefix("mnk-").removesuffix(STRATEGY_ENDING) for path in paths}
        found = []
        for name in names:
            with suppress(MnkError):  # a game from a file, or a damaged strategy: its own address says so
                truth = self.truth(self.game(name))
                found += [truth.strategy_file] if truth.strategy_file and not truth.has_table else []
        return sorted(found, key=lambda stored: (stored.rules.squares, stored.rules.name))

    def tag(self, truth: Truth) -> str:
        """Return the tag (ETag) of every answer from these values.

        For a table: its digest, which changes with any value, and a hash of everything else in answers: the size of the
        file, the names and places of squares, and the versions of the programs that built and serve it.
        """
        if truth not in self._tags:
            facts = [__version__, json.dumps(to_json(truth.rules))]
            digest = ""
            if truth.has_table:
                table = truth.table
                digest = f"{table.meta['digest']}-"
                facts += [str(table.meta["builder"]), table.metric, str(table.size)]
            elif truth.strategy_file:
                facts += [repr(truth.strategy_file.header), truth.strategy_file.digest]
            self._tags[truth] = digest + sha256(" ".join(facts).encode()).hexdigest()[:8]
        return self._tags[truth]

    def open_all(self) -> dict[str, Truth | TableError]:
        """Return a dict from the name of each game with a table to its values, or to the error of opening the table."""
        found = dict[str, Truth | TableError]()
        for rules in self._library.games():
            try:
                found[rules.name] = self.truth(rules)
            except TableError as error:
                found[rules.name] = error
        unreadable = self._library.unreadable()
        return found | {path.stem.removeprefix("mnk-"): error for path, error in unreadable.items()}
