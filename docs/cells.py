"""Run cells of Python one after another, as a notebook does; pages of the documentation run this under Pyodide."""

import ast
import builtins
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from html import escape
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from io import StringIO
from pprint import pformat
from symtable import SymbolTable, symtable
from types import ModuleType
from typing import Any, NamedTuple

import solver

_KINDS = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}  # the forms of a value, the best first


class Shown(NamedTuple):
    """The result of running a cell."""

    html: str
    """Its output, including any before an error."""
    error: str
    """The error in a sentence; empty if there was none."""
    missing: str
    """The missing package; empty for none."""
    reached: bool | None
    """Whether all checks at its end are true; None if it does not end with a dictionary of checks."""


class Cells:
    """Cells that share their names, like those of a notebook."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self._names["display"] = self._display
        self._shown: list[str] = []
        self._printed = StringIO()

    def needed(self, cells: Sequence[tuple[str, str]]) -> list[str]:
        """Return the names of the cells that must run before the last of these cells.

        cells: (name, code), in the order of the page. An unknown name comes from the last cell above that defines it,
        which may need others.
        """
        *above, (_, code) = cells
        open_names, found = self._unknown(code), set[str]()
        while above:
            name, code = above.pop()
            if defined := open_names & _defined(code):
                found.add(name)
                open_names = (open_names - defined) | self._unknown(code)
        return [name for name, _ in cells if name in found]

    def run(self, name: str, code: str) -> Shown:
        """Run a cell, and show the value of its last expression; nothing is raised."""
        file = f"<{name}>"
        linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
        self._shown, self._printed = [], StringIO()
        reached, error, missing = None, "", ""
        try:
            with redirect_stdout(self._printed):
                value = self._execute(ast.parse(code, file), file)
            checks = [*value.values()] if isinstance(value, dict) else []
            reached = all(checks) if {*map(type, checks)} == {bool} else None
            if value is not None:
                self._display(value)
        except (Exception, SystemExit) as failure:
            missing = _missing(failure)
            error = f"This needs the package {missing}, which could not be fetched." if missing else _say(failure, file)
        self._flush()
        return Shown("".join(self._shown), error, missing, reached)

    def _execute(self, tree: ast.Module, file: str) -> object:
        """Run statements; return the value of the last one, if it is an expression."""
        body, last = tree.body, tree.body[-1] if tree.body else None
        shown = last.value if isinstance(last, ast.Expr) else None
        exec(compile(ast.Module(body[:-1] if shown else body, []), file, "exec"), self._names)
        return eval(compile(ast.Expression(shown), file, "eval"), self._names) if shown else None

    def _display(self, *values: object) -> None:
        """Show values after the output so far."""
        self._flush()
        self._shown += [as_html(bundle_of(value)) for value in values]

    def _flush(self) -> None:
        if printed := self._printed.getvalue():
            self._shown.append(as_html({"text/plain": printed}))
        self._printed.seek(0)
        self._printed.truncate()

    def _unknown(self, code: str) -> set[str]:
        """Return the names that a cell uses, unless it or an earlier cell defines them."""
        try:
            used = set(_used(symtable(code, "cell", "exec")))
        except SyntaxError:  # running it reports these
            return set()
        return used - _defined(code) - {*self._names} - {*dir(builtins)}


def start(progress: Callable[[int, int], None]) -> Cells:
    """Make cells that run as the main program; `verify` reports its progress in them, and IPython is not needed."""
    display = ModuleType("IPython.display")
    display.__dict__.update(SVG=SVG)
    for module in (ModuleType("IPython"), display):
        module.__spec__ = ModuleSpec(module.__name__, None)
        sys.modules[module.__name__] = module
    vars(solver)["verify"] = partial(solver.verify, progress=progress)
    return Cells(sys.modules["__main__"].__dict__)


class SVG:
    """A picture, as in `IPython.display`."""

    def __init__(self, data: str) -> None:
        self._data = data

    def _repr_svg_(self) -> str:
        return self._data


def imports(code: str) -> list[str]:
    """Return the missing packages that a cell imports."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return []
    modules = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return sorted(name for name in {module.partition(".")[0] for module in modules} if find_spec(name) is None)


def bundle_of(value: object) -> dict[str, str]:
    """Return the forms of a value by MIME type, as Jupyter requests them."""
    if hasattr(value, "_repr_mimebundle_"):
        bundle: dict[str, str] = value._repr_mimebundle_()
        return bundle
    forms = {kind: getattr(value, method)() for kind, method in _KINDS.items() if hasattr(value, method)}
    forms = {kind: text for kind, text in forms.items() if text is not None}
    return forms or {"text/plain": pformat(value, sort_dicts=False)}


def as_html(bundle: Mapping[str, str]) -> str:
    """Return the best form of a value as HTML."""
    return next(
        (bundle[kind] for kind in _KINDS if kind in bundle), f"<pre>{escape(bundle.get('text/plain', ''))}</pre>"
    )


def _defined(code: str) -> set[str]:
    """Return the names that a cell defines."""
    try:
        symbols = symtable(code, "cell", "exec").get_symbols()
    except SyntaxError:
        return set()
    return {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}


def _used(table: SymbolTable) -> Iterator[str]:
    """Return the global names in code, including those in its functions."""
    is_top = table.get_type() == "module"
    yield from (s.get_name() for s in table.get_symbols() if s.is_referenced() and (is_top or s.is_global()))
    for child in table.get_children():
        yield from _used(child)


def _missing(error: BaseException | None) -> str:
    """Return the missing package that caused an error, if any."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name:
            return error.name.partition(".")[0]
        error = error.__cause__ or error.__context__
    return ""


def _say(error: BaseException, file: str) -> str:
    """Describe an error of a cell with its line; the errors of this package include the remedy."""
    if isinstance(error, solver.MnkError):
        return str(error)
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__} in line {error.lineno}: {error.msg}."
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    where = f" in line {lines[-1]}" if lines else ""
    return f"{type(error).__name__}{where}: {error}" if str(error) else f"{type(error).__name__}{where}"
