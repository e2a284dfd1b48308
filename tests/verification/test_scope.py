"""Which positions are asked: all of a small game, a sample of a larger one, or those given."""

import pytest

from solver.errors import EngineError, NotationError, PositionError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.tablebase import open_tablebase
from solver.verification.contract import AskOptions
from solver.verification.verify import verify
from tests.commands import TableFile
from tests.verification.fakes import THREE, FakeEngine, first, perfect


def test_the_interval_of_a_sample_holds_the_true_score() -> None:
    truth = float(verify(FakeEngine(first), THREE))
    within = 0
    reports = [verify(FakeEngine(first), THREE, sample=300, seed=seed) for seed in range(10)]
    for report in reports:
        assert (report.scope.kind, report.positions, report.scope.total) == ("sample", 300, 4520)
        assert report.interval is not None
        low, high = report.interval
        assert 0 < low < float(report) < high < 1
        within += low <= truth <= high
    assert within >= 8
    assert "a sample of 300 positions of 4,520" in str(reports[0])
    assert "95% confidence" in str(reports[0])


def test_a_larger_game_is_sampled_and_its_table_is_the_truth(table_file: TableFile) -> None:
    rules = Rules.parse("4,4,3")
    with open_tablebase(table_file("4,4,3")) as table:
        report = verify(FakeEngine(first, rules=rules), rules, sample=50, tables=table)
        assert report.scope.total is not None
        assert report.scope.total > 100_000
        assert report.refutations["O"].beaten
        assert all(verdict.value == table.probe(verdict.position) for verdict in report.verdicts)


def test_a_sample_of_more_than_all_is_all() -> None:
    assert verify(FakeEngine(perfect), THREE, sample=10_000).scope.kind == "all"


def test_only_the_positions_given_are_asked() -> None:
    tested = FakeEngine(first)
    report = verify(tested, THREE, at=["XX./OO./...", "start"])
    assert [verdict.position.board for verdict in report.verdicts] == ["XX./OO./...", ".../.../..."]
    assert len(tested.asked) == 2
    assert verify(FakeEngine(first), THREE, at=Position.start(THREE)).positions == 1
    with pytest.raises(PositionError, match="over"):
        verify(FakeEngine(first), THREE, at="XXX/OO./...")
    with pytest.raises(NotationError):
        verify(FakeEngine(first), THREE, at="hello")


def test_wrong_options_are_refused() -> None:
    for wrong in ({"scope": "some"}, {"scope": "play", "sample": 9}, {"sample": 0}, {"colour": "red"}):
        with pytest.raises(EngineError):
            verify(FakeEngine(first), THREE, **wrong)
    assert verify(FakeEngine(first), THREE, at="start", options=AskOptions(repeat=2)).repeat == 2
