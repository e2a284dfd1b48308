"""Run a Python engine inside its process: call it, and read what it returns.

Chance is drawn from the question alone, time is taken, and whatever is raised is caught.
"""

import random
import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.entry import Entry
from solver.verification.adapters.pooled import Question
from solver.verification.adapters.python_source import EngineSource
from solver.verification.contract import Answer, Failure
from solver.verification.conventions.convention import Reply, find_changed_board, interpret_reply
from solver.verification.conventions.move_formats import to_plain
from solver.verification.helpers import HELPERS


def call_engine(call: Callable[[], Any], seed: int) -> Reply:
    """Return what a call gives back, after seeding what Python and NumPy draw."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
    begin = perf_counter()
    try:
        returned = call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # what an engine raises, SystemExit too, is its answer
        return Reply(None, error=describe_error(error), seconds=perf_counter() - begin)
    seconds = perf_counter() - begin
    return Reply(to_plain(returned), seconds=seconds)


def make_seed(seed: int, position: Position, attempt: int) -> int:
    """Return a seed that depends on the question alone, so that whoever asks it by itself gets the same answer."""
    return hash((seed, position.x, position.o, attempt)) & 0xFFFFFFFF


def describe_error(error: BaseException) -> str:
    """Return an exception in one line, with the place it comes from."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, EOFError):
        text += " (it reads from the keyboard)"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = trace.tb_frame.f_code.co_filename.rpartition("/")[2] if trace is not None else ""
    place = f" ({name}:{trace.tb_lineno})" if trace is not None and not name.startswith("<") else ""
    return text[:300] + place


class PythonEngine:
    """An engine that is loaded. Loading it raises EngineError and whatever its code raises."""

    def __init__(self, source: EngineSource, seed: int, rules: Rules) -> None:
        self._seed = seed
        self._entry = Entry(source, rules)
        self.facts = self._entry.signature
        """The Signature of the engine."""

    def run(self, question: Question) -> Any:
        """Answer one question: `try` gives a Reply, `answer` an Answer, the kind of a helper what that says."""
        kind, convention, position, attempt = question
        board = convention.layout.write(position)
        seed = make_seed(self._seed, position, attempt)
        if kind in HELPERS:
            reply = call_engine(partial(self._entry.call_helper, kind, board), seed)
            if reply.error:
                return Answer(None, Failure.EXCEPTION, reply.error)
            return HELPERS[kind].read(reply.returned, convention, position)
        reply = call_engine(partial(self._entry.call, convention, position, board), seed)
        if not reply.error:
            reply = reply._replace(board=find_changed_board(convention, position, self._entry.board_left(board)))
        return reply if kind == "try" else interpret_reply(reply, convention, position)
