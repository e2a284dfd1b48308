"""The README is a promise: every command in it runs and prints what stands there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
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


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """An empty folder to work in, and an environment in which `mnk` and `python` are those under test."""
    programs, folder = tmp_path_factory.mktemp("bin"), tmp_path_factory.mktemp("readme")
    for name, command in (("mnk", f"{shlex.quote(sys.executable)} -m solver"), ("python", shlex.quote(sys.executable))):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        program.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if key != "MNK_DATA"}
    environment |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    # The README comes to its examples after `scripts/build-table`, which builds 3,3,3.
    subprocess.run(["mnk", "build", "3,3,3"], cwd=folder, env=environment, capture_output=True, check=True)
    return folder, environment


def test_every_command_prints_what_the_readme_shows(shell: tuple[Path, dict[str, str]]) -> None:
    folder, environment = shell
    assert len(console()) > 5
    for command, expected in console():
        result = subprocess.run(
            command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, f"{command}\n{result.stderr}"
        assert comparable(result.stdout) == comparable(expected), command


def test_the_pictures_are_those_that_the_commands_draw(shell: tuple[Path, dict[str, str]]) -> None:
    folder, environment = shell
    pictures = re.findall(r"\]\((data/pictures/\S+\.svg)\)", README)
    assert pictures
    for picture in map(Path, pictures):
        drawing = re.compile(rf" {re.escape(picture.name)}($| \|)")
        (command,) = [command for command, _ in console() if drawing.search(command)]
        subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, check=True)
        assert (folder / picture.name).read_text() == (ROOT / picture).read_text(), command


def test_the_python_prints_what_the_readme_shows(shell: tuple[Path, dict[str, str]]) -> None:
    folder, environment = shell
    assert blocks("python")
    for code, expected in zip(blocks("python"), blocks("text"), strict=True):
        command = [sys.executable, "-c", code]
        result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        assert comparable(result.stdout) == comparable(expected)


def test_the_two_commands_that_set_up_are_there() -> None:
    commands = re.findall(r"^    (scripts/\S+)$", README, re.MULTILINE)
    assert commands == ["scripts/build-table", "scripts/test"]
    assert all(os.access(ROOT / command, os.X_OK) for command in commands)
