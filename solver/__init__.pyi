"""The public names of the package, each with its module: for type checkers, and read by `__init__.py`."""

from solver.count import count_games as count_games
from solver.count import count_positions as count_positions
from solver.engines.engine import Choice as Choice
from solver.engines.engine import Engine as Engine
from solver.engines.engine import list_engines as list_engines
from solver.engines.engine import make_engine as make_engine
from solver.engines.engine import register as register
from solver.engines.match import Terms as Terms
from solver.engines.match import play_match as play_match
from solver.errors import BeyondTable as BeyondTable
from solver.errors import BuildInterrupted as BuildInterrupted
from solver.errors import CheckFailed as CheckFailed
from solver.errors import ClusterError as ClusterError
from solver.errors import DamagedTable as DamagedTable
from solver.errors import DoesNotFit as DoesNotFit
from solver.errors import EngineError as EngineError
from solver.errors import EngineFailed as EngineFailed
from solver.errors import GraderError as GraderError
from solver.errors import IllegalMove as IllegalMove
from solver.errors import ImpossiblePosition as ImpossiblePosition
from solver.errors import MissingExtra as MissingExtra
from solver.errors import MissingTable as MissingTable
from solver.errors import MnkError as MnkError
from solver.errors import NotationError as NotationError
from solver.errors import PictureError as PictureError
from solver.errors import PositionError as PositionError
from solver.errors import RulesError as RulesError
from solver.errors import StorageError as StorageError
from solver.errors import TableError as TableError
from solver.errors import Unsettled as Unsettled
from solver.errors import UnsupportedTable as UnsupportedTable
from solver.game.descriptions import describe_rules as describe_rules
from solver.game.games import parse_game as parse_game
from solver.game.position import Position as Position
from solver.game.rules import Rules as Rules
from solver.game.value import Value as Value
from solver.solve import build_table as build_table
from solver.study.openings import list_openings as list_openings
from solver.study.puzzles import Puzzle as Puzzle
from solver.study.puzzles import daily_puzzle as daily_puzzle
from solver.study.puzzles import draw_puzzles as draw_puzzles
from solver.study.review import review_game as review_game
from solver.support.program_loader import load_program as load_program
from solver.tablebase import Tablebase as Tablebase
from solver.tablebase import TablebaseFolder as TablebaseFolder
from solver.tablebase import open_tablebase as open_tablebase
from solver.tablebase import open_tablebases as open_tablebases
from solver.verification.verify import assert_perfect as assert_perfect
from solver.verification.verify import verify as verify

__all__: list[str]
__version__: str
