"""The three grades and the verdicts, on minds whose mistakes are known."""

import pytest
from solver.verification.contract import Answer, Failure

from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import Value
from solver.verification.grade import Blunder, Verdict, judge
from solver.verification.positions import every_position
from solver.verification.verify import verify
from tests.verification.fakes import THREE, FakeEngine, first, minimax, perfect, solved, spoiled


def judged(board: str, *answers: Answer | int) -> Verdict:
    given = tuple(answer if isinstance(answer, Answer) else Answer(answer) for answer in answers)
    return judge(solved(), Position.parse(THREE, board), given)


def test_textbook_minimax_keeps_the_value_and_misses_a_win_in_one_392_times() -> None:
    report = verify(FakeEngine(minimax), "3,3,3")
    assert (report.positions, report.blunders, report.missed_wins_in_one) == (4520, 0, 392)
    assert (report.keeps_the_value, report.is_fastest, report.takes_wins_in_one) == (True, False, False)
    assert (report.slow_wins, report.short_defences) == (400, 85)
    assert (report.passed, float(report), report.exit_code) == (True, 1.0, 0)


def test_the_table_itself_passes_every_grade() -> None:
    report = verify(FakeEngine(perfect), THREE)
    assert (report.keeps_the_value, report.is_fastest, report.takes_wins_in_one) == (True, True, True)
    assert not any(verdict.remarkable for verdict in report.verdicts)


def test_blunders_are_counted_as_an_independent_count_says() -> None:
    report = verify(FakeEngine(first), THREE)
    wrong = 0
    for position in every_position(THREE):
        if not position.is_over:
            worth = [solved().probe(position.play(move)).wdl for move in position.legal_moves]
            wrong += worth[0] != min(worth)
    assert report.blunders == wrong == 1869
    assert sum(report.faults.values()) == wrong
    assert float(report) == 1 - wrong / 4520
    assert report.exit_code == 1


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


def test_a_slow_win_and_a_short_defence_are_no_blunders() -> None:
    slow = judged("XX./O../O..", 4)
    assert (slow.fault, slow.slow_win, slow.value, slow.played) == (None, True, Value(1, 1), Value(1, 3))
    assert slow.best == (2,)
    short = judged("XO./.X./...", 2)
    assert (short.fault, short.short_defence, short.best) == (None, True, (8,))


def test_of_several_answers_the_worst_counts() -> None:
    verdict = judged("XX./OO./...", 2, 6, 2)
    assert (verdict.fault, verdict.answer.move, verdict.unstable) == (Blunder.WIN_TO_LOSS, 6, True)
    assert verdict.moves == (2, 6)
    assert judged("XX./OO./...", 2, Answer(None, Failure.TIMEOUT)).fault is Failure.TIMEOUT
    assert not judged("XX./OO./...", 2, 2).unstable


def test_a_changed_board_is_a_fault_and_hides_no_blunder() -> None:
    right, wrong = (judged("XX./OO./...", Answer(move, Failure.MUTATED)) for move in (2, 6))
    assert (right.fault, right.changed_board) == (Failure.MUTATED, True)
    assert (wrong.fault, wrong.changed_board) == (Blunder.WIN_TO_LOSS, True)


@pytest.mark.sampled
@pytest.mark.parametrize("failure", Failure)
def test_a_failure_is_counted_under_its_name(failure: Failure) -> None:
    board = Position.parse(THREE, "XX./OO./...")

    def mind(position: Position) -> int | Answer:
        move = perfect(position) if failure is Failure.MUTATED else None
        return Answer(move, failure, "it did") if position == board else perfect(position)

    report = verify(FakeEngine(mind), THREE)
    assert report.faults == {failure: 1}
    assert (report.exit_code, float(report)) == (1, 4519 / 4520)
    assert "it did" in str(report)


@pytest.mark.slow
def test_completing_a_line_is_no_win_in_one_where_it_loses() -> None:
    misere = parse_game("3,3,3,misere")
    report = verify(FakeEngine(perfect, rules=misere), misere)
    assert (report.passed, report.is_fastest, report.missed_wins_in_one) == (True, True, 0)


def test_errors_in_one_orientation_are_found_and_named() -> None:
    report = verify(FakeEngine(spoiled("X../.O./..X", 2)), THREE)
    [group] = report.groups
    assert (group.kind, group.orientations, len(group.verdicts)) == (Blunder.DRAW_TO_LOSS, 2, 1)
    assert group.example.position.board == "X../.O./..X"
    assert group.asked == 2
    alone = verify(FakeEngine(spoiled("X../.O./..X", 2)), THREE, at="X../.O./..X")
    assert "in 1 of 1 orientation asked, of 2" in str(alone)
    end = group.example.position.play(2)
    for move in group.line:
        end = end.play(move)
    assert end.outcome == "X"


def test_the_orientations_of_a_group_are_images_of_each_other() -> None:
    report = verify(FakeEngine(first), THREE)
    assert sum(len(group.verdicts) for group in report.groups) == report.blunders
    for group in report.groups:
        assert 1 <= len(group.verdicts) <= group.orientations <= 8
        assert {verdict.position.canonical() for verdict in group.verdicts} == {group.canonical}
        assert {verdict.fault for verdict in group.verdicts} == {group.kind}
