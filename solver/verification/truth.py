"""Open what knows the values of a game: a table, for the smallest boards a solution in memory, or a late search.

So a function can be graded on 3,3,3 before any table is built, and on 15,15,5 in late positions.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

from solver.engines.engine import Tables
from solver.errors import MissingTable
from solver.game.rules import Rules
from solver.search.small import InMemoryTable, LateSearch
from solver.store.paths import default_folder
from solver.tablebase import Prober, TablebaseFolder, open_tablebase
from solver.verification.positions import SMALL

LARGE: Final = 25
"""Games on more squares than this are graded in late positions if there is no table."""

_solve_in_memory: Final = lru_cache(maxsize=2)(InMemoryTable)


def open_truth(rules: Rules, tables: Tables = None) -> Prober:
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
