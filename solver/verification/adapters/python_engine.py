"""Run a Python engine inside its process: call it, and read what it returns.

Chance is drawn from the question alone, and whatever is raised is caught.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.chance import make_seed, seed_question
from solver.verification.adapters.entry import Entry
from solver.verification.adapters.facts import encode_facts
from solver.verification.adapters.python_source import EngineSource
from solver.verification.adapters.questions import Question, QuestionRunner
from solver.verification.conventions.convention import Convention, Reply
from solver.verification.conventions.move_formats import to_plain
from solver.verification.helpers import HELPERS


def call_engine(call: Callable[[], Any], seed: int) -> Reply:
    """Return what a call gives back, after seeding what Python and NumPy draw."""
    seed_question(seed)
    try:
        return Reply(to_plain(call()))  # what is returned may be of the engine's making too
    except BaseException as error:  # what an engine raises, SystemExit too, is its answer
        return Reply(None, error=describe_error(error))


def describe_error(error: BaseException) -> str:
    """Return an exception in one line, with the place it comes from."""
    try:
        text = " ".join(f"{type(error).__name__}: {error}"[:1000].split())
    except BaseException:  # its text is code of the engine too
        text = f"{type(error).__name__}, whose text can't be had"
    if isinstance(error, EOFError):
        text += " (it reads from the keyboard)"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = trace.tb_frame.f_code.co_filename.rpartition("/")[2] if trace is not None else ""
    place = f" ({name}:{trace.tb_lineno})" if trace is not None and not name.startswith("<") else ""
    return text[:300] + place


class PythonEngine(QuestionRunner):
    """An engine that is loaded. Loading it raises EngineError and whatever its code raises."""

    def __init__(self, source: EngineSource, seed: int, rules: Rules) -> None:
        super().__init__(rules)
        self._seed = seed
        self._entry = Entry(source, rules)
        self.facts = encode_facts(self._entry.signature)
        """The Signature of the engine."""

    def reply(self, question: Question) -> Reply:
        """Put a question to the function that plays, or to a helper."""
        kind, convention, position, attempt = question
        board = convention.layout.write(position)
        seed = make_seed(self._seed, position, attempt)
        if kind in HELPERS:
            return call_engine(partial(self._entry.call_helper, kind, board), seed)
        reply = call_engine(partial(self._entry.call, convention, position, board), seed)
        return reply if reply.error else self._with_board_left(reply, convention, position, board)

    def _with_board_left(self, reply: Reply, convention: Convention, position: Position, board: Any) -> Reply:
        """Return a reply with the board as it is now, if it was changed since it was given."""
        if not convention.layout.format.is_mutable:
            return reply
        try:
            given, now = to_plain(convention.layout.write(position)), to_plain(self._entry.board_left(board))
        except BaseException as error:  # what stands on the board may be of the engine's making
            return Reply(None, error=describe_error(error))
        return reply if now == given else reply._replace(board=now)
