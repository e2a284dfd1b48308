"""The plug-ins that the reference shows work once they are installed."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import PACKAGE
from tests.docs.pages import DOCS, cells


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which pip would have installed them."""
    shown = cells(DOCS / "reference" / "python.md")
    projects = [tomllib.loads(cell.text) for cell in shown if cell.file == "pyproject.toml"]
    for project in (project["project"] for project in projects):
        (text,) = [cell.text for cell in shown if cell.file == f"{project['name']}.py"]
        (tmp_path / f"{project['name']}.py").write_text(text, encoding="utf-8")
        facts = tmp_path / f"{project['name']}-{project['version']}.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
        )
        points = [
            f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in entries.items())
            for group, entries in project["entry-points"].items()
        ]
        (facts / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")
    assert [project["project"]["name"] for project in projects] == ["corner", "blocks"]
    return tmp_path


@pytest.mark.slow
def test_the_plugins_of_the_reference_work(installed: Path) -> None:
    def mnk(*words: str) -> str:
        path = os.pathsep.join([str(installed), str(PACKAGE.parent)])
        command = [sys.executable, "-m", "solver", *words]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=installed, env={**os.environ, "PYTHONPATH": path}
        ).stdout

    assert "corner:last=true against corner on 3,3,3" in mnk("match", "3,3,3", "corner:last=true", "corner")
    assert "Built blocks,3 (a square board of 3 rows, on which a 2x2 block wins): " in mnk("build", "blocks,3")
    assert "a 2x2 block wins" in mnk("show", "blocks,3")
