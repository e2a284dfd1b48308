"""Let all that an engine draws at random follow from the seed: what its modules draw while they are loaded, too.

Python's set order follows from PYTHONHASHSEED, which is set when a process is started.
"""

import random
import secrets
import sys
from typing import Any

from solver.game.position import Position

_Random = random.Random


def make_seed(seed: int, position: Position, attempt: int) -> int:
    """Return a seed that depends on the question alone, so that whoever asks it by itself gets the same answer."""
    return hash((seed, position.x, position.o, attempt)) & 0xFFFFFFFF


def seed_question(seed: int) -> None:
    """Seed what Python and NumPy draw by themselves, before a question is put."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


def seed_process(seed: int) -> None:
    """Seed all generators that are made without a seed from now on, before an engine is loaded.

    What is drawn from the system itself (`os.urandom`, `random.SystemRandom`) and from the clock stays as it is.
    """
    source = _Random(seed)

    class SeededRandom(_Random):
        """A generator that takes its seed from ours where it is given none."""

        def seed(self, a: Any = None, version: int = 2) -> None:
            super().seed(source.getrandbits(64) if a is None else a, version)

    own: Any = random
    own.Random, own._inst = SeededRandom, SeededRandom(seed)
    for name in dir(own._inst):
        if not name.startswith("_") and getattr(getattr(own, name, None), "__self__", None).__class__ is _Random:
            setattr(own, name, getattr(own._inst, name))
    own_secrets: Any = secrets
    own_secrets.randbits = source.getrandbits  # from which NumPy seeds its generators
    seed_question(seed)
    if "numpy.random.bit_generator" in sys.modules:
        sys.modules["numpy.random.bit_generator"].randbits = source.getrandbits  # type: ignore[attr-defined]
