"""Load an engine's code and find what in it plays: a file, a module, or an object of this process."""

import ast
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getsource, isclass, isfunction, ismodule
from os import chdir
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from solver.errors import EngineError, quoted

PLAYING: Final = (
    "best_move", "get_best_move", "find_best_move", "choose", "choose_move", "select_move", "pick_move", "get_move",
    "next_move", "find_move", "compute_move", "ai_move", "computer_move", "bot_move", "move", "act", "choose_action",
    "select_action", "get_action", "best_action", "play", "make_move", "predict", "policy", "agent", "my_agent",
    "engine", "minimax", "negamax", "alphabeta", "alpha_beta", "alphabeta_search", "alpha_beta_search",
    "minimax_decision", "minimax_search", "mcts", "search", "solve", "decide", "step", "think",
)  # fmt: skip
_RANKS: Final = {name.replace("_", ""): place for place, name in enumerate(PLAYING)}


@dataclass(frozen=True)
class FileSource:
    """A Python file."""

    path: str
    name: str = ""
    """The name in it of what plays; "" if that is to be found."""

    def load(self) -> tuple[Any, ModuleType]:
        """Run the file from its own folder; return what plays, and its module.

        Raises EngineError and whatever the file raises.
        """
        path = Path(self.path).resolve()
        chdir(path.parent)
        sys.path.insert(0, str(path.parent))
        name = path.stem if path.stem not in sys.modules else f"engine_{path.stem}"
        spec = spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise EngineError(f"{quoted(self.path)} can't be loaded as a Python file; give it the suffix .py.")
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)
        return (_look_up(module, self.name, self.path) if self.name else _find_player(module)), module


@dataclass(frozen=True)
class ModuleSource:
    """A module that can be imported."""

    module: str
    name: str = ""
    """The name in it of what plays; "" if that is to be found."""

    def load(self) -> tuple[Any, ModuleType]:
        """Import it; return what plays, and its module. Raises EngineError and whatever the module raises."""
        module = import_module(self.module)
        return (_look_up(module, self.name, self.module) if self.name else _find_player(module)), module


@dataclass(frozen=True)
class ObjectSource:
    """An object of this process."""

    thing: Any

    def load(self) -> tuple[Any, ModuleType | None]:
        """Return the object, or the player in it if it is a module; and its module."""
        if ismodule(self.thing):
            return _find_player(self.thing), self.thing
        home = getattr(self.thing, "__module__", None) or type(self.thing).__module__
        return self.thing, sys.modules.get(home)


EngineSource = FileSource | ModuleSource | ObjectSource


def _find_player(module: ModuleType) -> Any:
    """Return what plays in a module: the function or class of the likeliest name, or the only one there is."""
    own = {name: thing for name, thing in vars(module).items() if _is_own(module, name, thing)}
    classes = [name for name, thing in own.items() if isclass(thing) and find_method(thing)]
    functions = [name for name, thing in own.items() if isfunction(thing)]
    for names in (_sort_known(own), classes, functions if len(functions) == 1 else ()):
        if names:
            return own[names[0]]
    raise EngineError(
        f"Nothing in {module.__name__} is named like a player; say which it is, as in "
        f"{module.__name__}.py:{next(iter(own), 'best_move')}."
    )


def find_method(thing: object) -> str | None:
    """Return the name of the method by which an object, or the objects of a class, plays; None if there is none."""
    names = [name for name in _sort_known(dir(thing)) if callable(getattr(thing, name))]
    if names:
        return names[0]
    called = "__call__" in dir(thing) if not isclass(thing) else any("__call__" in vars(base) for base in thing.__mro__)
    return "__call__" if called else None


def find_constants(module: ModuleType | None, thing: object) -> frozenset[str]:
    """Return the constants in the source, as `repr` writes them; they tell which marks are likely."""
    source: Any = module if module is not None and module.__name__ != "__main__" else thing
    try:
        tree = ast.parse(getsource(source))  # TypeError for what can have none
    except (OSError, TypeError, SyntaxError):
        return frozenset()
    found = {repr(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            found.add(f"-{node.operand.value!r}")
    return frozenset(found)


def _is_own(module: ModuleType, name: str, thing: object) -> bool:
    if name.startswith("_") or ismodule(thing) or not callable(thing):
        return False
    return getattr(thing, "__module__", module.__name__) == module.__name__


def _look_up(module: ModuleType, name: str, where: str) -> Any:
    thing: Any = module
    for part in name.split("."):
        if not hasattr(thing, part):
            names = [word for word, value in vars(module).items() if not word.startswith("_") and callable(value)]
            raise EngineError(
                f"There is no {quoted(name)} in {where}; there are {', '.join(names[:12]) or 'no names'}."
            )
        thing = getattr(thing, part)
    return thing


def _sort_known(names: Iterable[str]) -> list[str]:
    """The names that what plays usually has, the likeliest first."""
    ranks = {name: _RANKS.get(name.lower().replace("_", "")) for name in names}
    return sorted((name for name, rank in ranks.items() if rank is not None), key=lambda name: ranks[name] or 0)
