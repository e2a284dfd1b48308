"""The examples for graders, run as the graders run them, on two students: perfect and careless."""

import json
import os
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

EXAMPLES = ROOT / "data" / "examples"
STUDENTS = ["agent.py", "careless.py"]
SANDBOX = """#!/bin/sh
# A stand-in for bubblewrap: it runs the command after --.
while [ "$1" != -- ]; do shift; done; shift; exec "$@"
"""
BROKEN_SANDBOX = '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n'

pytestmark = pytest.mark.slow

Shell = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Return a function that runs a command in `tmp_path`, with the `mnk` under test and a stand-in for bwrap."""
    (tmp_path / "bin").mkdir()
    for name, text in (("mnk", f'#!/bin/sh\nexec {sys.executable} -m solver "$@"\n'), ("bwrap", SANDBOX)):
        (tmp_path / "bin" / name).write_text(text, encoding="utf-8")
        (tmp_path / "bin" / name).chmod(0o755)

    def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        path = {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
        environment = {**os.environ, **path, **variables}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def hand_in(student: str | None, folder: Path, *, with_solver: bool = False) -> None:
    """Put a student's file, or text, where the grader expects agent.py; None hands in nothing."""
    if with_solver:
        (folder / "solver.py").write_text("raise OSError('this is not the package')\n", encoding="utf-8")
    if student in STUDENTS:
        shutil.copy(EXAMPLES / student, folder / "agent.py")
    elif student is not None:
        (folder / "agent.py").write_text(student, encoding="utf-8")


# pytest


@pytest.mark.parametrize(
    ("student", "summary", "reason"),
    [
        ("agent.py", "2 passed", ""), ("careless.py", "2 failed", "Win to loss, in"),
        ("def best_move(board)\n", "2 failed", "SyntaxError"),
    ],
)  # fmt: skip
def test_pytest(student: str, summary: str, reason: str, tmp_path: Path, shell: Shell) -> None:
    result = run_pytest(student, tmp_path, shell)
    assert result.returncode == (summary != "2 passed"), result.stdout
    assert summary in result.stdout
    assert reason in result.stdout


def test_pytest_reports_a_fault_of_the_grader_as_an_error(tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "bin" / "bwrap").write_text(BROKEN_SANDBOX, encoding="utf-8")
    assert "2 errors" in run_pytest("agent.py", tmp_path, shell).stdout


def run_pytest(student: str, folder: Path, shell: Shell) -> subprocess.CompletedProcess[str]:
    hand_in(student, folder, with_solver=student == "agent.py")
    shutil.copy(EXAMPLES / "pytest" / "test_agent.py", folder)
    command = "-P -m pytest --import-mode=importlib -q -p no:cacheprovider test_agent.py"
    return shell(sys.executable, *command.split(), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")  # plugins take time to load


# otter-grader, with a stand-in for its decorator


@pytest.fixture
def run_otter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell) -> Callable[[str], float]:
    """Return a function that returns a student's points, and raises errors other than failed assertions."""
    marked: list[tuple[Callable[[], None], float]] = []

    def test_case(*, points: float) -> Callable[[Callable[[], None]], None]:
        return lambda test: marked.append((test, points))

    module = types.ModuleType("otter.test_files")
    module.test_case = test_case  # type: ignore[attr-defined]  # a module made by hand
    monkeypatch.setitem(sys.modules, "otter", types.ModuleType("otter"))
    monkeypatch.setitem(sys.modules, "otter.test_files", module)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(tmp_path)

    def run(student: str) -> float:
        hand_in(student, tmp_path, with_solver=student == "agent.py")
        names: dict[str, Any] = {}
        exec(compile((EXAMPLES / "otter" / "q1.py").read_text(encoding="utf-8"), "q1.py", "exec"), names)
        assert (names["OK_FORMAT"], sum(points for _, points in marked)) == (False, names["points"])
        reached = 0.0
        for test, points in marked:
            with suppress(AssertionError):
                test()
                reached += points
        return reached

    return run


@pytest.mark.parametrize(("student", "points"), [*zip(STUDENTS, (3, 0), strict=True), ("raise OSError\n", 0)])
def test_otter(student: str, points: float, run_otter: Callable[[str], float]) -> None:
    assert run_otter(student) == points


def test_otter_shows_that_a_fault_of_the_grader_is_not_the_students(
    tmp_path: Path, run_otter: Callable[[str], float]
) -> None:
    (tmp_path / "bin" / "bwrap").write_text(BROKEN_SANDBOX, encoding="utf-8")
    with pytest.raises(RuntimeError, match="not your fault"):
        run_otter("agent.py")


FORGED = """#!/bin/sh
# A stand-in for a grader whose agent writes a report of full marks, and stops the grader.
echo '{"points": 100.0, "error": {"engines_fault": true}}'; echo Passed > report.txt
END
"""
ENDS = pytest.mark.parametrize(("end", "points"), [("kill -9 $$", None), ("exit 130", None), ("exit 2", 0)])


def write_forged(folder: Path, end: str) -> str:
    """Write a program that replaces the grader; return its path."""
    (folder / "forged").write_text(FORGED.replace("END", end), encoding="utf-8")
    (folder / "forged").chmod(0o755)
    return str(folder / "forged")


@ENDS
def test_a_forged_report_gets_no_points_in_otter(
    end: str, points: float | None, tmp_path: Path, run_otter: Callable[[str], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", write_forged(tmp_path, end))
    if points is None:
        with pytest.raises(RuntimeError, match="the grader was stopped, perhaps by the agent"):
            run_otter("careless.py")
    else:
        assert run_otter("careless.py") == points


# nbgrader, as in a notebook: the student's cell writes a file, and the last expression of the graded cell is the score


@pytest.mark.parametrize(("student", "low", "high"), [("agent.py", 5, 5), ("careless.py", 1, 4), ("x = (\n", 0, 0)])
def test_nbgrader(student: str, low: float, high: float, tmp_path: Path, shell: Shell) -> None:
    result = run_nbgrader(student, tmp_path, shell)
    assert (result.returncode, result.stderr) == (0, "")
    assert low <= float(result.stdout.rpartition("score:")[2]) <= high


def test_a_fault_of_the_grader_gives_no_score_in_nbgrader(tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "bin" / "bwrap").write_text(BROKEN_SANDBOX, encoding="utf-8")
    result = run_nbgrader("agent.py", tmp_path, shell)
    assert result.returncode
    assert "not your fault" in result.stderr
    assert "score:" not in result.stdout


@ENDS
def test_a_forged_report_gets_no_points_in_nbgrader(
    end: str, points: float | None, tmp_path: Path, shell: Shell
) -> None:
    result = run_nbgrader("careless.py", tmp_path, shell, grader=write_forged(tmp_path, end))
    assert ("the grader was stopped, perhaps by the agent" in result.stderr) == (points is None)
    assert ("score: 0\n" in result.stdout) == (points == 0)
    assert ("score:" in result.stdout) == (points == 0)


NO_LEGAL_MOVE = "def best_move(board):\n    raise NameError\n"


def test_a_teacher_decides_about_an_agent_without_a_legal_move(
    tmp_path: Path, run_otter: Callable[[str], float], shell: Shell
) -> None:
    with pytest.raises(RuntimeError, match="your teacher decides"):
        run_otter(NO_LEGAL_MOVE)
    assert "your teacher decides" in run_nbgrader(NO_LEGAL_MOVE, tmp_path, shell).stderr
    output = run_gradescope(NO_LEGAL_MOVE, tmp_path, shell)["output"]
    assert ("The teacher decides" in output, "not the student's fault" in output) == (True, False)


def run_nbgrader(
    student: str, folder: Path, shell: Shell, grader: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    cells = json.loads((EXAMPLES / "nbgrader" / "assignment.ipynb").read_text(encoding="utf-8"))["cells"]
    [solution] = [cell for cell in cells if cell["metadata"]["nbgrader"]["solution"]]
    assert "".join(solution["source"]).startswith("%%writefile agent.py\n")
    [graded] = [cell for cell in cells if cell["metadata"]["nbgrader"]["grade"]]
    assert graded["metadata"]["nbgrader"]["points"] == 5
    *lines, last = "".join(graded["source"]).splitlines()
    head = f"import sys\nsys.executable = {grader!r}"
    (folder / "notebook.py").write_text("\n".join([head, *lines, f"print('score:', {last})"]), encoding="utf-8")
    hand_in(student, folder, with_solver=student == "agent.py")
    return shell(sys.executable, "notebook.py")


# GitHub Classroom


@pytest.mark.parametrize(("student", "code"), [*zip(STUDENTS, (0, 1), strict=True), ("import nowhere\n", 2)])
def test_classroom(student: str, code: int, tmp_path: Path, shell: Shell) -> None:
    """The workflow for GitHub Actions runs the same commands."""
    hand_in(student, tmp_path)
    workflow = (EXAMPLES / "classroom" / "classroom.yml").read_text(encoding="utf-8")
    [command] = re.findall(r"^ +command: (mnk .*)$", workflow, re.MULTILINE)
    [check] = re.findall(r"^ +run: (mnk .*)$", workflow, re.MULTILINE)
    plain = (EXAMPLES / "actions" / "grade.yml").read_text(encoding="utf-8")
    assert re.findall(r"^ +run: (mnk .*)$", plain, re.MULTILINE) == [check, command]
    assert f"\n    {command} --report junit:report.xml\n" in (ROOT / "docs/how-to/class.md").read_text(encoding="utf-8")
    assert re.findall(r"pip install \"?(\S+?)://", workflow) == ["git+https"]  # from a repository, not an index
    assert shell("sh", "-c", check).returncode == 0
    assert shell("sh", "-c", command).returncode == code


def test_a_fault_of_the_grader_stops_the_workflow_before_the_agent_is_graded(tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "bin" / "bwrap").write_text(BROKEN_SANDBOX, encoding="utf-8")
    workflow = (EXAMPLES / "classroom" / "classroom.yml").read_text(encoding="utf-8")
    [check] = re.findall(r"^ +run: (mnk .*)$", workflow, re.MULTILINE)
    assert shell("sh", "-c", check).returncode == 2


# Gradescope


@pytest.mark.parametrize(
    ("student", "low", "high", "reason"),
    [
        ("agent.py", 20, 20, "Passed"), ("careless.py", 8, 9, "Win to loss, in"),
        ("def best_move(board)\n", 0, 0, "SyntaxError"),
        ("exit(3)\n", 0, 0, "SystemExit"), (None, 0, 0, "There is no file"),
    ],
)  # fmt: skip
def test_gradescope(student: str | None, low: float, high: float, reason: str, tmp_path: Path, shell: Shell) -> None:
    results = run_gradescope(student, tmp_path, shell)
    assert low <= results["score"] <= high
    assert results["tests"][0]["max_score"] == 20
    assert reason in results["tests"][0]["output"]


def test_a_fault_of_the_grader_gives_no_score_in_gradescope(tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "bin" / "bwrap").write_text(BROKEN_SANDBOX, encoding="utf-8")
    results = run_gradescope("agent.py", tmp_path, shell)
    assert "score" not in results
    assert "tests" not in results
    assert "not the student's fault" in results["output"]


def run_gradescope(student: str | None, folder: Path, shell: Shell) -> dict[str, Any]:
    (folder / "submission").mkdir()
    hand_in(student, folder / "submission")
    shutil.copytree(EXAMPLES / "gradescope", folder / "source")
    assert shell(str(folder / "source" / "run_autograder"), AUTOGRADER=str(folder)).returncode == 0
    results: dict[str, Any] = json.loads((folder / "results" / "results.json").read_text(encoding="utf-8"))
    return results


def test_the_zip_for_gradescope_follows_its_specification() -> None:
    """Two executable files at the root, setup.sh and run_autograder."""
    files = {path.name: path for path in (EXAMPLES / "gradescope").iterdir()}
    assert {*files} == {"setup.sh", "run_autograder"}
    assert all(os.access(files[name], os.X_OK) for name in ("setup.sh", "run_autograder"))
    assert subprocess.run(["bash", "-n", str(files["setup.sh"])], check=False).returncode == 0
    assert re.findall(r"\"(\S+?)://", files["setup.sh"].read_text(encoding="utf-8")) == ["git+https"]
