"""Write a wrapper, ready to be edited, for a program that can't be asked as it is."""

import ast
import re
from pathlib import Path
from typing import Final

from solver.errors import EngineError, quoted
from solver.game.rules import Rules, require_rectangle
from solver.verification.adapters.loading import load_program, read_program
from solver.verification.adapters.players import rank_name

_BOARDS: Final = re.compile(r"board|game|state|grid|tictactoe|connect", re.IGNORECASE)
_PLAYS: Final = re.compile(r"make|do|play|place|drop|push|move|mark", re.IGNORECASE)
_MOST_NAMED: Final = 8

_TEMPLATE: Final = '''\
"""Ask {file} for a move: `mnk verify {game} {wrapper}`. Edit the lines marked with <- until it plays."""

from {package} import {loader}

program = {loader}({path!r})  # what it defines; it is not played


def best_move(board, player):
    """Take {squares} signs, 'X', 'O' or ' ', row by row, and the side to move; return a square, from 0."""
{body}
'''

_FUNCTION: Final = """\
    rows = [board[start : start + {n}] for start in range(0, {squares}, {n})]
    return program.{player}(rows)  # <- what it takes, and what it returns{others}"""

_METHOD: Final = """\
    stones = [[square for square in range({squares}) if board[square] == side] for side in "XO"]
    position = program.{board}()  # <- its own board
    for ply in range(len(stones[0]) + len(stones[1])):
        position.{play}(stones[ply % 2][ply // 2])  # <- how a move is played there
    return {player}  # <- what it takes, and what it returns{others}"""


def write_wrapper(rules: Rules, spec: str, target: Path) -> str:
    """Return the source of a wrapper for a Python file or a notebook, to be kept as `target`.

    Raises EngineError if the engine is no such file.
    """
    file = Path(re.sub(r":[\w.]*$", "", spec.strip())).expanduser()
    if file.suffix not in {".py", ".ipynb"} or not file.is_file():
        raise EngineError(f"{quoted(spec)} is no Python file; a wrapper can be written for FILE.py or FILE.ipynb.")
    n = require_rectangle(rules, "a wrapper")[1]
    tree = read_program(file)
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    classes = {node.name: _list_methods(node) for node in tree.body if isinstance(node, ast.ClassDef)}
    best = min(functions, key=_rank, default="")
    owner = min(classes, key=lambda name: min(map(_rank, classes[name]), default=_NOT_ONE), default="")
    method = min(classes.get(owner, ()), key=_rank, default="get_move")
    others = _name_others([*functions, *classes], {best, owner})
    if classes and (not best or _rank(method) < _rank(best)):
        board = next((name for name in classes if name != owner and _BOARDS.search(name)), owner)
        play = next(filter(_PLAYS.match, classes[board]), "make_move")
        player = f"position.{method}()" if board == owner else f"program.{owner}(player).{method}(position)"
        body = _METHOD.format(squares=rules.squares, board=board, play=play, player=player, others=others)
    else:
        body = _FUNCTION.format(n=n, squares=rules.squares, player=best or "best_move", others=others)
    return _TEMPLATE.format(
        file=file.name,
        game=rules.name,
        wrapper=target.name,
        package=load_program.__module__,
        loader=load_program.__name__,
        path=str(file.resolve()),
        squares=rules.squares,
        body=body,
    )


_NOT_ONE: Final = 1000


def _rank(name: str) -> int:
    rank = rank_name(name)
    return _NOT_ONE if rank is None else rank


def _list_methods(node: ast.ClassDef) -> list[str]:
    return [item.name for item in node.body if isinstance(item, ast.FunctionDef) and not item.name.startswith("_")]


def _name_others(names: list[str], used: set[str]) -> str:
    others = [name for name in names if name not in used]
    return f"# also there: {', '.join(others[:_MOST_NAMED])}\n    " if others else ""
