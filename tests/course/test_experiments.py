"""Tests of the list of experiments: their names, and those that they had before."""

import json

import pytest

from solver.course.experiments import OLD_NAMES, list_experiments
from tests.commands import mnk


def test_experiments_are_named_by_topic() -> None:
    names = [experiment.name for experiment in list_experiments()]
    assert names == sorted(names)
    assert {*OLD_NAMES.values()} | {"speed"} == {*names}
    assert all(experiment.title.endswith(".") for experiment in list_experiments())


@pytest.mark.parametrize("old", [name for name in OLD_NAMES if name in {"seed_003", "seed_004"}])
def test_old_names_are_taken(old: str) -> None:
    rows = json.loads(mnk("experiments", old, "--json").stdout)
    assert [*rows] == [OLD_NAMES[old]]
    assert all(row["agrees"] for row in rows[OLD_NAMES[old]])


def test_old_names_are_not_offered() -> None:
    assert "seed" not in mnk("experiments", "--help").stdout
    refused = mnk("experiments", "seed_009")
    assert refused.exit_code == 2
    assert "seed_000" not in refused.stderr
