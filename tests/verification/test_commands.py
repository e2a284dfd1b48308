"""The engines in other languages among the examples keep the value; they need what compiles and runs them."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.verification.verify import verify
from tests.conftest import ROOT

COMMANDS = ROOT / "data" / "examples" / "commands"
AT = ["XO./.X./...", "X.O/.X./..O", ".../.X./..O", "OX./XO./X.."]


def find(*programs: str) -> str:
    """The first of some programs that is there; the test fails without any, as what was not run proves nothing."""
    found = next(filter(None, map(shutil.which, programs)), None)
    if found is None:
        pytest.fail(f"there is no {' or '.join(programs)} here; install one (on Debian: g++, default-jdk, nodejs, npm)")
    return found


def compile_cpp(folder: Path) -> str:
    program = folder / "engine"
    subprocess.run([find("c++", "g++", "clang++"), "-O1", "-o", program, COMMANDS / "engine.cpp"], check=True)
    return f"cmd:{program}"


def run_java(_: Path) -> str:
    return f"cmd:{find('java')} {COMMANDS / 'Engine.java'}"


def install_node(folder: Path) -> str:
    """The package is the one that the example names, from npm."""
    example = (COMMANDS / "engine.mjs").read_text(encoding="utf-8")
    package = re.findall(r"npm install (\S+?),", example)
    subprocess.run([find("npm"), "install", "--silent", "--prefix", folder, *package], check=True)
    (folder / "engine.mjs").write_text(example, encoding="utf-8")
    return f"cmd:{find('node')} {folder / 'engine.mjs'}"


@pytest.mark.slow
@pytest.mark.parametrize("make", [compile_cpp, run_java, pytest.param(install_node, marks=pytest.mark.peers)])
def test_the_engines_in_other_languages_keep_the_value(tmp_path: Path, make: Callable[[Path], str]) -> None:
    report = verify(make(tmp_path), "3,3,3", at=AT, workers=1, seconds_to_start=120)
    assert report.passed, str(report)
