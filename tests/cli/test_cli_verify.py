"""`mnk verify`: exit codes, options, files; the engines are fakes (tests of asking try real ones)."""

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from solver.verification.contract import Answer, AskOptions, EngineUnderTest, Failure
from sqlite_utils import Database

from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification import verify as module
from solver.verification.formats import FORMATS
from tests.commands import assert_refused, mnk
from tests.verification.fakes import FakeEngine, first, minimax, perfect


def fumbling(position: Position) -> Answer:
    return Answer(None, Failure.TIMEOUT, "no answer") if position.ply == 8 else Answer(perfect(position))


MINDS = {mind.__name__: mind for mind in (perfect, minimax, first, fumbling)}


class Asked(list[AskOptions]):
    """The options that engines were opened with."""


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """`agent.py:NAME` is the mind of that name."""
    asked = Asked()

    def open_fake(spec: object, rules: Rules, *, options: AskOptions) -> EngineUnderTest:
        asked.append(options)
        name = str(spec).removeprefix("agent.py:")
        if name not in MINDS:
            raise EngineError(f"There is no {name} in agent.py.")
        tested = FakeEngine(MINDS[name], rules=rules)
        tested.name = str(spec)
        return tested

    monkeypatch.setattr(module, "open_engine", open_fake)
    return asked


@pytest.fixture
def verified(tmp_path: Path) -> Callable[..., Result]:
    """`verified("first", "--json")`: the result of the command on 3,3,3."""

    def run(name: str, *options: str | Path, game: str = "3,3,3") -> Result:
        return mnk("verify", game, f"agent.py:{name}", "--data", tmp_path, *options)

    return run


def test_exit_codes(verified: Callable[..., Result]) -> None:
    assert verified("perfect").exit_code == 0
    assert verified("first").exit_code == 1
    assert verified("fumbling").exit_code == 1
    assert_refused(verified("absent"), 2, "There is no absent in agent.py.")
    assert_refused(verified("perfect", game="4,4,4"), 2, "mnk build 4,4,4")
    assert_refused(verified("perfect", "--at", "XXX/XXX/XXX"), 2, "can't arise")
    assert_refused(verified("perfect", "--baseline", "none.json"), 2, "none.json can't be read as a baseline")
    assert_refused(verified("perfect", "-o", "none/report.txt"), 2, "none/report.txt", "No such file")
    assert verified("perfect", "--format", "pdf").exit_code == 2


@pytest.mark.slow
def test_a_search_of_its_own_passes(verified: Callable[..., Result]) -> None:
    assert verified("minimax").exit_code == 0


def test_a_mistake_of_ours_is_not_taken_for_the_engine_s(
    verified: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("who knows")

    monkeypatch.setattr(module, "judge", fails)
    result = verified("perfect")
    assert result.exit_code == 2
    assert "Traceback" in result.stderr
    assert "Error: The verification itself failed (ZeroDivisionError)" in result.stderr


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_is_written_whatever_happens(form: str, verified: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "report"
    result = verified("absent", "--format", form, "-o", path, "--points", "20")
    assert_refused(result, 2, "There is no absent in agent.py.")
    assert "There is no absent in agent" in path.read_text(encoding="utf-8").replace("\\", "")
    result = verified("absent", "--format", form)
    assert result.exit_code == 2
    assert bool(result.stdout) == (form != "text")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_verification_that_is_stopped_says_so(
    number: signal.Signals, verified: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(position: Position) -> Answer:
        signal.raise_signal(number)
        raise AssertionError("nothing has stopped it")

    monkeypatch.setitem(MINDS, "stopped", stopped)
    before = signal.getsignal(signal.SIGTERM)
    result = verified("stopped", "--format", "gradescope")
    assert result.exit_code == 130
    assert "was stopped before its end" in json.loads(result.stdout)["tests"][0]["output"]
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_mistake_of_ours_is_in_the_report(verified: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "judge", fails)
    facts = json.loads(verified("perfect", "--json").stdout)
    assert facts["error"]["kind"] == "ZeroDivisionError"
    assert facts["error"]["message"].startswith("The verification itself failed (ZeroDivisionError)")


def test_points(verified: Callable[..., Result]) -> None:
    facts = json.loads(verified("first", "--json", "--points", "20", "--score", "critical").stdout)
    assert (facts["most_points"], facts["points_for"]) == (20, "critical")
    assert facts["points"] == pytest.approx(20 * (3191 - 1869) / 3191, abs=1e-4)
    assert verified("first", "--points", "0").exit_code == 2


@pytest.mark.slow
def test_the_report_is_text_unless_another_form_is_asked_for(verified: Callable[..., Result]) -> None:
    assert "wrong in 1,869 of 4,520 positions" in verified("first").stdout
    for option in (["--json"], ["--format", "json"]):
        assert json.loads(verified("first", *option).stdout)["blunders"] == 1869
    assert verified("minimax", "--format", "junit").stdout.startswith("<?xml")


@pytest.mark.slow
def test_a_report_in_a_file_leaves_the_text_for_people(verified: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    result = verified("first", "--json", "-o", path)
    assert json.loads(path.read_text(encoding="utf-8"))["passed"] is False
    assert result.stdout.startswith("agent.py:first on 3,3,3: wrong in")
    assert verified("first", "--baseline", path).exit_code == 0


@pytest.mark.slow
def test_a_blunder_comes_with_the_command_that_shows_it(
    verified: Callable[..., Result], tmp_path: Path, asked: Asked
) -> None:
    facts = json.loads(verified("first", "--json", "--marks", "1,-1,0", "--time", "3").stdout)
    command, board = facts["faults"][0]["command"], facts["faults"][0]["position"]
    assert command == (f"mnk verify 3,3,3 agent.py:first --marks 1,-1,0 --time 3.0 --data {tmp_path} --at {board}")
    again = mnk(*command.split()[1:], "--json")
    assert again.exit_code == 1
    [fault] = json.loads(again.stdout)["faults"]
    assert fault == facts["faults"][0]
    assert (asked[0].marks, asked[0].seconds_per_move) == ("1,-1,0", 3.0) == (asked[1].marks, asked[1].seconds_per_move)


def test_options_reach_the_engine(verified: Callable[..., Result], asked: Asked) -> None:
    options = "--board rows --moves pair --repeat 3 --start-time 5 --memory 512MB --give-up 9 --processes 2 --seed 7"
    assert verified("perfect", *options.split()).exit_code == 0
    assert asked == [
        AskOptions(
            board="rows", moves="pair", seconds_to_start=5.0, memory=512 * 10**6, give_up=9, workers=2, repeat=3, seed=7
        )
    ]


@pytest.mark.parametrize("text", ["much", "512", "-1GB"])
def test_what_is_no_memory_for_an_engine_is_refused(text: str, asked: Asked) -> None:
    result = mnk("verify", "3,3,3", "perfect", "--memory", text)
    assert (result.exit_code, asked) == (2, [])
    assert "such as 4GB or 512MiB" in result.stderr


def test_no_bound_of_memory_and_processes_are_typed_again(verified: Callable[..., Result], asked: Asked) -> None:
    facts = json.loads(verified("first", "--memory", "0", "--processes", "1", "--at", "..X/..X/O..", "--json").stdout)
    assert (asked[0].memory, asked[0].workers) == (0, 1)
    assert " --memory 0 --processes 1 " in facts["faults"][0]["command"]


def test_scopes(verified: Callable[..., Result]) -> None:
    play = json.loads(verified("perfect", "--scope", "play", "--json").stdout)
    assert (play["scope"]["kind"], play["beaten_as_x"]) == ("play", False)
    sample = json.loads(verified("first", "--sample", "100", "--seed", "3", "--json").stdout)
    assert (sample["positions"], sample["scope"]["seed"]) == (100, 3)
    given = json.loads(verified("first", "--at", "start", "--at", "b2 a1", "--json").stdout)
    assert (given["positions"], given["beaten_as_x"]) == (2, None)
    assert_refused(verified("first", "--scope", "all", "--sample", "9"), 2, "don't go together")


@pytest.mark.slow
def test_blunders_go_into_a_database(verified: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "found.db"
    for _ in range(2):  # the second time the same rows are replaced
        assert verified("first", "--sqlite", path).exit_code == 1
    assert verified("fumbling", "--sqlite", path).exit_code == 1
    database = Database(path)
    counts = {
        (row["engine"], row["kind"]): row["count"]
        for row in database.query("select engine, kind, count(*) count from blunders group by 1, 2")
    }
    database.close()
    assert counts["agent.py:first", "win_to_loss"] == 1017
    assert counts["agent.py:fumbling", "timeout"] > 0
    text = tmp_path / "text.txt"
    text.write_text("Once upon a time" * 99, encoding="utf-8")
    assert_refused(verified("first", "--sqlite", text), 2, "text.txt", "choose another file")
