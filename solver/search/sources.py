"""Where values come from: sources, which all answer one question, `find`.

A table (`solver.tablebase.Tablebase`) is a source, and so are the two searches here. `solver.search.truth` asks the
sources of a game in order. A source never guesses: it returns an exact value or None.
"""

from collections.abc import Callable
from math import perm
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from solver.errors import missing_package
from solver.game.position import Position
from solver.game.rules import OTHER, Rules, Side
from solver.game.value import BoundedValue, Value, win_within
from solver.search import is_searchable
from solver.tablebase import SourceName

if TYPE_CHECKING:
    from solver.search.gravity import Search, SearchProgress
    from solver.search.threats import ForcedWin, Prover

_MOST_LINES: Final = 2_000  # of play to the end, where a game ends before the board is full
SMALL: Final = 9  # the most squares of a board that is solved position by position, in a fraction of a second
LARGE: Final = 30  # squares of a board on which threats are searched for; most smaller ones have tables
_NODES_A_SECOND: Final = 500_000  # at least, of a search for continuous fours
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
        """Return the value for the side to move; None if the source lacks it or `seconds` do not suffice.

        A search that returns None earlier has nothing left to try.
        """

    def close(self) -> None:
        """Close its files."""


@runtime_checkable
class MoveSource(Source, Protocol):
    """A source that knows a winning move much sooner than the values of all moves."""

    def find_move(self, position: Position) -> tuple[int, Value] | None:
        """Return a winning move and its value for the side that moves; None if the source knows none."""


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
        """Return the value for the side to move; None if more than `empty` plies are left, or too many positions."""
        del seconds
        if not is_short(self.rules.squares - position.ply, self.rules.plies - position.ply, self.empty):
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


class ThreatSearch:
    """A search for wins by threats, in any game of lines without gravity. It needs the extra `build` for speed."""

    name: Final = "search"
    resumes: Final = True
    empty: Final = 0  # it settles only positions with threats

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._prover: Prover | None = None
        self._lock = Lock()

    @property
    def memory(self) -> int:
        """The bytes of its tables of results."""
        return self._prover.bytes if self._prover else 0

    def find(self, position: Position, seconds: float) -> Value | None:
        """Return a win or a loss of the side to move that threats prove; None if they do not in `seconds`."""
        with self._lock:
            from solver.search.threats import READ_NODES  # loads the compiler

            prover, side, end = self._opened(), position.to_move, monotonic() + seconds
            if win := prover.forced_win(position, min(READ_NODES, int(seconds * _NODES_A_SECOND))):
                return win.value
            if threat := prover.threat_win(position, seconds / 4):
                return win_within(threat[1])
            waiting, left = {side: 1, OTHER[side]: -1}, seconds
            while waiting and left > 0:
                for attacker, wdl in [*waiting.items()]:
                    if proof := prover.prove(position, attacker, seconds=left / len(waiting)):
                        return BoundedValue(wdl, proof.within)
                    if not prover.is_late:
                        del waiting[attacker]
                left = end - monotonic()
        return None

    def find_move(self, position: Position) -> tuple[int, Value] | None:
        """Return the first move of a win by continuous fours, and its value; None if there is none."""
        with self._lock:
            win = self._opened().forced_win(position)
        return (win.moves[0], win.value) if win else None

    def forced_win(self, position: Position) -> "ForcedWin | None":
        """Return the shortest win of the side to move by continuous fours; None if there is none."""
        with self._lock:
            return self._opened().forced_win(position)

    def threat_win(self, position: Position, seconds: float) -> "ForcedWin | None":
        """Return a win of the side to move by continuous threats; None if a search of about `seconds` finds none."""
        with self._lock:
            from solver.search.threats import ForcedWin  # loads the compiler

            found = self._opened().threat_win(position, seconds)
        return ForcedWin([found[0]], found[1]) if found else None

    def is_threatened(self, position: Position, seconds: float) -> bool:
        """Return True if the side to move would lose to continuous threats if it passed."""
        with self._lock:
            return self._opened().is_threatened(position, seconds)

    def answered(self, position: Position) -> tuple[list[int], int]:
        """Return the moves that do not lose to continuous fours, and the most plies from any other to the end."""
        with self._lock:
            return self._opened().answered(position)

    def proved_within(self, position: Position, attacker: Side, seconds: float) -> int | None:
        """Return the plies within which an attacker wins by threats; None if no proof is found in `seconds`."""
        with self._lock:
            proof = self._opened().prove(position, attacker, seconds=seconds)
        return proof.within if proof else None

    def close(self) -> None:
        """Free its memory."""
        self._prover = None

    def __reduce__(self) -> "tuple[type[ThreatSearch], tuple[Rules]]":
        return ThreatSearch, (self.rules,)

    def _opened(self) -> "Prover":
        if self._prover is None:
            from solver.search.threats import Prover  # loads the compiler

            self._prover = Prover(self.rules)
        return self._prover


def is_short(squares: int, plies: int, most: int) -> bool:
    """Return True if a position with so many empty squares and plies left is searched to the end at once.

    most: the most empty squares, if the game ends when the board is full.
    """
    return plies <= most and (squares <= most or perm(squares, plies) <= _MOST_LINES)


def searches_of(
    rules: Rules, most_bytes: int = SEARCH_BYTES, progress: "Callable[[SearchProgress], None] | None" = None
) -> tuple[Source, ...]:
    """Return the searches that settle the most positions of a game, in the order in which to ask them."""
    if rules.squares > SMALL and is_searchable(rules):
        return (GravitySearch(rules, most_bytes, progress),)
    if rules.squares >= LARGE and rules.has_threats:
        return SmallSearch(rules), ThreatSearch(rules)
    return (SmallSearch(rules),)
