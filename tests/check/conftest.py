"""Fixtures shared by the tests of the check."""

import shutil
from functools import cache
from pathlib import Path

import pytest

from solver.store.schema import Metric
from tests.check.tables import Copy, TableFile, execute, slow_pages_build


@pytest.fixture(scope="session")
def slow_pages(tmp_path_factory: pytest.TempPathFactory) -> TableFile:
    """`slow_pages("3,3,3", "wdl")`: a table of pages of a small game by the slow builder. Not to be changed."""

    @cache
    def built(game: str, metric: Metric = "distance") -> Path:
        return slow_pages_build(game, tmp_path_factory.mktemp("pages"), metric)

    return built


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """A copy of a table that may be changed."""

    def copied(path: Path) -> Path:
        return Path(shutil.copy(path, tmp_path))

    return copied


@pytest.fixture
def mislabelled(table_file: TableFile, tmp_path: Path) -> Path:
    """A table of 4,4,4,misere labelled as 4,4,4, which has the same size and symmetries but other values."""
    path = Path(shutil.copy(table_file("4,4,4,misere"), tmp_path / "mnk-4-4-4.sqlite"))
    execute(path, "UPDATE meta SET value = '4,4,4' WHERE key = 'game'")
    return path
