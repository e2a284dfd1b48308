"""Call an engine's code: draw chance from the question alone, take the time, and catch whatever is raised."""

import random
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from solver.game.position import Position
from solver.verification.conventions.interpret import Reply
from solver.verification.conventions.plain import to_plain

__all__ = ["call_engine", "describe_error", "make_seed"]


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
