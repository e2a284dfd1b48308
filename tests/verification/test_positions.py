"""All positions of a game, uniform samples, late positions, and their values."""

from collections import Counter

import pytest

from solver.count import count_positions
from solver.errors import MnkError, NotationError, PositionError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search import is_searchable
from solver.search.forced import find_forced_early
from solver.search.sources import searches_of
from solver.search.truth import Truth, open_tablebase, open_truth
from solver.verification.positions import count_live, draw_late_positions, live_positions, sample_positions
from solver.verification.text import explain_blunder
from solver.verification.verify import Report, verify
from tests.commands import TableFile
from tests.verification.fakes import THREE, FakeEngine, first, perfect

VARIANTS = ["3,3,3", "3,3,3,gravity", "3,3,3,misere", "2,4,2,exact", "3,3,3,torus", "1,7,3", "2,2,3"]
CONNECT_FOUR = parse_game("6,7,4,gravity")


@pytest.mark.parametrize("game", VARIANTS)
def test_all_positions_with_a_legal_move_are_played(game: str) -> None:
    rules = parse_game(game)
    counts = {c.ply: c.positions - c.terminal for c in count_positions(rules) if c.positions > c.terminal}
    positions = live_positions(rules)
    assert len({*positions}) == len(positions) == sum(counts.values())
    assert count_live(Truth(rules, searches_of(rules))) == counts


@pytest.mark.parametrize("game", ["2,3,2", "2,3,2,gravity", "1,4,2,exact"])
def test_a_sample_is_uniform_over_positions(game: str) -> None:
    rules = parse_game(game)
    live, counts = live_positions(rules), count_live(Truth(rules, searches_of(rules)))
    drawn = Counter(p for seed in range(600) for p in sample_positions(rules, 1, seed, counts))
    assert {*drawn} <= {*live}
    expected, degrees = 600 / len(live), len(live) - 1
    chi_squared = sum((drawn[position] - expected) ** 2 / expected for position in live)
    assert chi_squared < degrees + 4 * (2 * degrees) ** 0.5  # seeded: it is the same in every run


@pytest.mark.sampled
@pytest.mark.parametrize(("side", "positions", "wrong"), [("X", 2423, 983), ("O", 2097, 886)])
def test_one_side_is_graded_alone(side: str, positions: int, wrong: int) -> None:
    report = verify(FakeEngine(first), THREE, side=side)
    assert (len(report.verdicts), report.wrong, [*report.refutations]) == (positions, wrong, [side])
    sample = verify(FakeEngine(first), THREE, side=side, sample=50)
    assert {verdict.position.to_move for verdict in sample.verdicts} == {side}
    with pytest.raises(MnkError, match="no side 'x'; choose X"):
        verify(FakeEngine(first), THREE, side="x")


def test_a_sample_follows_from_its_seed_and_has_no_position_twice() -> None:
    counts = count_live(Truth(THREE, searches_of(THREE)))
    sample = sample_positions(THREE, 200, 7, counts)
    assert len({*sample}) == 200
    assert sample == sample_positions(THREE, 200, 7, counts) != sample_positions(THREE, 200, 8, counts)


@pytest.mark.slow
def test_the_interval_of_a_sample_covers_the_true_score(bad: Report) -> None:
    reports = [verify(FakeEngine(first), THREE, sample=300, seed=seed) for seed in range(40)]
    within = 0
    for report in reports:
        assert (report.scope.kind, len(report.verdicts), report.scope.total) == ("sample", 300, 4520)
        assert report.interval is not None
        low, high = report.interval
        assert 0 < low < float(report) < high < 1
        within += low <= float(bad) <= high
    assert within >= 36
    assert "a sample of 300 positions of 4,520" in str(reports[0])


def test_a_larger_game_is_sampled_and_its_table_is_the_truth(table_file: TableFile) -> None:
    with open_tablebase(table_file("4,4,3")) as table:
        report = verify(FakeEngine(first), "4,4,3", sample=50, tables=table)
        assert report.scope.total is not None
        assert report.scope.total > 100_000
        assert report.refutations["O"].beaten
        assert all(verdict.value == table.probe(verdict.position) for verdict in report.verdicts)


def test_a_sample_larger_than_the_game_has_every_position() -> None:
    assert verify(FakeEngine(perfect), THREE, sample=10_000).scope.kind == "all"


def test_only_the_given_positions_are_played() -> None:
    tested = FakeEngine(first)
    report = verify(tested, THREE, at=["XX./OO./...", "start"])
    assert [verdict.position.board for verdict in report.verdicts] == ["XX./OO./...", ".../.../..."]
    assert (len(tested.asked), report.refutations) == (2, {})
    assert len(verify(FakeEngine(first), THREE, at=Position.start(THREE)).verdicts) == 1
    with pytest.raises(PositionError, match="over"):
        verify(FakeEngine(first), THREE, at="XXX/OO./...")
    with pytest.raises(NotationError):
        verify(FakeEngine(first), THREE, at="hello")


# The truth


@pytest.mark.sampled
@pytest.mark.parametrize("game", VARIANTS)
def test_solutions_in_memory_agree_with_the_table(game: str, table_file: TableFile) -> None:
    rules = parse_game(game)
    if rules.squares > 9 and not is_searchable(rules):
        pytest.skip("it is too large to be solved in memory")
    with open_tablebase(table_file(game)) as table:
        truth = Truth(rules, searches_of(rules))
        for position in live_positions(rules):
            assert truth.probe(position) == table.probe(position)
        assert count_live(table) == count_live(Truth(rules, searches_of(rules)))


# Late positions of games without a table


def test_late_positions_follow_from_their_seed() -> None:
    drawn = draw_late_positions(CONNECT_FOUR, 20, 1, 10)
    assert drawn == draw_late_positions(CONNECT_FOUR, 20, 1, 10) != draw_late_positions(CONNECT_FOUR, 20, 2, 10)
    assert len({*drawn}) == 20
    assert all(2 <= 42 - one.ply <= 10 and len(one.legal_moves) > 1 for one in drawn)
    assert all(one.to_move == "O" for one in draw_late_positions(CONNECT_FOUR, 5, 1, 10, "O"))


@pytest.mark.parametrize(
    ("game", "empty"), [("7,7,5,misere", 8), pytest.param("6,9,4,gravity", 32, marks=pytest.mark.slow)]
)
def test_large_games_are_graded_in_a_sample_of_positions_that_a_search_settles(game: str, empty: int) -> None:
    report = verify(FakeEngine(first), parse_game(game), sample=10, seed=3)
    assert (len(report.verdicts), report.refutations) == (10, {})
    assert f"a sample of 10 positions with at most {empty} empty squares, each solved by search" in str(report)
    assert report.interval is not None


def test_large_boards_are_graded_in_positions_that_threats_settle() -> None:
    report = verify(FakeEngine(first), parse_game("7,7,5"), sample=20, seed=3)
    wins = sum(verdict.value is not None for verdict in report.verdicts)
    kinds = report.counts["missed_win"], report.counts["allowed_win"]
    assert 0 < wins < 20
    assert 0 < sum(kinds) == report.wrong
    assert report.refutations == {}
    assert all(one.forced and one.forced.is_defence == (one.value is None) for one in report.verdicts)
    assert f"threats settle: {wins} wins by continuous fours, and {20 - wins} defences against one" in str(report)
    assert not report.passed
    assert " and allows a win within 3 plies: " in str(report)
    assert kinds[0] == sum("misses a win within" in explain_blunder(group)[0] for group in report.groups)


def test_an_engine_that_plays_what_is_forced_passes() -> None:
    def play(position: Position) -> int:
        with open_truth(position.rules) as truth:
            forced = find_forced_early(truth, position)
        assert forced is not None
        return forced.held[-1]

    for side in ("X", "O"):
        report = verify(FakeEngine(play), parse_game("6,6,4"), sample=10, side=side)
        assert (report.passed, float(report), report.takes_wins_in_one) == (True, 1.0, True)
        assert {one.position.to_move for one in report.verdicts} == {side}
        assert "plays what is forced" in str(report)
        assert report.chance < 0.5
