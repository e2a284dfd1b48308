"""Tables written for the browser, and the page's modules that read them, run by the Node.js that Playwright brings."""

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright._impl._driver import compute_driver_executable

from solver.site.tables import PART_SIZE, write_table_files
from tests.conftest import PACKAGE

Host = Literal["ranges", "whole"]
Ask = Callable[..., "Asked"]

PROGRAM = Path(__file__).parent / "ask.js"


class Asked(NamedTuple):
    """What the page's modules answer, and what they fetched for it."""

    answers: list[dict[str, Any]]
    requests: int
    bytes: int


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules of the page in a folder that tells Node.js what they are."""
    folder = tmp_path_factory.mktemp("modules")
    shutil.copytree(PACKAGE / "web" / "page" / "js", folder, dirs_exist_ok=True)
    shutil.copy(PROGRAM, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.fixture(scope="session")
def written(table_file: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`written("4,4,4", part_size=20_000)`: the folder of that table's files, written on first use."""

    @cache
    def write(game: str, metric: str = "distance", part_size: int = PART_SIZE) -> Path:
        return write_table_files(table_file(game, metric), tmp_path_factory.mktemp("written"), part_size=part_size)

    return write


@pytest.fixture(scope="session")
def ask(modules: Path) -> Ask:
    """`ask(folder, "positionAnswer", texts, host="whole")`: what the page answers from the files of a table."""

    def run(folder: Path, question: str, texts: Sequence[object], host: Host = "ranges") -> Asked:
        node = compute_driver_executable()[0]
        done = subprocess.run(
            [node, modules / PROGRAM.name, modules, folder, host],
            input=json.dumps({"ask": question, "texts": texts}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        return Asked(found["answers"], **found["fetched"])

    return run
