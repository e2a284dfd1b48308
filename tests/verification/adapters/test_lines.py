"""Engines that are programs: the line protocol of `cmd:`, and Gomocup's."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.adapters.open import open_engine
from solver.verification.contract import AskOptions, Failure
from tests.verification.fakes import THREE

AGENTS = Path(__file__).parents[1] / "agents"
START = Position.start(THREE)
OPTIONS = AskOptions(seconds_per_move=5, workers=2)


def commands(folder: Path) -> dict[str, str]:
    """The commands of the engines whose languages are here; Python and a shell always are."""
    found = {"python": f"{sys.executable} {AGENTS / 'line_engine.py'}", "shell": f"sh {AGENTS / 'line_engine.sh'}"}
    if compiler := shutil.which("cc"):
        program = folder / "line_engine"
        subprocess.run([compiler, "-o", str(program), str(AGENTS / "line_engine.c")], check=True)
        found["C"] = str(program)
    if node := shutil.which("node"):
        found["JavaScript"] = f"{node} {AGENTS / 'line_engine.js'}"
    return found


def test_engines_in_any_language_answer_lines(tmp_path: Path) -> None:
    positions = [START, START.play(0), START.play(4), Position.from_moves(THREE, [0, 4, 1, 2, 6])]
    for language, command in commands(tmp_path).items():
        with open_engine(f"cmd:{command}", THREE, options=OPTIONS) as tested:
            answers = tested.ask(positions)
        assert [answer.move for answer in answers] == [0, 1, 0, 3], language
        assert all(answer.failure is None for answer in answers)
        if language == "python":
            assert [answer.value for answer in answers] == [0.25, -0.25, -0.25, -0.25]
            assert "column letter and row number" in tested.convention


def test_a_program_may_end_after_each_answer_and_fail_on_some() -> None:
    options = AskOptions(seconds_per_move=0.5, seconds_to_start=1, workers=2)
    with open_engine(f"cmd:sh {AGENTS / 'once.sh'}", THREE, options=options) as tested:
        answers = tested.ask([START, START.play(4), START.play(5), START.play(0)])
    assert [answer.move for answer in answers] == [0, None, None, 1]
    assert [answer.failure for answer in answers] == [None, Failure.CRASH, Failure.TIMEOUT, None]
    assert answers[1].detail == "the program ended (exit code 3)"
    assert answers[1].output == "Out of ideas."


def test_the_board_can_be_written_otherwise() -> None:
    options = AskOptions(board="flat string", marks="1,2,0", workers=1)
    program = "import sys\nfor line in sys.stdin: print(line.index('0'), flush=True)"
    with open_engine(f'cmd:{sys.executable} -c "{program}"', THREE, options=options) as tested:
        assert [answer.move for answer in tested.ask([START.play(0).play(1)])] == [2]


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("cmd:no-such-program-here", "There is no program 'no-such-program-here'"),
        ("cmd:'", "can't be read"),
        ("cmd:true", "crash: the program ended .exit code 0.*flushes each line"),
        ("cmd:echo hello", "No legal move could be read .*such as 'hello'"),
        ("gomocup:cat", "did not take the board"),
    ],
)
def test_what_is_no_engine_is_refused(engine: str, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        open_engine(engine, THREE, options=AskOptions(seconds_per_move=1, workers=1))


def test_a_gomocup_brain_hears_the_protocol(tmp_path: Path) -> None:
    log = tmp_path / "heard.txt"
    log.touch()
    brain = f"gomocup:{sys.executable} {AGENTS / 'brain.py'} {log}"
    rules = parse_game("3,4,3")
    start = Position.start(rules)
    options = AskOptions(seconds_per_move=5, workers=1)
    with open_engine(brain, rules, options=options) as tested:
        answers = tested.ask([start, start.play(0).play(5), start.play(6), start.play(6).play(0).play(1)])
        failing = tested.ask([Position.from_moves(rules, [0, 1, 2, 5, 4, 6, 7])])
    assert [answer.move for answer in answers] == [0, 1, 0, 2]
    assert failing[0].failure is Failure.EXCEPTION
    assert failing[0].detail == "ERROR too many stones"
    infos = "INFO timeout_turn 4000|INFO timeout_match 0|INFO rule 0|INFO max_memory 2147483647|"
    heard = log.read_text(encoding="utf-8").replace("\n", "|")
    assert heard.startswith(
        f"RECTSTART 4,3|{infos}RECTSTART 4,3|{infos}BEGIN|TURN 1,1|"
        f"RECTSTART 4,3|{infos}BOARD|2,1,2|DONE|TURN 1,0|"
        f"RECTSTART 4,3|{infos}BOARD|0,0,2|1,0,1|2,0,2|0,1,2|1,1,1|2,1,1|3,1,2|DONE|"
    )
    assert tested.notes == ("the protocol can't say that 3 in a row win; brains play five in a row",)


def test_a_brain_that_refuses_the_board_can_not_be_asked(tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    brain = f"gomocup:{sys.executable} {AGENTS / 'brain.py'} {tmp_path / 'log'}"
    with pytest.raises(EngineError, match="did not take the board of 12,21,5: ERROR unsupported size"):
        open_engine(brain, parse_game("12,21,5"), options=OPTIONS)
