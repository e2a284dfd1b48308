"""All positions of a game, and uniform samples of them."""

from collections import Counter

import pytest
from solver.verification.contract import AskOptions

from solver.count import count_positions
from solver.errors import EngineError, NotationError, PositionError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.tablebase import open_tablebase
from solver.verification.positions import PlyCount, count_plies, live_positions, sample_positions
from solver.verification.verify import verify
from tests.commands import TableFile
from tests.verification.fakes import THREE, FakeEngine, first, perfect

VARIANTS = ["3,3,3", "3,3,3,gravity", "3,3,3,misere", "2,4,2,exact", "3,3,3,torus", "1,7,3", "2,2,3"]


@pytest.mark.parametrize("game", VARIANTS)
def test_all_positions_with_a_move_to_make_are_asked(game: str) -> None:
    rules = parse_game(game)
    counts = {c.ply: PlyCount(c.positions, c.positions - c.terminal) for c in count_positions(rules)}
    positions = live_positions(rules)
    assert len(set(positions)) == len(positions) == sum(count.live for count in counts.values())
    assert count_plies(rules, None) == counts


@pytest.mark.parametrize("game", ["2,3,2", "2,3,2,gravity", "1,4,2,exact"])
def test_a_sample_is_uniform_over_positions(game: str) -> None:
    rules = parse_game(game)
    live = live_positions(rules)
    counts = count_plies(rules, None)
    drawn = Counter(p for seed in range(600) for p in sample_positions(rules, 1, seed, counts))
    assert set(drawn) <= set(live)
    expected = 600 / len(live)
    chi_squared = sum((drawn[position] - expected) ** 2 / expected for position in live)
    degrees = len(live) - 1
    assert chi_squared < degrees + 4 * (2 * degrees) ** 0.5  # seeded: it is the same in every run


@pytest.mark.sampled
@pytest.mark.parametrize(("side", "positions", "wrong"), [("X", 2423, 983), ("O", 2097, 886)])
def test_one_side_is_graded_alone(side: str, positions: int, wrong: int) -> None:
    report = verify(FakeEngine(first), THREE, side=side)
    assert (report.positions, report.blunders, [*report.refutations]) == (positions, wrong, [side])
    assert f"every position with a move to make for {side}, {positions:,} positions" in str(report)
    sample = verify(FakeEngine(first), THREE, side=side, sample=50)
    assert {verdict.position.to_move for verdict in sample.verdicts} == {side}
    with pytest.raises(EngineError, match="no side 'x'; choose X"):
        verify(FakeEngine(first), THREE, side="x")


def test_a_sample_follows_from_its_seed_and_has_no_position_twice() -> None:
    counts = count_plies(THREE, None)
    sample = sample_positions(THREE, 200, 7, counts)
    assert len(set(sample)) == 200
    assert sample == sample_positions(THREE, 200, 7, counts)
    assert sample != sample_positions(THREE, 200, 8, counts)


@pytest.mark.slow
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
    rules = parse_game("4,4,3")
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
