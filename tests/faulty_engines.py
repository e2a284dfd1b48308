"""Engines as no engine should be, each with one fault, and how a test installs them as another package would."""

import os
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import sleep

import pytest

from solver.engines import engine
from solver.engines.engine import ENTRY_POINTS, Choice, Engine, Tables, list_engines
from solver.game.position import Position
from solver.game.rules import Rules

__all__ = ["forget_new_engines", "installed_faulty_engines"]


class Raising(Engine):
    """Raises."""

    def choose(self, position: Position) -> Choice:
        raise ZeroDivisionError("by nothing")


class Illegal(Engine):
    """Always plays the first square, taken or not."""

    deterministic = True

    def choose(self, position: Position) -> Choice:
        return Choice(0)


class Wordy(Engine):
    """Answers with words."""

    def choose(self, position: Position) -> Choice:
        return "the middle"  # type: ignore[return-value]  # this is the fault


class Lost(Engine):
    """Answers with a square that is none."""

    def choose(self, position: Position) -> Choice:
        return Choice("b2")  # type: ignore[arg-type]  # this is the fault


class Stuck(Engine):
    """Plays its first move, then never answers."""

    def choose(self, position: Position) -> Choice:
        while position.ply > 1:
            pass
        return Choice(position.legal_moves[0])


class Unsure(Engine):
    """Never says how probable its moves are."""

    def choose(self, position: Position) -> Choice:
        raise AssertionError("it is not asked")

    def distribution(self, position: Position) -> dict[int, Fraction] | None:
        while True:
            pass


class Slow(Engine):
    """Takes its time."""

    def choose(self, position: Position) -> Choice:
        sleep(0.05)
        return Choice(position.legal_moves[0])


class Dying(Engine):
    """Ends its process."""

    def choose(self, position: Position) -> Choice:
        os._exit(7)


class Unready(Engine):
    """Can't be made ready."""

    def prepare(self, rules: Rules, tables: Tables) -> None:
        raise LookupError("no book")

    def choose(self, position: Position) -> Choice:
        raise AssertionError("it is not asked")


class Improbable(Engine):
    """Its probabilities are none."""

    def choose(self, position: Position) -> Choice:
        return Choice(position.legal_moves[0])

    def distribution(self, position: Position) -> dict[int, Fraction]:
        return dict.fromkeys(position.legal_moves, Fraction(1, 2))


@dataclass
class Doubtful(Engine):
    """Refuses its options."""

    size: int = 0

    def __post_init__(self) -> None:
        raise ValueError(f"a size of {self.size} is out of fashion")

    def choose(self, position: Position) -> Choice:
        raise AssertionError("it can't be made")


FAULTY = (Raising, Illegal, Wordy, Lost, Stuck, Unsure, Slow, Dying, Unready, Improbable, Doubtful)


def forget_new_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is registered from now on is forgotten after the test."""
    list_engines()  # those of the package itself are registered for good
    monkeypatch.setattr(engine, "_ENGINES", dict(engine._ENGINES))


@pytest.fixture
def installed_faulty_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engines of this module by name, such as `raising`, and `absent`, whose module there is not."""
    folder = tmp_path / "faulty_engines-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty-engines\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"{maker.__name__.lower()} = {__name__}:{maker.__name__}" for maker in FAULTY]
    text = "\n".join([f"[{ENTRY_POINTS}]", *lines, f"absent = {__name__}_absent:Absent", ""])
    (folder / "entry_points.txt").write_text(text, encoding="utf-8")
    forget_new_engines(monkeypatch)
    monkeypatch.syspath_prepend(str(tmp_path))
