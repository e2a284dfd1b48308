"""Engines that fail: every fault is the answer to one question, and the others are answered all the same."""

import sys
from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.game.position import Position
from solver.verification.adapters.open import open_engine
from solver.verification.contract import AskOptions, Failure
from tests.verification.agents import faulty
from tests.verification.fakes import THREE

FILE = str(Path(faulty.__file__))
START = Position.start(THREE)


@pytest.mark.sampled
@pytest.mark.parametrize("engine", [faulty.all_faults, f"{FILE}:all_faults"], ids=["object", "file"])
def test_each_fault_costs_one_verdict(engine: object) -> None:
    with open_engine(engine, THREE, options=AskOptions(seconds_per_move=1, workers=2)) as tested:
        progress: list[int] = []
        answers = tested.ask([START.play(s) for s in range(9)] + [START] * 20, lambda done, _: progress.append(done))
    failures = [answer.failure for answer in answers[:9]]
    assert failures == [
        Failure.TIMEOUT, Failure.EXCEPTION, Failure.EXCEPTION, Failure.CRASH, Failure.EXCEPTION, Failure.CRASH,
        None, Failure.WRONG_TYPE, Failure.TIMEOUT,
    ]  # fmt: skip
    details = [answer.detail for answer in answers]
    assert details[0] == "no answer within 1 s"
    assert details[1].startswith("ValueError: no idea (faulty.py:")
    assert details[3] == "it ended its own process with exit code 7"
    assert "keyboard" in details[4]
    assert "the middle" in details[7]
    assert {(answer.move, answer.failure) for answer in answers[9:]} == {(0, None)}
    assert progress[-1] == 29


def test_a_taken_square_and_one_off_the_board_are_illegal() -> None:
    with open_engine(faulty.takes, THREE, options=AskOptions(workers=1)) as tested:
        taken, off = tested.ask([START.play(4), Position.from_moves(THREE, [4, 1, 0])])
    assert (taken.move, taken.failure, taken.detail) == (4, Failure.ILLEGAL, "returned 4: b2 is taken")
    assert (off.move, off.failure, off.detail) == (None, Failure.ILLEGAL, "returned 17: no square of the board")


@pytest.mark.parametrize("engine", [faulty.hungry, f"{FILE}:hungry"], ids=["object", "file"])
def test_memory_is_bounded(engine: object) -> None:
    with open_engine(engine, THREE, options=AskOptions(memory=500 * 10**6, workers=1)) as tested:
        hungry, sated = tested.ask([START.play(4), START])
    assert hungry.failure is Failure.EXCEPTION
    assert "MemoryError" in hungry.detail
    assert sated.failure is None


def test_the_memory_of_a_program_is_bounded() -> None:
    program = (
        "import sys\nfor line in sys.stdin: b = line.split()[0].replace('/', '');"
        " print(b.index('.') + len(bytearray((b[4] == 'X' and b.count('.') == 8) << 30)) * 0, flush=True)"
    )
    with open_engine(
        f'cmd:{sys.executable} -c "{program}"', THREE, options=AskOptions(memory=500 * 10**6, workers=1)
    ) as tested:
        hungry, sated = tested.ask([START.play(4), START])
    assert hungry.failure is Failure.CRASH
    assert hungry.output.endswith("MemoryError")
    assert sated.failure is None


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import time; time.sleep(60)", "did not start: not ready after 0.5 s"),
        ("import os; os._exit(9)", "did not start: it ended its own process with exit code 9"),
        ("1 / 0", "can't be loaded: ZeroDivisionError"),
        ("import no_such_library", "No module named 'no_such_library'; install that"),
    ],
)
def test_an_engine_that_does_not_start_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "engine.py"
    file.write_text(text + "\n", encoding="utf-8")
    seconds = 0.5 if "sleep" in text else 60.0
    with pytest.raises(EngineError, match=said):
        open_engine(str(file), THREE, options=AskOptions(seconds_to_start=seconds))
