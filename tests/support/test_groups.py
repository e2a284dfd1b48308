"""Control groups: nothing leaves them, and they leave nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solver.support import groups
from solver.support.groups import ControlGroup
from solver.support.processes import is_running

DAEMON = """
import os, sys
sys.stdin.read(1)
if not os.fork():
    os.setsid()
    if not os.fork():
        print(os.getpid(), flush=True)
        os.execve("/bin/sleep", ["sleep", "600"], {})
    os._exit(0)
os.wait()
"""


def test_a_daemon_without_parent_session_and_environment_is_ended() -> None:
    group = ControlGroup()
    if not group.is_there:
        pytest.skip("this process may make no control group")
    with subprocess.Popen([sys.executable, "-c", DAEMON], stdin=-1, stdout=-1, text=True) as process:
        group.add(process.pid)
        daemon = int(_read_first(process))
        process.wait()
    assert is_running(daemon)
    assert group.end() == 1
    assert not is_running(daemon)
    assert group.end() == 0


def _read_first(process: subprocess.Popen[str]) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("!")
    process.stdin.close()
    return process.stdout.readline()


def test_groups_of_judges_that_are_gone_are_removed() -> None:
    own = groups._find_own()
    before = {*own.glob(f"mnk-engine-{os.getpid()}-*")} if own else set()  # of engines that other tests hold
    group = ControlGroup()
    if not group.is_there or own is None:
        pytest.skip("this process may make no control group")
    with subprocess.Popen(["true"]) as gone:
        left = own / f"mnk-engine-{gone.pid}-0"
    left.mkdir()
    ControlGroup().end()
    assert not left.exists()
    assert group.is_there
    group.end()
    assert {*own.glob(f"mnk-engine-{os.getpid()}-*")} == before


@pytest.mark.parametrize("folder", ["there", "missing"])
def test_without_such_groups_nothing_is_held_or_left(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    monkeypatch.setattr(groups, "_find_own", lambda: tmp_path / folder)
    group = ControlGroup()
    assert not group.is_there
    group.add(1)
    assert group.end() == 0
    assert [*tmp_path.rglob("*")] == [tmp_path / "there"]
