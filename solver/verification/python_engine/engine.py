"""Answer the questions that the process of a Python engine is sent."""

from functools import partial
from typing import Any

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.contract import Answer, Failure
from solver.verification.conventions.convention import Convention
from solver.verification.conventions.interpret import find_changed_board, interpret_reply
from solver.verification.python_engine.calling import call_engine, make_seed
from solver.verification.python_engine.entry import Entry
from solver.verification.python_engine.helpers import HELPERS
from solver.verification.python_engine.source import EngineSource

__all__ = ["PythonEngine"]


class PythonEngine:
    """An engine that is loaded. Loading it raises EngineError and whatever its code raises."""

    def __init__(self, source: EngineSource, seed: int, rules: Rules) -> None:
        self._seed = seed
        self._entry = Entry(source, rules)
        self.facts = self._entry.signature
        """The Signature of the engine."""

    def respond(self, kind: str, convention: Convention, position: Position, attempt: int) -> Any:
        """Answer one question: `try` gives a Reply, `answer` an Answer, the kind of a helper what that says."""
        board = convention.layout.write(position)
        seed = make_seed(self._seed, position, attempt)
        if kind in HELPERS:
            reply = call_engine(partial(self._entry.call_helper, kind, board), seed)
            if reply.error:
                return Answer(None, Failure.EXCEPTION, reply.error)
            return HELPERS[kind].read(reply.returned, convention, position)
        reply = call_engine(partial(self._entry.call, convention, position, board), seed)
        if not reply.error:
            reply = reply._replace(board=find_changed_board(convention, position, board))
        return reply if kind == "try" else interpret_reply(reply, convention, position)
