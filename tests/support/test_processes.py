"""Tests of bounds on processes, and of ending all that they have started."""

import os
import subprocess
import sys
import time

from solver.support.processes import (
    end_group,
    end_tagged,
    is_running,
    list_descendants,
    no_orphans,
    take_more,
    wait_until_gone,
)

DAEMON = "import os, time\nif not os.fork():\n    os.setsid()\n    if not os.fork():\n        time.sleep(600)\n"
PARENT = "import subprocess, time; subprocess.Popen(['sleep', '600'], start_new_session=True); time.sleep(600)"


def test_a_group_is_ended_with_all_that_descends_from_it() -> None:
    process = subprocess.Popen([sys.executable, "-c", PARENT], start_new_session=True)
    while not (found := list_descendants(process.pid)):
        time.sleep(0.01)
    assert not take_more([process.pid], 10**12)
    assert take_more([process.pid], 1000)
    end_group(process.pid)
    process.wait()
    assert wait_until_gone(found, 60) == []


def test_what_left_its_group_is_known_by_its_environment() -> None:
    environment = {**os.environ, "MNK_TEST": f"{os.getpid()}"}
    process = subprocess.Popen(["sleep", "600"], env=environment)
    while is_running(process.pid) and not (left := end_tagged(f"MNK_TEST={os.getpid()}")):
        time.sleep(0.01)
    assert left == [process.pid]
    assert process.wait() == -9
    assert not is_running(process.pid)


def test_orphans_are_adopted_and_ended() -> None:
    keeps = subprocess.Popen(["sleep", "600"])
    before = list_descendants(os.getpid())  # other tests of this process may have left some for later
    with no_orphans():
        subprocess.run([sys.executable, "-c", DAEMON], check=True, env={})
        while not (found := [pid for pid in list_descendants(os.getpid()) if pid not in before and is_running(pid)]):
            time.sleep(0.01)
    assert wait_until_gone(found, 60) == []
    assert is_running(keeps.pid)
    keeps.kill()
    keeps.wait()
