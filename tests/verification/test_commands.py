"""The engines in other languages among the examples keep the value, where there is what compiles and runs them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from solver.verification.verify import verify
from tests.conftest import ROOT

COMMANDS = ROOT / "data" / "examples" / "commands"
AT = ["XO./.X./...", "X.O/.X./..O", ".../.X./..O", "OX./XO./X.."]


def commands(folder: Path) -> dict[str, str]:
    """The commands that can be run here, by language."""
    found: dict[str, str] = {}
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler:
        subprocess.run([compiler, "-O1", "-o", str(folder / "engine"), str(COMMANDS / "engine.cpp")], check=True)
        found["C++"] = f"cmd:{folder / 'engine'}"
    if java := shutil.which("java"):
        found["Java"] = f"cmd:{java} {COMMANDS / 'Engine.java'}"
    return found


@pytest.mark.slow
def test_the_engines_in_other_languages_keep_the_value(tmp_path: Path) -> None:
    for language, command in commands(tmp_path).items():
        report = verify(command, "3,3,3", at=AT, workers=1, seconds_to_start=120)
        assert report.passed, (language, str(report))
