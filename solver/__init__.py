"""Solve, keep and ask m,n,k-games: m rows, n columns, k in a row.

The public names live in the modules below and are fetched when they are first used (PEP 562), so that a
program that only asks a table never loads Numba, NumPy or the code that builds tables.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.build import build_table
    from solver.engine import Choice, Engine, list_engines, make_engine, register
    from solver.enumerate import count_games, count_positions
    from solver.errors import (
        BuildInterrupted,
        CheckFailed,
        DamagedTable,
        DoesNotFit,
        EngineError,
        EngineFailed,
        IllegalMove,
        ImpossiblePosition,
        MissingExtra,
        MissingTable,
        MnkError,
        NotationError,
        PictureError,
        PositionError,
        RulesError,
        StorageError,
        TableError,
        UnsupportedTable,
    )
    from solver.match.match import Terms, play_match
    from solver.match.tournament import play_tournament
    from solver.notebook import explore
    from solver.position import Position
    from solver.rules import Rules
    from solver.tablebase import Tablebase, open_tablebase
    from solver.value import Value
    from solver.verification.verify import assert_perfect, verify

__version__ = "0.1.0"

__all__ = [
    "BuildInterrupted",
    "CheckFailed",
    "Choice",
    "DamagedTable",
    "DoesNotFit",
    "Engine",
    "EngineError",
    "EngineFailed",
    "IllegalMove",
    "ImpossiblePosition",
    "MissingExtra",
    "MissingTable",
    "MnkError",
    "NotationError",
    "PictureError",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "StorageError",
    "TableError",
    "Tablebase",
    "Terms",
    "UnsupportedTable",
    "Value",
    "__version__",
    "assert_perfect",
    "build_table",
    "count_games",
    "count_positions",
    "explore",
    "list_engines",
    "make_engine",
    "open_tablebase",
    "play_match",
    "play_tournament",
    "register",
    "verify",
]

# The module each public name is fetched from; the names not listed here are the exceptions of solver.errors.
_HOMES = {
    "Choice": "solver.engine",
    "Engine": "solver.engine",
    "Position": "solver.position",
    "Rules": "solver.rules",
    "Tablebase": "solver.tablebase",
    "Terms": "solver.match.match",
    "Value": "solver.value",
    "assert_perfect": "solver.verification.verify",
    "build_table": "solver.build",
    "count_games": "solver.enumerate",
    "count_positions": "solver.enumerate",
    "explore": "solver.notebook",
    "list_engines": "solver.engine",
    "make_engine": "solver.engine",
    "open_tablebase": "solver.tablebase",
    "play_match": "solver.match.match",
    "play_tournament": "solver.match.tournament",
    "register": "solver.engine",
    "verify": "solver.verification.verify",
}


def __getattr__(name: str) -> object:
    """Fetch a public name from its module and keep it, so that the next use finds it at once.

    Raises AttributeError for a name that is not in `__all__`.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES.get(name, "solver.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
