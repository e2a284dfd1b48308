"""Fixtures that cut small games into many shards."""

from pathlib import Path

import pytest

from solver.solve import lock, pages_build, shard_plan, workspace
from solver.solve.build import build_table
from solver.support.progress import Progress

GAME = "4,4,4"


def build(
    folder: Path,
    store: str | Path | None,
    progress: Progress | None = None,
    game: str = GAME,
    executor: object | None = None,
) -> bytes:
    """Build a table in shards; return its file."""
    path = build_table(game, folder, metric="wdl", force=True, workspace=store, workers=executor, progress=progress)
    return path.read_bytes()


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of an ordinary build."""
    return build_table(GAME, tmp_path_factory.mktemp("whole"), metric="wdl").read_bytes()


@pytest.fixture(autouse=True)
def many_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut classes of any size, and those of some pages into parts; resume from every level; wait only briefly."""
    monkeypatch.setattr(shard_plan, "LEAST_BYTES", 1 << 10)
    monkeypatch.setattr(shard_plan, "MOST_BYTES", 1 << 14)
    monkeypatch.setattr(pages_build, "EVERY", 0.0)
    monkeypatch.setattr(pages_build, "RESTS", 0.0)
    monkeypatch.setattr(workspace, "PAUSES", [0.001] * 6)
    monkeypatch.setattr(lock, "RENEWED", 0.02)
    monkeypatch.setattr(lock, "PATIENCE", 1.0)
