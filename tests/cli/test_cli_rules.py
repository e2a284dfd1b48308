"""`mnk rules`: what it writes can be given in the place of a name."""

from pathlib import Path

import pytest

from solver.game.makers.files import read_file
from solver.game.rules import Rules
from tests.commands import assert_refused, mnk


@pytest.mark.parametrize("game", ["3,3,3", "affine,3", "clique,4,3", "3,3,3,maker,x=b2"])
@pytest.mark.parametrize("ending", [".json", ".pg"])
def test_rules_are_written_as_a_file_that_is_a_game(game: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"game{ending}"
    assert mnk("rules", game, "-o", path).exit_code == 0
    assert read_file(path).fingerprint == Rules.parse(game).fingerprint


def test_rules_are_printed_as_json() -> None:
    assert '"c3"' in mnk("rules", "tic-tac-toe").stdout


def test_what_can_not_be_written_is_said(tmp_path: Path) -> None:
    assert_refused(mnk("rules", "sim", "-o", tmp_path / "sim.pg"), 2, "A .pg file can't say misere")
    assert_refused(mnk("rules", "3,3,3", "-o", tmp_path / "rules.txt"), 2, "must end in one of them")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text("mine")
    assert_refused(mnk("rules", "3,3,3", "-o", path), 5, "--force to replace it")
    assert path.read_text() == "mine"
    assert mnk("rules", "3,3,3", "-o", path, "--force").exit_code == 0
    assert read_file(path).squares == 9


def test_a_forecast_says_how_many_symmetries_count() -> None:
    assert "under 360 of 5,760 symmetries" in mnk("forecast", "affine,4", "--threads", "2").stdout
