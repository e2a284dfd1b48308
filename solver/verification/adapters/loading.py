"""Load a program that was written to be played: run its file if that only defines things, else its definitions alone.

A program that reads from the keyboard, opens a window or plays when it is imported is never run: its imports,
constants, functions and classes are, one after the other, and what was left out is told. Modules beside it are loaded
alike.
"""

import ast
import json
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from os import chdir
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final

from solver.errors import EngineError, quoted
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.adapters.own_moves import order_moves
from solver.verification.adapters.stand_ins import SHOWING, StandIns, bind_missing
from solver.verification.outline import called_name, list_functions

_READING: Final = {"input", "raw_input", "mainloop", "set_mode", "Tk", "getch", "getkey", "wrapper", "run_forever"}
_OPENING: Final = {"set_mode", "Tk"}  # windows of modules that are stood in for
_PLAYING: Final = re.compile(r"bot_|computer|cpu|(?:^|[._])ai_|minimax|negamax|best_?move", re.IGNORECASE)
_DEFINING: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_KEPT: Final = (*_DEFINING, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.If, ast.Try, ast.Assert, ast.Pass)
_HIGHEST: Final = 2  # folders above that of the file, where a program may have its other modules


class OutOfTime(BaseException):
    """Says that a piece of a program runs for too long."""


class Program:
    """The loading of a file and of the modules beside it, and what was left out."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path = path
        self.seconds = seconds
        """How long a file may run."""
        self.stand_ins = StandIns()
        self.left_out: dict[str, list[str]] = {}
        """What was left out of each file."""
        self.tree: ast.Module | None = None
        """The source of the file, parsed."""

    def load(self) -> ModuleType:
        """Load the file from its own folder. Raises EngineError, and whatever the file raises."""
        here = Path.cwd()
        chdir(self.path.parent)
        root, *above = list_folders(self.path)
        sys.path[:0] = [str(root)] if root == self.path.parent else [str(root), str(self.path.parent)]
        sys.path += map(str, [here, *above])
        sys.meta_path.insert(0, _BesideIt(self))
        self.stand_ins.install()
        relative = self.path.relative_to(root).with_suffix("")
        if len(relative.parts) > 1:
            return import_module(".".join(relative.parts))
        name = self.path.stem if self.path.stem not in sys.modules else f"engine_{self.path.stem}"
        spec = spec_from_file_location(name, self.path, loader=CarefulLoader(name, str(self.path), self))
        if spec is None:
            raise EngineError(f"{quoted(str(self.path))} can't be loaded; give a Python file or a notebook.")
        module = sys.modules[name] = module_from_spec(spec)
        CarefulLoader(name, str(self.path), self).exec_module(module)
        return module

    def notes(self) -> tuple[str, ...]:
        """Return remarks on what was left out, and on what stood in."""
        notes = [
            f"{file} was not run, only its definitions{f'; left out: {_join(what)}' if what else ''}"
            for file, what in self.left_out.items()
        ]
        if self.stand_ins.used:
            notes.append(f"in place of {_join(sorted(self.stand_ins.used))} stand modules that show nothing")
        return tuple(notes)


class CarefulLoader(SourceFileLoader):
    """Runs a file if it only defines things, else its definitions alone."""

    def __init__(self, name: str, path: str, program: Program) -> None:
        super().__init__(name, path)
        self._program = program

    def exec_module(self, module: ModuleType) -> None:
        """Run the file. Raises EngineError and whatever it raises."""
        tree = self._parse()
        if not plays_when_run(tree):
            try:
                with limit_time(self._program.seconds):
                    exec(compile(tree, self.path, "exec"), vars(module))
                return
            except (EOFError, SystemExit, OutOfTime):
                pass
        self._define(tree, module)

    def _define(self, tree: ast.Module, module: ModuleType) -> None:
        """Run the definitions alone, each by itself."""
        left_out: list[ast.stmt] = []
        if any(isinstance(node, ast.ImportFrom) and _shows(node) for node in ast.walk(tree)):
            bind_missing({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - _bound(tree), module)
        for statement in tree.body:
            if _is_text(statement) or _is_main(statement):
                continue
            if not _defines(statement):
                left_out.append(statement)
                continue
            try:
                with limit_time(self._program.seconds / 2):
                    exec(compile(ast.Module([statement], []), self.path, "exec"), vars(module))
            except ModuleNotFoundError:
                raise
            except (Exception, SystemExit, OutOfTime) as error:
                if isinstance(statement, (ast.Import, ast.ImportFrom)) and not isinstance(error, OutOfTime):
                    raise
                left_out.append(statement)
        self._program.left_out[Path(self.path).name] = [*_describe_lines(left_out)]

    def _parse(self) -> ast.Module:
        path = Path(self.path)
        tree = read_program(path)
        if path == self._program.path:
            self._program.tree = tree
        return tree


def load_program(path: str, seconds: float = 2.0) -> ModuleType:
    """Load a program for a wrapper: its definitions, without playing. Raises EngineError and whatever it raises.

    seconds: how long its file may run.
    """
    return Program(Path(path).resolve(), seconds).load()


def list_moves(game: str, board: Sequence[str]) -> list[int]:
    """Return, for a wrapper, moves that lead from the start to a board of the signs X, O and blanks, as squares."""
    return order_moves(Position.parse(parse_game(game), "".join(board).replace(" ", ".")))


def read_program(path: Path) -> ast.Module:
    """Parse a Python file or a notebook. Raises EngineError, with the line, if it can't be parsed."""
    try:
        return ast.parse(_read_notebook(path) if path.suffix == ".ipynb" else path.read_bytes(), str(path))
    except SyntaxError as error:
        line = (error.text or "").strip()
        is_old = re.match(r"print\s+[^(=\s]|exec\s+['\"]", line)
        shown = f": {line[:60]}" if line else ""
        advice = "; it is written for Python 2: translate it with 2to3 first" if is_old else ""
        raise EngineError(
            f"{path.name} can't be read as Python: {error.msg} (line {error.lineno}{shown}){advice}."
        ) from None


class _BesideIt(MetaPathFinder):
    """Loads the modules in a program's own folders as carefully as the program."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """Find a module as usual; one of the program's own gets our loader."""
        spec: ModuleSpec | None = PathFinder.find_spec(name, path, target)
        if spec is None or not isinstance(spec.loader, SourceFileLoader) or not spec.origin:
            return None
        near = self._program.path.parents[: 1 + _HIGHEST]
        folder = Path(spec.origin).parent
        if not {*near} & {folder, folder.parent} or "site-packages" in spec.origin:
            return None
        spec.loader = CarefulLoader(name, spec.origin, self._program)
        return spec


def find_reading(tree: ast.AST) -> set[str]:
    """Return the names of the functions that read from the keyboard or show something, by what they call too.

    What is named like a player that is no human reads only where others that it calls are in need of it.

    Methods are named with their class; the names of functions that are defined once stand alone too.
    """
    functions = dict(list_functions(tree))
    names = [name.rpartition(".")[2] for name in functions]
    found = {name for name, node in functions.items() if _reads(node)}
    while True:
        alone = {name for full in found if names.count(name := full.rpartition(".")[2]) == 1}
        more = {name for name, node in functions.items() if name not in found and _calls(node) & alone}
        more = {name for name in more if not _PLAYING.search(name)}
        if not more:
            return found | alone
        found |= more


def plays_when_run(tree: ast.Module) -> bool:
    """Tell whether a file reads from the keyboard, shows something or goes round when it is run."""
    playing = find_reading(tree)
    run = [node for node in tree.body if not isinstance(node, _DEFINING) and not _is_main(node)]
    return any(_reads(node) or _calls(node) & playing for node in run)


def _defines(statement: ast.stmt) -> bool:
    """Tell whether a statement defines something, and neither plays nor does anything else."""
    if not isinstance(statement, _KEPT) or (
        not isinstance(statement, _DEFINING) and _reads(statement, _READING - _OPENING)
    ):
        return False
    return not isinstance(statement, ast.If) or not any(isinstance(node, ast.Expr) for node in ast.walk(statement))


def _reads(node: ast.AST, reading: Set[str] = _READING) -> bool:
    """Tell whether a piece of code reads from the keyboard or shows something, or goes round outside of a function."""
    goes_round = not isinstance(node, _DEFINING) and any(isinstance(inner, ast.While) for inner in ast.walk(node))
    return goes_round or bool(_calls(node) & reading)


def _calls(node: ast.AST) -> set[str]:
    """The names of what is called in a piece of code."""
    return {called_name(inner) for inner in ast.walk(node) if isinstance(inner, ast.Call)}


def _bound(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} | {
        node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }


def _shows(node: ast.ImportFrom) -> bool:
    return (node.module or "").partition(".")[0] in SHOWING and any(name.name == "*" for name in node.names)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_main(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)


def _describe_lines(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the lines of statements, those that follow each other together."""
    spans: list[list[int]] = []
    for statement in statements:
        end = statement.end_lineno or statement.lineno
        if spans and statement.lineno <= spans[-1][1] + 2:
            spans[-1][1] = end
        else:
            spans.append([statement.lineno, end])
    for start, end in spans:
        yield f"line {start}" if start == end else f"lines {start} to {end}"


def _read_notebook(path: Path) -> str:
    """The code of a notebook; lines for the shell and for IPython are blank in it."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise EngineError(f"{path.name} can't be read as a notebook ({error}); save it again with Jupyter.") from None
    return "\n".join("pass" if line.startswith(("%", "!", "?")) else line for line in "\n".join(code).split("\n"))


def list_folders(path: Path) -> list[Path]:
    """List the folders where a file may have its other modules: that from which it is imported, and those above."""
    root = _find_root(path)
    return [root, *root.parents[:_HIGHEST]]


def _find_root(path: Path) -> Path:
    """The folder from which a file is imported: above its package, if it is in one."""
    folder = path.parent
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        folder = folder.parent
    if folder == path.parent and path.suffix == ".py" and re.search(rb"^\s*from \.", path.read_bytes(), re.MULTILINE):
        return folder.parent
    return folder


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise OutOfTime after so many seconds of the processor, where the system can.

    On a busy machine an import that is cut off half-way could not be made good.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: int | FrameType | None) -> None:
        raise OutOfTime

    before: Callable[..., Any] | int | None = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _join(parts: Sequence[str]) -> str:
    return ", ".join(parts[:6]) + (f" and {len(parts) - 6} more" if len(parts) > 6 else "")
