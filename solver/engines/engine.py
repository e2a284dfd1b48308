"""Define engines: given a position, an engine chooses a move and reports its evaluation.

    engine = make_engine("alphabeta:cutoff=2", parse_game("3,3,3"))
    choice = engine.choose(position)            # Choice(move=4, value=..., line=(4, 0, ...), nodes=26, ...)

An engine is a dataclass whose fields are its options; a decorator registers it by name:

    @register("first")
    @dataclass
    class First(Engine):
        '''Plays the first legal move, or the last.'''
        last: bool = False

        def choose(self, position):
            return Choice(position.legal_moves[-1 if self.last else 0])

The engines of this package are in the modules of `solver/engines/builtin`. Another package adds engines through entry
points of the group `mnk_tablebase.engines`: the name is the engine's, and the value is the class.
"""

import os
import pkgutil
import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.metadata import entry_points
from typing import Final, TypeAlias, TypeVar

from solver.engines.engine_options import Option, list_options, read_options
from solver.errors import EngineError, EngineFailed, MnkError, missing_package, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.truth import Truth
from solver.tablebase import Tablebase

ENTRY_POINTS: Final = "mnk_tablebase.engines"  # the group of entry points by which other packages add engines

Tables: TypeAlias = Truth | Tablebase | str | os.PathLike[str] | None
"""The values for an engine, as `solver.open_truth` takes them: open values, or a path; None: the default folder."""


@dataclass(frozen=True)
class Choice:
    """The answer of an engine."""

    move: int
    """The square to play."""
    value: float | None = None
    """The value of the position for the side to move, on the engine's own scale."""
    line: tuple[int, ...] = ()
    """The expected play, beginning with `move`."""
    nodes: int | None = None
    """The number of positions visited, as the engine counts them."""
    seconds: float | None = None
    """The time that `choose` took; the caller of an engine may set it."""


class Engine(ABC):
    """A player. Concrete engines are dataclasses; their fields are their options.

    Each position contains the rules of its game. An engine's random choices depend only on its seed.
    """

    name: str = ""
    """The text from which it was made, such as `alphabeta:cutoff=2`."""
    deterministic: bool = False
    """True if its move depends on the position only."""
    clock: tuple[float, float] | None = None
    """The seconds for all its moves in the game, and those that are left; None without a clock. Set before a move."""

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Open tables (`solver.open_truth`) and compile, before the first game and before any clock runs.

        `make_engine` calls it once. Raises MnkError if the engine cannot play the game.
        """
        del rules, tables

    def close(self) -> None:  # noqa: B027 - most engines open nothing
        """Close what `prepare` opened. The engine is not used again."""

    @abstractmethod
    def choose(self, position: Position) -> Choice:
        """Return a move in a position that is not over."""

    def distribution(self, position: Position) -> dict[int, Fraction] | None:
        """Return the exact probabilities of the moves that the engine may play; None if they are unknown."""
        return {self.choose(position).move: Fraction(1)} if self.deterministic else None

    def get_ready(self, position: Position) -> None:
        """Do what comes before the clock of a move in a position starts, such as starting a program."""
        del position

    def new_game(self, seed: int | None = None) -> None:
        """Forget the last game and, if a seed is given, restart the random choices from that seed."""
        del seed


def uniform(moves: tuple[int, ...]) -> dict[int, Fraction]:
    """Return the same probability for each of the moves."""
    return dict.fromkeys(moves, Fraction(1, len(moves)))


@dataclass
class StochasticEngine(Engine):
    """An engine that chooses each move at random from `distribution`. seed: None for different choices in every run."""

    seed: int | None = None

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def new_game(self, seed: int | None = None) -> None:
        """Restart the random choices from `seed` and the engine's own seed."""
        if seed is not None:
            self._random = random.Random(f"{self.seed} {seed}")

    @abstractmethod
    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Return the probability of each move that the engine may play."""

    def choose(self, position: Position) -> Choice:
        """Return a random move."""
        moves = self.distribution(position)
        [move] = self._random.choices(list(moves), [float(share) for share in moves.values()])
        return Choice(move)


@dataclass(frozen=True)
class EngineInfo:
    """The name, the description and the options of an engine, or the reason why it cannot be loaded."""

    name: str
    """The name for `make_engine`."""
    description: str
    """The first line of its description; empty if it cannot be loaded."""
    options: tuple[Option, ...] = ()
    """The options that the engine takes, if it can be loaded."""
    problem: str | None = None
    """The reason why it cannot be loaded, otherwise None."""


_E = TypeVar("_E", bound=Engine)
_ENGINES: Final[dict[str, type[Engine]]] = {}  # by name; only `register` adds to it


def register(name: str) -> Callable[[type[_E]], type[_E]]:
    """Register an engine class for `make_engine` under a name. Raises EngineError if another class has this name."""

    def keep(maker: type[_E]) -> type[_E]:
        if _ENGINES.setdefault(name, maker) is not maker:
            raise EngineError(f"There is another engine named {quoted(name)}; choose a different name.")
        maker.name = name
        return maker

    return keep


def make_engine(text: str, rules: Rules, *, tables: Tables = None) -> Engine:
    """Return the engine described by `name` or `name:option=value,...`, ready to play the game; its caller closes it.

    tables: an open table or a path, for engines that need one; None: the default folder. Raises EngineError for an
    unknown engine or a bad option, any MnkError of `prepare`, and EngineFailed if `prepare` raises another exception.
    """
    engine = read_engine(text)
    try:
        engine.prepare(rules, tables)
    except Exception as error:
        known = missing_package(error) if isinstance(error, ModuleNotFoundError) else error
        if isinstance(known, MnkError):
            raise known from error.__cause__
        problem = f"{type(error).__name__} ({error})"
        raise EngineFailed(f"The engine {text} cannot be prepared for {rules}: {problem}.") from error
    return engine


def read_engine(text: str) -> Engine:
    """Return an engine as `make_engine` does, but do not prepare it for a game."""
    name, _, options = (part.strip() for part in text.partition(":"))
    maker = _find_class(name)
    given = read_options(maker, name, options)
    try:
        engine = maker(**given)
    except ValueError as error:
        raise EngineError(f"The engine {quoted(text)} can't be made: {error}.") from error
    engine.name = f"{name}:{options}" if options else name
    return engine


def list_engines() -> list[EngineInfo]:
    """Return all engines, including those of other packages, by name. An engine that fails to load has a `problem`."""
    found = []
    for name in _list_names():
        try:
            maker = _find_class(name)
        except MnkError as error:
            found.append(EngineInfo(name, "", problem=str(error)))
        else:
            found.append(EngineInfo(name, (maker.__doc__ or "").strip().split("\n", 1)[0], list_options(maker)))
    return found


def _find_class(name: str) -> type[Engine]:
    """Return the class of an engine. Raises EngineError, which lists the known names, if the engine is unknown."""
    if name not in _ENGINES:
        load_engines()
    if name not in _ENGINES:  # asking the installed packages takes some 10 ms
        for entry in entry_points(group=ENTRY_POINTS, name=name):
            try:
                maker = entry.load()
            except Exception as error:
                raise EngineError(f"The engine {name} ({entry.value}) can't be loaded: {error!r}.") from error
            if not (isinstance(maker, type) and issubclass(maker, Engine)):
                raise EngineError(
                    f"The engine {name} can't be loaded: {entry.value} is no subclass of Engine; name one in the entry "
                    f"point, as in {entry.module}:CLASS."
                )
            register(name)(maker)
    if name not in _ENGINES:
        raise EngineError(f"There is no engine {quoted(name)}; choose one of {', '.join(_list_names())}.")
    return _ENGINES[name]


def load_engines() -> None:
    """Import the engines of this package, which registers them: otherwise the first use of one does."""
    package = import_module("solver.engines.builtin")
    for module in pkgutil.iter_modules(package.__path__, "solver.engines.builtin."):
        import_module(module.name)


def _list_names() -> list[str]:
    """Return the names of all engines."""
    load_engines()
    return sorted({*_ENGINES, *(entry.name for entry in entry_points(group=ENTRY_POINTS))})
