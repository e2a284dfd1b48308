"""The three grades and the verdicts, on engines with known mistakes."""

from fractions import Fraction

import pytest

from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import Value
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.grade import Blunder, Verdict, judge
from solver.verification.verify import Report, verify
from tests.slow_build import Oracle
from tests.verification.fakes import THREE, FakeEngine, graded, minimax, perfect, solved, spoiled


def judged(board: str, move: int) -> Verdict:
    verdict = judge(solved(), Position.parse(THREE, board), EngineAnswer(move))
    assert verdict is not None
    return verdict


def test_textbook_minimax_keeps_the_value_and_misses_a_win_in_one_392_times() -> None:
    report = graded(minimax)
    assert (len(report.verdicts), report.wrong, report.counts["missed_win_in_one"]) == (4520, 0, 392)
    assert (report.is_fastest, report.takes_wins_in_one) == (False, False)
    assert (report.counts["slow_win"], report.counts["short_defence"]) == (400, 85)
    assert (report.passed, float(report)) == (True, 1.0)


def test_the_table_itself_passes_every_grade(good: Report) -> None:
    assert (good.passed, good.is_fastest, good.takes_wins_in_one) == (True, True, True)


def test_the_score_counts_positions_where_a_mistake_is_possible(bad: Report) -> None:
    """The shares are recomputed from the children's values."""
    truth, kept, critical = Oracle(THREE), Fraction(0), 0
    for verdict in bad.verdicts:
        values = [truth.value(verdict.position.play(move)).wdl for move in verdict.position.legal_moves]
        if len({*values}) > 1:
            kept, critical = kept + Fraction(values.count(min(values)), len(values)), critical + 1
    assert (len(bad.counted), bad.wrong) == (critical, 1869) == (3191, 1869)
    assert bad.chance == pytest.approx(float(kept / critical))
    assert round(bad.chance, 4) == 0.4046
    assert float(bad) == 1 - 1869 / 3191


@pytest.mark.parametrize(
    ("board", "move", "fault", "missed"),
    [
        ("X../.O./..X", 1, None, False),  # O keeps the draw on a side
        ("X../.O./..X", 2, Blunder.DRAW_TO_LOSS, False),
        ("XX./OO./...", 2, None, False),
        ("XX./OO./...", 6, Blunder.WIN_TO_LOSS, True),
        ("XX./OO./...", 5, Blunder.WIN_TO_DRAW, True),
        ("XX./O../O..", 4, None, True),
        ("XX./O../O..", 3, Failure.ILLEGAL, False),
        ("XX./O../O..", 99, Failure.ILLEGAL, False),
    ],
)
def test_a_move_is_judged_by_what_it_gives_away(board: str, move: int, fault: object, missed: bool) -> None:
    verdict = judged(board, move)
    assert (verdict.fault, verdict.missed_win_in_one) == (fault, missed)


def test_a_slow_win_and_a_short_defence_are_not_blunders() -> None:
    slow = judged("XX./O../O..", 4)
    assert (slow.fault, slow.inaccuracy, slow.value, slow.played) == (None, "slow_win", Value(1, 1), Value(1, 3))
    assert slow.best == (2,)
    short = judged("XO./.X./...", 2)
    assert (short.fault, short.inaccuracy, short.best) == (None, "short_defence", (8,))


@pytest.mark.sampled
@pytest.mark.parametrize("failure", Failure)
def test_a_failure_is_counted_under_its_name(failure: Failure) -> None:
    board = Position.parse(THREE, "XX./OO./...")

    def mind(position: Position) -> int | EngineAnswer:
        return EngineAnswer(None, failure, "it did") if position == board else perfect(position)

    report = verify(FakeEngine(mind), THREE)
    assert (report.wrong, report.counts[failure]) == (1, 1)
    assert (report.passed, float(report), report.takes_wins_in_one) == (False, 1 - 1 / 3191, False)
    assert "it did" in str(report)


@pytest.mark.slow
def test_completing_a_line_is_not_a_win_in_one_in_misere() -> None:
    misere = parse_game("3,3,3,misere")
    report = verify(FakeEngine(perfect), misere)
    assert (report.passed, report.is_fastest, report.takes_wins_in_one) == (True, True, True)


def test_errors_in_one_orientation_are_found_and_named() -> None:
    report = verify(FakeEngine(spoiled("X../.O./..X", 2)), THREE)
    [group] = report.groups
    assert (group.kind, group.orientations, len(group.verdicts)) == (Blunder.DRAW_TO_LOSS, 2, 1)
    assert group.verdicts[0].position.board == "X../.O./..X"
    end = group.verdicts[0].position.play(2)
    for move in group.line:
        end = end.play(move)
    assert end.outcome == "X"


def test_the_orientations_of_a_group_are_images_of_each_other(bad: Report) -> None:
    assert sum(len(group.verdicts) for group in bad.groups) == bad.wrong
    for group in bad.groups:
        assert 1 <= len(group.verdicts) <= group.orientations <= 8
        assert {verdict.position.canonical() for verdict in group.verdicts} == {group.canonical}
        assert {verdict.fault for verdict in group.verdicts} == {group.kind}
