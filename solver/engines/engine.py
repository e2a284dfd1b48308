"""Define what an engine is: given a position, it chooses a move, and says what it knows about it.

    engine = make_engine("alphabeta:cutoff=2", parse_game("3,3,3"))
    choice = engine.choose(position)            # Choice(move=4, value=..., line=(4, 0, ...), nodes=26, ...)

An engine is a dataclass whose fields are its options; a decorator gives it its name:

    @register("first")
    @dataclass
    class First(Engine):
        '''Plays the first legal move, or the last.'''
        last: bool = False

        def choose(self, position):
            return Choice(position.legal_moves[-1 if self.last else 0])

Engines of this package are the modules of `solver/engines/builtin`. Another package adds its own by an entry point
of the group `mnk_tablebase.engines`, whose name is the engine's and whose value is the class.
"""

import os
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from solver.engines.options import Option, list_options, read_options
from solver.errors import EngineError, MnkError, quoted
from solver.game.position import Position
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.tablebase import Prober


ENTRY_POINTS: Final = "mnk_tablebase.engines"
"""The group of entry points by which other packages add engines."""

Tables: TypeAlias = "Prober | str | os.PathLike[str] | None"
"""Where an engine finds tables: open ones, a file, a folder, or None for the default folder."""


@dataclass(frozen=True)
class Choice:
    """The answer of an engine."""

    move: int
    """The square it plays."""
    value: float | None = None
    """The worth of the position for the side to move, in the engine's own unit."""
    line: tuple[int, ...] = ()
    """The play it expects, beginning with `move`."""
    nodes: int | None = None
    """The number of positions it looked at, by its own definition."""
    seconds: float | None = None
    """Real time from the beginning of the search to its end."""


class Engine(ABC):
    """A player. Concrete engines are dataclasses; their fields are their options.

    The rules come with each position. What an engine draws at random follows from its seed alone.
    """

    name: str = ""
    """The text it was made from, such as `alphabeta:cutoff=2`."""
    deterministic: bool = False
    """Whether it always answers a position with the same move, whatever was played before."""

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Open tables (`open_tables`) and compile, before the first game and before any clock runs.

        `make_engine` calls it once. Raises MnkError when the engine can't play the game.
        """
        del rules, tables

    @abstractmethod
    def choose(self, position: Position) -> Choice:
        """Choose a move in a position that is not over."""

    def distribution(self, position: Position) -> dict[int, Fraction] | None:
        """Return the exact probability of each move it may play (their sum is 1), None where that is not known.

        A deterministic engine gives its one move with probability 1.
        """
        return {self.choose(position).move: Fraction(1)} if self.deterministic else None

    def new_game(self, seed: int | None = None) -> None:
        """Forget what belongs to one game; what is drawn at random starts anew from `seed` if given."""
        del seed


@dataclass(frozen=True)
class EngineInfo:
    """An engine that can be made: its name, a line about it, its options; or the problem with loading it."""

    name: str
    description: str
    options: tuple[Option, ...] = ()
    problem: str | None = None


_E = TypeVar("_E", bound=Engine)
_ENGINES: Final[dict[str, type[Engine]]] = {}  # by name; filled by `register` alone


def register(name: str) -> Callable[[type[_E]], type[_E]]:
    """Give a dataclass of options the name by which `make_engine` makes it.

    Raises EngineError when another class has this name.
    """

    def keep(maker: type[_E]) -> type[_E]:
        if _ENGINES.setdefault(name, maker) is not maker:
            raise EngineError(f"There is another engine named {quoted(name)}; choose a different name.")
        maker.name = name
        return maker

    return keep


def make_engine(text: str, rules: Rules, *, tables: Tables = None) -> Engine:
    """Make the engine that is written `name` or `name:option=value,...`, ready to play the game.

    tables: where those that need one find it; by default in the default folder.
    Raises EngineError for an unknown engine or a bad option, and what its `prepare` raises.
    """
    engine = read_engine(text)
    engine.prepare(rules, tables)
    return engine


def read_engine(text: str) -> Engine:
    """Make an engine as `make_engine` does, but for no game yet: it can't choose before `prepare` is called."""
    name, _, options = (part.strip() for part in text.partition(":"))
    maker = engine_class(name)
    given = read_options(maker, name, options)
    try:
        engine = maker(**given)
    except ValueError as error:
        raise EngineError(f"The engine {quoted(text)} can't be made: {error}.") from error
    engine.name = f"{name}:{options}" if options else name
    return engine


def engine_class(name: str) -> type[Engine]:
    """Find the class of an engine by its name. Raises EngineError, which lists the names there are."""
    _load_own()
    if name not in _ENGINES:
        for entry in entry_points(group=ENTRY_POINTS, name=name):
            _load(entry)
    if name not in _ENGINES:
        raise EngineError(f"There is no engine {quoted(name)}; choose one of {', '.join(_list_names())}.")
    return _ENGINES[name]


def list_engines() -> list[EngineInfo]:
    """List every engine that can be made, by name; also those of other packages that fail to load, and why."""
    return [_describe_engine(name) for name in _list_names()]


def open_tables(tables: Tables, rules: Rules) -> "Prober":
    """Open the tables an engine is given. Raises MissingTable when there is none of the game."""
    from solver.store.paths import default_folder
    from solver.tablebase import Prober, TablebaseFolder, open_tablebase

    if not isinstance(tables, Prober):
        path = Path(tables or default_folder())
        tables = open_tablebase(path) if path.is_file() else TablebaseFolder(path)
    tables.probe(Position.start(rules))
    return tables


def _load_own() -> None:
    """Import the modules of `solver.engines.builtin`; each registers what it defines."""
    package = import_module("solver.engines.builtin")
    for module in pkgutil.iter_modules(package.__path__, "solver.engines.builtin."):
        import_module(module.name)


def _load(entry: EntryPoint) -> None:
    try:
        register(entry.name)(entry.load())
    except Exception as error:
        raise EngineError(f"The engine {entry.name} ({entry.value}) can't be loaded: {error!r}.") from error


def _list_names() -> list[str]:
    _load_own()
    return sorted({*_ENGINES, *(entry.name for entry in entry_points(group=ENTRY_POINTS))})


def _describe_engine(name: str) -> EngineInfo:
    try:
        maker = engine_class(name)
    except MnkError as error:
        return EngineInfo(name, "", problem=str(error))
    return EngineInfo(name, (maker.__doc__ or "").strip().split("\n", 1)[0], list_options(maker))
