"""Let an engine under test play games: a program, a server, or a function in a file."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import MappingProxyType
from typing import Any

from solver.engines.engine import Choice, Engine, Tables, list_engines, make_engine
from solver.errors import EngineFailed
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.sessions import Limits
from solver.verification.find_engine import AskOptions, EngineUnderTest, find_files, list_hidden


class _Player(Engine):
    """An engine that asks an engine under test for its moves."""

    def __init__(self, tested: EngineUnderTest) -> None:
        self.name, self._tested, self._game = tested.name, tested, 0

    def get_ready(self, position: Position) -> None:
        """Start a process for the side to move, if there is none: after a crash, or for the first move of this side."""
        self._tested.prepare(position.to_move)

    def choose(self, position: Position) -> Choice:
        """Return the move of the engine under test. Raises EngineFailed if it gives no legal move."""
        self._tested.more = {"game": self._game, "clock": self.clock}
        [answer] = self._tested.request([position])
        if answer is None or answer.legal_move is None:
            reason, where = answer or "gave no answer", f"it was {position.to_move} in {position.board}"
            raise EngineFailed(f"The engine {self.name} {reason}; {where}.")
        return Choice(answer.legal_move, answer.value)

    def new_game(self, seed: int | None = None) -> None:
        """Seed the random choices of the engine under test. Its processes go on."""
        self._game += 1
        if seed is not None:
            self._tested.seed = seed


@contextmanager
def open_engines(
    rules: Rules, tables: Tables, stated: Mapping[str, Any] = MappingProxyType({}), engines: Iterable[str] = ()
) -> Iterator[Callable[[str], Engine]]:
    """Yield a function that opens an engine by its name: one of `mnk engines`, or as `mnk verify` takes it.

    stated: parts of the convention of the engines under test, `time`, the seconds for a move, and `sandbox`, as `mnk
    verify` takes them; parts that are None count as not stated. engines: the names of all engines of a match, whose
    files a sandbox hides from each other.

    All processes end, and all engines are closed, with the `with` block. The function raises the errors of
    `make_engine` and of `EngineUnderTest`.
    """
    with ExitStack() as stack:
        ours = {info.name for info in list_engines()}
        known = {name: part for name, part in stated.items() if part is not None}
        sandbox = bool(known.pop("sandbox", False))
        named = [text for text in engines if sandbox and text.partition(":")[0].strip() not in ours]
        files = {text: find_files(text) for text in named}
        limits = Limits.for_moves(known.pop("time", Limits.seconds_per_move))

        def open_engine(text: str) -> Engine:
            if text.partition(":")[0].strip() in ours:
                engine = make_engine(text, rules, tables=tables)
                stack.callback(engine.close)
                return engine
            hidden = list_hidden(files.get(text, []), [file for other in files.values() for file in other])
            given = str(tables) if isinstance(tables, str | os.PathLike) else None
            options = AskOptions(known, limits, sandbox=sandbox, hidden=hidden, tables=given, grades=False)
            return _Player(stack.enter_context(EngineUnderTest(text, rules, options)))

        yield open_engine
