"""Engines with one fault each, and a fixture that installs them like another package."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from time import sleep

import pytest

from solver.engines import engine
from solver.engines.engine import ENTRY_POINTS, Choice, Engine, Tables, list_engines
from solver.game.position import Position
from solver.game.rules import Rules

__all__ = ["forget_new_engines", "installed_faulty_engines"]


class Raising(Engine):
    """An engine that raises an exception."""

    def choose(self, position: Position) -> Choice:
        raise ZeroDivisionError("by nothing")


class Illegal(Engine):
    """An engine that always plays the first square, even if it is taken."""

    deterministic = True

    def choose(self, position: Position) -> Choice:
        return Choice(0)


class Wordy(Engine):
    """An engine that returns words."""

    def choose(self, position: Position) -> Choice:
        return "the middle"  # type: ignore[return-value]  # this is the fault


class Lost(Engine):
    """An engine that returns an invalid square."""

    def choose(self, position: Position) -> Choice:
        return Choice("b2")  # type: ignore[arg-type]  # this is the fault


class Slow(Engine):
    """An engine that is slow."""

    def choose(self, position: Position) -> Choice:
        sleep(0.05)
        return Choice(position.legal_moves[0])


class Unready(Engine):
    """An engine that cannot be prepared."""

    def prepare(self, rules: Rules, tables: Tables) -> None:
        raise LookupError("no book")

    def choose(self, position: Position) -> Choice:
        raise AssertionError("it is not asked")


class Improbable(Engine):
    """An engine with invalid probabilities."""

    def choose(self, position: Position) -> Choice:
        return Choice(position.legal_moves[0])

    def distribution(self, position: Position) -> dict[int, Fraction]:
        return dict.fromkeys(position.legal_moves, Fraction(1, 2))


@dataclass
class Doubtful(Engine):
    """An engine that rejects its options."""

    size: int = 0

    def __post_init__(self) -> None:
        raise ValueError(f"a size of {self.size} is out of fashion")

    def choose(self, position: Position) -> Choice:
        raise AssertionError("it can't be made")


FAULTY = (Raising, Illegal, Wordy, Lost, Slow, Unready, Improbable, Doubtful)


@cache
def _register_own_engines() -> None:
    """Register the engines of the package itself, permanently."""
    list_engines()


def forget_new_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unregister after the test all engines that are registered from now on."""
    _register_own_engines()
    monkeypatch.setattr(engine, "_ENGINES", dict(engine._ENGINES))


@pytest.fixture
def installed_faulty_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the engines of this module by name, such as `raising`, and `absent`, whose module is missing."""
    folder = tmp_path / "faulty_engines-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty-engines\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"{maker.__name__.lower()} = {__name__}:{maker.__name__}" for maker in FAULTY]
    text = "\n".join([f"[{ENTRY_POINTS}]", *lines, f"absent = {__name__}_absent:Absent", ""])
    (folder / "entry_points.txt").write_text(text, encoding="utf-8")
    forget_new_engines(monkeypatch)
    monkeypatch.syspath_prepend(str(tmp_path))
