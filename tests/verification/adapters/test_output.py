"""What an engine prints when it fails, and how long one is asked that does not answer."""

import sys
from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.game.position import Position
from solver.verification.adapters import python
from solver.verification.adapters.open import open_engine
from solver.verification.contract import AskOptions, Failure
from solver.verification.formats.text import render_text
from solver.verification.verify import verify
from tests.verification.agents import faulty
from tests.verification.fakes import THREE

AGENTS = Path(__file__).parents[1] / "agents"
START = Position.start(THREE)
OPENINGS = [START.play(square) for square in range(9)]
TALKS = f"{AGENTS / 'faulty.py'}:talks"


@pytest.mark.slow
def test_the_last_that_it_printed_comes_with_each_failure() -> None:
    with open_engine(TALKS, THREE, options=AskOptions(seconds_per_move=0.3, workers=2)) as tested:
        answers = tested.ask([*OPENINGS, START])
    crash, hang, error, flood, taken, *well = answers
    assert [answer.failure for answer in answers[:5]] == [
        Failure.CRASH, Failure.TIMEOUT, Failure.EXCEPTION, Failure.TIMEOUT, Failure.ILLEGAL,
    ]  # fmt: skip
    assert crash.output == "board X        \nlast words"
    assert hang.output == "board  X       \nlast words"
    assert error.output == "board   X      \nlast words"
    assert taken.output == "board     X    \nlast words"
    assert flood.output.endswith("again and again\nagain and again")
    assert len(flood.output) <= 2000
    assert [answer.output for answer in well] == [""] * 5


def test_output_is_shown_with_the_verdict() -> None:
    report = verify(TALKS, THREE, at=OPENINGS[:1], workers=1, board="flat list", marks="X,O, ", moves="index")
    assert "Crash in 1 position" in str(report)
    assert "   It printed:\n   | board X\n   | last words\n" in render_text(report)
    assert report.json()["faults"][0]["output"] == "board X        \nlast words"


@pytest.mark.slow
def test_a_program_is_heard_too() -> None:
    command = f"cmd:{sys.executable} {AGENTS / 'line_faulty.py'}"
    options = AskOptions(seconds_per_move=0.3, seconds_to_start=0.7, workers=1)
    with open_engine(command, THREE, options=options) as tested:
        crash, hang, flood, _, taken, *well = tested.ask(OPENINGS)
    assert (crash.failure, crash.detail) == (Failure.CRASH, "the program ended (exit code 5)")
    assert {"# I was asked X........", "warning: slow"} <= {*crash.output.splitlines()}
    assert hang.failure is Failure.TIMEOUT
    assert "# I was asked .X......." in hang.output
    assert flood.failure is Failure.TIMEOUT
    assert flood.output.endswith("# flood")
    assert len(flood.output.splitlines()) <= 20
    assert taken.failure is Failure.ILLEGAL
    assert "# I was asked ....X...." in taken.output
    assert [(answer.move, answer.failure) for answer in well] == [(0, None)] * 4


@pytest.mark.slow
def test_an_engine_that_hangs_is_given_up() -> None:
    options = AskOptions(seconds_per_move=0.3, workers=1, give_up=4, board="flat list", marks="X,O, ", moves="index")
    late = Position.from_moves(THREE, [0, 1, 2, 3, 4, 5])
    with open_engine(faulty.hangs, THREE, options=options) as tested:
        first = tested.ask([late, *OPENINGS[:3], late, *OPENINGS[:3], late])
        assert tested.remarks() == tested.notes
        rest = [*tested.ask([late]), *tested.ask(OPENINGS)][1:]
    assert [answer.failure for answer in first if answer.move is None] == [Failure.TIMEOUT] * 6
    assert [answer.move for answer in first if answer.failure is None] == [6] * 3
    assert [answer.detail for answer in rest[:4]] == ["no answer within 0.3 s"] * 4
    assert {(a.failure, a.detail) for a in rest[4:]} == {
        (Failure.TIMEOUT, "not asked: too many questions before it had no answer")
    }
    assert tested.remarks()[-1].startswith("gave up after 4 questions in a row without an answer; the 5 not asked")


@pytest.mark.slow
def test_an_engine_that_always_hangs_can_not_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "MOST_LOST_TRIALS", 5)
    with pytest.raises(EngineError, match=r"no answer within 0\.05 s to 5 questions in a row.*--time"):
        open_engine(faulty.sticks, THREE, options=AskOptions(seconds_per_move=0.05, workers=2))


@pytest.mark.slow
def test_one_that_dies_of_some_boards_is_understood_by_the_others() -> None:
    with open_engine(f"{AGENTS / 'faulty.py'}:dies_of_two", THREE, options=AskOptions(workers=2)) as tested:
        assert tested.convention.startswith("board: flat list, where X is 'X', O is 'O', an empty square is ' '")
