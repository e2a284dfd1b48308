"""Without Numba, threads and processes, the package works as elsewhere or raises a clear error."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import in_browser
from tests.commands import TableFile
from tests.conftest import PACKAGE, ROOT
from tests.pyodide import install_pyodide

Bare = Callable[..., list[dict[str, Any]]]


def plain(found: object) -> Any:
    """Return an object after a round trip through JSON."""
    return json.loads(json.dumps(found))


@pytest.fixture
def tables(table_file: TableFile) -> Path:
    table_file("4,4,4")
    return table_file("3,3,3").parent


@pytest.fixture
def bare(tables: Path, tmp_path: Path) -> Bare:
    """`bare("3,3,3")`: the output of a Python as limited as in a browser, which builds these games."""

    @cache
    def printed(*games: str) -> list[dict[str, Any]]:
        command = [sys.executable, "-W", "error", "-m", "tests.in_browser", str(tables), str(tmp_path), *games]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), str(ROOT)])}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found

    return printed


def test_a_bare_python_answers_draws_grades_and_builds_as_any_other(bare: Bare, tables: Path, tmp_path: Path) -> None:
    games = ["2,3,2", "2,4,3,gravity"]
    seen, done, refused = bare(*games)
    assert seen == plain(in_browser.look(tables))
    assert done == plain(in_browser.work(tables, tmp_path / "again", games))
    assert refused.pop("isolation").startswith("in this process, as no other can be started: its time and memory are")
    assert refused.pop("a large game").startswith("4,4,4 has 16 squares, and without Numba, as in a browser, boards of")
    for said in refused.values():
        assert "needs a process, and none can be started here; give a function." in said


@pytest.mark.slow
def test_a_bare_python_builds_twelve_squares(bare: Bare, tables: Path, tmp_path: Path) -> None:
    games = ["3,3,3,misere", "3,4,3", "3,4,3,gravity", "affine,3"]
    assert bare(*games)[1] == plain(in_browser.work(tables, tmp_path / "again", games))


SCRIPT = """
import { loadPyodide } from "pyodide";
const [code, tables] = process.argv.slice(2);
const python = await loadPyodide();
for (const [place, root] of [["/code", code], ["/tables", tables]]) {
  python.FS.mkdir(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
console.log(python.runPython(`
import json, sys
from pathlib import Path
sys.dont_write_bytecode = True
sys.path.insert(0, "/code")
from tests.in_browser import look
json.dumps([sys.platform, look(Path("/tables"))])
`));
"""


@pytest.mark.slow
def test_pyodide_answers_draws_and_grades_as_any_other_python(tables: Path, tmp_path: Path) -> None:
    """Pyodide downloads NumPy from its own host, so functions that need NumPy are tested in a bare Python instead."""
    (tmp_path / "script.mjs").write_text(SCRIPT)
    code = tmp_path / "code"
    code.mkdir()
    for name, place in (("solver", PACKAGE), ("tests", ROOT / "tests")):
        shutil.copytree(place, code / name, ignore=shutil.ignore_patterns("__pycache__"))
    install_pyodide(tmp_path)
    command = ["node", "script.mjs", str(code), str(tables)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    platform, seen = json.loads(done.stdout)
    assert platform == "emscripten"
    assert seen == plain(in_browser.look(tables))
