"""A report kept as JSON: only what got worse fails."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.verify import Report, verify
from tests.verification.fakes import THREE, FakeEngine, first, perfect, spoiled


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[Report], Path]:
    def keep(report: Report) -> Path:
        path = tmp_path / "baseline.json"
        path.write_text(report.format("json"), encoding="utf-8")
        return path

    return keep


@pytest.mark.slow
def test_what_was_wrong_before_is_no_news(kept: Callable[[Report], Path]) -> None:
    path = kept(verify(FakeEngine(first), THREE))
    again = verify(FakeEngine(first), THREE, baseline=path)
    assert (again.passed, again.exit_code, again.worse) == (True, 0, ())
    assert again.blunders == 1869
    assert "Nothing is worse than in baseline.json." in str(again)
    assert verify(FakeEngine(perfect), THREE, baseline=path).passed


@pytest.mark.sampled
@pytest.mark.parametrize("before", [perfect, spoiled("X../.O./..X", 6)])
def test_what_got_worse_fails(before: Callable[[Position], int], kept: Callable[[Report], Path]) -> None:
    path = kept(verify(FakeEngine(before), THREE))
    report = verify(FakeEngine(spoiled("XX./OO./...", 6)), THREE, baseline=path)
    assert [verdict.position.board for verdict in report.worse] == ["XX./OO./..."]
    assert report.exit_code == 1


@pytest.mark.slow
def test_a_worse_kind_of_blunder_is_news(kept: Callable[[Report], Path]) -> None:
    path = kept(verify(FakeEngine(spoiled("XX./OO./...", 5)), THREE))
    assert verify(FakeEngine(spoiled("XX./OO./...", 5)), THREE, baseline=path).passed
    assert not verify(FakeEngine(spoiled("XX./OO./...", 6)), THREE, baseline=path).passed


def test_a_baseline_that_is_none_is_refused(kept: Callable[[Report], Path], tmp_path: Path) -> None:
    path = kept(verify(FakeEngine(perfect), THREE))
    with pytest.raises(EngineError, match=r"is of 3,3,3, not of 3,3,3,misere"):
        verify(FakeEngine(first), parse_game("3,3,3,misere"), baseline=path)
    for text in ("", "[]", json.dumps({"game": "3,3,3"}), '{"game": "3,3,3", "faults": [3]}'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(EngineError, match="--format json -o FILE"):
            verify(FakeEngine(first), THREE, baseline=path)
    with pytest.raises(EngineError, match="can't be read"):
        verify(FakeEngine(first), THREE, baseline=tmp_path / "none.json")
