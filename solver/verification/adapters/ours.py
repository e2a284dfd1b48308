"""Engines of this package, and those that others have registered: `alphabeta:cutoff=2`."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from solver.engines.contract import Engine, list_engines, make_engine
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.pooled import PooledEngine
from solver.verification.contract import Answer, AskOptions, EngineUnderTest
from solver.verification.conventions import Convention
from solver.verification.python_engine import Raw, interpreted, reseed, shown
from solver.verification.replies import Reading, plain

__all__ = ["OWN", "is_ours", "open_ours"]

OWN = Convention("solver.Position", reading=Reading("something with a 'move'", "index"))
"""How engines of this package are asked."""


def is_ours(text: str) -> bool:
    """Whether an engine of this name is registered."""
    name = text.partition(":")[0].strip()
    return any(info.name == name for info in list_engines())


def open_ours(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """The engine under test; raises EngineError when it can't be made."""
    return _OurEngineUnderTest(str(spec).strip(), _OurRecipe(str(spec).strip(), options.seed), rules, options)


class _OurEngineUnderTest(PooledEngine):
    def settle(self, facts: Any) -> None:
        del facts
        self.convention = "an engine of this package, asked by its own interface"


@dataclass(frozen=True)
class _OurRecipe:
    text: str
    seed: int

    def open(self, rules: Rules) -> "_OurEngine":
        return _OurEngine(make_engine(self.text, rules), self.seed)


class _OurEngine:
    facts = ()  # there is nothing to find out

    def __init__(self, engine: Engine, seed: int) -> None:
        self._engine, self._seed = engine, seed

    def respond(self, kind: str, way: Any, position: Position, attempt: int) -> Answer:
        """Every question is put to an engine that has forgotten the others, with a seed of its own."""
        del kind, way
        reseed(self._seed, position, attempt)
        begin = perf_counter()
        try:
            self._engine.new_game(hash((self._seed, position.x, position.o, attempt)) & 0xFFFFFFFF)
            reply = self._engine.choose(position)
        except Exception as error:
            raw = Raw(None, error=shown(error), seconds=perf_counter() - begin)
        else:
            raw = Raw(plain(reply), seconds=perf_counter() - begin)
        return interpreted(raw, OWN, position)
