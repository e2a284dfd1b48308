"""Small games are cut into many shards here."""

import pytest

from solver.solve.shards import lock, objects, plan


@pytest.fixture(autouse=True)
def many_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut classes of any size, and those of some pages into parts."""
    monkeypatch.setattr(plan, "LEAST_BYTES", 1 << 10)
    monkeypatch.setattr(plan, "MOST_BYTES", 1 << 14)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for stores, and for the builds that use them, some hundredths of a second."""
    monkeypatch.setattr(objects, "PAUSES", [0.001] * 6)
    monkeypatch.setattr(lock, "RENEWED", 0.02)
    monkeypatch.setattr(lock, "PATIENCE", 1.0)
