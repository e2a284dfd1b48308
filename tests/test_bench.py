"""The benchmarks run, and write figures that a program and a person can read."""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.minimax import solve

from solver.rules import Rules
from tests.conftest import ROOT
from tests.slow_build import oracle


def test_a_quick_run_writes_numbers(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks", "--quick", "--out", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT / "scripts", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "results.json").read_text())
    assert set(results["machine"]) >= {"processor", "cores", "memory", "python", "numba"}
    assert len(results["figures"]) > 12
    assert all(isinstance(figure["value"], float) for figure in results["figures"])
    table = (tmp_path / "results.md").read_text()
    assert all(figure["what"] in table for figure in results["figures"])


def test_a_figure_says_what_was_asked_for() -> None:
    figure = Figure("work", 0.1234, "s", "under 1 s", 2.5, "ours")
    assert figure.text() == "0.123 s; 2.5 times ours; asked for: under 1 s"


def test_the_baseline_is_right() -> None:
    for game in ("2,2,2", "3,3,3", "3,3,3,torus"):
        known = oracle(game)
        assert solve(Rules.parse(game)) == known.value(known.reachable()[0]).wdl
