"""Read what a program's source says of its functions and classes: parameters, methods, attributes, marks."""

import ast
import re
from typing import Final

from solver.verification.conventions.board_formats import ALL_MARKS, Marks, OwnNumber
from solver.verification.conventions.source import read_source

PLACE_NAME: Final = re.compile(r"(?:row|col|column|[rcxyij])(?:_?(?:index|idx|num|number))?", re.IGNORECASE)
_KNOWN_MARKS: Final = [marks for marks in ALL_MARKS if not isinstance(marks.empty, OwnNumber)]


def list_methods(node: ast.ClassDef) -> list[str]:
    """List the names of the methods of a class that are not private."""
    return [method.name for method in methods_in(node)]


def find_marks(tree: ast.Module) -> tuple[Marks, str]:
    """Return the marks that a source speaks for most, and the side that it maximizes for, X if it does not tell."""
    evidence = read_source(ast.unparse(tree))
    told = {role: sign for role, (_, sign) in evidence.roles.items()}
    marks = min(_KNOWN_MARKS, key=lambda one: evidence.count_missing(one.first, one.second, one.empty))
    marks = Marks(told.get("X", marks.first), told.get("O", marks.second), told.get("empty", marks.empty))
    return marks, "O" if evidence.maximizer == (marks.second,) else "X"


def takes_a_move(node: ast.FunctionDef) -> bool:
    """Tell a function that takes a row and a column."""
    return any(PLACE_NAME.fullmatch(name) for name in list_parameters(node, is_method=False))


def is_named(node: ast.AST, names: list[str]) -> bool:
    """Return whether an expression is one of some names."""
    return isinstance(node, ast.Name) and node.id in names


def methods_in(node: ast.ClassDef) -> list[ast.FunctionDef]:
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


def list_members(node: ast.ClassDef) -> set[str]:
    """List the methods of a class, and the attributes that it gives itself."""
    return {*list_methods(node), *list_uses(node, {"self"})}


def list_uses(tree: ast.AST, names: set[str]) -> set[str]:
    """List the attributes that are asked of variables."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    return {node.attr for node in nodes if isinstance(node.value, ast.Name) and node.value.id in names}
