"""Load the definitions of a game program without starting its game.

game = load_program("game.py")      # in a wrapper
game.minimax(...)
"""

import __future__

import ast
import builtins
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final

from solver.errors import EngineError

if TYPE_CHECKING:
    from typing import TypeGuard

_DEFINING: Final = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SIMPLE: Final = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete)
_COMPOUND: Final = (ast.If, ast.For, ast.Try, ast.TryStar, ast.With, ast.Match)
_KEPT: Final = (*_DEFINING, *_SIMPLE, *_COMPOUND, getattr(ast, "TypeAlias", ast.Assign))  # the last from 3.12 on


def load_program(path: str) -> ModuleType:
    """Return a module with the definitions of a Python file or a notebook.

    Imports, functions, classes, assignments and `del` are run. Compound statements (`if`, `for`, `try`, `with`,
    `match`) are run unless they contain a `while` loop or call a function that the file defines. Bare calls, and
    statements that fail or read from the keyboard, are left out. A missing module is replaced by an object that accepts
    anything, and whose decorators change nothing. The module's `left_out` lists the lines that were not run, and
    `missing` the modules. Raises EngineError if the file can't be read.
    """
    file = Path(path).resolve()
    tree = read_program(file)
    module = ModuleType(file.stem)
    module.__file__ = str(file)
    folder = str(file.parent)
    sys.path[:] = [folder, *(path for path in sys.path if path != folder)]
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    futures = {name.name for node in tree.body if _is_of_future(node) for name in node.names}
    known = [feature for name in futures if (feature := getattr(__future__, name, None))]
    flags = sum(feature.compiler_flag for feature in known)  # each statement is compiled by itself
    left_out: list[int] = []
    missing: set[str] = set()
    with _without_screen_and_keyboard(), _imported(module):
        for statement in tree.body:
            if not _defines(statement, own):
                left_out.append(statement.lineno)
                continue
            try:
                code = compile(ast.Module([statement], []), str(file), "exec", flags)
                missing |= _provide_modules(statement)
                exec(code, vars(module))
            except (Exception, SystemExit):
                left_out.append(statement.lineno)
    vars(module).update(left_out=left_out, missing=sorted(missing))
    return module


def _is_of_future(node: ast.stmt) -> "TypeGuard[ast.ImportFrom]":
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def read_program(path: Path) -> ast.Module:
    """Return the syntax tree of a Python file or a notebook. Raises EngineError if this fails."""
    try:
        source: str | bytes = _read_notebook(path) if path.suffix == ".ipynb" else path.read_bytes()
        return ast.parse(source, str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        reason = getattr(error, "msg", None) or str(error) or "it is nested too deeply"
        raise EngineError(
            f"{path.name} can't be read as Python: {reason}{f' (line {line})' if line else ''}."
        ) from None
    except OSError as error:
        raise EngineError(f"{path.name} can't be read: {error.strerror}; check the path.") from None


def list_definitions(path: Path) -> Iterator[str]:
    """Yield the functions and classes of a file with their parameters: `Board(size)`, `Board.play(row, column)`."""
    inherited: dict[str, dict[str, ast.FunctionDef]] = {}  # the methods of each class, with those of its bases
    for node in read_program(path).body:
        if isinstance(node, ast.FunctionDef):
            yield f"{node.name}({_names(node)})"
        elif isinstance(node, ast.ClassDef):
            methods: dict[str, ast.FunctionDef] = {}
            for base in node.bases[::-1]:
                methods |= inherited.get(base.id if isinstance(base, ast.Name) else "", {})
            methods |= {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
            inherited[node.name] = methods
            made = _names(methods["__init__"], 1) if "__init__" in methods else ""
            yield f"{node.name}({made})"
            for name, method in methods.items():
                if not name.startswith("_"):
                    yield f"{node.name}.{name}({_names(method, 1)})"


def list_calls(path: Path) -> Iterator[str]:
    """Yield the calls of a file's own functions that `load_program` leaves out, with their lines."""
    body = read_program(path).body
    own = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    guarded = [statement.body for statement in body if isinstance(statement, ast.If) and _is_guard(statement)]
    for one in [*body, *(statement for part in guarded for statement in part)]:
        called = one.value.func if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in own:
            yield f"{ast.unparse(one)}  (line {one.lineno})"


def _is_guard(statement: ast.If) -> bool:
    return "__name__" in ast.unparse(statement.test)


def _names(function: ast.FunctionDef, skipped: int = 0) -> str:
    return ", ".join(argument.arg for argument in function.args.args[skipped:])


def _defines(statement: ast.stmt, own: set[str]) -> bool:
    if isinstance(statement, _DEFINING):
        return True
    if not isinstance(statement, _KEPT) or (isinstance(statement, ast.If) and _is_guard(statement)):
        return False
    inside = [*ast.walk(statement)]
    if any(isinstance(node, ast.While) for node in inside):
        return False
    simple = isinstance(statement, ast.Assign | ast.AnnAssign)  # board = Board() is a definition
    called = {node.func.id for node in inside if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return simple or not called & own


def _provide_modules(statement: ast.stmt) -> set[str]:
    """Replace missing modules that a statement imports, such as a drawing library, with stand-ins; return their names.

    A stand-in that is called with a function or a class alone returns it, as a decorator does.
    """
    from unittest.mock import MagicMock  # loads slowly

    class StandIn(MagicMock):
        def __call__(self, *given: Any, **named: Any) -> Any:
            is_decorator = len(given) == 1 and not named and isinstance(given[0], FunctionType | type)
            return given[0] if is_decorator else super().__call__(*given, **named)

    missing = set()
    for node in ast.walk(statement):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in names:
            top = name.partition(".")[0]
            if top not in sys.modules and find_spec(top) is None:
                sys.modules[top] = StandIn(name=top, __path__=[])
            if isinstance(sys.modules.get(top), MagicMock):
                sys.modules.setdefault(name, StandIn(name=name))
                missing.add(top)
    return missing


@contextmanager
def _imported(module: ModuleType) -> Iterator[None]:
    """A context in which a module counts as imported: dataclasses look there for the names in their annotations."""
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]
        if before:
            sys.modules[module.__name__] = before


@contextmanager
def _without_screen_and_keyboard() -> Iterator[None]:
    """A context that prevents reading from the keyboard and opening windows."""

    def refuse(*_: object) -> str:
        raise EOFError("load_program reads nothing from the keyboard")

    before, variables = builtins.input, {name: os.environ.get(name) for name in ("DISPLAY", "SDL_VIDEODRIVER")}
    os.environ.pop("DISPLAY", None)
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    vars(builtins)["input"] = refuse
    try:
        yield
    finally:
        vars(builtins)["input"] = before
        for name, value in variables.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _read_notebook(path: Path) -> str:
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise EngineError(f"{path.name} can't be read as a notebook ({error}); save it again with Jupyter.") from None
    return "\n".join(map(_read_cell, code))


def _read_cell(code: str) -> str:
    """Return the Python code of a cell, without what only IPython understands."""
    first, *_ = code.lstrip().split("\n", 1)
    if not _is_python(code):
        code = re.sub(r"^(\s*)[%!?](?:.*\\\n)*.*", r"\1pass", code, flags=re.MULTILINE)  # lines may go on after a \
        code = re.sub(r"^(\s*[\w, ]+=)\s*[%!].*", r"\1 None", code, flags=re.MULTILINE)
        code = re.sub(r"^(\s*)[\w.]+\?+\s*$", r"\1pass", code, flags=re.MULTILINE)
    return "" if first.startswith("%%") and not _is_python(code) else code  # a cell in another language


def _is_python(code: str) -> bool:
    with suppress(SyntaxError):
        ast.parse(code)
        return True
    return False
