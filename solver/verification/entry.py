"""What plays in an engine's code, ready to be called: which arguments, and which object for which side."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import isclass
from types import ModuleType
from typing import Any, Final

from solver.engines.contract import Engine
from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.aima import AimaGame
from solver.verification.conventions import Convention
from solver.verification.loading import Recipe, constants_of, method_of
from solver.verification.marks import parse_player
from solver.verification.roles import Role, roles_of

__all__ = ["HELPERS", "Entry", "Facts"]

HELPERS: Final[Mapping[str, tuple[str, ...]]] = {
    "winner": ("winner", "get_winner", "check_winner", "find_winner"),
    "terminal": ("terminal", "is_terminal", "terminal_test", "game_over", "is_game_over", "is_over"),
    "utility": ("utility", "get_utility"),
    "actions": ("actions", "available_moves", "legal_moves", "possible_moves", "get_available_moves", "empty_squares"),
    "player": ("player", "to_move", "current_player", "get_player"),
}
"""The functions beside the engine that can be checked, each with the names it may have."""


@dataclass(frozen=True)
class Facts:
    """What is known of an engine once it is loaded: its arguments, the constants of its source, its helpers."""

    roles: tuple[Role, ...]
    hints: frozenset[str] = frozenset()
    helpers: tuple[tuple[str, str], ...] = ()
    board: str | None = None


class Entry:
    """A function that plays, or the method of an object, made anew for each side where it asks for one."""

    def __init__(self, recipe: Recipe, rules: Rules) -> None:
        self._rules = rules
        self._thing, module = recipe.load()
        self._made: dict[object, Callable[..., Any]] = {}
        self._needs: tuple[Role, ...] = ()
        own_board = None
        if isclass(self._thing):
            self._needs = _constructor_roles(self._thing)
            if not self._needs:
                self._thing = self._thing()
        if isinstance(self._thing, Engine):
            self._thing.prepare(rules, None)
            own_board = "solver.Position"
        elif _takes_a_game(self._thing):
            own_board = "AIMA state"
        self._game = AimaGame(rules)
        self._functions = _helpers(module, self._thing)
        self.facts = Facts(
            roles_of(self._function("X")),
            constants_of(module, self._thing),
            tuple((what, function.__name__) for what, function in self._functions.items()),
            own_board,
        )
        self._roles = self.facts.roles

    def call(self, convention: Convention, position: Position, board: Any) -> Any:
        """What it answers to a board; raises whatever it raises."""
        function = self._function(convention.marks.of_mover(position)[0] if self._needs else None)
        if len(self._roles) == 1 and self._roles[0].what == "board" and self._roles[0].keyword is None:
            return function(board)
        by_place, by_name = [], {}
        for role in self._roles:
            value = self._argument(role.what, convention, position, board)
            if role.keyword is None:
                by_place.append(value)
            else:
                by_name[role.keyword] = value
        return function(*by_place, **by_name)

    def help(self, what: str, convention: Convention, position: Position, board: Any) -> Any:
        """What one of its helpers says of a board."""
        del convention, position
        return self._functions[what](board)

    def _argument(self, what: str, convention: Convention, position: Position, board: Any) -> Any:
        if what == "board":
            return board
        if what in {"player", "maximizing"}:
            return parse_player(convention.player, convention.marks, position)
        makers: dict[str, Callable[[], Any]] = {
            "opponent": lambda: convention.marks.of_mover(position)[1],
            "game": lambda: self._game,
            "config": lambda: _configuration(self._rules),
            "depth": lambda: self._rules.squares - position.ply,
            "alpha": lambda: float("-inf"),
            "beta": lambda: float("inf"),
            "legal": lambda: [*position.legal_moves],
            "mask": lambda: board["action_mask"],
            "m": lambda: self._rules.m,
            "n": lambda: self._rules.n,
            "k": lambda: self._rules.k,
            "rules": lambda: self._rules,
        }
        return makers[what]()

    def _function(self, mark: object) -> Callable[..., Any]:
        if mark not in self._made:
            thing = self._thing
            if self._needs:
                arguments = [self._made_with(role, mark) for role in self._needs]
                thing = thing(*arguments)
            if _takes_a_game(thing):
                thing.set_game(self._game)
            self._made[mark] = _playing(thing)
        return self._made[mark]

    def _made_with(self, role: Role, mark: object) -> Any:
        values = {"player": mark, "game": self._game, "rules": self._rules}
        values |= {"m": self._rules.m, "n": self._rules.n, "k": self._rules.k, "config": _configuration(self._rules)}
        if role.what not in values:
            raise EngineError(
                f"The class {self._thing.__name__} is made with {role.parameter!r}, which we can't give; "
                "name a function that makes one and asks it."
            )
        return values[role.what]


def _constructor_roles(kind: type) -> tuple[Role, ...]:
    needs = roles_of(kind)
    return tuple(role for role in needs if role.keyword is None)


def _takes_a_game(thing: Any) -> bool:
    """Whether it is told its game before it is asked, as the players of aima3 are."""
    return not isclass(thing) and _takes_only("game", getattr(thing, "set_game", None))


def _playing(thing: Any) -> Callable[..., Any]:
    """The function or method that plays."""
    if callable(thing) and (hasattr(thing, "__code__") or not method_of(thing) or method_of(thing) == "__call__"):
        function: Callable[..., Any] = thing
        return function
    name = method_of(thing)
    if name is None:
        raise EngineError(f"{thing!r} can't play: it is no function and has no method choose, move, act or play.")
    method: Callable[..., Any] = getattr(thing, name)
    return method


def _configuration(rules: Rules) -> Any:
    from solver.verification.boards import Observation

    return Observation(rows=rules.m, columns=rules.n, inarow=rules.k, timeout=2, actTimeout=2, episodeSteps=1000)


def _helpers(module: ModuleType | None, thing: object) -> dict[str, Callable[..., Any]]:
    """The helpers that a module offers, of those that take a board and nothing else."""
    found: dict[str, Callable[..., Any]] = {}
    for what, names in HELPERS.items():
        for name in names:
            function: Any = getattr(module, name, None)
            if what not in found and function is not thing and _takes_only("board", function):
                found[what] = function
    return found


def _takes_only(what: str, function: Any) -> bool:
    try:
        return hasattr(function, "__code__") and [role.what for role in roles_of(function)] == [what]
    except EngineError:
        return False
