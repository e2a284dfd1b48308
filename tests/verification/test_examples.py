"""The examples for graders, run as the graders run them."""

import json
import os
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

EXAMPLES = ROOT / "data" / "examples"
GRADED = [
    pytest.param("agent.py", True, marks=pytest.mark.slow),
    ("careless.py", False),
]  # the student's file, and whether it passes


@pytest.fixture
def shell(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command in an empty folder where `mnk` is the one under test; the folder is the result's `args[0]`."""
    program = tmp_path / "bin" / "mnk"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m solver "$@"\n', encoding="utf-8")
    program.chmod(0o755)

    def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        path = {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
        environment = {**os.environ, **path, **variables}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


@pytest.mark.slow
@pytest.mark.parametrize(("student", "passes"), GRADED)
def test_pytest(student: str, passes: bool, tmp_path: Path, shell: Callable[..., Any]) -> None:
    shutil.copy(EXAMPLES / student, tmp_path / "agent.py")
    shutil.copy(EXAMPLES / "pytest" / "test_agent.py", tmp_path)
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_agent.py")
    result = shell(*command, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")  # other people's plugins take time to load
    assert result.returncode == (0 if passes else 1), result.stdout
    assert ("2 passed" if passes else "2 failed") in result.stdout
    assert passes or "Win to loss, in" in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("student", "passes"), GRADED)
def test_otter(student: str, passes: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With a stand-in for otter's decorator: otter calls what it marks with the notebook's names, as `env`."""
    marked: list[tuple[Callable[[dict[str, Any]], None], float]] = []

    def test_case(*, points: float) -> Callable[[Callable[..., None]], None]:
        return lambda test: marked.append((test, points))

    module = types.ModuleType("otter.test_files")
    module.test_case = test_case  # type: ignore[attr-defined]  # a module made by hand
    monkeypatch.setitem(sys.modules, "otter", types.ModuleType("otter"))
    monkeypatch.setitem(sys.modules, "otter.test_files", module)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile((EXAMPLES / "otter" / "q1.py").read_text(encoding="utf-8"), "q1.py", "exec"), names)
    assert (names["OK_FORMAT"], sum(points for _, points in marked)) == (False, names["points"])
    environment: dict[str, Any] = {"__name__": "student", "__file__": str(EXAMPLES / student)}
    exec(compile((EXAMPLES / student).read_text(encoding="utf-8"), environment["__file__"], "exec"), environment)
    keeps, _ = [test for test, _ in marked]
    if passes:
        keeps(environment)
    for test in [test for test, _ in marked][int(passes) :]:  # both examples miss wins in one
        with pytest.raises(AssertionError, match="best_move"):
            test(environment)


@pytest.mark.slow
@pytest.mark.parametrize(("student", "passes"), GRADED)
def test_nbgrader(student: str, passes: bool, tmp_path: Path, shell: Callable[..., Any]) -> None:
    """As in a notebook: the student's cells first, then the autograded one, of whose last expression is the score."""
    cells = json.loads((EXAMPLES / "nbgrader" / "assignment.ipynb").read_text(encoding="utf-8"))["cells"]
    [graded] = [cell for cell in cells if cell["metadata"]["nbgrader"]["grade"]]
    *lines, last = "".join(graded["source"]).splitlines()
    cell = "".join(f"    {line}\n" for line in [*lines, f"print('score:', {last})"])
    solution = (EXAMPLES / student).read_text(encoding="utf-8")
    (tmp_path / "notebook.py").write_text(f"{solution}\nif __name__ == '__main__':\n{cell}", encoding="utf-8")
    result = shell(sys.executable, "notebook.py")
    assert (result.returncode, result.stderr) == (0, "")
    score = float(result.stdout.rpartition("score:")[2])
    assert score == 5 if passes else 0 < score < 4
    assert graded["metadata"]["nbgrader"]["points"] == 5


@pytest.mark.slow
@pytest.mark.parametrize(("student", "passes"), GRADED)
def test_classroom(student: str, passes: bool, tmp_path: Path, shell: Callable[..., Any]) -> None:
    shutil.copy(EXAMPLES / student, tmp_path / "agent.py")
    workflow = (EXAMPLES / "classroom" / "classroom.yml").read_text(encoding="utf-8")
    [command] = re.findall(r"^ +command: (.*)$", workflow, re.MULTILINE)
    assert re.findall(r"pip install \"?(\S+?)://", workflow) == ["git+https"]  # from a repository, not an index
    assert shell("sh", "-c", command).returncode == (0 if passes else 1)


@pytest.mark.slow
@pytest.mark.parametrize(("student", "passes"), GRADED)
def test_gradescope(student: str, passes: bool, tmp_path: Path, shell: Callable[..., Any]) -> None:
    (tmp_path / "submission").mkdir()
    shutil.copy(EXAMPLES / student, tmp_path / "submission" / "agent.py")
    run = EXAMPLES / "gradescope" / "run_autograder"
    assert os.access(run, os.X_OK)
    assert shell(str(run), AUTOGRADER=str(tmp_path)).returncode == 0
    result = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    assert result["tests"][0]["max_score"] == 20
    assert (result["score"] == 20) == passes


def test_what_gradescope_wants_of_an_autograder_is_there() -> None:
    """Its zip has two files at the root, both executable (the specifications name setup.sh and run_autograder)."""
    files = {path.name: path for path in (EXAMPLES / "gradescope").iterdir()}
    assert {*files} == {"setup.sh", "run_autograder"}
    assert all(os.access(path, os.X_OK) for path in files.values())
    assert subprocess.run(["bash", "-n", str(files["setup.sh"])], check=False).returncode == 0
    assert re.findall(r"\"(\S+?)://", files["setup.sh"].read_text(encoding="utf-8")) == ["git+https"]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("def best_move(board)\n", "can't be read as Python"),
        pytest.param(None, "There is no file", marks=pytest.mark.slow),
        pytest.param("exit(3)\n", "best_move", marks=pytest.mark.slow),
    ],
)
def test_gradescope_tells_the_student_why_nothing_was_graded(
    written: str | None, sentence: str, tmp_path: Path, shell: Callable[..., Any]
) -> None:
    (tmp_path / "submission").mkdir()
    if written is not None:
        (tmp_path / "submission" / "agent.py").write_text(written, encoding="utf-8")
    assert shell(str(EXAMPLES / "gradescope" / "run_autograder"), AUTOGRADER=str(tmp_path)).returncode == 0
    result = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    assert result["score"] == 0
    assert sentence in result["tests"][0]["output"]
