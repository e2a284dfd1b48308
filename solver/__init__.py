"""Solve, keep and ask m,n,k-games: m rows, n columns, k in a row.

The public names live in the modules below and are fetched when they are first used (PEP 562), so that a
program that only asks a table never loads Numba, NumPy or the code that builds tables.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from solver.version import __version__

if TYPE_CHECKING:
    from solver.count import count_games, count_positions
    from solver.engines.contract import Choice, Engine, list_engines, make_engine, register
    from solver.errors import (
        BuildInterrupted,
        CheckFailed,
        ClusterError,
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
    from solver.game.position import Position
    from solver.game.rules import Rules
    from solver.game.value import Value
    from solver.match.match import Terms, play_match
    from solver.match.tournament import play_tournament
    from solver.pictures.notebook import explore
    from solver.solve import build_table
    from solver.study.openings import list_openings
    from solver.study.puzzles import Puzzle, daily_puzzle, draw_puzzles
    from solver.study.review import review_game
    from solver.tablebase import Tablebase, TablebaseFolder, open_tablebase, open_tablebases
    from solver.verification.verify import assert_perfect, verify

__all__ = [
    "BuildInterrupted",
    "CheckFailed",
    "Choice",
    "ClusterError",
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
    "Puzzle",
    "Rules",
    "RulesError",
    "StorageError",
    "TableError",
    "Tablebase",
    "TablebaseFolder",
    "Terms",
    "UnsupportedTable",
    "Value",
    "__version__",
    "assert_perfect",
    "build_table",
    "count_games",
    "count_positions",
    "daily_puzzle",
    "draw_puzzles",
    "explore",
    "list_engines",
    "list_openings",
    "make_engine",
    "open_tablebase",
    "open_tablebases",
    "play_match",
    "play_tournament",
    "register",
    "review_game",
    "verify",
]

# The module each public name is fetched from; the names not listed here are the exceptions of solver.errors.
_HOMES = {
    "Choice": "solver.engines.contract",
    "Engine": "solver.engines.contract",
    "Position": "solver.game.position",
    "Puzzle": "solver.study.puzzles",
    "Rules": "solver.game.rules",
    "Tablebase": "solver.tablebase",
    "TablebaseFolder": "solver.tablebase",
    "Terms": "solver.match.match",
    "Value": "solver.game.value",
    "assert_perfect": "solver.verification.verify",
    "build_table": "solver.solve",
    "count_games": "solver.count",
    "count_positions": "solver.count",
    "daily_puzzle": "solver.study.puzzles",
    "draw_puzzles": "solver.study.puzzles",
    "explore": "solver.pictures.notebook",
    "list_engines": "solver.engines.contract",
    "list_openings": "solver.study.openings",
    "make_engine": "solver.engines.contract",
    "open_tablebase": "solver.tablebase",
    "open_tablebases": "solver.tablebase",
    "play_match": "solver.match.match",
    "play_tournament": "solver.match.tournament",
    "register": "solver.engines.contract",
    "review_game": "solver.study.review",
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
