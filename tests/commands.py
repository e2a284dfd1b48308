"""Run `mnk` in the tests."""

import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from solver.cli import main

TableFile = Callable[..., Path]  # the fixture `table_file`

SHIPPED_GAMES = ["3,3,3", "4,4,4", "6,7,4,gravity"]
"""The games whose tables are part of the package."""

# Runs `mnk` in its own process, which receives Ctrl-C even if its parent ignores it.
PROCESS = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from solver.cli import main; main(prog_name='mnk')",
]


def mnk(*arguments: str | Path, typed: str = "") -> Result:
    """Run a command with `typed` as its input, and return the result."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], typed, prog_name="mnk")


def assert_refused(result: Result, exit_code: int, *parts: str) -> None:
    """Assert that a command printed only one line on standard error, with these parts, and had this exit code."""
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert result.exit_code == exit_code
    for part in parts:
        assert part in result.stderr
