"""Find what plays in an engine's code, and call it with what it asks for."""

from collections.abc import Callable
from inspect import isclass
from types import ModuleType
from typing import Any

from solver.engines.contract import Engine
from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.python_source import EngineSource, find_constants, find_method
from solver.verification.conventions.aima import AimaGame
from solver.verification.conventions.board_formats import AIMA_STATE, OWN_POSITION, Observation
from solver.verification.conventions.convention import Argument, Convention
from solver.verification.conventions.parameters import Signature, read_parameters
from solver.verification.helpers import HELPERS


class Entry:
    """A function that plays, or the method of an object, made anew for each side where it asks for one."""

    def __init__(self, source: EngineSource, rules: Rules) -> None:
        self._rules, self._game = rules, AimaGame(rules)
        self._thing, module = source.load()
        self._functions: dict[object, Callable[..., Any]] = {}  # by the mark of the side that it plays
        self._needs: tuple[Argument, ...] = ()  # what its class is made with
        board = None
        if isclass(self._thing):
            self._needs = tuple(argument for argument in read_parameters(self._thing) if not argument.by_name)
            if not self._needs:
                self._thing = self._thing()
        if isinstance(self._thing, Engine):
            self._thing.prepare(rules, None)
            board = OWN_POSITION
        elif _takes_a_game(self._thing):
            board = AIMA_STATE
        self._helpers = _find_helpers(module, self._thing)
        arguments = read_parameters(self._function("X"))
        self.signature = Signature(arguments, find_constants(module, self._thing), board, tuple(self._helpers))

    def call(self, convention: Convention, position: Position, board: Any) -> Any:
        """Return what it answers to a board; raises whatever it raises."""
        function = self._function(convention.layout.marks.of_mover(position)[0] if self._needs else None)
        by_place, by_name = [], {}
        for argument in self.signature.arguments:
            value = self._value(argument.kind, convention, position, board)
            if argument.by_name:
                by_name[argument.parameter] = value
            else:
                by_place.append(value)
        return function(*by_place, **by_name)

    def call_helper(self, kind: str, board: Any) -> Any:
        """Return what one of its helpers says of a board."""
        return self._helpers[kind](board)

    def _value(self, kind: str, convention: Convention, position: Position, board: Any) -> Any:
        """The value of an argument."""
        marks = convention.layout.marks
        makers: dict[str, Callable[[], Any]] = {
            "board": lambda: board,
            "player": lambda: convention.player.write(position, marks),
            "maximizing": lambda: convention.player.write(position, marks),
            "opponent": lambda: marks.of_mover(position)[1],
            "depth": lambda: self._rules.squares - position.ply,
            "legal": lambda: [*position.legal_moves],
            "mask": lambda: board["action_mask"],
        }
        return makers[kind]() if kind in makers else self._values_of_rules()[kind]

    def _values_of_rules(self) -> dict[str, Any]:
        """The arguments that depend on the rules alone."""
        m, n, k = self._rules.diagram.rows, self._rules.diagram.columns, self._rules.shortest_line
        config = Observation(rows=m, columns=n, inarow=k, timeout=2, actTimeout=2, episodeSteps=1000)
        bounds = {"alpha": float("-inf"), "beta": float("inf")}
        return {"rules": self._rules, "game": self._game, "config": config, "m": m, "n": n, "k": k, **bounds}

    def _function(self, mark: object) -> Callable[..., Any]:
        """The function or method that plays the side of a mark."""
        if mark not in self._functions:
            thing = self._thing
            if self._needs:
                thing = thing(*[self._value_to_make(argument, mark) for argument in self._needs])
            if _takes_a_game(thing):
                thing.set_game(self._game)
            self._functions[mark] = _find_function(thing)
        return self._functions[mark]

    def _value_to_make(self, argument: Argument, mark: object) -> Any:
        values = {"player": mark, **self._values_of_rules()}
        if argument.kind not in values:
            raise EngineError(
                f"The class {self._thing.__name__} is made with {argument.parameter!r}, which we can't give; "
                "name a function that makes one and asks it."
            )
        return values[argument.kind]


def _takes_a_game(thing: Any) -> bool:
    """Tell an object that is given its game before it is asked, as the players of aima3 are, from others."""
    return not isclass(thing) and _takes_only("game", getattr(thing, "set_game", None))


def _takes_only(kind: str, function: Any) -> bool:
    try:
        return hasattr(function, "__code__") and [a.kind for a in read_parameters(function)] == [kind]
    except EngineError:
        return False


def _find_function(thing: Any) -> Callable[..., Any]:
    """The function or method that plays."""
    name = find_method(thing)
    if callable(thing) and (hasattr(thing, "__code__") or name in {None, "__call__"}):
        function: Callable[..., Any] = thing
        return function
    if name is None:
        raise EngineError(f"{thing!r} can't play: it is no function and has no method choose, move, act or play.")
    method: Callable[..., Any] = getattr(thing, name)
    return method


def _find_helpers(module: ModuleType | None, thing: object) -> dict[str, Callable[..., Any]]:
    """The helpers that a module offers, of those that take a board and nothing else."""
    found: dict[str, Callable[..., Any]] = {}
    for kind, (names, _) in HELPERS.items():
        for name in names:
            function: Any = getattr(module, name, None)
            if kind not in found and function is not thing and _takes_only("board", function):
                found[kind] = function
    return found
