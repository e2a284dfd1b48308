"""Small games are cut into many shards here."""

import pytest

from solver.solve import build_table
from solver.solve.shards import lock, objects, shard_plan

GAME = "4,4,4"


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of an ordinary build."""
    return build_table(GAME, tmp_path_factory.mktemp("whole"), metric="wdl").read_bytes()


@pytest.fixture(autouse=True)
def many_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut classes of any size, and those of some pages into parts."""
    monkeypatch.setattr(shard_plan, "LEAST_BYTES", 1 << 10)
    monkeypatch.setattr(shard_plan, "MOST_BYTES", 1 << 14)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for stores, and for the builds that use them, some hundredths of a second."""
    monkeypatch.setattr(objects, "PAUSES", [0.001] * 6)
    monkeypatch.setattr(lock, "RENEWED", 0.02)
    monkeypatch.setattr(lock, "PATIENCE", 1.0)
