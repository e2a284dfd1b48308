"""More than a hundred engines that misbehave: the grader survives, no verdict improves, and nothing is left behind."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from solver.game.games import parse_game
from solver.support.sessions import Limits
from solver.verification.find_engine import AskOptions, EngineUnderTest
from solver.verification.verify import verify
from tests.conftest import ROOT
from tests.verification.agents.misbehaving import ALMOST, ENDS, FORGES, RETURNS, WAYS
from tests.verification.referee import FAILURES, THREE

AGENT = Path(__file__).parent / "agents" / "misbehaving.py"
FORM = ["--board", "flat", "--marks", "X,O,space", "--moves", "index"]
GOOD = ["X../.../...", ".X./.../...", "XOX/.../..."]
BAD = ["XO./.../...", ".../XO./...", "..O/X../..."]
LONGEST = 120  # seconds for a verification, in which each of three positions may take one


def survivors(started: Path) -> list[int]:
    """Return the recorded processes that still run."""
    pids = [int(line) for line in started.read_text(encoding="ascii").split()] if started.exists() else []
    found = []
    for pid in pids:
        try:
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                found.append(pid)
        except psutil.Error:
            continue
    return found


def tagged(tag: str) -> list[int]:
    """Return the processes whose environment has this tag."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("TAGGED") == tag and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except (psutil.Error, OSError):
            continue
    return found


def run(way: str, folder: Path) -> dict[str, Any]:
    """Grade an engine in its own process, whose temporary files are in `folder`; nothing must be left behind."""
    started, temporary = folder / "started", folder / "temporary"
    temporary.mkdir()
    at = [word for board in [*GOOD[:2], *BAD, *GOOD[2:]] for word in ("--at", board)]
    done = subprocess.run(
        [sys.executable, "-m", "solver", "verify", "3,3,3", str(AGENT), *FORM, "--time", "1", "--report", "json", *at],
        cwd=folder,
        env={**os.environ, "WAY": way, "STARTED": str(started), "TMPDIR": str(temporary), "TAGGED": str(folder),
             "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=LONGEST, check=False,
    )  # fmt: skip
    assert done.returncode in {0, 1}, done.stderr
    assert [*temporary.iterdir()] == []
    until = time.monotonic() + 2
    while (left := survivors(started) + tagged(str(folder))) and time.monotonic() < until:
        time.sleep(0.05)
    assert left == []
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


@pytest.mark.sampled
@pytest.mark.parametrize("way", WAYS)
def test_a_misbehaving_engine_is_judged_and_ended(way: str, tmp_path: Path) -> None:
    facts = run(way, tmp_path)
    faults = {fault["position"]: fault for fault in facts["faults"]}
    for board in GOOD:  # other positions are graded as usual
        truth = THREE.count(THREE.first, [board.replace("/", "")])
        assert (board in faults) == bool(truth["wrong"])
    for board in BAD:
        fault = faults.get(board, {"kind": None, "move": None})
        failed = fault["kind"] in FAILURES
        if way in {**RETURNS, **ENDS, **FORGES}:
            assert failed, board
        else:
            cells = board.replace("/", "")
            said = {cells: 8 if way in ALMOST else THREE.first(cells)}
            assert failed or bool(fault["kind"]) == bool(THREE.count(said.__getitem__, [cells])["wrong"])


@pytest.mark.slow
def test_children_that_take_memory_are_ended(tmp_path: Path) -> None:
    path = tmp_path / "hungry.py"
    path.write_text(
        "import os, time\n"
        "def best_move(board):\n"
        "    if board.count(' ') == 7:\n"
        "        for _ in range(4):\n"
        "            if not os.fork():\n"
        "                held = os.urandom(10**8)\n"
        "                time.sleep(20)\n"
        "        time.sleep(20)\n"
        "    return board.index(' ')\n",
        encoding="utf-8",
    )
    rules = parse_game("3,3,3")
    form = {"board": "flat", "marks": "X,O,space", "player": "none", "moves": "index"}
    options = AskOptions(form, limits=Limits(seconds_per_move=10, memory=3 * 10**8))
    with EngineUnderTest(str(path), rules, options) as engine:
        begun = time.monotonic()
        report = verify(engine, rules, at=[BAD[0], GOOD[0]])
        assert time.monotonic() - begun < 8
    assert [verdict.answer.failure for verdict in report.verdicts] == ["crash", None]
    assert "0.3 GB of memory" in report.verdicts[0].answer.detail
