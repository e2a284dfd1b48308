"""Read what a program's source says of its functions and classes: parameters, methods, attributes, what is called."""

import ast
from collections.abc import Iterator, Set
from typing import Any, Final

Function = ast.FunctionDef | ast.AsyncFunctionDef

UNKNOWN: Final = object()
"""The value of an expression that is no constant."""


def list_functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """Yield the functions of a file with their names, methods with that of their class before it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from list_functions(node, f"{node.name}.")
        elif isinstance(node, Function):
            yield f"{prefix}{node.name}", node


def list_methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    """List the methods of a class that are not private."""
    return [item for item in node.body if isinstance(item, ast.FunctionDef) and not item.name.startswith("_")]


def list_made_with(owner: ast.ClassDef) -> list[str]:
    """List what the objects of a class have to be made with."""
    made = [node for node in owner.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    return [name for node in made for name in list_parameters(node)]


def list_parameters(node: ast.FunctionDef, is_method: bool = True) -> list[str]:
    """List the parameters that have to be given."""
    given = [*node.args.posonlyargs, *node.args.args]
    return [parameter.arg for parameter in given[: len(given) - len(node.args.defaults)]][is_method:]


def list_members(tree: ast.AST) -> set[str]:
    """List the methods and the annotated names in a piece of code, and the attributes that it asks of `self`."""
    nodes = [*ast.walk(tree)]
    found = {node.name for node in nodes if isinstance(node, Function)}
    found |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and is_named(node.value, "self")}
    noted = [node.target for node in nodes if isinstance(node, ast.AnnAssign)]
    return found | {target.id for target in noted if isinstance(target, ast.Name)}


def list_uses(tree: ast.AST, names: Set[str]) -> set[str]:
    """List the attributes that are asked of variables, whose names may be those of attributes (`self.board`)."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return {node.attr for node in nodes if ast.unparse(node.value) in names}


def names_in(tree: ast.AST) -> Iterator[str]:
    """Yield the names of variables and of attributes in a piece of code."""
    return (name for node in ast.walk(tree) if (name := _name_of(node)))


def called_name(call: ast.Call) -> str:
    """Return the name of the function or method that is called; empty for anything else."""
    return _name_of(call.func)


def list_self_calls(function: Function) -> list[ast.Call]:
    """List the calls by which a function calls itself."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    return [call for call in calls if called_name(call) == function.name]


def is_named(node: ast.AST, *names: str) -> bool:
    """Return whether an expression is one of some variables."""
    return isinstance(node, ast.Name) and node.id in names


def constant_of(node: ast.AST) -> Any:
    """Return the text, the number or the None that an expression is, or UNKNOWN."""
    if isinstance(node, ast.Constant) and (node.value is None or type(node.value) in {str, int, float}):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = constant_of(node.operand)
        return (-inner if isinstance(node.op, ast.USub) else inner) if type(inner) in {int, float} else UNKNOWN
    return UNKNOWN


def _name_of(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
