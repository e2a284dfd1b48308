"""Call what plays in an engine's code with what it asks for, a board of its own included."""

import asyncio
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from inspect import isclass, isfunction
from itertools import chain
from types import ModuleType
from typing import Any, Final

from solver.engines.engine import Engine
from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.arguments import ArgumentValues, call_with
from solver.verification.adapters.inspection import (
    find_function,
    find_helpers,
    find_maker,
    has_init,
    names_used,
    takes_a_game,
    takes_a_game_object,
)
from solver.verification.adapters.loading import find_reading
from solver.verification.adapters.own_board import OwnBoard
from solver.verification.adapters.own_grid import find_grid, list_empty_boards, match_formats
from solver.verification.adapters.own_values import can_play_for, find_definition, find_own_values, find_player
from solver.verification.adapters.players import Player, find_valuing, list_players, methods_of
from solver.verification.adapters.python_source import EngineSource, find_constants, find_start, parse_source, read_text
from solver.verification.conventions.board_formats import AIMA_STATE, OWN_POSITION, BoardFormat, sort_by_hints
from solver.verification.conventions.convention import Argument, Convention
from solver.verification.conventions.move_formats import to_plain
from solver.verification.conventions.pairs import PAIR_KINDS, is_pair
from solver.verification.conventions.parameters import Signature, find_flags, kind_of, read_parameters

_MOST_LISTED: Final = 6
_MARKS: Final = ("token", "mark", "symbol", "letter", "piece", "sign", "player", "side", "color", "colour")
_PLACES: Final = frozenset(
    {
        *("row", "col", "column", "x", "y", "i", "j", "r", "c", "idx", "index", "square", "cell"),
        *("move", "action", "spot", "location", "choice"),
    }
)
_DRAWING: Final = ("p", "pg", "pygame")  # beside a screen
_BOARD_NAMES: Final = ("board", "state", "game")
_TAKES_A_BOARD: Final = {"board", "own board", *PAIR_KINDS}


class Entry:
    """A function that plays, or the method of an object, made anew for each side where it asks for one."""

    def __init__(self, source: EngineSource, rules: Rules) -> None:
        self._rules = rules
        self._given = self._settled = source.arguments
        self._values = ArgumentValues(rules, self._given)
        self._players: dict[str, type] = {}  # the classes of the players that parameters take, by their names
        self._loaded = loaded = source.load()
        self._hints = find_constants(loaded.tree(loaded.module) or parse_source(loaded.thing))
        self._objects: dict[object, Any] = {}  # by the mark of the side that it plays
        self._holder: Any = None
        self._player, others = self._choose(self._list_players())
        self._helpers = find_helpers(loaded.module, self._player.function)
        own = self._own
        notes = [*loaded.notes, *self._describe_given(), *([own.describe()] if own else [])]
        if loaded.thing is None:
            notes.append(f"{self._player.name} was taken for the engine{_describe_others(others)}")
        self.signature = Signature(
            self._arguments,
            self._needs,
            *read_text(loaded, self._player.function or self._player.owner),
            find_start(loaded.module),
            own.formats[0] if own else self._board,
            tuple(self._helpers),
            own.marks if own else (),
            tuple(notes),
        )

    def call(self, convention: Convention, position: Position, board: Any) -> Any:
        """Return what it answers to a board; raises whatever it raises."""
        if self._own:
            self._holder = self._own.set_up(position, convention.layout)
        function = self._function(convention, position, board)
        arguments = self.signature.arguments
        values = [self._find_value(one, convention, position, board) for one in arguments]
        try:
            returned = call_with(function, arguments, values)
        except SystemExit:  # it ends the program with the game, after its move
            if to_plain(self.board_left(board)) == to_plain(convention.layout.write(position)):
                raise
            returned = None
        if inspect.isawaitable(returned):
            returned = asyncio.run(_wait(returned))
        return self._own.read_after(returned) if self._own else returned

    def board_left(self, board: Any) -> Any:
        """Return the board that was given as it is after a call."""
        return self._own.read(self._holder) if self._own else board

    def call_helper(self, kind: str, board: Any) -> Any:
        """Return what one of its helpers says of a board."""
        return self._helpers[kind](board)

    # What plays

    def _list_players(self) -> list[Player]:
        """The likeliest first. Raises EngineError if there is none."""
        loaded, thing = self._loaded, self._loaded.thing
        if thing is None and loaded.module is not None:
            tree = loaded.tree(loaded.module)
            values = find_valuing(tree) if tree else set[str]()
            found = list_players(loaded.module, values | find_reading(tree) if tree else values)
            name = loaded.module.__name__
            if not found and values:
                raise EngineError(
                    f"{', '.join(sorted(values)[:3])} in {name} returns the value of a position and no move, and "
                    "nothing else looks like an engine; write a wrapper with --wrapper FILE."
                )
            if not found:
                names = [word for word, value in vars(loaded.module).items() if isfunction(value) or isclass(value)]
                notes = f" ({'; '.join(loaded.notes)})" if loaded.notes else ""
                raise EngineError(
                    f"Nothing in {name} is named like a player; say which it is, as in "
                    f"{name}.py:{next(iter(names), 'best_move')}{notes}."
                )
            return found
        if isclass(thing) and not issubclass(thing, Engine):
            return [*methods_of(thing)] or [Player(thing.__name__, None, thing, (0,))]
        if loaded.owner is not None and isfunction(thing):
            is_static = isinstance(inspect.getattr_static(loaded.owner, thing.__name__, None), staticmethod)
            return [Player(thing.__qualname__, thing, None if is_static else loaded.owner, (0,))]
        return [Player(getattr(thing, "__name__", type(thing).__name__), thing, None, (0,))]

    def _choose(self, players: list[Player]) -> tuple[Player, list[Player]]:
        """The first that can be asked, and the others; raises EngineError with what the first asks for."""
        reasons: list[EngineError] = []
        for player in players:
            try:
                self._prepare(player)
            except EngineError as error:
                reasons.append(error)
            else:
                return player, [other for other in players if other is not player]
        raise reasons[0]

    def _prepare(self, player: Player) -> None:
        """Find out what a player is made and called with. Raises EngineError."""
        self._own: OwnBoard | None = None
        self._board: BoardFormat | None = None
        self._needs: tuple[Argument, ...] = ()
        self._given = self._values.given = self._settled
        self._is_holder = False  # whether what plays is the object that holds its own board
        thing, owner = player.function, player.owner
        if owner is not None and takes_a_game_object(owner):
            thing, owner = self._make(owner), None
        if isclass(thing):
            thing = thing()
        self._thing: Any = thing
        self._owner, self._method = owner, thing.__name__ if owner and thing is not None else ""
        if owner is None:
            self._prepare_thing()
            function = find_function(self._thing)
        else:
            function = thing
        known = self._read_kinds(function)
        self._arguments = read_parameters(function, known, is_method=owner is not None)
        names = {argument.parameter.lower() for argument in self._arguments}
        if names & _PLACES and names <= _PLACES.union(_MARKS):
            raise EngineError(f"{player.name} takes a move and no board.")
        if owner is not None:
            kinds = self._read_kinds(owner.__init__) if has_init(owner) else {}  # type: ignore[misc]
            self._needs = tuple(
                argument
                for argument in read_parameters(owner, kinds)
                if not argument.by_name or argument.parameter in kinds
            )
            self._require_known(owner, self._needs, "board", "own board", "depth", then=" and asks it")
        if not _TAKES_A_BOARD & {argument.kind for argument in (*self._arguments, *self._needs)}:
            self._find_board_elsewhere(player, function)

    def _prepare_thing(self) -> None:
        """Prepare an object that is given its game before it is asked."""
        if isinstance(self._thing, Engine):
            self._thing.prepare(self._rules, None)
            self._board = OWN_POSITION
        elif takes_a_game(self._thing):
            self._thing.set_game(self._values.game)
            self._board = AIMA_STATE

    def _find_board_elsewhere(self, player: Player, function: Callable[..., Any]) -> None:
        """Find the board in the object that plays, or in a variable of its module; raises EngineError."""
        owner = self._owner
        own: OwnBoard | None = None
        if owner is not None:
            own = self._open_own(lambda: self._make(owner), owner.__name__)
            self._is_holder = True
        elif inspect.ismethod(function):
            holder = function.__self__
            own = self._open_own(lambda: deepcopy(holder), type(holder).__name__)
            self._is_holder, self._method = True, function.__name__
        elif self._loaded.module is not None:
            module = self._loaded.module
            own = self._open_own(lambda: module, module.__name__)
            if own and own.grid.path[0] not in names_used(self._loaded.tree(module), function.__name__):
                own = None
        if own is None:
            raise EngineError(
                f"{player.name} takes no board, and none was found that it could look at; "
                "name a function that takes one, or write a wrapper with --wrapper FILE."
            )
        self._own = own

    def _read_kinds(self, function: Callable[..., Any]) -> dict[str, str]:
        """The kinds of those parameters that their names do not tell: given ones, and the program's own boards."""
        home = sys.modules.get(getattr(function, "__module__", None) or "")
        tree = self._loaded.tree(home)
        self._given = self._values.given = {**find_own_values(function, home, tree), **self._given}
        flags = {name for name in find_flags(find_definition(function, tree)) if kind_of(name) is None}
        kinds = {**dict.fromkeys(flags, "maximizing"), **dict.fromkeys(self._given, "given")}
        try:
            parameters = [*inspect.signature(function).parameters.values()]
        except (TypeError, ValueError):
            return kinds
        required = [parameter.name for parameter in parameters if parameter.name != "self"]
        if is_pair(required):
            return {**kinds, **dict(zip(required, PAIR_KINDS, strict=False))}
        named = {kind_of(parameter.name) for parameter in parameters}
        for parameter in parameters:
            kind = kind_of(parameter.name)
            if "screen" in named and parameter.name in _DRAWING:
                kinds[parameter.name] = "screen"
            if (
                kind == "player"
                and parameter.name not in kinds
                and (cls := self._find_player_class(home, parameter.name))
            ):
                kinds[parameter.name], self._players[parameter.name] = "player object", cls
            if parameter.name in kinds or parameter.name == "self" or kind not in {None, "board", "game"}:
                continue
            if kind == "game" and "board" in named:  # as in AIMA's code
                continue
            if self._own is None and (found := self._find_own_class(function, parameter, kind)):
                kinds[parameter.name] = "own board"
                self._own = found
        return kinds

    def _find_player_class(self, home: ModuleType | None, name: str) -> type | None:
        """Return the program's class of players that a parameter takes, if its attributes are asked."""
        uses = self._loaded.uses(home, name)
        cls = self._loaded.find_class(uses) if uses else None
        marks = [marks.first for marks in sort_by_hints(self._hints)[:1]]
        return cls if cls and any(can_play_for(cls, self._loaded.module, mark) for mark in marks) else None

    def _describe_given(self) -> Iterator[str]:
        """Describe which functions of the program its parameters were given."""
        for name, value in self._given.items():
            if isfunction(value) and name not in self._settled:
                yield f"for {name} stands {value.__name__}"

    def _find_own_class(
        self, function: Callable[..., Any], parameter: inspect.Parameter, kind: str | None
    ) -> OwnBoard | None:
        """The program's own board that a parameter takes, by its annotation or by what is asked of it."""
        module = sys.modules.get(getattr(function, "__module__", "") or "")
        annotation = getattr(parameter.annotation, "__name__", parameter.annotation)
        uses = self._loaded.uses(module, parameter.name)
        classes = [*self._loaded.classes()] if kind == "game" or isinstance(annotation, str) else []
        found = [cls for cls in classes if cls.__name__ == annotation]
        if not uses and not self._loaded.is_indexed(module, parameter.name):  # it is only handed on
            handed = [uses for name in _BOARD_NAMES if (uses := self._loaded.uses(module, name))]
            uses = handed[0] if handed else self._loaded.uses_beside(parameter.name)
        if not found and uses and (by_use := self._loaded.find_class(uses)):
            found = [by_use]
        if not found and kind == "game":
            found = classes
        for cls in found:
            home = sys.modules.get(cls.__module__)
            own = self._open_own(lambda cls=cls: self._make(cls), cls.__name__, home)  # type: ignore[misc]
            if own:
                return own
        return None

    def _open_own(self, make: Callable[[], Any], name: str, home: ModuleType | None = None) -> OwnBoard | None:
        """Open a board that is made so, if it is one; home: the module of its class."""
        try:
            return OwnBoard(make, name, self._rules, self._hints | find_constants(self._loaded.tree(home)))
        except EngineError:
            raise
        except Exception:  # of the program: it can't be made so, or holds no board
            return None

    # What it is made and called with

    def _find_value(self, argument: Argument, convention: Convention, position: Position, board: Any) -> Any:
        if argument.kind == "player object":
            mark = convention.layout.marks.of_mover(position)[0]
            return find_player(self._players[argument.parameter], self._loaded.module, mark)
        return self._values.find(argument, convention, position, board, self._holder)

    def _function(self, convention: Convention, position: Position, board: Any) -> Callable[..., Any]:
        """The function or method that plays the side of a mark."""
        if self._is_holder:
            bound: Callable[..., Any] = getattr(self._holder, self._method)
            return bound
        if self._owner is None:
            return find_function(self._thing)
        mark = convention.layout.marks.of_mover(position)[0]
        kinds = {argument.kind for argument in self._needs}
        key = mark if "player" in kinds or "opponent" in kinds else None
        if _TAKES_A_BOARD & kinds:
            self._objects.clear()
        if key not in self._objects:
            values = [self._find_value(one, convention, position, board) for one in self._needs]
            self._objects[key] = call_with(self._owner, self._needs, values)
        _set_mark(self._objects[key], mark)
        method: Callable[..., Any] = getattr(self._objects[key], self._method or "__call__")
        return method

    def _make(self, cls: type) -> Any:
        """Make an object of a class of the program, as at the start of a game, by its own function if it has one."""
        if maker := find_maker(cls):
            return maker()
        needs = read_parameters(cls, dict.fromkeys(self._given, "given"), sizes=True) if has_init(cls) else ()
        needs = tuple(argument for argument in needs if argument.kind != "board" or not argument.by_name)
        if "board" in {argument.kind for argument in needs}:
            return self._make_with_board(cls, needs)
        self._require_known(cls, needs)
        values = [self._values.find(one, Convention(), Position.start(self._rules), None) for one in needs]
        return call_with(cls, needs, values)

    def _make_with_board(self, cls: type, needs: tuple[Argument, ...]) -> Any:
        """Make an object of a class that asks for its board, with the first empty board that it keeps."""
        named = [value for value in vars(self._loaded.module).values() if match_formats(value, self._rules)[0]]
        for board in chain(map(deepcopy, named), list_empty_boards(self._rules, self._hints)):
            values = [self._values.find(one, Convention(), Position.start(self._rules), board) for one in needs]
            with suppress(Exception):  # it wants another board
                thing = call_with(cls, needs, values)
                if find_grid(thing, self._rules):
                    return thing
        raise EngineError(
            f"The class {cls.__name__} is made with a board, and takes none that is usual; "
            "name a function that makes one, or write a wrapper with --wrapper FILE."
        )

    def _require_known(self, cls: type, needs: tuple[Argument, ...], *more: str, then: str = "") -> None:
        """Raise EngineError where a class is made with something else than what every game has, and `more` kinds."""
        known = {"player", "opponent", "given", "screen", *self._values.of_rules, *more}
        for argument in needs:
            if argument.kind not in known:
                raise EngineError(
                    f"The class {cls.__name__} is made with {argument.parameter!r}, which we can't give; "
                    f"say it with --arg {argument.parameter}=VALUE, or name a function that makes one{then}."
                )


def _set_mark(thing: Any, mark: object) -> None:
    """Tell an object its mark where it has a place for it that is empty, or was filled here before."""
    for name in _MARKS:
        known = vars(type(thing)).get(name) or getattr(type(thing), name, None)
        if isinstance(known, property) or name in getattr(thing, "__dict__", ()):
            told = getattr(thing, "_mark_told_here", None)
            with suppress(Exception):  # it wants none
                if getattr(thing, name) is None or (told is not None and getattr(thing, name) == told):
                    setattr(thing, name, mark)
                    thing._mark_told_here = mark


async def _wait(awaitable: Any) -> Any:
    return await awaitable


def _describe_others(others: list[Player]) -> str:
    listed = [*dict.fromkeys(player.name for player in others)][:_MOST_LISTED]
    return f"; so might be: {', '.join(listed)}" if listed else ", as nothing else looks like one"
