"""What is told of a convention, and what else is possible: readings, profiles, helpers."""

from pathlib import Path
from typing import Any

import pytest

from solver.errors import EngineError
from solver.game.position import Position
from solver.verification.adapters.open import open_engine
from solver.verification.contract import Answer, AskOptions, Failure, Reading
from solver.verification.conventions.board_formats import OWN_POSITION, Layout
from solver.verification.conventions.candidates import Candidate
from solver.verification.conventions.convention import Convention, Reply
from solver.verification.conventions.doubts import _drop_alike
from solver.verification.conventions.profiles import PROFILES, find_profile, suggest_profile
from solver.verification.conventions.replies import Tried
from solver.verification.truth import open_truth
from solver.verification.verify import verify
from tests.commands import TableFile
from tests.verification.fakes import THREE, FakeEngine, first, perfect

ALWAYS_O = """
HUMAN, AI = "X", "O"

def winner(board):
    return None

def utility(board):
    return 0

def best_move(board):
    return [square for square in range(9) if board[square] not in (HUMAN, AI)][0]
"""
NUMBERS = """
def winner(board):
    return None

def best_move(board):
    return max((s for s in range(9) if not board[s]), key=lambda s: (sum(board) * s) % 7)
"""
BITS = """
def best_move(board):
    return 1 << next(square for square in (4, 0, 2, 6, 8, 1, 3, 5, 7) if board[square] == " ")
"""  # a bit is a move beside bitboards only, so that no reading fits
SETTLED = AskOptions(workers=1, board="flat list", marks="X,O, ", moves="index")


class Doubtful(FakeEngine):
    """By another reading O would be asked otherwise, and perfect then."""

    def readings(self) -> list[Reading]:
        as_o = Reading("O is asked otherwise", "XO", "O", FakeEngine(perfect).ask)
        return [Reading("its side is always O", "O", "", self.ask), as_o]


@pytest.mark.slow
def test_every_reading_is_graded_and_what_counts_stays_as_it_is() -> None:
    report = verify(Doubtful(first), THREE)
    assert (report.blunders, report.passed) == (1869, False)
    assert [(one.positions, one.wrong) for one in report.readings] == [(2097, 886), (4520, 983)]
    for line in (
        "as it stands, which counts: 1,869 of 4,520 positions wrong",
        "if its side is always O: 886 of 2,097 positions wrong",
        "if O is asked otherwise: 983 of 4,520 positions wrong",
    ):
        assert line in str(report)
        assert line in report.format("markdown")
        assert line in report.format("html")
    assert report.json()["readings"][0]["condition"] == "its side is always O"


def test_nothing_else_is_asked_of_an_engine_without_a_fault() -> None:
    assert not verify(Doubtful(perfect), THREE, sample=50).readings


@pytest.mark.slow
def test_a_report_says_what_was_told_from_what(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(ALWAYS_O, encoding="utf-8")
    with open_engine(f"{path}:best_move", THREE, options=AskOptions(workers=1)) as tested:
        assert tested.told[1] == "marks: AI, HUMAN are constants of its source"
        assert "it calls its own side AI" in tested.told[2]
        assert [(one.condition, one.sides, one.anew) for one in tested.readings()] == [
            ("its side is always O", "O", "")
        ]
        assert {*tested.helpers()} == {"winner"}  # a utility may be from its own side
    with open_engine(f"{path}:best_move", THREE, options=SETTLED) as tested:
        assert tested.told[:2] == (
            "board and moves as they were settled: 20 of 20 replies are legal",
            "marks: as they were settled",
        )


def test_a_reading_under_which_half_of_the_replies_or_fewer_are_legal_is_doubted(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(BITS, encoding="utf-8")
    with open_engine(f"{path}:best_move", THREE, options=AskOptions(workers=1)) as tested:
        assert tested.notes == (
            "of 20 trials 20 had a reply, and 7 replies were legal; half or fewer, so this reading may be wrong",
        )
        assert tested.told[0].startswith("board and moves: the first forms with which 7 of 20 replies are legal")


@pytest.mark.parametrize(("legal", "is_doubtful"), [(0, False), (1, True), (10, True), (11, False), (20, False)])
def test_a_half_is_few(legal: int, is_doubtful: bool) -> None:  # without a legal reply a reading is refused
    convention = Convention(Layout(OWN_POSITION))
    moves = tuple(0 if number < legal else None for number in range(20))
    assert Tried(Candidate(convention), convention, moves, given=20).is_doubtful == is_doubtful


@pytest.mark.slow
def test_helpers_are_not_judged_where_the_marks_are_not_certain(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(NUMBERS, encoding="utf-8")
    with open_engine(f"{path}:best_move", THREE, options=AskOptions(workers=1)) as tested:
        assert not tested.helpers()
        assert any("O is 2" in one.condition for one in tested.readings())


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("cs50", "[(r, c) for r in range(3) for c in range(3) if board[r][c] is None][0]"),
        ("geeksforgeeks", "[(r, c) for r in range(3) for c in range(3) if board[r][c] == '_'][0]"),
        ("kaggle", "board.board.index(0)"),
        ("aima", "board.moves[0]"),
        ("sutton-barto", "[(r, c, 1) for r in range(3) for c in range(3) if board[r, c] == 0][0]"),
    ],
)
def test_a_profile_settles_everything(name: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(f"def best_move(board):\n    return {code}\n", encoding="utf-8")
    report = verify(str(path), THREE, profile=name, workers=1, sample=40)
    side = PROFILES[name].side
    assert report.failures == 0
    assert (report.scope.side, {*report.refutations}) == (side, {side} if side else {"X", "O"})
    assert report.values is None
    assert f"--profile {name}" in report.command(report.verdicts[0])


def test_profiles_are_suggested_by_names() -> None:
    for name, profile in PROFILES.items():
        assert suggest_profile(profile.names) == name
    assert suggest_profile(frozenset({"minimax", "winner"})) is None
    with pytest.raises(EngineError, match="--profile 'mit' is unknown; choose one of cs50, geeksforgeeks"):
        find_profile("mit")


OWN_MARKS = '''
LINES = [[4 * r + c for c in range(4)] for r in range(4)] + [[4 * r + c for r in range(4)] for c in range(4)]
LINES += [[0, 5, 10, 15], [3, 6, 9, 12]]


def get_move(board):
    """{words}"""
    for mark in (1, -1):
        for line in LINES:
            cells = [board[square] for square in line]
            if cells.count(mark) == 3 and cells.count(0) == 1:
                return line[cells.index(0)]
    return board.index(0)
'''


@pytest.mark.slow
@pytest.mark.parametrize("words", ["Wins, blocks, or takes the first. 1 is its own stone, -1 the other's.", ""])
def test_an_engine_that_marks_its_own_stones_is_counted_so_on_four_by_four(
    words: str, tmp_path: Path, table_file: TableFile
) -> None:
    """Without a word of it, it is asked with X as 1, and counted by its own marks in a line of its own."""
    text = OWN_MARKS.format(words=words)
    (tmp_path / "engine.py").write_text(text, encoding="utf-8")
    tables = table_file("4,4,4").parent
    report = verify(f"{tmp_path / 'engine.py'}:get_move", "4,4,4", sample=200, tables=tables, workers=1)
    program: dict[str, Any] = {}
    exec(text, program)
    truth, wrong, missed = open_truth(report.rules, tables), 0, 0
    for position in (verdict.position for verdict in report.verdicts):
        signs = {position.to_move: 1, ".": 0}
        move = program["get_move"]([signs.get(cell, -1) for cell in position.cells])
        values = dict(truth.moves(position))
        wrong += values[move].wdl < max(value.wdl for value in values.values())
        missed += any(position.play(m).outcome == position.to_move for m in values) and (
            position.play(move).outcome != position.to_move
        )
    assert missed == 0
    if words:
        assert (report.blunders, report.missed_wins_in_one) == (wrong, 0)
        assert any(one.condition.endswith("whoever moves") for one in report.readings)
    else:
        assert report.blunders > wrong
        [own] = [one for one in report.readings if one.condition.startswith("the side to move is 1")]
        assert own.wrong == wrong


def test_a_trial_that_the_clock_took_tells_no_two_conventions_apart() -> None:
    def tried(*moves: int | None) -> Any:
        lost = Answer(None, Failure.TIMEOUT)
        results = [(Position.start(THREE), lost if move is None else Reply(returned=move)) for move in moves]
        convention = Convention(Layout(OWN_POSITION))
        return Tried(Candidate(convention), convention, moves, results=results)

    assert not _drop_alike([tried(1, 2, 3), tried(1, None, 3), tried(None, 2, 3)])
    assert len(_drop_alike([tried(1, 2, 3), tried(1, None, 4), tried(1, 2, None)])) == 1


def test_odd_marks_that_no_source_names_are_remarked(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text("def f(b):\n    return list.index(b, '0')\n", encoding="utf-8")
    with open_engine(f"{file}:f", THREE, options=AskOptions(workers=1, seconds_to_start=60)) as tested:
        assert any("its marks are odd (X is '1', O is '2', an empty square is '0')" in one for one in tested.remarks())
