"""`mnk verify`: exit codes, options, files; most engines are fakes (tests/verification runs real ones)."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from solver.cli import main
from solver.cli.options import read_size
from solver.errors import EngineError
from solver.game.position import Position
from solver.verification import verify as module
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.find_engine import AskOptions
from solver.verification.formats import FORMATS
from tests.commands import PROCESS, assert_refused, mnk
from tests.verification.fakes import FakeEngine, first, minimax, perfect


def fumbling(position: Position) -> EngineAnswer:
    return EngineAnswer(None, Failure.TIMEOUT, "no answer") if position.ply == 8 else EngineAnswer(perfect(position))


MINDS = {mind.__name__: mind for mind in (perfect, minimax, first, fumbling)}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[AskOptions]:
    """The options that engines were opened with; `agent.py:NAME` is the fake engine of that name."""
    asked: list[AskOptions] = []

    class Fake(FakeEngine):
        def __init__(self, spec: str, rules: object, options: AskOptions) -> None:
            asked.append(options)
            name = spec.removeprefix("agent.py:")
            if name not in MINDS:
                raise EngineError(f"There is no {name} in agent.py.")
            super().__init__(MINDS[name])
            self.name = spec

    monkeypatch.setattr(module, "EngineUnderTest", Fake)
    return asked


@pytest.fixture
def verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[AskOptions]) -> Callable[..., Result]:
    """`verified("first", "--report", "json")`: the result of the command on 3,3,3."""
    monkeypatch.setenv("MNK_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return lambda name, *options, game="3,3,3": mnk("verify", game, f"agent.py:{name}", *options)


def facts(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_exit_codes(verified: Callable[..., Result]) -> None:
    assert verified("perfect").exit_code == 0
    assert "wrong in 1,869 of 4,520 positions" in verified("first").stdout
    assert [verified(name, "--at", "start").exit_code for name in ("first", "fumbling", "minimax")] == [0, 0, 0]
    assert verified("fumbling").exit_code == 1
    assert_refused(verified("absent"), 2, "There is no absent in agent.py.")
    assert_refused(verified("perfect", game="4,4,3"), 2, "mnk build 4,4,3")
    assert_refused(verified("perfect", "--at", "XXX/XXX/XXX"), 2, "can't arise")
    assert_refused(verified("perfect", "--baseline", "none.json"), 2, "none.json can't be read as a baseline")
    assert_refused(verified("perfect", "--report", "text:none/report.txt"), 2, "none/report.txt")
    assert_refused(verified("perfect", "--report", "pdf"), 2, "choose one of text")
    assert_refused(verified("perfect", "--report", "mine.xml"), 2, "html, csv; for a file, write 'junit:mine.xml'.")
    assert_refused(verified("perfect", "--report", "csv"), 2, "The report csv of a class needs a place")
    assert_refused(verified("perfect", "--sample", "many"), 2, "500,7")
    assert mnk("verify").exit_code == 2
    assert mnk("verify", "3,3,3").exit_code == 2


def test_a_report_is_written_whatever_happens(verified: Callable[..., Result], tmp_path: Path) -> None:
    paths = {name: tmp_path / f"report of {name}" for name in FORMATS}
    reports = [word for name, path in paths.items() for word in ("--report", f"{name}:{path}")]
    assert_refused(verified("absent", *reports), 2, "There is no absent in agent.py.")
    for path in paths.values():
        assert "There is no absent in agent" in path.read_text(encoding="utf-8").replace("\\", "")
    assert verified("perfect", *reports).stdout.startswith("agent.py:perfect on 3,3,3: keeps the value")
    for path in paths.values():
        assert "agent.py:perfect" in path.read_text(encoding="utf-8")
    assert json.loads(paths["json"].read_text(encoding="utf-8"))["passed"]


@pytest.mark.parametrize("name", ["gradescope", "json"])
def test_a_crash_of_the_grader_is_not_the_engines_fault(
    name: str, verified: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("who knows")

    monkeypatch.setattr(module, "judge", fails)
    result = verified("perfect", "--report", name)
    assert result.exit_code == 2
    assert "ZeroDivisionError" in result.stderr
    found = facts(result)
    assert found.get("score") is None
    assert found.get("points") is None
    assert "ZeroDivisionError" in result.stdout
    if name == "gradescope":
        assert "tests" not in found
        assert "Teacher" in found["output"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_verification_that_is_stopped_writes_its_report(
    number: signal.Signals, verified: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(position: Position) -> EngineAnswer:
        signal.raise_signal(number)
        raise AssertionError("nothing has stopped it")

    monkeypatch.setitem(MINDS, "stopped", stopped)
    before = signal.getsignal(signal.SIGTERM)
    result = verified("stopped", "--report", "json")
    assert result.exit_code == 130
    assert "was stopped before its end" in facts(result)["error"]["message"]
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize("sandbox", [False, True])
def test_a_stopped_verification_is_no_fault_of_the_grader(
    sandbox: bool, verified: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a sandbox, the engine may have stopped it, so nobody may read that the student is not to blame."""

    def stopped(position: Position) -> EngineAnswer:
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError("nothing has stopped it")

    monkeypatch.setitem(MINDS, "stopped", stopped)
    output = facts(verified("stopped", "--report", "gradescope", *["--sandbox"] * sandbox))["output"]
    assert "not the student's fault" not in output
    assert ("perhaps by the engine; repeat with --sandbox" in output) is not sandbox


def test_sigterm_ends_the_command_and_its_engines_quickly(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "def best_move(board):\n"
        "    open('began', 'w').write(str(os.getpid()))\n"
        "    time.sleep(60)\n",
        encoding="utf-8",
    )
    form = "--board", "flat", "--marks", "X,O,space", "--moves", "index"
    process = subprocess.Popen(
        [*PROCESS, "verify", "3,3,3", "agent.py", "--report", "json", "--time", "50", *form],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    until = time.monotonic() + 60
    while not (tmp_path / "began").exists() or not (tmp_path / "began").read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
    begun = time.monotonic()
    process.terminate()
    written, _ = process.communicate(timeout=60)
    assert time.monotonic() - begun < 10
    assert process.returncode == 130
    assert json.loads(written)["error"]["engines_fault"] is False
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "began").read_text()), 0)


def test_a_syntax_error_of_a_student_is_zero_points_and_a_missing_sandbox_no_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("agent.py").write_text("def best_move(board)\n    return 3\n", encoding="utf-8")
    result = mnk("verify", "3,3,3", "agent.py", "--points", "20", "--report", "gradescope")
    assert result.exit_code == 2
    found = facts(result)
    assert (found["score"], found["tests"][0]["max_score"]) == (0, 20)
    assert "SyntaxError" in found["tests"][0]["output"]
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    result = mnk("verify", "3,3,3", "agent.py", "--sandbox", "--report", "gradescope")
    assert result.exit_code == 2
    assert "score" not in facts(result)
    assert "bubblewrap" in facts(result)["output"]


def test_options_reach_the_engine(verified: Callable[..., Result], asked: list[AskOptions]) -> None:
    options = ["--board", "rows", "--moves", "row,column", "--marks", "1,-1,0", "--player", "mark", "--time", "3"]
    assert verified("perfect", *options, "--sample", "9,7", "--side", "X", "--sandbox").exit_code == 0
    [one] = asked
    assert one.stated == {"board": "rows", "moves": "row,column", "marks": "1,-1,0", "player": "mark"}
    assert (one.limits.seconds_per_move, one.seed, one.side, one.sandbox) == (3, 7, "X", True)
    found = facts(verified("first", "--report", "json", "--sample", "30", "--seed", "5", "--points", "20"))
    assert (found["most_points"], found["positions"], found["scope"]["seed"]) == (20, 30, 5)
    assert 0 < found["points"] < 20
    assert_refused(verified("first", "--sample", "30,7", "--seed", "5"), 2, "two seeds")


def test_no_option_takes_a_number_that_is_not_finite_or_not_above_0() -> None:
    """`nan` is accepted by every range of click; a verification with `--budget nan` never ended."""
    commands = {name: main.get_command(click.Context(main), name) for name in main.list_commands(click.Context(main))}
    options = [(name, option) for name, one in commands.items() if one for option in one.params]
    numbers = [(name, option) for name, option in options if isinstance(option.type, click.types.FloatParamType)]
    assert {name for name, _ in numbers} >= {"verify", "match", "play", "query"}
    for _, option in numbers:
        for text in ("nan", "inf", "-inf", "1e999", "0", "-1"):
            with pytest.raises(click.BadParameter):
                option.type.convert(text, option, None)
        assert option.type.convert("0.5", option, None) == 0.5
    with pytest.raises(click.BadParameter):
        read_size(click.Context(main), click.Option(["--memory"]), "nan")
    assert (read_size(click.Context(main), click.Option(["--memory"]), f"{'9' * 400}GB") or 0) > 10**400


def test_a_command_of_several_words_needs_quotation_marks() -> None:
    said = "Put a command with words in quotation marks: 'cmd:node engine.mjs'."
    assert_refused(mnk("verify", "3,3,3", "cmd:node", "engine.mjs"), 2, said)
