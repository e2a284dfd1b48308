"""Write a wrapper, ready to be edited, for a program that can't be asked as it is."""

import ast
import re
from pathlib import Path
from typing import Final

from solver.errors import EngineError, quoted
from solver.game.position import Position
from solver.game.rules import Rules, require_rectangle
from solver.verification.adapters.arguments import choose_depth
from solver.verification.adapters.loading import find_reading, load_program, read_program
from solver.verification.adapters.own_board import EMPTYING
from solver.verification.adapters.own_moves import MARK_NAME, is_never_a_play
from solver.verification.adapters.players import find_valuing, rank_name
from solver.verification.conventions.board_formats import ALL_MARKS, Marks, OwnNumber
from solver.verification.conventions.parameters import find_flags, kind_of
from solver.verification.conventions.source import read_source
from solver.verification.outline import (
    is_named,
    list_made_with,
    list_members,
    list_methods,
    list_parameters,
    list_uses,
)

_BOARDS: Final = re.compile(r"board|game|state|grid|tictactoe|connect", re.IGNORECASE)
_PLAYS: Final = tuple(  # the likeliest first
    re.compile(words, re.IGNORECASE)
    for words in (r"(?:make|do|play|place|drop|push|put|apply)", r"(?:move|mark|insert|add|set|update|perform)")
)
_PLACE_NAME: Final = re.compile(r"(?:row|col|column|[rcxyij])(?:_?(?:index|idx|num|number))?", re.IGNORECASE)
_KNOWN_MARKS: Final = [marks for marks in ALL_MARKS if not isinstance(marks.empty, OwnNumber)]
_MOST_NAMED: Final = 8
_MOST_BESIDE: Final = 40  # files beside a program that are looked through for its board
_GETTING: Final = {"kwargs.get", "kwargs.pop"}
_NOT_ONE: Final = 1000

_TEMPLATE: Final = '''\
"""Ask {file} for a move: `mnk verify {game} {wrapper}`. Edit the lines marked with <- until it plays."""

from {package} import {names}

program = load_program({path!r})  # what it defines; it is not played{beside}


def best_move(board, player):
    """Take {squares} signs, 'X', 'O' or ' ', row by row, and the side to move; return a square, from 0."""
{body}
'''

_ROWS: Final = """\
    signs = {signs}  # <- those of its board
    player, other = signs[player], signs["O" if player == "X" else "X"]
"""

_FUNCTION: Final = f"""\
{_ROWS}\
    rows = [[signs[cell] for cell in board[start : start + {{n}}]] for start in range(0, {{squares}}, {{n}})]
{{before}}\
    return {{asked}}  # <- what it takes, and what it returns"""

_VALUES: Final = f"""\
{_ROWS}\
    gains = signs["{{gains}}"]  # <- the side whose wins are worth most

    def value(square):
        rows = [[signs[cell] for cell in board[start : start + {{n}}]] for start in range(0, {{squares}}, {{n}})]
        rows[square // {{n}}][square % {{n}}] = player
{{before}}\
        return {{asked}}  # <- what it takes; it returns what the position is worth

    empty = [square for square in range({{squares}}) if board[square] == " "{{above}}]
    return (max if player == gains else min)(empty, key=value)"""

_OWN_BOARD: Final = """\
    position = {module}.{board}({made})  # <- its own board, empty
{begun}\
    for ply, square in enumerate(list_moves({game!r}, board)):
        position.{play}  # <- how a move is played there
    other = "O" if player == "X" else "X"
{others}\
    return {asked}  # <- what it takes, and what it returns"""


def write_wrapper(rules: Rules, spec: str, target: Path) -> str:
    """Return the source of a wrapper for a Python file or a notebook, to be kept as `target`.

    Raises EngineError if the engine is no such file.
    """
    file = Path(re.sub(r":[\w.]*$", "", spec.strip())).expanduser()
    if file.suffix not in {".py", ".ipynb"} or not file.is_file():
        raise EngineError(f"{quoted(spec)} is no Python file; a wrapper can be written for FILE.py or FILE.ipynb.")
    outline = _Outline(rules, file, read_program(file))
    home, board = outline.find_board()
    return _TEMPLATE.format(
        file=file.name,
        game=rules.name,
        wrapper=target.name,
        package=load_program.__module__,
        names="list_moves, load_program" if board else "load_program",
        path=str(file.resolve()),
        beside="" if home == file else f"\n{home.stem} = load_program({str(home.resolve())!r})",
        squares=rules.squares,
        body=outline.write_body(board, "program" if home == file else home.stem),
    )


class _Outline:
    """The functions and classes of a program, by what is written of them, and which of them plays."""

    def __init__(self, rules: Rules, file: Path, tree: ast.Module) -> None:
        self._rules, self._file, self._tree = rules, file, tree
        self._columns = require_rectangle(rules, "a wrapper")[1]
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._functions = functions
        self._classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self._marks, self._gains = _find_marks(tree)
        values, reading = find_valuing(tree), find_reading(tree)
        methods = [
            (_rank(method.name) + _NOT_ONE * len(self._list_unknown(node)), owner, method.name)
            for owner, node in self._classes.items()
            for method in list_methods(node)
            if f"{owner}.{method.name}" not in reading
        ]
        playing = [name for name, node in functions.items() if name not in reading and not _takes_a_move(node)]
        best = min([name for name in playing if name not in values] or playing, key=_rank, default="")
        if best not in values and _rank(best) == _NOT_ONE and values & {*functions}:
            best = min(values & {*functions}, key=_rank)
        rank, owner, method = min(methods, default=(_NOT_ONE, next(iter(self._classes), ""), "get_move"))
        is_method = bool(self._classes) and (not best or rank < _rank(best))
        self._owner, self._name = (owner, method) if is_method else ("", best or "best_move")
        found = self._classes[owner].body if is_method else tree.body
        named = [node for node in found if isinstance(node, ast.FunctionDef) and node.name == self._name]
        self._parameters = list_parameters(named[0], is_method) if named else ["board"]
        self._source = ast.unparse(named[0]) if named else ""
        self._flags = find_flags(named[0]) if named else frozenset[str]()
        others = [name for name in (*functions, *self._classes) if name not in {self._owner, self._name}]
        self._others = f"# also there: {', '.join(others[:_MOST_NAMED])}" if others else ""

    def find_board(self) -> tuple[Path, ast.ClassDef | None]:
        """Return the file and the class of the program's own board, if it has one."""
        names = {name for name in self._parameters if kind_of(name) in {"board", "game", None}}
        wanted = list_uses(self._tree, names) - {*dir(list), *dir(dict), *dir(str)}
        for path in [self._file, *sorted(self._file.parent.glob("*.py"))[:_MOST_BESIDE]]:
            tree = self._tree if path == self._file else read_program(path)
            classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name != self._owner]
            for node in classes:
                if 2 * len(wanted & list_members(node)) > max(1, len(wanted)):
                    return path, node
        if not self._owner:
            return self._file, None
        board = next((name for name in self._classes if name != self._owner and _BOARDS.search(name)), self._owner)
        return self._file, self._classes[board]

    def _write_signs(self) -> str:
        """Write which signs its board has."""
        signs = {"X": self._marks.first, "O": self._marks.second, " ": self._marks.empty}
        return repr(signs).replace("'", '"')

    def _list_unknown(self, owner: ast.ClassDef) -> list[str]:
        """List what a class is made with and can't be given by its name."""
        return [name for name in list_made_with(owner) if kind_of(name) is None]

    def _list_variables(self) -> list[str]:
        """List the variables of the file."""
        targets = [target for node in self._tree.body if isinstance(node, ast.Assign) for target in node.targets]
        return [target.id for target in targets if isinstance(target, ast.Name)]

    def write_body(self, board: ast.ClassDef | None, module: str) -> str:
        """Write what the wrapper does, with the program's own board if it has one."""
        if board is None:
            return self._write_rows()
        asked = f"{self._name}({self._write_arguments(self._parameters, 'position')})"
        if board.name == self._owner:
            asked = f"position.{asked}"
        elif self._owner:
            asks = list_made_with(self._classes[self._owner])
            asked = f"program.{self._owner}({self._write_arguments(asks, 'position')}).{asked}"
        else:
            asked = f"program.{asked}"
        begins = [
            node.name for node in list_methods(board) if EMPTYING.fullmatch(node.name) and not list_parameters(node)
        ]
        others = f"    {self._others}\n" if self._others else ""
        return _OWN_BOARD.format(
            game=self._rules.name,
            module=module,
            board=board.name,
            made=self._write_sizes(board),
            begun="".join(f"    position.{name}()\n" for name in begins[:1]),
            play=self._write_play(board),
            asked=asked,
            others=others,
        )

    def _write_sizes(self, board: ast.ClassDef) -> str:
        """Write what a board is made with: the sizes that its class asks for."""
        made = [node for node in board.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
        named = [
            node.args[0].value
            for init in made
            for node in ast.walk(init)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args
            if isinstance(node.args[0], ast.Constant) and ast.unparse(node.func) in _GETTING
        ]
        asked = [one.arg for init in made for one in [*init.args.args[1:], *init.args.kwonlyargs]]
        diagram = self._rules.diagram
        sizes = {"m": diagram.rows, "n": diagram.columns, "k": self._rules.shortest_line}
        kinds = {str(name): kind_of(str(name)) for name in [*asked, *named]}
        return ", ".join(f"{name}={sizes[kind]}" for name, kind in kinds.items() if kind in sizes)

    def _write_play(self, board: ast.ClassDef) -> str:
        """Write how a move is played on a board, by the name and the parameters of the likeliest method."""
        reading = find_reading(board)
        methods = [node for node in list_methods(board) if node.name not in reading and not is_never_a_play(node.name)]
        likely = [node for words in _PLAYS for node in methods if words.match(node.name) and list_parameters(node)]
        if not likely:
            return "make_move(square)"
        names = list_parameters(likely[0])
        marks = [name for name in names if MARK_NAME.search(name) and not _PLACE_NAME.fullmatch(name)]
        row, column = f"square // {self._columns}", f"square % {self._columns}"
        places = [row, column] if len(names) - len(marks) > 1 else [column if self._rules.gravity else "square"]
        given = ['"XO"[ply % 2]' if name in marks else places.pop(0) if places else "None" for name in names]
        return f"{likely[0].name}({', '.join(given)})"

    def _write_rows(self) -> str:
        """Write what the wrapper does where a function takes a board, or looks at one of its module."""
        is_value = self._name in find_valuing(self._tree)
        board_name = "sum(rows, [])" if self._is_flat() else "rows"
        asked = f"program.{self._name}({self._write_arguments(self._parameters, board_name, is_after=is_value)})"
        kept = self._list_boards() if "rows" not in asked else []
        lines = [f"program.{name} = {board_name}  # <- where it keeps its board" for name in kept[:1]]
        lines += [self._others] * bool(self._others)
        indent = " " * (8 if is_value else 4)
        return (_VALUES if is_value else _FUNCTION).format(
            signs=self._write_signs(),
            gains=self._gains,
            n=self._columns,
            squares=self._rules.squares,
            asked=asked,
            above=f' and " " not in board[square + {self._columns} :: {self._columns}]' if self._rules.gravity else "",
            before="".join(f"{indent}{line}\n" for line in lines),
        )

    def _write_arguments(self, parameters: list[str], board: str, is_after: bool = False) -> str:
        """Write what is given for some parameters; is_after: on a board with the player's stone on it."""
        mark = f'"{self._gains}"' if board == "position" else f'signs["{self._gains}"]'
        values = {
            "board": board,
            "player": "other" if is_after else "player",
            "opponent": "player" if is_after else "other",
            "maximizing": "player != gains" if is_after else f"player == {mark}",
            "depth": "0" if "depth + 1" in self._source else str(choose_depth(Position.start(self._rules))),
            "alpha": 'float("-inf")',
            "beta": 'float("inf")',
        }
        kinds = [kind_of(name) or ("maximizing" if name in self._flags else name) for name in parameters]
        values |= {name: f"program.{name}" for name in self._functions}
        if "board" not in kinds:  # it is the first of those that are not known
            kinds = ["board" if kind == next((k for k in kinds if k not in values), "") else kind for kind in kinds]
        return ", ".join(values.pop(kind, "None") for kind in kinds)

    def _is_flat(self) -> bool:
        """Tell whether the board of the function that plays is one list, as its squares are single parts of it."""
        names = [name for name in self._parameters if kind_of(name) == "board"] or self._list_boards()
        nodes = [*ast.walk(self._tree)]
        parts = {
            id(node): node for node in nodes if isinstance(node, ast.Subscript) and is_named(node.value, *names[:1])
        }
        compared = [part for node in nodes if isinstance(node, ast.Compare) for part in (node.left, *node.comparators)]
        joined = [part for node in nodes if isinstance(node, ast.BinOp) for part in (node.left, node.right)]
        placed = [part for node in nodes if isinstance(node, ast.Assign) for part in node.targets]
        return bool(parts) and {*parts} <= {id(part) for part in (*compared, *joined, *placed)}

    def _list_boards(self) -> list[str]:
        """List the variables of the file that may be its board, the likeliest first."""
        return [name for name in self._list_variables() if _BOARDS.search(name)]


def _find_marks(tree: ast.Module) -> tuple[Marks, str]:
    """Return the marks that a source speaks for most, and the side that it maximizes for, X if it does not tell."""
    evidence = read_source(ast.unparse(tree))
    told = {role: sign for role, (_, sign) in evidence.roles.items()}
    marks = min(_KNOWN_MARKS, key=lambda one: evidence.count_missing(one.first, one.second, one.empty))
    marks = Marks(told.get("X", marks.first), told.get("O", marks.second), told.get("empty", marks.empty))
    return marks, "O" if evidence.maximizer == (marks.second,) else "X"


def _takes_a_move(node: ast.FunctionDef) -> bool:
    """Tell a function that takes a row and a column."""
    return any(_PLACE_NAME.fullmatch(name) for name in list_parameters(node, is_method=False))


def _rank(name: str) -> int:
    rank = rank_name(name)
    return _NOT_ONE if rank is None else rank
