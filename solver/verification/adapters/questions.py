"""Put questions to engines that run in Python processes of ours, and read what comes back: plain data alone."""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.contract import Answer, Failure
from solver.verification.conventions.convention import Convention, Reply, interpret_reply
from solver.verification.conventions.move_formats import DEEPEST, LONGEST, Opaque, to_plain
from solver.verification.helpers import HELPERS


class Question(NamedTuple):
    """A question to an engine."""

    kind: str
    """`try` for a Reply, `answer` for an Answer, the kind of a helper for what that says."""
    convention: Convention
    position: Position
    attempt: int = 0


Sent = tuple[str, bytes, int, int, int]
"""A question on its way to a process: kind, convention as a pickle, X's stones, O's stones, attempt."""


class QuestionRunner(ABC):
    """Answers questions inside a process; its replies leave it as plain data."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.facts: Any = None

    def run(self, sent: Sent) -> Any:
        """Answer one question."""
        kind, convention, x, o, attempt = sent
        position = Position._of(self.rules, x, o)
        reply = self.reply(Question(kind, _read_convention(convention), position, attempt))
        return [encode_plain(reply.returned), encode_plain(reply.board), reply.error]

    @abstractmethod
    def reply(self, question: Question) -> Reply:
        """Reply to a question; what is in the reply is plain (`to_plain`)."""


_read_convention: Final[Callable[[bytes], Convention]] = lru_cache(maxsize=4096)(pickle.loads)
_write_convention: Final[Callable[[Convention], bytes]] = lru_cache(maxsize=4096)(pickle.dumps)


def write_question(question: Question) -> Sent:
    """Return a question as it is sent."""
    position = question.position
    return question.kind, _write_convention(question.convention), position.x, position.o, question.attempt


def encode_plain(data: Any) -> Any:
    """Return plain data in the forms that JSON has."""
    if isinstance(data, Opaque):
        return {"object": data.text}
    if isinstance(data, tuple):
        return [encode_plain(item) for item in data]
    if isinstance(data, dict):
        return {"dict": [[key, encode_plain(item)] for key, item in data.items()]}
    return data


def decode_plain(data: Any, depth: int = 0) -> Any:
    """Return what `encode_plain` made as plain data, within the bounds of `to_plain`. Raises ValueError else."""
    if data is None or isinstance(data, int | float | str):
        if isinstance(to_plain(data), Opaque):
            raise ValueError
        return data
    if depth > DEEPEST:
        raise ValueError
    if isinstance(data, list):
        return tuple([decode_plain(item, depth + 1) for item in data])
    match data:
        case {"object": str(text)}:
            return Opaque(_clean(text))
        case {"dict": list(items)}:
            return {str(key): decode_plain(item, depth + 1) for key, item in items}
    raise ValueError


def _clean(text: str) -> str:
    """Return a text of an engine's process so that it can be printed."""
    return text[:LONGEST].encode("utf-8", "backslashreplace").decode()


def read_reply(question: Question, sent: Any, seconds: float) -> Any:
    """Return what an engine's process sent as what was asked for."""
    try:
        returned, board, error = sent
        reply = Reply(decode_plain(returned), decode_plain(board), _clean(str(error)), seconds)
    except (ValueError, TypeError):
        return Answer(None, Failure.WRONG_TYPE, "its process sent no reply that can be read", seconds=seconds)
    if question.kind == "try":
        return reply
    if question.kind == "answer":
        return interpret_reply(reply, question.convention, question.position)
    if reply.error:
        return Answer(None, Failure.EXCEPTION, reply.error, seconds=seconds)
    return HELPERS[question.kind].read(reply.returned, question.convention, question.position)
