"""Every command and program in the documentation runs and prints the output shown below it."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from cells import imports
from figures import draw_figures

from solver import open_tablebase
from tests.commands import TableFile, mnk
from tests.conftest import ROOT, Kept, identical
from tests.docs.pages import DOCS, PAGES, cells, console, name, python
from tests.texts import words_of_chart

RUN = {"console", "python"}
SHOWN = {"bibtex", "text", "json"}  # an entry to copy, the output of a program, and output that another test compares
LONG = {  # pages that take more than two seconds of a processor, but for the README
    "docs/explanation/right.md", "docs/how-to/build.md", "docs/how-to/class.md", "docs/how-to/connect-four.md",
    "docs/how-to/data.md", "docs/how-to/grade.md", "docs/how-to/look-up.md", "docs/how-to/play.md",
    "docs/how-to/prove.md", "docs/how-to/wrap.md", "docs/reference/python.md", "docs/tutorial.md",
}  # fmt: skip
PLAIN = re.compile(r"mnk [^|&;<>$*?`\\\n]+")  # it has no commands for the shell
SECONDS = re.compile(r"\d+\.\d+ s\b")
DRAWN = re.compile(r"\(order: seed \d+\)")


def without_blank_ends(output: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in output.splitlines())


def comparable(output: str) -> str:
    """Return output without durations and seeds drawn at random, which differ from run to run, and blank ends."""
    return without_blank_ends(DRAWN.sub("(order: seed _)", SECONDS.sub("_ s", output)).strip())


@dataclass(frozen=True)
class Shell:
    """A folder to work in, and an environment in which `mnk` and `python` are those under test."""

    folder: Path
    environment: dict[str, str]

    def run(self, command: str) -> str:
        """Return the output of a command, which must succeed. `mnk` runs in this process, where all is loaded."""
        plain, _, rest = command.partition(" | ")
        if not PLAIN.fullmatch(plain):
            return self.process(command, shell=True)
        done = mnk(*shlex.split(plain)[1:])
        if rest:  # a pipe succeeds if its last command does
            return self.process(rest, shell=True, typed=done.stdout)
        assert done.exit_code == 0, f"{command}\n{done.stderr}"
        return without_blank_ends(done.stdout)

    def process(self, command: str | list[str], *, shell: bool = False, typed: str = "") -> str:
        """Return the output of a process, which must succeed."""
        done = subprocess.run(
            command, shell=shell, cwd=self.folder, env=self.environment, input=typed, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        return without_blank_ends(done.stdout)


@pytest.fixture
def shell(tmp_path: Path, table_file: TableFile, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell in a folder with a table of 3,3,3 and the examples: a reader has run `scripts/build-table`."""
    programs, folder = tmp_path / "bin", tmp_path / "work"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "examples").symlink_to(ROOT / "data" / "examples")
    shutil.copy(table_file("3,3,3"), folder / "data")
    programs.mkdir()
    for program, command in (("mnk", [sys.executable, "-m", "solver"]), ("python", [sys.executable])):
        (programs / program).write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        (programs / program).chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if key != "MNK_DATA"}
    environment |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    monkeypatch.chdir(folder)
    return Shell(folder, environment)


def running(pages: list[Path]) -> list[object]:
    """Return the pages with something to run, as cases of a test."""
    return [
        pytest.param(page, id=name(page), marks=[pytest.mark.slow] if name(page) in LONG else [])
        for page in pages
        if any(cell.kind in RUN for cell in cells(page))
    ]


@pytest.mark.parametrize("page", running(PAGES))
def test_the_cells_of_a_page_run_and_print_the_shown_output(page: Path, shell: Shell, kept: Kept) -> None:
    """The cells follow one another, as those of a reader do; a cell with a caption is a file to write."""
    printed: str | None = None  # by the program before
    for cell in cells(page):
        before, printed = printed, None
        if cell.file:
            (shell.folder / cell.file).parent.mkdir(exist_ok=True)
            (shell.folder / cell.file).write_text(cell.text, encoding="utf-8")
        elif cell.kind == "console":
            for command, shown in console(cell.text):
                kept.part(page, f"$ {command}\n{shown}", f"$ {command}\n{shell.run(command)}", comparable)
        elif cell.kind == "python" and not imports(cell.text):  # scripts/test --long has all packages
            printed = shell.process([sys.executable, "-c", cell.text])
        elif cell.kind == "text" and before is not None:
            kept.part(page, cell.text, before, comparable)
    compare_pictures(page, shell.folder, kept)


def compare_pictures(page: Path, folder: Path, kept: Kept) -> None:
    """Compare each stored picture of a page with the one that a command of the page draws."""
    commands = [command for cell in cells(page) if cell.kind == "console" for command, _ in console(cell.text)]
    for picture in re.findall(r"\]\((?:\.\./)*(data/pictures/[^\s)]+\.svg)\)", page.read_text(encoding="utf-8")):
        file = Path(picture).name
        drawing: Callable[[str], object] = re.compile(rf" {re.escape(file)}($| \|)").search
        assert len(list(filter(drawing, commands))) == 1, picture
        drawn = (folder / file).read_text(encoding="utf-8")
        kept.whole(ROOT / picture, drawn, words_of_chart if "matplotlib" in drawn else identical)


def test_every_cell_is_run_or_compared_and_every_stored_picture_is_shown() -> None:
    kinds = {cell.kind for page in PAGES for cell in cells(page) if not cell.file}
    assert {kind for kind in kinds if not kind.startswith("{")} <= RUN | SHOWN
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    shown = set(re.findall(r"data/pictures/([^\s)]+)\)", text))
    assert shown == {picture.name for picture in (ROOT / "data" / "pictures").iterdir()}


@pytest.mark.slow
def test_the_python_passes_a_strict_check_of_types(tmp_path: Path) -> None:
    files = []
    for number, code in enumerate(code for page in PAGES for code in python(page)):
        files.append(tmp_path / f"cell_{number}.py")
        files[-1].write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_figures_are_drawn_from_real_positions_and_shown(table_file: TableFile, kept: Kept) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        figures = draw_figures(table)
    for file, drawn in figures.items():
        kept.whole(DOCS / "figures" / file, drawn)
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert {*re.findall(r"figures/(\S+)\)", text)} == {*figures} == {path.name for path in (DOCS / "figures").iterdir()}
