"""Find values in a program for what its functions ask of it: a function of its own, a player's object, or nothing yet.

What a parameter is told by how the function uses it: it is called, its attributes are asked, it is only there later.
"""

import ast
import re
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from inspect import isfunction
from types import ModuleType
from typing import Any, Final

from solver.verification.conventions.parameters import kind_of, read_parameters
from solver.verification.outline import Function, is_named, list_functions, list_self_calls

_BEFORE_THE_FIRST: Final = re.compile(r"(?:last|prev|previous)?_?(?:move|action|play)", re.IGNORECASE)
_LONG: Final = 4  # letters of a word that tells


def find_own_values(function: Any, module: ModuleType | None, tree: ast.Module | None) -> dict[str, Any]:
    """Return values for parameters of a function of a program that its source alone tells, by their names.

    They are a function of the module, the 0 from which a search counts its depth up, and None for the last move where
    none was made.
    """
    node = find_definition(function, tree)
    if node is None:
        return {}
    found: dict[str, Any] = {}
    required = node.args.args[: len(node.args.args) - len(node.args.defaults)]
    for parameter in [one.arg for one in required]:
        kind = kind_of(parameter)
        if kind == "depth" and _counts_up(node, parameter):
            found[parameter] = 0
        elif kind is None and _BEFORE_THE_FIRST.fullmatch(parameter) and _is_tested(node, parameter):
            found[parameter] = None
        elif kind is None and (own := _find_function(node, parameter, module)) is not None:
            found[parameter] = own
    return found


def find_definition(function: Any, tree: ast.Module | None) -> Function | None:
    """Return the definition of a function or method in the source of its module."""
    name = getattr(function, "__qualname__", "")
    return next((node for full, node in list_functions(tree) if full == name), None) if tree else None


def find_player(cls: type, module: ModuleType | None, mark: object) -> Any:
    """Return the object of a class of players that has a mark: one that the module has, or one that is made.

    Raises EngineError if it can't be made of a mark and a name, and whatever its class raises.
    """
    if issubclass(cls, Enum):
        return next(one for one in cls if mark in (one.value, one.name))
    for thing in vars(module).values() if module else ():
        if type(thing) is cls and any(type(value) is type(mark) and value == mark for value in vars(thing).values()):
            return thing
    values = {"player": mark, "name": "engine"}
    return cls(*[values[argument.kind] for argument in read_parameters(cls)])


def can_play_for(cls: type, module: ModuleType | None, mark: object) -> bool:
    """Return whether there is an object of a class of players for a mark."""
    with suppress(Exception):  # of the program, or it asks for more
        return find_player(cls, module, mark) is not None
    return False


def _counts_up(node: Function, parameter: str) -> bool:
    """Tell whether a search adds to a parameter when it calls itself."""
    given = [value for call in list_self_calls(node) for value in (*call.args, *(word.value for word in call.keywords))]
    sums = [value for value in given if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)]
    return any(is_named(value.left, parameter) for value in sums)


def _is_tested(node: ast.AST, parameter: str) -> bool:
    """Tell whether code asks if a parameter is there."""
    tests = [one.test for one in ast.walk(node) if isinstance(one, ast.If | ast.IfExp)]
    tests = [test.operand if isinstance(test, ast.UnaryOp) else test for test in tests]
    with_none = [test for test in tests if isinstance(test, ast.Compare) and ast.unparse(test.comparators[0]) == "None"]
    return any(is_named(test, parameter) for test in [*tests, *(test.left for test in with_none)])


def _find_function(node: ast.AST, parameter: str, module: ModuleType | None) -> Callable[..., Any] | None:
    """Return the function of a module that a parameter is named like, or the only one that shares a word with it."""
    own = {name: thing for name, thing in vars(module).items() if isfunction(thing)} if module else {}
    if parameter in own:
        return own[parameter]
    if not any(isinstance(one, ast.Call) and is_named(one.func, parameter) for one in ast.walk(node)):
        return None
    words = [word for word in parameter.lower().split("_") if len(word) >= _LONG and word not in {"function", "func"}]
    alike = [thing for name, thing in own.items() if any(word in name.lower() for word in words)]
    return alike[0] if len(alike) == 1 else None
