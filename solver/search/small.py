"""Know the values of a game by a table, or without one: solve it in memory, or search late positions to the end.

So a function can be graded on 3,3,3 before any table is built, and on 15,15,5 in late positions.
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import Final

from solver.errors import ImpossiblePosition, MissingTable
from solver.game.position import Position, reachable_positions
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.paths import default_folder
from solver.support.english import plural
from solver.tablebase import Prober, TablebaseFolder, open_tablebase

SMALL: Final = 9
"""Boards of up to so many squares are solved position by position, which takes a fraction of a second."""

LARGE: Final = 25
"""Games on more squares than this are searched in late positions if there is no table."""


class InMemoryTable(Prober):
    """The values of every position of a small game, by plain retrograde analysis (last ply first)."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._values: dict[Position, Value] = {}
        for position in reversed([*reachable_positions(rules)]):
            self._values[position] = position.value_if_over or min(
                [self._values[position.play(move)].before_move() for move in position.legal_moves],
                key=lambda value: value.rank,
            )
        self._moves: dict[Position, list[tuple[int, Value]]] = {}

    def probe(self, position: Position) -> Value:
        """Return the value for the side to move. Raises MissingTable (another game) or ImpossiblePosition."""
        if not position.rules.is_same_game(self.rules):
            raise MissingTable(f"This is the solution of {self.rules}, not of {position.rules}.")
        if position not in self._values:
            raise ImpossiblePosition(f"{position.board} can't arise in play of {self.rules}.")
        return self._values[position]

    def moves(self, position: Position) -> list[tuple[int, Value]]:
        """Return the moves as any table does; they are kept for the next engine."""
        if position not in self._moves:
            self._moves[position] = super().moves(position)
        return [*self._moves[position]]


class LateSearch(Prober):
    """The values of positions of one game with few empty squares, by a search to the end."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.empty = 10 if rules.gravity else 8
        """The most empty squares of a position that is searched: up to some ten thousand positions follow it."""
        self._seen: dict[Position, Value] = {}

    def probe(self, position: Position) -> Value:
        """Return the value for the side to move. Raises MissingTable for another game, or a position too early."""
        empty = self.rules.plies - position.ply
        if not position.rules.is_same_game(self.rules) or empty > self.empty:
            raise MissingTable(
                f"There is no table of {position.rules}, and {position.board} has {plural(empty, 'empty square')}: "
                f"positions with up to {self.empty} are solved by search instead."
            )
        if position not in self._seen:
            self._seen.clear()  # the next position shares little with this one
        return self._search(position)

    def _search(self, position: Position) -> Value:
        if position not in self._seen:
            self._seen[position] = position.value_if_over or min(
                (self._search(position.play(move)).before_move() for move in position.legal_moves),
                key=lambda value: value.rank,
            )
        return self._seen[position]


_solve_in_memory: Final = lru_cache(maxsize=2)(InMemoryTable)


def open_truth(rules: Rules, tables: Prober | str | os.PathLike[str] | None = None) -> Prober:
    """Open the tables given: open ones, a file or a folder; by default the default folder.

    Without a table, a board of up to SMALL squares is solved in memory, and one of more than LARGE squares is searched
    in late positions. Raises MissingTable, UnsupportedTable, DamagedTable.
    """
    if isinstance(tables, Prober):
        return tables
    path = Path(tables or default_folder())
    if path.is_file():
        return open_tablebase(path)
    try:
        return TablebaseFolder(path).table(rules)
    except MissingTable:
        if rules.squares <= SMALL:
            return _solve_in_memory(rules)
        if rules.squares > LARGE:
            return LateSearch(rules)
        raise
