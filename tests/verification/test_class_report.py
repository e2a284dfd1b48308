"""A class: several submissions at once, their marks and pages, and what is not repeated."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from solver.errors import GraderError, StorageError
from solver.support.files import write_file
from solver.verification import class_report
from solver.verification.class_report import Mark, verify_class
from solver.verification.formats import write_report
from solver.verification.verify import verify
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
    assert {mark.name for mark in seen} == {"ada", "cleo", "dan"}
    assert [mark for mark in again.marks if mark.name != "ada"] == [mark for mark in found.marks if mark.name != "ada"]


def test_the_command_prints_a_table_and_grades_one_archive_too(submissions: list[str], tmp_path: Path) -> None:
    words = [word for at in AT for word in ("--at", at)]
    result = mnk("verify", "3,3,3", *submissions[-1:], "--profile", "simple", *words)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0].split() == ["name", "grade", "positions", "outcome", "first", "mistake"]
    assert result.stderr.startswith("eve  0  2  failed  draw to loss")
    for reports, said in (
        (["html"], "needs a place"), (["pdf:x"], "choose one of csv"), (["csv:a", "csv:b"], "give each format once"),
        (["marks.csv"], "html; for a file, write 'csv:marks.csv'."),
    ):  # fmt: skip
        words = [word for report in reports for word in ("--report", report)]
        assert_refused(mnk("verify", "3,3,3", *submissions, *words), 2, said)


def test_names_and_cells_are_safe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("x/same 1.py", "y/same 1.py"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("raise ValueError('<b>')\n")
    found = verify_class(["x/same 1.py", "y/same 1.py"], "3,3,3", {"csv": "m.csv", "html": "."}, **STATED)
    assert [mark.name for mark in found.marks] == ["x-same_1", "y-same_1"]
    assert "&lt;b&gt;" in Path("index.html").read_text(encoding="utf-8")
    with pytest.raises(GraderError, match="Two submissions are named"):
        verify_class(["x/same 1.py"] * 3, "3,3,3")


def test_a_file_of_marks_that_cannot_be_read_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(FIRST)
    (tmp_path / "-ben.py").write_text(CENTRE)
    marks, paths = tmp_path / "m.csv", [tmp_path / "ada.py", tmp_path / "-ben.py"]
    found, seen = verify_class(paths, "3,3,3", {"csv": marks}, **STATED), list[Mark]()
    text = marks.read_text()
    for changed in (text, f"\ufeff{text}"):  # as a spreadsheet may save it
        marks.write_text(changed, encoding="utf-8")
        again = verify_class(paths, "3,3,3", {"csv": marks}, seen.append, **STATED)
        assert (again, seen, marks.read_text()) == (found, [], text)
    for changed in (f"{text}cleo,absent,passed\n", text.replace(",", ";"), "a,b\n1,2\n"):
        marks.write_text(changed, encoding="utf-8")
        with pytest.raises(GraderError, match="can't be read as a file of marks; give another file"):
            verify_class(paths, "3,3,3", {"csv": marks}, seen.append, **STATED)
        assert (seen, marks.read_text()) == ([], changed)


@pytest.mark.parametrize("text", ["-ann", "=1", "'=1", "''-", "'", "it's", "", "@'"])
def test_cells_are_read_as_they_were_written(text: str) -> None:
    written = str(class_report._plain(text))
    assert class_report._read_plain(written) == text
    assert written[:1] not in {*"=+-@"} - {""}


def test_a_mark_is_repeated_if_the_game_or_the_baseline_has_changed(tmp_path: Path) -> None:
    for name, source in (("ada", FIRST), ("centre", CENTRE)):
        (tmp_path / f"{name}.py").write_text(source)
    ada, game, before = (tmp_path / name for name in ("ada.py", "game.json", "before.json"))
    outcomes = []
    for lines in ([[1, 2, 3]], [[1, 2, 6]]):  # the first empty square wins on one board only
        game.write_text(json.dumps({"squares": 9, "lines": lines}))
        reports = {"csv": tmp_path / "game.csv"}
        outcomes += [verify_class([ada], str(game), reports, profile="simple", at=["1 4 2 5"]).marks[0].outcome]
    for name in ("ada", "centre"):
        kept = verify(str(tmp_path / f"{name}.py"), "3,3,3", **STATED)
        before.write_text(write_report(kept, "json"))
        reports = {"csv": tmp_path / "before.csv"}
        outcomes += [verify_class([ada], "3,3,3", reports, baseline=before, **STATED).marks[0].outcome]
    assert outcomes == ["passed", "failed", "passed", "failed"]


def test_names_of_submissions_may_be_odd(tmp_path: Path) -> None:
    folders = [tmp_path / "J. Smith", tmp_path / "_zoe"]
    for folder in folders:
        folder.mkdir()
        (folder / "agent.py").write_text(FIRST)
    sign = "\N{CJK UNIFIED IDEOGRAPH-4E00}"  # of three bytes
    long = tmp_path / f"{sign * 80}.py"
    long.write_text(FIRST)
    with zipfile.ZipFile(tmp_path / "torn.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("agent.py", FIRST * 100)
    data = bytearray((tmp_path / "torn.zip").read_bytes())
    data[45:60] = bytes(15)
    (tmp_path / "torn.zip").write_bytes(data)
    reports = {"html": tmp_path / "pages"}
    found = verify_class([*folders, long, tmp_path / "torn.zip"], "3,3,3", reports, **STATED)
    marks = {mark.name: mark for mark in found.marks}
    assert {*marks} == {"J_Smith", "zoe", sign * 33, "torn"}
    assert [name for name, mark in marks.items() if mark.grade is None] == ["torn"]
    assert "torn.zip can't be unpacked" in marks["torn"].remark


def test_a_report_that_cannot_be_written_is_no_mark_and_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, text: str) -> None:
        if path.name == "ada.html":
            raise StorageError("The disk is full.")
        write_file(path, text)

    for name in ("ada.py", "ben.py"):
        (tmp_path / name).write_text(FIRST)
    monkeypatch.setattr(class_report, "write_file", refuse)
    paths, reports = [tmp_path / "ada.py", tmp_path / "ben.py"], {"html": tmp_path / "pages"}
    ada, ben = verify_class(paths, "3,3,3", reports, **STATED).marks
    assert (ada.outcome, ada.remark, ben.outcome) == ("not graded", "The disk is full.", "failed")


def test_the_reports_of_an_archive_name_the_archive(submissions: list[str], tmp_path: Path) -> None:
    verify_class([submissions[1]], "3,3,3", {"text": tmp_path / "text"}, **STATED)
    text = (tmp_path / "text" / "bert.txt").read_text(encoding="utf-8")
    assert text.startswith(f"{submissions[1]} on 3,3,3")
    assert "mnk-class" not in text


def test_a_failure_of_the_grader_is_no_mark_and_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ada.py").write_text(FIRST)
    monkeypatch.setattr("solver.verification.class_report._GRADER", "raise SystemExit('no disk')")
    [mark] = verify_class([tmp_path / "ada.py"], "3,3,3", {"csv": tmp_path / "m.csv"}, **STATED).marks
    assert (mark.grade, mark.outcome, mark.remark) == (None, "not graded", "The grader failed: no disk")
    monkeypatch.undo()
    [mark] = verify_class([tmp_path / "ada.py"], "3,3,3", {"csv": tmp_path / "m.csv"}, **STATED).marks
    assert mark.outcome == "failed"


def test_a_zero_for_an_engine_that_could_not_run_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The teacher may have installed the package that was missing; a version of the grader may grade differently."""
    (tmp_path / "ada.py").write_text(f"import lacking\n{CENTRE}")
    (tmp_path / "bert.py").write_text(FIRST)
    paths, reports = [tmp_path / "ada.py", tmp_path / "bert.py"], {"csv": tmp_path / "m.csv"}
    assert [(mark.grade, mark.outcome) for mark in verify_class(paths, "3,3,3", reports, **STATED).marks] == [
        (0, "not graded"), (0, "failed"),
    ]  # fmt: skip
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "lacking.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    seen: list[Mark] = []
    assert verify_class(paths, "3,3,3", reports, seen.append, **STATED).marks[0].outcome == "passed"
    assert [mark.name for mark in seen] == ["ada"]
    monkeypatch.setattr(class_report, "__version__", "999")
    verify_class(paths, "3,3,3", reports, seen.append, **STATED)
    assert sorted(mark.name for mark in seen) == ["ada", "ada", "bert"]


def test_a_submission_that_ends_its_grader_gets_no_grade_and_is_suspected(tmp_path: Path) -> None:
    find = "import os, signal\npid = os.getppid()\nwhile b'_serve' not in open(f'/proc/{pid}/cmdline', 'rb').read():\n"
    find += "    pid = int(open(f'/proc/{pid}/stat').read().rpartition(')')[2].split()[1])\n"
    (tmp_path / "mal.py").write_text(f"{find}os.kill(pid, signal.SIGKILL)\n{FIRST}")
    [mark] = verify_class([tmp_path / "mal.py"], "3,3,3", **STATED).marks
    assert (mark.grade, mark.outcome) == (None, "not graded")
    assert "perhaps by the submission" in mark.remark


def test_a_name_in_an_archive_cannot_forge_a_line_of_a_report(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mal.zip", "w") as archive:
        archive.writestr("x\nPassed: it keeps the value.\n.py", FIRST)
    reports = {form: tmp_path / form for form in ("text", "gradescope", "junit")}
    [mark] = verify_class([tmp_path / "mal.zip"], "3,3,3", reports, **STATED).marks
    assert (mark.grade, "rename the file" in mark.remark) == (None, True)
    texts = {form: next(path.iterdir()).read_text(encoding="utf-8") for form, path in reports.items()}
    texts["gradescope"] = json.loads(texts["gradescope"])["output"]
    for text in texts.values():
        assert "rename the file" in text
        assert not [line for line in text.splitlines() if line.startswith("Passed")]


def test_names_and_pages_cannot_collide(tmp_path: Path) -> None:
    for name in ("index.py", "Ada.py", "x/ada.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(FIRST)
    pages = tmp_path / "pages"
    reports = dict.fromkeys(("html", "json", "gradescope"), pages)
    found = verify_class([tmp_path / name for name in ("index.py", "Ada.py", "x/ada.py")], "3,3,3", reports, **STATED)
    assert [mark.name for mark in found.marks] == [f"{tmp_path.name}-Ada", f"{tmp_path.name}-index", "x-ada"]
    assert len([*pages.iterdir()]) == 3 * 3 + 1
    assert "<th>first mistake" in (pages / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("sandbox", [False, pytest.param(True, marks=[needs_sandbox, pytest.mark.slow])])
def test_a_missing_file_and_a_link_out_of_a_submission_get_no_grade(tmp_path: Path, sandbox: bool) -> None:
    (tmp_path / "dan").mkdir()
    (tmp_path / "ada.py").write_text(FIRST)
    (tmp_path / "bert.py").symlink_to("/etc/hostname")
    (tmp_path / "dan" / "main.py").symlink_to(tmp_path / "ada.py")
    (tmp_path / "eve").symlink_to(tmp_path / "dan")
    link = zipfile.ZipInfo("main.py")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "fred.zip", "w") as archive:
        archive.writestr(link, "../ada.py")
    names = ["ada.py", "bert.py", "dan", "eve", "fred.zip", "gone.py"]
    found = verify_class([tmp_path / name for name in names], "3,3,3", sandbox=sandbox, **STATED)
    assert [mark.outcome for mark in found.marks] == ["failed", *["not graded"] * 5]
    assert {mark.grade for mark in found.marks[1:]} == {None}
    said = [mark.remark for mark in found.marks]
    assert ["is a link out of" in one for one in said] == [False, True, True, True, False, False]
    assert "fred.zip has a link" in said[4]
    assert "There is no file" in said[5]


@pytest.mark.slow
def test_a_mark_has_notes_and_says_who_must_act_after_too_few_answers(tmp_path: Path) -> None:
    """An engine that mostly fails gets 0; one that is only slow gets no grade, and its author or the grader acts."""
    (tmp_path / "ada.py").write_text("def best_move(board, player='X'):\n    return board.index(' ')\n")
    [mark] = verify_class([tmp_path / "ada.py"], "3,3,3", **STATED).marks
    assert "; note: the function also takes player, which it was not given" in mark.remark
    wait = "import time\ndef best_move(board):\n    time.sleep(SECONDS)\n    return board.index(' ')\n"
    (tmp_path / "late.py").write_text(wait.replace("SECONDS", "9 * (board.count(' ') % 5 > 0)"))
    (tmp_path / "slow.py").write_text(wait.replace("SECONDS", "0.4"))
    paths = [tmp_path / "late.py", tmp_path / "slow.py"]
    found = verify_class(paths, "3,3,3", profile="simple", time=1, budget=6, seed=1)
    assert [(mark.grade, mark.outcome) for mark in found.marks] == [(0, "not graded"), (None, "too slow")]
    for mark in found.marks:
        assert f"it was asked the first {mark.positions} position" in mark.remark
    assert found.marks[1].positions > 0
    assert "it gave no answer in time; it was asked" in found.marks[0].remark
    assert "Its author must make it faster, or the grader must give it a larger budget" in found.marks[1].remark
    assert found.exit_code == 2


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


@needs_sandbox
def test_a_file_beside_the_submissions_replaces_no_module_of_theirs(tmp_path: Path) -> None:
    (tmp_path / "colorsys").mkdir()
    (tmp_path / "colorsys" / "__init__.py").write_text("raise SystemExit")
    for name in ("ada", "mal"):
        (tmp_path / f"{name}.py").write_text(f"import colorsys, helper\nassert colorsys.rgb_to_hls\n{CENTRE}")
    (tmp_path / "helper.py").write_text("")
    found = verify_class([tmp_path / "ada.py", tmp_path / "mal.py"], "3,3,3", sandbox=True, **STATED)
    assert [mark.outcome for mark in found.marks] == ["passed", "passed"]


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
    with zipfile.ZipFile(tmp_path / "deep.zip", "w") as archive:
        archive.writestr("a/" * 999 + "agent.py", " ")  # too deep for deleting it
    with pytest.raises(GraderError, match="100 nested folders"):
        class_report._find_file(str(tmp_path / "deep.zip"), tmp_path / "deep", {})
    with zipfile.ZipFile(tmp_path / "twins.zip", "w") as archive:
        archive.writestr("agent.py", " ")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("agent.py", " ")
    with pytest.raises(GraderError, match="two files with one name"):
        class_report._find_file(str(tmp_path / "twins.zip"), tmp_path / "twins", {})
    (tmp_path / "torn.zip").write_bytes(b"PK")
    with pytest.raises(GraderError, match="can't be unpacked"):
        class_report._find_file(str(tmp_path / "torn.zip"), tmp_path / "torn", {})


def test_the_grader_imports_no_file_of_a_submission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ada.py").write_text(FIRST)
    for name in ("csv.py", "solver.py", "hashlib.py"):
        Path(name).write_text(f"{FIRST}from pathlib import Path\nPath('imported').touch() if __name__ != 'x' else 0\n")
    [mark] = verify_class(["ada.py"], "3,3,3", **STATED).marks
    assert mark.outcome == "failed"
    assert not Path("imported").exists()


def test_names_that_mean_two_things_are_told_apart(tmp_path: Path) -> None:
    """Reports of one submission never replace those of another, and a path is read in one way only."""
    paths = [tmp_path / name for name in ("ada.py", "ada.gradescope.py", f"{'a' * 240}.py")]
    paths += [tmp_path / name / "src" / "agent.py" for name in ("x", "y", "z", "new\nline")]
    names = [*class_report._name([str(path) for path in paths])]
    assert names == [
        "ada", "src-agent", "y-src-agent", "z-src-agent", "new_line-src-agent", "ada_gradescope", "a" * 100
    ]  # fmt: skip
    found = class_report._name(["x/_ada.py", "x/ada.py", "x/ben.py", "x/ben.zip"])
    assert found == {"ada": "x/ada.py", "x-_ada": "x/_ada.py", "x-ben_py": "x/ben.py", "x-ben_zip": "x/ben.zip"}
    (tmp_path / "ada.py").write_text(FIRST)
    (tmp_path / "ben.py:best_move").mkdir()
    paths = [tmp_path / "ada.py", tmp_path / "ben.py:best_move"]
    ada, ben = verify_class(paths, "3,3,3", **STATED).marks
    assert (ada.grade is None, "has a colon; rename" in ben.remark) == (False, True)


@needs_sandbox
def test_a_link_to_the_work_of_another_does_not_hide_it_from_its_author(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "agent.py").write_text(FIRST)
    (tmp_path / "mal").symlink_to(tmp_path / "ada")
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    paths = [tmp_path / name for name in ("ada", "mal", "loop.py")]
    ada, _, mal = verify_class(paths, "3,3,3", sandbox=True, **STATED).marks
    assert (ada.grade, ada.remark.startswith("draw to loss")) == (0, True)  # its own grade, in these positions
    assert (mal.grade, "is a link out of the submission" in mal.remark) == (None, True)


def test_what_cannot_be_read_gets_no_grade_and_spoils_no_other(tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(FIRST)
    (tmp_path / "ben").mkdir()
    os.mkfifo(tmp_path / "ben" / "agent.py")
    with open(tmp_path / "big.py", "wb") as file:
        file.truncate(10**12)
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "src").symlink_to(tmp_path / "ben")
    paths = [tmp_path / name for name in ("ada.py", "ben", "big.py", "eve/src/agent.py")]
    seen: list[Mark] = []
    reports = {"csv": tmp_path / "marks.csv", "json": tmp_path / "reports"}
    found = verify_class(paths, "3,3,3", reports, seen.append, **STATED)
    assert len(seen) == len([*(tmp_path / "reports").iterdir()]) == len(paths)
    remarks = {mark.name: mark.remark for mark in found.marks}
    assert {mark.grade for mark in found.marks if mark.name != "ada"} == {None}
    assert (remarks["ada"].startswith("draw to loss"), "no Python file" in remarks["ben"]) == (True, True)
    assert "big.py has more than 100 MB" in remarks["big"]
    assert "is a link out of the submission; replace it with the folder" in remarks["agent"]


def test_the_engine_in_a_submission_is_found(tmp_path: Path) -> None:
    """Whatever the submission is called, and wherever the name is defined."""
    package = {"__init__.py": "", "agent.py": "from .helper import pick\n" + CENTRE, "helper.py": "pick = min\n"}
    files = {
        "12345": package, "ada-lovelace": package,
        "eva": {"agent.py": "from engine import Engine\nbest_move = Engine().best_move\n",
                "engine.py": "class Engine:\n    def best_move(self, board):\n        return board.index(' ')\n"},
        "fay": {"__init__.py": CENTRE, "helper.py": '"""A def best_move( in a text."""\n'},
    }  # fmt: skip
    for name, parts in files.items():
        (tmp_path / name).mkdir()
        for file, text in parts.items():
            (tmp_path / name / file).write_text(text)
    with zipfile.ZipFile(tmp_path / "back.zip", "w") as archive:
        for file, text in {
            "hw\\agent.py": "from helper import pick\n" + CENTRE,
            "hw\\helper.py": "pick = min\n",
        }.items():
            archive.writestr(file, text)
    (tmp_path / "Agent.PY").write_text(CENTRE)
    found = verify_class([*tmp_path.iterdir()], "3,3,3", {}, **STATED)
    marks = {mark.name: mark for mark in found.marks}
    assert {name: mark.outcome for name, mark in marks.items()} == {
        **dict.fromkeys(("12345", "ada-lovelace", "fay", "back"), "passed"), "eva": "failed", "Agent": "not graded"
    }  # fmt: skip
    assert marks["eva"].remark.startswith("draw to loss")
    assert "must end in small letters" in marks["Agent"].remark


def test_an_engine_without_a_file_is_graded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have changed."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    reports, outcomes = {"csv": tmp_path / "marks.csv"}, []
    for text in (CENTRE, FIRST):
        (tmp_path / "engine_of_ada.py").write_text(text)
        [mark] = verify_class(["engine_of_ada:best_move"], "3,3,3", reports, **STATED).marks
        outcomes.append(mark.outcome)
    assert outcomes == ["passed", "failed"]


def test_a_report_into_a_folder_makes_a_class_of_one(tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(CENTRE)
    words = ["--profile", "simple", "--at", AT[0], "--report", f"html:{tmp_path}/pages/"]
    assert mnk("verify", "3,3,3", tmp_path / "ada.py", *words).exit_code == 0
    assert (tmp_path / "pages" / "index.html").is_file()


def test_a_changed_program_is_graded_again(tmp_path: Path) -> None:
    source = "import sys\nfor line in sys.stdin:\n    print(line.replace('/', '').INDEX('.'), flush=True)\n"
    program, reports = tmp_path / "agent.py", {"csv": tmp_path / "marks.csv"}
    moves = []
    for find in ("index", "rindex"):
        program.write_text(source.replace("INDEX", find))
        [mark] = verify_class([f"cmd:{sys.executable} {program}"], "3,3,3", reports, at=["XX./OO./..."]).marks
        moves.append(mark.outcome)
    assert moves == ["passed", "failed"]


@needs_sandbox
def test_archives_and_commands_see_no_other_in_a_sandbox(tmp_path: Path) -> None:
    """A package at the top of an archive is no reason to show the folder above it, and commands may share a folder."""
    thief = (
        "from pathlib import Path\nhere = Path(__file__).resolve().parent\n"
        "others = [one for one in here.parent.rglob('*') if one.is_file() and one != Path(__file__).resolve()]\n"
        "assert [one for one in others if b'# SECRET' in one.read_bytes()]\n"
    )
    for name, text in (("ada", f"# SECRET\n{CENTRE}"), ("mal", f"{thief}{CENTRE}")):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            archive.writestr("__init__.py", "")
            archive.writestr("agent.py", text)
    found = verify_class([tmp_path / "ada.zip", tmp_path / "mal.zip"], "3,3,3", sandbox=True, **STATED)
    assert [(mark.outcome, mark.grade) for mark in found.marks] == [("passed", 100), ("not graded", 0)]
    play = "import sys\nfor line in sys.stdin:\n    print('b2' if line[5] == '.' else 'a1', flush=True)\n"
    for name, text in (("ada", f"# SECRET\n{play}"), ("mal", f"{thief}{play}")):
        (tmp_path / "programs").mkdir(exist_ok=True)
        (tmp_path / "programs" / f"{name}.py").write_text(text)
    commands = [f"cmd:{sys.executable} {tmp_path}/programs/{name}.py" for name in ("ada", "mal")]
    found = verify_class(commands, "3,3,3", sandbox=True, at=[".../.../...", "X../.../..."])
    assert [mark.outcome for mark in found.marks] == ["passed", "failed"]


def test_a_stopped_command_ends_all_graders(tmp_path: Path) -> None:
    for name in ("ada", "bert", "cleo"):
        (tmp_path / f"{name}.py").write_text("import time\ndef best_move(board):\n    time.sleep(999)\n")
    words = ["verify", "3,3,3", "ada.py", "bert.py", "cleo.py", "--profile", "simple", "--time", "999"]
    environment = {**os.environ, "TAGGED": str(tmp_path), "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-m", "solver", *words], cwd=tmp_path, env=environment) as grader:
        while len(tagged(str(tmp_path))) < 3:
            time.sleep(0.1)
        grader.send_signal(signal.SIGTERM)
        assert grader.wait(timeout=100) == 130
    assert tagged(str(tmp_path)) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ada.py", "bert.py", "cleo.py"]


def test_submissions_in_one_folder_or_archive_are_to_be_named_each(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    for name in "abcdef":
        (folder / f"{name}.py").write_text(FIRST)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    with pytest.raises(GraderError) as refused:
        class_report._find_file(f"{folder}/", tmp_path / "unpacked", {})
    listed = "has a.py, b.py, c.py, d.py, ...; one of them must define best_move; to grade each, "
    assert str(refused.value) == f"all {listed}write {folder}/*."
    with pytest.raises(GraderError) as refused:
        class_report._find_file(str(tmp_path / "all.zip"), tmp_path / "unpacked", {})
    assert str(refused.value) == f"all.zip {listed}unpack it and write FOLDER/*."
