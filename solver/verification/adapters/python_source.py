"""Load an engine's code: a file, a notebook, a module, or an object of this process."""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from inspect import getsource, getsourcelines, isclass, isfunction, ismodule, signature
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from solver.errors import EngineError, quoted
from solver.verification.adapters.loading import Program
from solver.verification.conventions.move_formats import to_plain
from solver.verification.outline import UNKNOWN, constant_of, is_named, list_members, list_uses

_PLAIN_ATTRIBUTES: Final = {name for kind in (list, dict, str, tuple, set, int) for name in dir(kind)} | {
    "shape",
    "flatten",
    "reshape",
    "tolist",
    "any",
    "all",
    "sum",
    "T",
    "ravel",
    "size",
    "astype",
    "flat",
    "max",
    "min",
}
_NOTHING: Final = ast.Module([], [])
_MOST_BESIDE: Final = 40  # files beside a program that are looked through for its classes


@dataclass
class Loaded:
    """Code that was loaded."""

    module: ModuleType | None
    thing: Any = None
    """What was named; None if what plays is to be found."""
    owner: type | None = None
    """The class of the method that was named."""
    notes: tuple[str, ...] = ()
    """What was left out of it."""
    file: Path | None = None
    trees: dict[str, ast.Module | None] = field(default_factory=dict)

    def tree(self, module: ModuleType | None) -> ast.Module | None:
        """Return the source of a module, parsed, if it can be had."""
        if module is None or module.__name__ == "__main__":
            return None
        if module.__name__ not in self.trees:
            self.trees[module.__name__] = parse_source(module)
        return self.trees[module.__name__]

    def uses(self, module: ModuleType | None, name: str) -> frozenset[str]:
        """Return the attributes that code asks of a parameter or variable of a name, without those of plain data."""
        return frozenset(list_uses(self.tree(module) or _NOTHING, {name, f"self.{name}"}) - _PLAIN_ATTRIBUTES)

    def uses_beside(self, name: str) -> frozenset[str]:
        """Return what the program's other modules ask of a variable of a name, the most that one of them does."""
        return max((self.uses(module, name) for module in self._beside()), key=len, default=frozenset())

    def is_indexed(self, module: ModuleType | None, name: str) -> bool:
        """Tell whether code takes a part of a parameter or variable of a name, as of a list."""
        nodes = ast.walk(self.tree(module) or _NOTHING)
        return any(isinstance(node, ast.Subscript) and is_named(node.value, name) for node in nodes)

    def classes(self) -> Iterator[type]:
        """Yield the program's own classes: those that its module knows first, then those of modules beside it."""
        modules = [self.module, *self._beside()] if self.module else []
        home = self.module.__name__.partition(".")[0] if self.module else ""
        found = [thing for module in modules for thing in [*vars(module).values()] if isclass(thing)]
        for thing in dict.fromkeys(found):
            if (self.file or thing.__module__.startswith(home)) and self._is_near(thing):
                yield thing

    def find_class(self, wanted: frozenset[str]) -> type | None:
        """Return the program's class whose objects have these attributes; modules beside it are loaded for it."""
        best = max(self.classes(), key=lambda kind: len(wanted & _members(kind)), default=None)
        if best and 2 * len(wanted & _members(best)) > len(wanted):
            return best
        for path, name in self._files_beside():
            tree = _parse(path.read_bytes())
            for node in ast.walk(tree) if tree else ():
                if isinstance(node, ast.ClassDef) and 2 * len(wanted & list_members(node)) > len(wanted):
                    found: Any = getattr(import_module(name), node.name, None)
                    return found if isclass(found) else None
        return None

    def _beside(self) -> Iterator[ModuleType]:
        for module in [*sys.modules.values()]:
            if module is not self.module and self._is_in_folder(getattr(module, "__file__", None)):
                yield module

    def _is_near(self, kind: type) -> bool:
        module = sys.modules.get(kind.__module__)
        return module is self.module or self.file is None or self._is_in_folder(getattr(module, "__file__", None))

    def _is_in_folder(self, file: str | None) -> bool:
        if self.file is None or not file:
            return False
        return Path(file).is_relative_to(self.file.parent) or Path(file).parent == self.file.parent.parent

    def _files_beside(self) -> Sequence[tuple[Path, str]]:
        """Return the files beside it, and in the folders beside its own if it imports from there, with their names."""
        if self.file is None:
            return []
        folder, package = self.file.parent, self.module.__name__.rpartition(".")[0] if self.module else ""
        found = [(path, f"{package}.{path.stem}" if package else path.stem) for path in sorted(folder.glob("*.py"))]
        if any(
            Path(getattr(module, "__file__", None) or "").parent == folder and "." in name
            for name, module in [*sys.modules.items()]
        ):
            found += [(path, f"{path.parent.name}.{path.stem}") for path in sorted(folder.parent.glob("*/*.py"))]
        return [(path, name) for path, name in found if path != self.file][:_MOST_BESIDE]


_STARTING: Final = (
    "initial_state", "initial_board", "start_state", "empty_board", "new_board", "create_board", "make_board",
)  # fmt: skip
_LONGEST: Final = 10**6  # characters of a source


@dataclass(frozen=True)
class FileSource:
    """A Python file or a notebook."""

    path: str
    name: str = ""
    """The name in it of what plays; "" if that is to be found."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Values of parameters, by name."""
    seconds: float = 4.0
    """How long it may run when it is loaded."""

    def load(self) -> Loaded:
        """Load the file from its own folder. Raises EngineError and whatever the file raises."""
        path = Path(self.path).resolve()
        program = Program(path, self.seconds)
        module = program.load()
        return _pick(module, self.name, self.path, program.notes(), path, {module.__name__: program.tree})


@dataclass(frozen=True)
class ModuleSource:
    """A module that can be imported."""

    module: str
    name: str = ""
    """The name in it of what plays; "" if that is to be found."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Values of parameters, by name."""

    def load(self) -> Loaded:
        """Import it. Raises EngineError and whatever the module raises."""
        module = import_module(self.module)
        return _pick(module, self.name, self.module)


@dataclass(frozen=True)
class ObjectSource:
    """An object of this process."""

    thing: Any
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Values of parameters, by name."""

    def load(self) -> Loaded:
        """Return the object, or the module if it is one."""
        if ismodule(self.thing):
            return Loaded(self.thing)
        home = getattr(self.thing, "__module__", None) or type(self.thing).__module__
        return Loaded(sys.modules.get(home), self.thing)


EngineSource = FileSource | ModuleSource | ObjectSource


def find_constants(tree: ast.Module | None) -> frozenset[str]:
    """Return the constants in a source, as `repr` writes them; they tell which marks are likely."""
    nodes = [*ast.walk(tree)] if tree else []
    returned = {id(part) for node in nodes if isinstance(node, ast.Return) for part in _parts(node.value)}
    values = [constant_of(node) for node in nodes if id(node) not in returned]  # without the values of positions
    return frozenset(repr(value) for value in values if value is not UNKNOWN)


def read_text(loaded: Loaded, thing: Any) -> tuple[str, int]:
    """Return the source of what was loaded, and the line in which a thing of it begins; "" and 0 where it has none."""
    thing = getattr(thing, "func", thing)  # of a partial function
    thing = thing if hasattr(thing, "__code__") or isclass(thing) else type(thing)
    text = start = ""
    with suppress(OSError, TypeError):
        text = start = "".join(getsourcelines(thing)[0])
    with suppress(OSError, TypeError):
        text = getsource(loaded.module) if loaded.module else text
    tree = loaded.tree(loaded.module)
    if start not in text or (not start and tree is not None):  # a notebook, or what was typed in
        text = ast.unparse(tree) if tree is not None else _join_sources(loaded.module, thing)
        start = start if start in text else f"def {thing.__name__}("
    return text[:_LONGEST], text[: text.index(start)].count("\n") + 1 if start and start in text else 0


def _join_sources(module: ModuleType | None, thing: Any) -> str:
    """Return what a module without a file defines: its constants, and the functions whose source can be had."""
    known = vars(module).items() if module else ()
    parts = [f"{name} = {value!r}\n" for name, value in known if type(value) in {str, int, float, type(None)}]
    functions = [
        one for _, one in known if (isfunction(one) or isclass(one)) and module and one.__module__ == module.__name__
    ]
    for one in dict.fromkeys([*functions, thing]):
        with suppress(OSError, TypeError):
            parts.append(getsource(one))
    return "".join(parts)


def find_start(module: ModuleType | None) -> Any:
    """Return the board that a module begins a game with, plain; None if none of its functions gives one."""
    for name in _STARTING:
        function = getattr(module, name, None)
        if isfunction(function) and not signature(function).parameters:
            with suppress(Exception):
                return to_plain(function())
    return None


def _parts(value: ast.expr | None) -> Iterator[ast.expr]:
    """Yield a value that is returned, and the values that it is made of."""
    if value is not None:
        yield value
    if isinstance(value, ast.UnaryOp):
        yield value.operand
    elif isinstance(value, ast.Tuple):
        for item in value.elts:
            yield from _parts(item)


def parse_source(thing: Any) -> ast.Module | None:
    """Parse the source of a module, a class or a function, if it can be had."""
    try:
        return _parse(getsource(thing))  # TypeError for what can have none
    except (OSError, TypeError):
        return None


def _parse(source: str | bytes) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return None


def _pick(
    module: ModuleType,
    name: str,
    where: str,
    notes: tuple[str, ...] = (),
    file: Path | None = None,
    trees: dict[str, ast.Module | None] | None = None,
) -> Loaded:
    """Look up what was named."""
    thing: Any = module if name else None
    owner: type | None = None
    for part in name.split(".") if name else ():
        if not hasattr(thing, part):
            names = [word for word, value in vars(module).items() if not word.startswith("_") and callable(value)]
            raise EngineError(
                f"There is no {quoted(name)} in {where}; there are {', '.join(names[:12]) or 'no names'}."
            )
        owner = thing if isclass(thing) else None
        thing = getattr(thing, part)
    return Loaded(module, thing, owner, notes, file, trees or {})


def _members(kind: type) -> frozenset[str]:
    """The attributes of the objects of a class, as far as its source tells."""
    bases = kind.__mro__[:-1]
    named = {name for base in bases for name in (*vars(base), *getattr(base, "__annotations__", ()))}
    return frozenset(named.union(*(list_members(tree) for base in bases if (tree := parse_source(base)))))
