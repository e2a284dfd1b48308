"""The README is a promise: every command in it runs and prints what stands there."""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT, Kept

FILE = ROOT / "README.md"
README = FILE.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(console|python|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"\d+\.\d+ s\b")


def blocks(kind: str) -> list[str]:
    return [text for name, text in BLOCK.findall(README) if name == kind]


def console() -> list[tuple[str, str]]:
    """(command, expected output) of every console block, in order."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def comparable(output: str) -> str:
    """Output without what differs from run to run, and without blank ends of lines."""
    return "\n".join(line.rstrip() for line in SECONDS.sub("_ s", output).strip().splitlines())


@dataclass(frozen=True)
class Shell:
    """A folder to work in, and an environment in which `mnk` and `python` are those under test."""

    folder: Path
    environment: dict[str, str]

    def run(self, command: str | list[str]) -> str:
        """Return what a command prints; it must succeed."""
        result = subprocess.run(
            command,
            shell=isinstance(command, str),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, f"{command}\n{result.stderr}"
        return result.stdout


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A shell in an empty folder, with 3,3,3 built: the README comes to its examples after `scripts/build-table`."""
    programs, folder = tmp_path_factory.mktemp("bin"), tmp_path_factory.mktemp("readme")
    for name, command in (("mnk", f"{shlex.quote(sys.executable)} -m solver"), ("python", shlex.quote(sys.executable))):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        program.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if key != "MNK_DATA"}
    environment |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    shell = Shell(folder, environment)
    (folder / "data").mkdir()
    (folder / "data" / "examples").symlink_to(ROOT / "data" / "examples")
    shell.run("mnk build 3,3,3")
    return shell


def test_every_command_prints_and_draws_what_the_readme_shows(shell: Shell, kept: Kept) -> None:
    """The commands follow one another, as those of a reader do; each picture is drawn by one of them."""
    assert len(console()) > 5
    for command, shown in console():
        output = "".join(f"{line.rstrip()}\n" for line in shell.run(command).splitlines())
        kept.part(FILE, f"$ {command}\n{shown}", f"$ {command}\n{output}", comparable)
    pictures = re.findall(r"\]\((data/pictures/\S+\.svg)\)", README)
    assert pictures
    for picture in map(Path, pictures):
        drawing = re.compile(rf" {re.escape(picture.name)}($| \|)")
        assert len([command for command, _ in console() if drawing.search(command)]) == 1
        kept.whole(ROOT / picture, (shell.folder / picture.name).read_text(encoding="utf-8"))


def test_the_python_prints_what_the_readme_shows(shell: Shell, kept: Kept) -> None:
    assert blocks("python")
    for code, shown in zip(blocks("python"), blocks("text"), strict=True):
        kept.part(FILE, shown, shell.run([sys.executable, "-c", code]), comparable)


@pytest.mark.slow
def test_the_python_passes_a_strict_check_of_types(tmp_path: Path) -> None:
    files = [tmp_path / f"readme_{number}.py" for number in range(len(blocks("python")))]
    for file, code in zip(files, blocks("python"), strict=True):
        file.write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_two_commands_that_set_up_are_there() -> None:
    commands = re.findall(r"^    (scripts/\S+)$", README, re.MULTILINE)
    assert commands == ["scripts/build-table", "scripts/test"]
    assert all(os.access(ROOT / command, os.X_OK) for command in commands)
