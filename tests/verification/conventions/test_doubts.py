"""What is told of a convention, and what else is possible: readings, profiles, helpers."""

from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.verification.adapters.open import open_engine
from solver.verification.contract import AskOptions, Reading
from solver.verification.conventions.profiles import PROFILES, find_profile, suggest_profile
from solver.verification.verify import verify
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
