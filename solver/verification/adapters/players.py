"""Tell what in a program looks like an engine, by its names, the likeliest first."""

import ast
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from inspect import isabstract, isclass, isfunction, signature
from types import ModuleType
from typing import Any, Final

from solver.verification.conventions.parameters import kind_of
from solver.verification.outline import called_name, list_functions

PLAYING: Final = (
    "best_move", "get_best_move", "find_best_move", "choose", "choose_move", "select_move", "pick_move", "get_move",
    "next_move", "find_move", "compute_move", "ai_move", "computer_move", "bot_move", "move", "act", "choose_action",
    "select_action", "get_action", "best_action", "predict", "policy", "agent", "my_agent", "play",
    "engine", "minimax", "negamax", "alphabeta", "alpha_beta", "alphabeta_search", "alpha_beta_search",
    "minimax_decision", "minimax_search", "mcts", "search", "solve", "decide", "step", "think",
)  # fmt: skip
_RANKS: Final = {name.replace("_", ""): place for place, name in enumerate(PLAYING)}
_CALLED: Final = re.compile(
    r"move|turn|play|action|choice|step|spot|position|square|column|movim|jugada|jogada|coup|joue|zug|mossa"
)
_LIKELY: Final = (  # further names, the likeliest first
    re.compile(r"best|optimal|perfect|mejor|melhor|meilleur|miglior"),
    re.compile(
        r"^ai|ai$|^ia|ia$|computer|^comp|cpu|bot|machine|maquina|agent|smart|hard|impossible|unbeatable|expert|engine"
    ),
    re.compile(r"^(?:get|find|choose|select|pick|make|next|compute|calculate|calc|decide|determine|generate|perform)"),
)
_WHOLE: Final = re.compile(r"(?:comp|computer|cpu|bot|machine|ai)(?:ai|ia|bot|player|logic|brain)?|ia")
_SEARCHES: Final = re.compile(r"minimax|minmax|negamax|alphabeta|mcts|montecarlo|expectimax|search$|^eval$|^best$")
_OTHER: Final = re.compile(
    r"human|input|user|random|rnd|easy|draw|print|show|display|valid|legal|available|(?<!im)possible|empty|check|is_|score|"
    r"undo|value|test|main|run|start|init|heur|load|save|train|update|render|simulat|evaluat|free|winning|moves$|"
    r"squares|state|helper|blocking|animate|copy|open|row$|reset|count|record|log|player_?move|opponent"
)
_STRONGEST: Final = re.compile(r"smart|perfect|hard|impossible|unbeatable|minimax|minmax|negamax|alphabeta")
_STRONG: Final = re.compile(
    r"minimax|minmax|negamax|smart|perfect|hard|impossible|alphabeta|ai$|^ai|best|mcts|computer|agent"
)
_VALUES: Final = re.compile(r"score|val|alpha|beta|util|heur|^v$|worst|win", re.IGNORECASE)
_WEAK: Final = re.compile(
    r"human|random|easy|medium|base|abstract|protocol|interface|test|node|gui|window|app$|strategy$"
)


@dataclass(frozen=True)
class Player:
    """Something that may play."""

    name: str
    """As it is written behind the colon of `FILE.py:NAME`."""
    function: Any
    """A function; or None, if its class is to be called."""
    owner: type | None
    """The class whose method it is."""
    rank: tuple[int, ...]


def list_players(module: ModuleType, without: Set[str] = frozenset()) -> list[Player]:
    """Return what in a module looks like an engine, the likeliest first; the only function there is if nothing does.

    without: the names of functions that are none.
    """
    own = {name: thing for name, thing in vars(module).items() if _is_own(module, name, thing) and name not in without}
    found: list[Player] = []
    for name, thing in own.items():
        if isclass(thing):
            found += methods_of(thing, without)
        elif (rank := rank_name(name)) is not None:
            found.append(Player(name, thing, None, (rank + _lower(thing), 0)))
    functions = [name for name, thing in own.items() if isfunction(thing)]
    if not found and len(functions) == 1:
        return [Player(functions[0], own[functions[0]], None, (0, 0))]
    return sorted(found, key=lambda player: player.rank)


def find_valuing(tree: ast.AST) -> set[str]:
    """Return the names of searches that return the value of a position and no move, methods with their class."""
    return {name for name, node in list_functions(tree) if _SEARCHES.search(_plain(name)) and _returns_values(node)}


def _plain(name: str) -> str:
    return name.rpartition(".")[2].lower().replace("_", "")


def _returns_values(function: ast.AST) -> bool:
    """Tell a function that returns numbers and what is named like the value of a position, and nothing else."""
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(returned) and all(_is_value(value) for value in returned)


def _is_value(value: ast.expr | None) -> bool:
    if isinstance(value, ast.UnaryOp):
        return _is_value(value.operand)
    if isinstance(value, ast.BinOp):
        return _is_value(value.left) or _is_value(value.right)
    if isinstance(value, ast.Call):
        name = called_name(value)
        return name in {"max", "min"} or bool(_VALUES.search(name))
    if isinstance(value, ast.Name):
        return bool(_VALUES.search(value.id))
    return isinstance(value, ast.Constant) and type(value.value) in {int, float}


def methods_of(kind: type, without: Set[str] = frozenset()) -> Iterator[Player]:
    """Yield the methods of a class that look like an engine, the likeliest first; `without` are none."""
    word = kind.__name__.lower()
    if isabstract(kind) or getattr(kind, "_is_protocol", False):
        return
    bonus = 150 if _WEAK.search(word) else -80 if _STRONGEST.search(word) else -60 if _STRONG.search(word) else 0
    names = [name for name in dir(kind) if not name.startswith("_") and f"{kind.__name__}.{name}" not in without]
    ranked = [(rank, name) for name in names if (rank := rank_name(name)) is not None]
    for rank, name in sorted(ranked):
        method = getattr(kind, name)
        if callable(method) and not _is_missing(method):
            yield Player(f"{kind.__name__}.{name}", method, kind, (rank + bonus + _lower(method), 1))
    if any("__call__" in vars(base) for base in kind.__mro__):
        yield Player(kind.__name__, kind.__call__, kind, (200 + bonus, 1))


def find_method(thing: object) -> str | None:
    """Return the name of the method by which an object plays; None if there is none."""
    names = [name for name in dir(thing) if not name.startswith("_") and callable(getattr(thing, name))]
    ranked = sorted((rank, name) for name in names if (rank := rank_name(name)) is not None)
    return ranked[0][1] if ranked else "__call__" if "__call__" in dir(thing) else None


def _lower(function: Any) -> int:
    """Return by how much less likely a function is to be an engine that takes a bound, or whose turn it is to gain."""
    try:
        kinds = {kind_of(name) for name in signature(function).parameters}
    except (TypeError, ValueError):
        return 0
    return 150 if kinds & {"alpha", "beta", "maximizing"} else 0


def _is_missing(method: Any) -> bool:
    """Tell a method that is left to derived classes."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_names == ("NotImplementedError",)


def rank_name(name: str) -> int | None:
    """Return how likely a function of this name is to be an engine, 0 the likeliest; None for not at all."""
    word = name.lower().replace("_", "")
    if word in _RANKS:
        return _RANKS[word]
    if _OTHER.search(name.lower()) and not re.search(r"best|ai_?move|computer_?move|minimax_?check", name.lower()):
        return None
    for place, likely in enumerate(_LIKELY):
        if likely.search(word) and _CALLED.search(word):
            return 100 + 20 * place
    if _STRONGEST.search(word) or _WHOLE.fullmatch(word):
        return 160
    return 165 if _SEARCHES.search(word) else None


def _is_own(module: ModuleType, name: str, thing: object) -> bool:
    if name.startswith("_") or isinstance(thing, ModuleType) or not callable(thing):
        return False
    return getattr(thing, "__module__", module.__name__) == module.__name__
