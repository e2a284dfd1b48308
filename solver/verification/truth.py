"""Open what knows the values of a game: a table, or for the smallest boards a solution made on the spot.

So a function can be tried on 3,3,3 before any table is built.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

from solver.engines.engine import Tables
from solver.errors import ImpossiblePosition, MissingTable
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.paths import default_folder
from solver.tablebase import Prober, TablebaseFolder, open_tablebase
from solver.verification.late import LARGE, LateSearch
from solver.verification.positions import VISITED_SQUARES, every_position


class InMemoryTable(Prober):
    """The values of every position of a small game, by plain retrograde analysis (last ply first)."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._values: dict[Position, Value] = {}
        for position in reversed(every_position(rules)):
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
        """Return the moves as any table does; they are kept, because the next engine is asked the same positions."""
        if position not in self._moves:
            self._moves[position] = super().moves(position)
        return [*self._moves[position]]


_solve_in_memory: Final = lru_cache(maxsize=2)(InMemoryTable)


def open_truth(rules: Rules, tables: Tables = None) -> Prober:
    """Open the tables given: open ones, a file or a folder; by default the default folder.

    Where a folder has no table of a board of up to VISITED_SQUARES squares, the game is solved in memory; of a board of
    more than LARGE squares, late positions are solved by search.
    Raises MissingTable, UnsupportedTable, DamagedTable.
    """
    if isinstance(tables, Prober):
        return tables
    path = Path(tables or default_folder())
    if path.is_file():
        return open_tablebase(path)
    try:
        return TablebaseFolder(path).table(rules)
    except MissingTable:
        if rules.squares <= VISITED_SQUARES:
            return _solve_in_memory(rules)
        if rules.squares > LARGE:
            return LateSearch(rules)
        raise
