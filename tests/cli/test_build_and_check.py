"""`mnk build` and `mnk check`."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from solver.cli import build
from solver.game.games import parse_game
from solver.search.folder import Library
from tests.commands import PROCESS, TableFile, assert_refused, mnk
from tests.conftest import ROOT

BUILT = re.compile(
    r"Built 3,3,3 \(3 rows, 3 columns, 3 in a row\): 5,478 positions, a draw, "
    r"\S+/mnk-3-3-3\.sqlite, \d+ kB, \d+\.\d+ s\n"
)


# Building


def test_build_reports_the_table_and_keeps_it(tmp_path: Path) -> None:
    first = mnk("build", "3,3,3", "--data", tmp_path)
    assert (first.exit_code, first.stderr) == (0, "")
    assert BUILT.fullmatch(first.stdout)
    content, changed = (tmp_path / "mnk-3-3-3.sqlite").read_bytes(), os.stat(tmp_path / "mnk-3-3-3.sqlite")
    second = mnk("build", "3,3,3", "--data", tmp_path)
    assert second.stdout.startswith("Kept 3,3,3 (")
    assert second.stdout.endswith("; --force builds it again\n")
    assert os.stat(tmp_path / "mnk-3-3-3.sqlite") == changed
    assert BUILT.fullmatch(mnk("build", "3,3,3", "--data", tmp_path, "--force").stdout)
    assert (tmp_path / "mnk-3-3-3.sqlite").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["mnk-3-3-3.sqlite"]


def test_build_takes_several_games_a_metric_and_threads(tmp_path: Path) -> None:
    result = mnk("build", "2,2,2", "1-3-2-MISERE", "--metric", "wdl", "--threads", "1", "--data", tmp_path / "new")
    assert [line.partition(":")[0] for line in result.stdout.splitlines()] == [
        "Built 2,2,2 (2 rows, 2 columns, 2 in a row)",
        "Built 1,3,2,misere (1 row, 3 columns, 2 in a row; completing a line loses)",
    ]
    assert ", X wins," in result.stdout
    with Library(tmp_path / "new") as tables:
        assert [tables.truth(parse_game(game)).table.metric for game in ("1,3,2,misere", "2,2,2")] == ["wdl", "wdl"]


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = mnk("build", "2,2,2", "--data", tmp_path / "file" / "folder")
    assert_refused(result, 5, "file/folder", "--data")


@pytest.mark.slow
def test_ctrl_c_during_a_build_leaves_the_old_table(tmp_path: Path) -> None:
    old = tmp_path / "mnk-4-5-4.sqlite"
    old.write_bytes(b"the old table")
    command = [*PROCESS, "build", "4,5,4", "--force", "--data", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 120
        while not [*tmp_path.glob("*.parts")] and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=120)
    assert process.returncode == 130
    output, message = said
    assert output == b""
    assert re.fullmatch(
        rb"Error: Interrupted: no table of 4,5,4 was made or changed"
        rb"(; the same command resumes the build)?\.\n",
        message,
    )
    left = {path for path in tmp_path.iterdir() if path.suffix == ".parts"}
    assert bool(left) == (b"resumes" in message)
    assert {*tmp_path.iterdir()} - left == {old}
    assert old.read_bytes() == b"the old table"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_during_a_proof_keeps_what_was_searched(number: int, tmp_path: Path) -> None:
    command = [*PROCESS, "build", "9,9,5", "--data", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr
        while not process.stderr.readline().startswith(b"Looking for a proof"):
            assert process.poll() is None
        time.sleep(5)
        process.send_signal(number)
        output, message = process.communicate(timeout=120)
    assert (process.returncode, output) == (130, b"")
    assert message == b"Error: Interrupted: 9,9,5 is not proved yet; the same command resumes the searches.\n"
    assert (tmp_path / "mnk-9-9-5.strategy.wins.npz").exists()


def test_build_table_is_mnk_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["build-table", "2,2,2", "--data", str(tmp_path)])
    with pytest.raises(SystemExit) as end:
        build.main()
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("Built 2,2,2")


# Checking


def test_check_reports_the_comparisons(table_file: TableFile) -> None:
    result = mnk("check", "3,3,3", "--data", table_file("3,3,3").parent)
    assert (result.exit_code, result.stderr) == (0, "")
    assert re.fullmatch(
        r"3,3,3: right, 5,478 positions checked against 16,167 one move later, digest [0-9a-f]{32}, \d+\.\d+ s\n",
        result.stdout,
    )


def test_check_of_pages_whole_and_by_sample(table_file: TableFile) -> None:
    data = table_file("2,7,3").parent
    whole = mnk("check", "2,7,3", "--threads", "1", "--data", data)
    assert (whole.exit_code, whole.stderr) == (0, "")
    assert "2,7,3: right" in whole.stdout
    some = mnk("check", "2,7,3", "--sample", "50", "--data", data)
    assert re.match(r"2,7,3: right, 5\d positions .* \(a sample\), ", some.stdout)


def test_check_continues_after_a_wrong_table(table_file: TableFile, tmp_path: Path) -> None:
    for game in ("2,2,2", "3,3,3"):
        path = table_file(game)
        (tmp_path / path.name).write_bytes(path.read_bytes())
    connection = sqlite3.connect(tmp_path / "mnk-3-3-3.sqlite")
    connection.execute("UPDATE positions SET wdl = 1 WHERE hash = 0")
    connection.commit()
    connection.close()
    result = mnk("check", "3,3,3", "2,2,2", "--data", tmp_path)
    assert result.exit_code == 1
    assert re.fullmatch(r"3,3,3: wrong, \S+ s\n2,2,2: right, .*\n", result.stdout)
    *problems, last = result.stderr.splitlines()
    assert problems
    assert last == (
        f"Error: The check found mistakes in 3,3,3; build again with `mnk build 3,3,3 --data {tmp_path} --force`."
    )


# Proofs


def test_a_game_too_large_for_a_table_is_proved_asked_and_checked(tmp_path: Path) -> None:
    built = mnk("build", "8,8,4", "--data", tmp_path)
    told = "Looking for a proof of 8,8,4, for 600 s at most.\n"
    assert (built.exit_code, built.stderr) == (0, told)
    assert re.fullmatch(
        r"Proved 8,8,4 \(8 rows, 8 columns, 4 in a row\): X wins within \d+ plies, 1 stored move, "
        r"\S+/mnk-8-8-4\.strategy\.sqlite, \d+ kB, \d+\.\d+ s\n",
        built.stdout,
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mnk-8-8-4.strategy.sqlite"]
    assert mnk("build", "8,8,4", "--data", tmp_path).stdout.endswith("; --force proves it again\n")
    checked = mnk("check", "8,8,4", "--data", tmp_path)
    assert (checked.exit_code, checked.stderr) == (0, "")
    assert "8,8,4: right, X wins within" in checked.stdout
    asked = mnk("query", "8,8,4", "--data", tmp_path).stdout
    assert re.search(r"X to move wins within \d+ plies\.\nWinning move: [a-h]\d; .*\nSource: strategy\n$", asked)
    after = mnk("query", "8,8,4", "d4", "--data", tmp_path).stdout
    assert re.search(r"O to move loses within \d+ plies", after)
    assert re.search(r"Main line: .* \(X wins\)\nSource: strategy", after)
    assert "Proved" in mnk("show", "8,8,4", "--data", tmp_path).stdout
    assert "8,8,4" in mnk("games", "--data", tmp_path).stdout


def test_a_wrong_strategy_fails_the_check(tmp_path: Path) -> None:
    assert mnk("build", "9,9,4", "--data", tmp_path).exit_code == 0
    with sqlite3.connect(tmp_path / "mnk-9-9-4.strategy.sqlite") as connection:
        connection.execute("UPDATE moves SET move = 0 WHERE length(position) = 0")
    checked = mnk("check", "9,9,4", "--data", tmp_path)
    assert checked.exit_code == 1
    assert "9,9,4: wrong" in checked.stdout
    assert "The digest of the rows is" in checked.stderr


def test_a_proof_that_is_not_found_in_time_says_what_was_tried(tmp_path: Path) -> None:
    result = mnk("build", "9,9,5", "--time", "0.001", "--data", tmp_path)
    assert result.exit_code == 3
    assert "9,9,5 was not proved in 0.001 s" in result.stderr
    assert "allow more time with --time, and the search goes on." in result.stderr


def test_no_time_is_advised_where_nothing_is_left_to_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.solve.proof.prove_game", lambda *_, **__: None)
    result = mnk("build", "9,9,5", "--time", "1000", "--data", tmp_path)
    assert result.exit_code == 3
    assert result.stderr.endswith("does not fit this machine; nothing is left to search.\n")
