"""Where values come from: sources, which all answer one question, `find`.

A table (`solver.tablebase.Tablebase`) is a source, and so are the two searches here. `solver.search.truth` asks the
sources of a game in order. A source never guesses: it returns an exact value or None.
"""

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol

from solver.errors import missing_package
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.search import is_searchable
from solver.tablebase import SourceName

if TYPE_CHECKING:
    from solver.search.gravity import Search, SearchProgress

SMALL: Final = 9  # the most squares of a board that is solved position by position, in a fraction of a second
SEARCH_BYTES: Final = 256 << 20  # the memory of a search with gravity: room for 16 million positions


class Source(Protocol):
    """A source of the values of one game's positions. Threads can share it, and it can be pickled."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def name(self) -> SourceName:
        """The kind of source, as answers state it."""

    @property
    def resumes(self) -> bool:
        """Whether a position that was not settled in time may be settled by another call."""

    @property
    def empty(self) -> int:
        """The most empty squares with which the source settles every position in well under a second."""

    @property
    def memory(self) -> int:
        """The bytes of memory that it uses."""

    def find(self, position: Position, seconds: float) -> Value | None:
        """Return the value for the side to move; None if the source lacks it or `seconds` do not suffice."""

    def close(self) -> None:
        """Close its files."""


class SmallSearch:
    """A search to the end of the game, for positions with few empty squares in any game."""

    name: Final = "search"
    resumes: Final = False

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.empty = 10 if rules.gravity else SMALL if rules.squares <= SMALL else 8
        self._seen: dict[Position, Value] = {}  # of a small board: at most a few thousand

    @property
    def memory(self) -> int:
        """The bytes of memory for the values that it keeps."""
        return 400 * len(self._seen)

    def find(self, position: Position, seconds: float) -> Value | None:
        """Return the value for the side to move; None if the position has more than `empty` empty squares."""
        del seconds
        if self.rules.plies - position.ply > self.empty:
            return None
        return self._solve(position, self._seen if self.rules.squares <= SMALL else {})

    def close(self) -> None:
        """Forget all values."""
        self._seen = {}

    def __reduce__(self) -> "tuple[type[SmallSearch], tuple[Rules]]":
        return SmallSearch, (self.rules,)

    def _solve(self, position: Position, seen: dict[Position, Value]) -> Value:
        value = seen.get(position) or position.value_if_over
        if value is None:
            after = (self._solve(position.play(move), seen).before_move() for move in position.legal_moves)
            value = min(after, key=lambda one: one.rank)
        seen[position] = value
        return value


class GravitySearch:
    """The compiled search of `solver.search.gravity`, which is loaded when it is first needed.

    progress: called about every tenth of a second during a search. Needs the extra `build`.
    """

    name: Final = "search"
    resumes: Final = True
    empty: Final = 32  # see docs/how-to/connect-four.md

    def __init__(
        self, rules: Rules, most_bytes: int = SEARCH_BYTES, progress: "Callable[[SearchProgress], None] | None" = None
    ) -> None:
        self.rules = rules
        self._most_bytes, self._progress = most_bytes, progress
        self._search: Search | None = None
        self._lock = Lock()

    @property
    def memory(self) -> int:
        """The bytes of its table of results."""
        return self._search.bytes if self._search else 0

    def find(self, position: Position, seconds: float) -> Value | None:
        """Return the value for the side to move; None if it is not found in `seconds`. Later calls continue."""
        with self._lock:
            if self._search is None:
                try:
                    from solver.search.gravity import Search  # loads the compiler
                except ModuleNotFoundError as error:
                    raise missing_package(error) from error

                self._search = Search(self.rules, memory=self._most_bytes, progress=self._progress)
            search = self._search
        return search.solve(position, seconds)

    def close(self) -> None:
        """Free its memory; a later call starts a new search."""
        self._search = None

    def __reduce__(self) -> tuple[Any, ...]:
        return GravitySearch, (self.rules, self._most_bytes)


def search_of(
    rules: Rules, most_bytes: int = SEARCH_BYTES, progress: "Callable[[SearchProgress], None] | None" = None
) -> Source:
    """Return the search that settles the most positions of a game."""
    if rules.squares <= SMALL or not is_searchable(rules):
        return SmallSearch(rules)
    return GravitySearch(rules, most_bytes, progress)
