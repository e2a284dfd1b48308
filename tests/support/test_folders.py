"""Folders for what engines write: those of judges who are gone are removed after a day."""

import os
import sys
from pathlib import Path
from subprocess import Popen

import pytest

from solver.support.workers import folders


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which processes are there")
def test_what_a_judge_has_left_is_removed_after_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone = Popen([sys.executable, "-c", ""])
    gone.wait()
    names = [f"mnk-engine-{number}-x" for number in (gone.pid, os.getpid())]
    for name in [*names, f"mnk-engine-{gone.pid}-young"]:
        (tmp_path / name).mkdir()
    for name in names:
        os.utime(tmp_path / name, (0, 0))
    folders._remove_left.cache_clear()
    made = Path(folders.make_folder())
    assert {path.name for path in tmp_path.iterdir()} == {names[1], f"mnk-engine-{gone.pid}-young", made.name}
