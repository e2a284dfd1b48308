"""The values of positions: from a table if it contains them, otherwise by search.

    with open_truth(parse_game("6,7,4,gravity")) as truth:
        truth.evaluate(Position.parse(truth.rules, "d d d"))

A search has a time limit. Moves whose values are not found in time have no value; values are never guessed.
"""

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, cast

from solver.errors import BeyondTable, MissingTable, Unsettled, missing_package
from solver.game.position import Position
from solver.game.rules import MAX_SQUARES, Rules
from solver.game.value import Value
from solver.search import is_searchable
from solver.store.paths import build_command, default_folder
from solver.support.english import plural
from solver.tablebase import Evaluation, Prober, Source, Tablebase, TablebaseFolder, open_tablebase

if TYPE_CHECKING:
    from solver.search.gravity import Search, SearchProgress

SECONDS: Final = 10.0  # the default time limit for the values of one position

SMALL: Final = 9  # the most squares of a board that is solved position by position, in a fraction of a second

LARGE: Final = 25  # the number of squares above which late positions are searched if there is no table

_MOST_REMEMBERED: Final = 100_000  # values
_FIRST_SLICE: Final = 0.05  # seconds for each move at first, so that a hard move does not hide the easy ones


class PlainSearch:
    """A search to the end of the game, for positions with few empty squares in any game. It remembers every value."""

    gives_up = True  # the search never settles a position with more than `empty` empty squares

    def __init__(self, rules: Rules) -> None:
        self.empty = 10 if rules.gravity else SMALL if rules.squares <= SMALL else 8
        self._keeps = rules.squares <= SMALL
        self._seen: dict[Position, Value] = {}

    def solve(self, position: Position, seconds: float) -> Value | None:
        """Return the value for the side to move; None if the position has more than `empty` empty squares."""
        del seconds
        if position.rules.plies - position.ply > self.empty:
            return None
        if position not in self._seen and not self._keeps:
            self._seen.clear()  # the next position shares little with this one
        return self._find(position)

    def _find(self, position: Position) -> Value:
        if position not in self._seen:
            self._seen[position] = position.value_if_over or min(
                (self._find(position.play(move)).before_move() for move in position.legal_moves),
                key=lambda value: value.rank,
            )
        return self._seen[position]


class Truth(Prober):
    """The values of one game, from its table where possible, and otherwise by search.

    `seconds` limits each answer. `progress` is called during a search with gravity, which needs the extra `build`.
    Threads may share a Truth, and it can be pickled.
    """

    rules: Rules
    """The rules of the game."""

    def __init__(
        self,
        rules: Rules,
        table: Tablebase | None = None,
        *,
        seconds: float = SECONDS,
        progress: "Callable[[SearchProgress], None] | None" = None,
    ) -> None:
        self.rules, self.table, self.seconds = rules, table, seconds
        self._solver: PlainSearch | Search | None = None
        self._progress = progress
        self._values: dict[Position, Value] = {}
        self._moves: dict[Position, list[tuple[int, Value]]] = {}

    @property
    def empty(self) -> int | None:
        """The maximum number of empty squares for a quick search; None if every position can be solved."""
        if self.rules.squares <= SMALL:
            return None
        few, table = self._search().empty, self.table
        last = -1 if table is None else self.rules.plies if table.opening_plies is None else table.opening_plies
        return None if last + 1 >= self.rules.plies - few else few

    def probe(self, position: Position) -> Value:
        """Return the value for the side to move. Raises MissingTable (wrong game) and Unsettled (not found)."""
        value = self._known(position) or self._solve(position, self.seconds)
        if value is None:
            raise self.unsettled(position)
        return value

    def moves(self, position: Position) -> list[tuple[int, Value]]:
        """Return (square, value) for every legal move, best first. Raises the same errors as `probe`."""
        if position not in self._moves:
            moves = self.evaluate(position).moves
            settled = [(square, value) for square, value in moves if value is not None]
            if len(settled) < len(moves):
                raise self.unsettled(position)
            if len(self._moves) >= _MOST_REMEMBERED:
                self._moves.clear()
            self._moves[position] = settled
        return [*self._moves[position]]

    def evaluate(self, position: Position) -> Evaluation:
        """Return the values of a position and of its moves. A value not found in time is None; such moves come last."""
        deadline, part = monotonic() + self.seconds, _FIRST_SLICE
        value, after = self._known(position), {square: position.play(square) for square in position.legal_moves}
        source: Source = "table" if all(map(self._is_in_table, after.values())) else "search"
        found = {square: self._known(child) for square, child in after.items()}
        while (
            not position.is_over
            and (open_moves := [square for square in found if found[square] is None])
            and monotonic() < deadline
        ):
            for square in open_moves:
                left = deadline - monotonic()
                found[square] = self._solve(after[square], max(min(part, left), 0.001))
            if self._search().gives_up:
                break
            part *= 4
        moves = [(square, None if one is None else one.before_move()) for square, one in found.items()]
        moves.sort(key=lambda move: (move[1] is None, move[1].rank if move[1] else (0, 0), move[0]))
        if value is None and moves and moves[-1][1] is not None:
            value = moves[0][1]
        if value is not None:
            self._remember(position, value)
        return Evaluation(value, moves, source)

    def close(self) -> None:
        """Close the table, if there is one."""
        if self.table:
            self.table.close()

    def _is_in_table(self, position: Position) -> bool:
        if not self.table:
            return False
        return self.table.opening_plies is None or position.is_over or position.ply <= self.table.opening_plies

    def _known(self, position: Position) -> Value | None:
        """Return the value, or None if it takes a search. Raises MissingTable if the game is not this one."""
        if not position.rules.is_same_game(self.rules):
            raise MissingTable(f"These are the values of {self.rules}, not of {position.rules}.")
        found = position.value_if_over or self._values.get(position)
        if found is None and self.table:
            try:
                found = self.table.probe(position)
            except BeyondTable:
                return None
        return found

    def _solve(self, position: Position, seconds: float) -> Value | None:
        value = self._search().solve(position, seconds)
        if value is not None:
            self._remember(position, value)
        return value

    def _remember(self, position: Position, value: Value) -> None:
        if len(self._values) >= _MOST_REMEMBERED:
            self._values.clear()
        self._values[position] = value

    def _search(self) -> "PlainSearch | Search":
        if self._solver is None:
            if self.rules.squares <= SMALL or not is_searchable(self.rules):
                self._solver = PlainSearch(self.rules)
            else:
                try:
                    from solver.search.gravity import Search  # loads the compiler
                except ModuleNotFoundError as error:
                    raise missing_package(error) from error

                self._solver = Search(self.rules, progress=self._progress)
        return self._solver

    def unsettled(self, position: Position) -> Unsettled:
        """Return the error for a position without a value. It names the limit and the command that builds a table."""
        where, search = f"The position of {self.rules} after {plural(position.ply, 'ply', 'plies')}", self._search()
        is_small = self.rules.squares <= MAX_SQUARES or not search.gives_up
        build = build_command(self.rules, default_folder()) if is_small else None
        advice = f", or build a table with `{build}`" if build else ""
        if search.gives_up:
            most = f"a search settles positions with up to {plural(search.empty, 'empty square')}"
            return Unsettled(f"{where} is in no table, and {most}; give a later position{advice}.", build)
        return Unsettled(f"{where} was not settled by a search of {self.seconds:g} s; allow more time{advice}.", build)


def open_truth(
    rules: Rules,
    tables: Prober | str | os.PathLike[str] | None = None,
    *,
    seconds: float = SECONDS,
    progress: "Callable[[SearchProgress], None] | None" = None,
) -> Tablebase | Truth:
    """Open the values of a game: its table, and a search for positions that the table lacks.

    tables: an open table or folder, or the path of either; if None, the default folder. seconds: the time limit of a
    search. A search can find the values of all positions of k in a row with gravity, without other variants, on boards
    that fit into 64 bits with a row added; of all positions of games with up to 9 squares; and of late positions on
    boards of more than 25 squares. For other games without a table, raises MissingTable. Also raises UnsupportedTable
    and DamagedTable.
    """
    if isinstance(tables, Prober) and not isinstance(tables, Tablebase | TablebaseFolder):
        return cast("Truth", tables)
    try:
        if isinstance(tables, Tablebase):
            table = tables
        elif isinstance(tables, TablebaseFolder):
            table = tables.table(rules)
        else:
            path = Path(tables or default_folder())
            table = open_tablebase(path) if path.is_file() else TablebaseFolder(path).table(rules)
    except MissingTable:
        if SMALL < rules.squares <= LARGE and not is_searchable(rules):
            raise
        return Truth(rules, seconds=seconds, progress=progress)
    return table if table.opening_plies is None else Truth(rules, table, seconds=seconds, progress=progress)
