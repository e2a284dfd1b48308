"""Tell what a program's classes and functions ask for, and which of its functions plays or helps."""

import ast
import inspect
from collections.abc import Callable, Mapping
from inspect import isclass
from types import ModuleType
from typing import Any, Final

from solver.engines.engine import Engine
from solver.errors import EngineError
from solver.verification.adapters.players import find_method
from solver.verification.conventions.parameters import read_parameters
from solver.verification.helpers import HELPERS

_MAKERS: Final = ("new", "initial", "start", "create", "empty", "new_game", "initial_state")


def find_maker(cls: type) -> Callable[[], Any] | None:
    """The static or class method that makes an object for the start, if a class has one that asks for nothing."""
    for name in _MAKERS:
        if isinstance(inspect.getattr_static(cls, name, None), (staticmethod, classmethod)):
            function: Callable[[], Any] = getattr(cls, name)
            if not inspect.signature(function).parameters:
                return function
    return None


def has_init(cls: type) -> bool:
    """Return whether a class has a constructor of its own."""
    return cls.__init__ is not object.__init__  # type: ignore[misc]


def takes_a_game_object(owner: type) -> bool:
    """Tell a class of players that are given their game before they are asked, as those of aima3 are."""
    return issubclass(owner, Engine) or takes_only("game", getattr(owner, "set_game", None), is_method=True)


def takes_a_game(thing: Any) -> bool:
    """Tell an object that is given its game before it is asked."""
    return not isclass(thing) and takes_only("game", getattr(thing, "set_game", None))


def takes_only(kind: str, function: Any, is_method: bool = False) -> bool:
    """Return whether a function takes an argument of one kind and nothing else."""
    try:
        if not hasattr(function, "__code__"):
            return False
        return [argument.kind for argument in read_parameters(function, is_method=is_method)] == [kind]
    except EngineError:
        return False


def find_function(thing: Any) -> Callable[..., Any]:
    """The function or method that plays."""
    name = find_method(thing)
    if callable(thing) and (hasattr(thing, "__code__") or name in {None, "__call__"}):
        function: Callable[..., Any] = thing
        return function
    if name is None:
        raise EngineError(f"{thing!r} can't play: it is no function and has no method choose, move, act or play.")
    method: Callable[..., Any] = getattr(thing, name)
    return method


def find_helpers(module: ModuleType | None, thing: object) -> Mapping[str, Callable[..., Any]]:
    """The helpers that a module offers, of those that take a board and nothing else."""
    found: dict[str, Callable[..., Any]] = {}
    for kind, (names, _) in HELPERS.items():
        for name in names:
            function: Any = getattr(module, name, None)
            if kind not in found and function is not thing and takes_only("board", function):
                found[kind] = function
    return found


def names_used(tree: ast.Module | None, function: str) -> set[str]:
    """The names that a function uses, and those that the functions of the file use which it calls."""
    bodies = {node.name: node for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, ast.FunctionDef)}
    seen, waiting, names = set[str](), [function], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in bodies:
            continue
        seen.add(name)
        used = {node.id for node in ast.walk(bodies[name]) if isinstance(node, ast.Name)}
        names |= used
        waiting += used
    return names
