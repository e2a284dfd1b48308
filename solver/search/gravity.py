"""Find exact values in games with gravity that are too large for a table, by null-window search.

    search = Search(parse_game("6,7,4,gravity"))
    search.solve(Position.from_moves(search.rules, "d1 d2 d3".split()))     # a Value with its exact distance

The kernel (`solver.kernels.search_tree`) works in slices; `Search` checks the clock between them.
"""

from collections.abc import Callable
from threading import Lock, local
from time import monotonic
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.errors import PositionError, RulesError
from solver.game.position import Position
from solver.game.rules import Rules, require_rectangle
from solver.game.value import Value
from solver.kernels.search_board import make_board
from solver.kernels.search_table import Bounds, make_bounds
from solver.kernels.search_tree import NODES, Stack, make_stack, settle, settle_all, start
from solver.search import MOST_BITS, MOST_COLUMNS, MOST_ROWS, is_searchable, square_bits

MEMORY = 256 << 20  # bytes of a search's table: room for 16 million positions

_SLICE = 100_000  # nodes between two checks of the clock and of Ctrl-C: about 0.05 s
_FIRST_MEMORY = 4 << 20  # bytes of the table during the first slice: clearing MEMORY takes 0.1 s or more


class SearchProgress(NamedTuple):
    """The progress of a search for the value of one position."""

    nodes: int  #: The number of positions entered.
    least: Value  #: A lower bound of the value for the side to move.
    most: Value  #: An upper bound of the value for the side to move.


class Search:
    """A search for the values of one game's positions. It remembers its results.

    The game must be k in a row with gravity, and (rows + 1) * columns must be at most 64: for example, 6 rows and 7
    columns, 7 and 8, or 6 and 9. Raises RulesError for any other game.

    `memory` limits the size of the remembered results, in bytes. `seconds` limits the search for each value: a value
    that is not found in time is None, never a guess. Later calls benefit from the results of earlier ones. `progress`
    is called about every tenth of a second during a call.

    Threads may share a search and its results.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        memory: int = MEMORY,
        seconds: float | None = None,
        progress: Callable[[SearchProgress], None] | None = None,
    ) -> None:
        if not is_searchable(rules):
            raise RulesError(
                f"{rules} can't be searched: expected k in a row with gravity and no other variant, with lines of at "
                f"least 2 on at most {MOST_ROWS} rows and {MOST_COLUMNS} columns, with at most {MOST_BITS} squares "
                "when one row is added, such as 6,7,4,gravity."
            )
        rows, columns, length, *_ = require_rectangle(rules, "A search")
        self.rules, self.seconds, self.progress = rules, seconds, progress
        self._board = make_board(rows, columns, length)
        self._memory = memory
        self._tables = [make_bounds(rows, columns, min(memory, _FIRST_MEMORY))]
        self._growing = Lock()
        self._local = local()
        self._bits = [1 << bit for bit in square_bits(rules)]

    @property
    def nodes(self) -> int:
        """The number of positions that the calling thread has entered since the search was created."""
        return int(self._stack.progress[NODES])

    @property
    def bytes(self) -> int:
        """The memory of its results."""
        return sum(table.words.nbytes for table in self._tables)

    @property
    def _stack(self) -> Stack:
        if not hasattr(self._local, "stack"):
            self._local.stack = make_stack(self.rules.squares)
        stack: Stack = self._local.stack
        return stack

    def solve(self, position: Position, seconds: float | None = None) -> Value | None:
        """Return the value for the side to move; None if not found in `seconds` (default: the limit of the search)."""
        if not position.rules.is_same_game(self.rules):
            raise PositionError(f"This search is for {self.rules}, but the position is one of {position.rules}.")
        if position.value_if_over is not None:
            return position.value_if_over
        own, other = (
            np.uint64(sum(bit for square, bit in enumerate(self._bits) if stones >> square & 1))
            for stones in (position.own, position.other)
        )
        seconds = self.seconds if seconds is None else seconds
        last_moment = monotonic() + seconds if seconds is not None else None
        begun, is_late = self.nodes, False
        with np.errstate(over="ignore"):  # without Numba, words overflow; this is intended
            least, most = map(int, start(self._board, self._table(), self._stack, own, other))
            while least < most:
                if is_late:
                    return None
                until = self.nodes + _SLICE
                least, most = map(int, settle(self._board, self._table(), self._stack, until))
                is_late = last_moment is not None and monotonic() > last_moment
                if self.progress:
                    bounds = (_value_of(position, least), _value_of(position, most))
                    self.progress(SearchProgress(self.nodes - begun, *bounds))
        return _value_of(position, least)

    def plies_of(
        self, positions: npt.NDArray[np.uint64], is_stopped: Callable[[], bool] = lambda: False
    ) -> npt.NDArray[np.int8]:
        """Return each position's number of plies to the end: negative if the side to move loses, 0 for a draw.

        Each row of `positions` contains two words of an unfinished position, for the side to move and for the other
        side; see `solver.kernels.search_board`. The time limit does not apply, and the interpreter lock is released.
        When `is_stopped()` returns True, the search ends, and only the values found so far are returned.
        """
        scores, done = np.zeros(len(positions), dtype=np.int64), -1
        with np.errstate(over="ignore"):
            while done < len(positions) and not is_stopped():
                until = self.nodes + _SLICE
                done = int(settle_all(self._board, self._table(), self._stack, positions, scores, done, until))
        positions, scores = positions[: max(done, 0)], scores[: max(done, 0)]
        left = self.rules.squares + 2 - 2 * abs(scores) - np.bitwise_count(positions).sum(axis=1)
        left -= left % 2 != (scores > 0)
        plies: npt.NDArray[np.int8] = (np.sign(scores) * left).astype(np.int8)
        return plies

    def _table(self) -> Bounds:
        """Return the table of remembered results. After the first slice, a large empty table replaces the small one."""
        if len(self._tables) == 1 and self._memory > _FIRST_MEMORY and self.nodes >= _SLICE:
            with self._growing:  # otherwise each waiting thread would make a table
                if len(self._tables) == 1:
                    self._tables.append(make_bounds(len(self._board.rows), len(self._board.columns), self._memory))
        return self._tables[-1]


def _value_of(position: Position, score: int) -> Value:
    """Return the value that a score stands for; see `solver.kernels.search_bounds`."""
    squares, ply = position.rules.squares, position.ply
    if score == 0:
        return Value(0, squares - ply)
    last = squares + 2 - 2 * abs(score)  # or one ply earlier, if the winner does not play at `last`
    last -= (last - ply) % 2 != (score > 0)
    return Value(1 if score > 0 else -1, last - ply)
