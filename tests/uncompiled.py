"""Numba off: the kernels run as plain Python, where a wrong type or an overflow would show."""

import os
import subprocess
import sys

from tests.conftest import ROOT


def assert_pass_uncompiled(file: str, *tests: str) -> None:
    """Run tests of a file in a process without the compiler."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "", "-p", "no:cacheprovider"]
    command += [f"{file}::{test}" for test in tests]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(tests)} passed" in result.stdout
