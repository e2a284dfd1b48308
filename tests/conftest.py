"""What the tests share: tables built once a session, and settings that hold for all."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

import solver
from solver.store.schema import METRICS, Metric

ROOT = Path(__file__).resolve().parent.parent

# A first example may compile a kernel, so there is no deadline; the examples are the same in every run.
settings.register_profile("tests", deadline=None, derandomize=True)
settings.load_profile("tests")


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the person running the tests has set for `mnk` stays out of them."""
    monkeypatch.delenv("MNK_DATA", raising=False)


@pytest.fixture(scope="session")
def table_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`table_file("4,4,4", metric="wdl")`: the file of that table, built on first use. Not to be changed."""
    folders = {metric: tmp_path_factory.mktemp(metric) for metric in METRICS}

    @cache
    def built(game: str, metric: Metric = "distance") -> Path:
        return solver.build_table(solver.Rules.parse(game), folders[metric], metric=metric)

    return built
