"""Ask engines of this package, and those that others have registered: `alphabeta:cutoff=2`."""

from functools import partial
from typing import Any, Final

from solver.engines.contract import Choice, list_engines, make_engine
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.pooled import PooledEngine
from solver.verification.contract import Answer, AskOptions, EngineUnderTest
from solver.verification.conventions.board_formats import OWN_POSITION, Layout
from solver.verification.conventions.convention import Convention
from solver.verification.conventions.interpret import interpret_reply
from solver.verification.conventions.move_formats import INDEX, WITH_KEYS, ReplyFormat
from solver.verification.python_engine.calling import call_engine, make_seed

__all__ = ["is_ours", "open_ours"]

_CONVENTION: Final = Convention(Layout(OWN_POSITION), reply=ReplyFormat(WITH_KEYS, INDEX))


def is_ours(text: str) -> bool:
    """Return whether an engine of this name is registered."""
    name = text.partition(":")[0].strip()
    return any(info.name == name for info in list_engines())


def open_ours(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """Open an engine by its name; raises EngineError when it can't be made."""
    name, convention = str(spec).strip(), "an engine of this package, asked by its own interface"
    return PooledEngine(name, partial(_OurEngine, name, options.seed), rules, options, convention=convention)


class _OurEngine:
    facts = ()  # there is nothing to find out

    def __init__(self, name: str, seed: int, rules: Rules) -> None:
        self._engine, self._seed = make_engine(name, rules), seed

    def respond(self, kind: str, convention: Any, position: Position, attempt: int) -> Answer:
        """Put a question to the engine after it has forgotten the others, with a seed of its own."""
        del kind, convention
        seed = make_seed(self._seed, position, attempt)

        def choose() -> Choice:
            self._engine.new_game(seed)
            return self._engine.choose(position)

        return interpret_reply(call_engine(choose, seed), _CONVENTION, position)
