"""A class: several submissions at once, their marks and pages, and what is not repeated."""

import csv
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from solver.errors import GraderError
from solver.verification import class_report
from solver.verification.class_report import Mark, verify_class
from tests.commands import assert_refused, mnk
from tests.conftest import ROOT
from tests.verification.test_attacks import needs_sandbox
from tests.verification.test_misbehaving import tagged

FIRST = "def best_move(board):\n    return board.index(' ')\n"
CENTRE = "def best_move(board):\n    return next(at for at in (4, 0, 2, 6, 8, 1, 3, 5, 7) if board[at] == ' ')\n"
AT = ["X../.../...", ".../.../..."]
STATED: dict[str, Any] = {"profile": "simple", "at": AT}


@pytest.fixture
def submissions(tmp_path: Path) -> list[str]:
    """Write five submissions in three forms, of which one can't be loaded and one is a folder without an engine."""
    folder = tmp_path / "submissions"
    (folder / "dan").mkdir(parents=True)
    (folder / "eve" / "work").mkdir(parents=True)
    (folder / "ada.py").write_text(CENTRE)
    (folder / "cleo.py").write_text("def best_move(board)\n    return 4\n")
    (folder / "dan" / "notes.py").write_text("=1\n")
    (folder / "dan" / "more.py").write_text("x = 1\n")
    (folder / "eve" / "helper.py").write_text("def first(board):\n    return board.index(' ')\n")
    (folder / "eve" / "player.py").write_text("import helper\ndef best_move(board):\n    return helper.first(board)\n")
    with zipfile.ZipFile(folder / "bert.zip", "w") as archive:
        archive.writestr("bert/main.py", FIRST)
        archive.writestr("__MACOSX/bert/._main.py", "")
    return sorted(map(str, folder.iterdir()))


def test_a_class_is_graded_resumed_and_written(submissions: list[str], tmp_path: Path) -> None:
    reports = {"csv": tmp_path / "marks.csv", "html": tmp_path / "pages", "json": tmp_path / "json"}
    seen: list[Mark] = []
    found = verify_class(submissions, "3,3,3", reports, seen.append, points=20, **STATED)
    assert {mark.name: (mark.grade, mark.outcome) for mark in found.marks} == {
        "ada": (20, "passed"), "bert": (0, "failed"), "cleo": (0, "not graded"), "dan": (None, "not graded"),
        "eve": (0, "failed"),
    }  # fmt: skip
    remarks = {mark.name: mark.remark for mark in found.marks}
    assert remarks["eve"].startswith("draw to loss in X../.../...")
    assert "SyntaxError" in remarks["cleo"]
    assert "one of them must define best_move" in remarks["dan"]
    assert (found.exit_code, sorted(seen, key=lambda mark: mark.name)) == (2, [*found.marks])
    assert str(found).splitlines()[1].split() == ["ada", "20", "2", "passed"]
    rows = [*csv.DictReader((tmp_path / "marks.csv").read_text(encoding="utf-8").splitlines())]
    assert [(row["name"], row["outcome"]) for row in rows] == [(mark.name, mark.outcome) for mark in found.marks]
    index = (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    for name in remarks:
        assert f'<a href="{name}.html">{name}</a>' in index
        assert (tmp_path / "pages" / f"{name}.html").exists()
        assert (tmp_path / "json" / f"{name}.json").exists()
    Path(submissions[0]).write_text(FIRST)
    seen.clear()
    again = verify_class(submissions, "3,3,3", reports, seen.append, points=20, **STATED)
    assert {mark.name for mark in seen} == {"ada", "dan"}
    assert [mark for mark in again.marks if mark.name != "ada"] == [mark for mark in found.marks if mark.name != "ada"]


def test_the_command_prints_a_table_and_grades_one_archive_too(submissions: list[str], tmp_path: Path) -> None:
    words = [word for at in AT for word in ("--at", at)]
    result = mnk("verify", "3,3,3", *submissions[-1:], "--profile", "simple", *words)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0].split() == ["name", "grade", "positions", "outcome", "first", "mistake"]
    assert result.stderr.startswith("eve  0  2  failed  draw to loss")
    for report, said in (("html", "needs a place"), ("pdf:x", "choose one of csv")):
        assert_refused(mnk("verify", "3,3,3", *submissions, "--report", report), 2, said)


def test_names_and_cells_are_safe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("x/same 1.py", "y/same 1.py"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("raise ValueError('<b>')\n")
    found = verify_class(["x/same 1.py", "y/same 1.py"], "3,3,3", {"csv": "m.csv", "html": "."}, **STATED)
    assert [mark.name for mark in found.marks] == ["same_1", "y-same_1"]
    assert "&lt;b&gt;" in Path("index.html").read_text(encoding="utf-8")
    with pytest.raises(GraderError, match="Two submissions are named"):
        verify_class(["x/same 1.py"] * 3, "3,3,3")


def test_a_failure_of_the_grader_is_no_mark_and_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ada.py").write_text(FIRST)
    monkeypatch.setattr("solver.verification.class_report._GRADER", "raise SystemExit('no disk')")
    [mark] = verify_class([tmp_path / "ada.py"], "3,3,3", {"csv": tmp_path / "m.csv"}, **STATED).marks
    assert (mark.grade, mark.outcome, mark.remark) == (None, "not graded", "The grader failed: no disk")
    monkeypatch.undo()
    [mark] = verify_class([tmp_path / "ada.py"], "3,3,3", {"csv": tmp_path / "m.csv"}, **STATED).marks
    assert mark.outcome == "failed"


@needs_sandbox
def test_no_submission_sees_another_in_a_sandbox(tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(FIRST)
    (tmp_path / "dan").mkdir()
    (tmp_path / "dan" / "main.py").write_text(FIRST)
    (tmp_path / "spy.py").write_text(
        "import os\ntry:\n    seen = open('ada.py').read()\nexcept OSError:\n    seen = ''\n"
        "assert not seen + ''.join(os.listdir('dan'))\n" + CENTRE
    )
    paths = [tmp_path / name for name in ("ada.py", "dan", "spy.py")]
    found = verify_class(paths, "3,3,3", sandbox=True, **STATED)
    assert [mark.outcome for mark in found.marks] == ["failed", "failed", "passed"]
    assert sys.modules.get("spy") is None


def test_archives_that_fill_the_disk_or_leave_their_folder_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_report, "_MOST_BYTES", 10**4)
    for name, member, size in (("bomb", "agent.py", 10**5), ("above", "../evil.py", 1), ("root", "/evil.py", 1)):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(member, " " * size)
        with pytest.raises(GraderError, match="archive only"):
            class_report._find_file(str(tmp_path / f"{name}.zip"), tmp_path / name, {})
        assert not (tmp_path / name).exists()
    (tmp_path / "torn.zip").write_bytes(b"PK")
    with pytest.raises(GraderError, match="can't be unpacked"):
        class_report._find_file(str(tmp_path / "torn.zip"), tmp_path / "torn", {})


def test_a_stopped_command_ends_all_graders(tmp_path: Path) -> None:
    for name in ("ada", "bert", "cleo"):
        (tmp_path / f"{name}.py").write_text("import time\ndef best_move(board):\n    time.sleep(999)\n")
    words = ["verify", "3,3,3", "ada.py", "bert.py", "cleo.py", "--profile", "simple", "--time", "999"]
    environment = {**os.environ, "TAGGED": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-m", "solver", *words], cwd=tmp_path, env=environment) as grader:
        while len(tagged(str(tmp_path))) < 3:
            time.sleep(0.1)
        grader.send_signal(signal.SIGTERM)
        assert grader.wait(timeout=100) == 130
    assert tagged(str(tmp_path)) == []
