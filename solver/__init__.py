"""Solve m,n,k-games (m rows, n columns, k in a row), keep their values in tables, and probe these.

Public names are imported from the modules below when they are first used (PEP 562), so a program that only probes
tables does not load NumPy, Numba or the code that builds tables.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from solver import errors
from solver.errors import *  # noqa: F403 - all errors are public

__version__ = "0.1.0"

if TYPE_CHECKING:
    from solver.count import count_games, count_positions
    from solver.engines.engine import Choice, Engine, list_engines, make_engine, register
    from solver.engines.match import Terms, play_match
    from solver.game.descriptions import describe_rules
    from solver.game.games import parse_game
    from solver.game.position import Position
    from solver.game.rules import Rules
    from solver.game.value import Value
    from solver.solve import build_table
    from solver.study.openings import list_openings
    from solver.study.puzzles import Puzzle, daily_puzzle, draw_puzzles
    from solver.study.review import review_game
    from solver.support.program_loader import load_program
    from solver.tablebase import Tablebase, TablebaseFolder, open_tablebase, open_tablebases
    from solver.verification.verify import assert_perfect, verify

__all__ = [
    "Choice",
    "Engine",
    "Position",
    "Puzzle",
    "Rules",
    "Tablebase",
    "TablebaseFolder",
    "Terms",
    "Value",
    "__version__",
    "assert_perfect",
    "build_table",
    "count_games",
    "count_positions",
    "daily_puzzle",
    "describe_rules",
    "draw_puzzles",
    "list_engines",
    "list_openings",
    "load_program",
    "make_engine",
    "open_tablebase",
    "open_tablebases",
    "parse_game",
    "play_match",
    "register",
    "review_game",
    "verify",
]
__all__ += errors.__all__

# The modules of public names; errors are imported above, because they load fast.
_NAMES_OF = {
    "solver.count": ["count_games", "count_positions"],
    "solver.engines.engine": ["Choice", "Engine", "list_engines", "make_engine", "register"],
    "solver.game.descriptions": ["describe_rules"],
    "solver.game.games": ["parse_game"],
    "solver.game.position": ["Position"],
    "solver.game.rules": ["Rules"],
    "solver.game.value": ["Value"],
    "solver.engines.match": ["Terms", "play_match"],
    "solver.solve": ["build_table"],
    "solver.study.openings": ["list_openings"],
    "solver.study.puzzles": ["Puzzle", "daily_puzzle", "draw_puzzles"],
    "solver.study.review": ["review_game"],
    "solver.tablebase": ["Tablebase", "TablebaseFolder", "open_tablebase", "open_tablebases"],
    "solver.support.program_loader": ["load_program"],
    "solver.verification.verify": ["assert_perfect", "verify"],
}
_HOMES = {name: module for module, names in _NAMES_OF.items() for name in names}


def __getattr__(name: str) -> object:
    """Return a public name from its module, and keep it for the next use.

    Raises AttributeError for a name that is not public, and MissingExtra if an extra is not installed.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value: object = getattr(import_module(_HOMES[name]), name)
    except ModuleNotFoundError as error:
        raise errors.missing_package(error) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
