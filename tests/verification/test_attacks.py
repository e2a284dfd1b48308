"""Attacks on the grader: none gets points, and nothing of them is left."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from solver.errors import EngineError, GraderError, NotStarted
from solver.game.games import parse_game
from solver.game.position import Position
from solver.support.processes import no_orphans
from solver.support.sessions import Limits, Sessions
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.find_engine import AskOptions, EngineUnderTest
from solver.verification.findings import NotGraded
from solver.verification.formats import FORMATS, write_report
from solver.verification.sandbox import NoSandbox, is_of_system
from solver.verification.verify import Report, verify
from tests.conftest import ROOT
from tests.verification.fakes import THREE, FakeEngine
from tests.verification.makers import boards
from tests.verification.referee import THREE as GAME
from tests.verification.test_misbehaving import survivors, tagged

FLAT: dict[str, Any] = {"profile": "simple"}
TWO = "X.O/.../..."  # where each attack happens
FIRST = "return board.index(' ')"

needs_sandbox = pytest.mark.skipif(
    subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], check=False).returncode != 0
    if shutil.which("bwrap")
    else True,
    reason="no sandbox here",
)

Attack = Callable[..., Report]


@pytest.fixture
def attack(tmp_path: Path) -> Attack:
    """`attack(body)`: the report on an engine that runs `body` in a position with two stones."""

    def run(body: str, **options: Any) -> Report:
        lines = [f"        {line}" for line in body.splitlines()]
        source = [
            "import os, sys, time",
            "def best_move(board):",
            "    if board.count(' ') == 7:",
            *lines,
            f"    {FIRST}",
        ]
        path = tmp_path / "agent.py"
        path.write_text("\n".join(source), encoding="utf-8")
        return verify(str(path), "3,3,3", **{"at": TWO, **FLAT, **options})

    return run


# In a sandbox


WAYS = [
    "from solver.search.truth import open_truth", "import solver; solver.verify", "import solver; solver.Truth",
    "from solver.course.aima import alpha_beta_search",
    "import subprocess; subprocess.run([sys.executable, '-m', 'solver', 'query', '3,3,3'], check=True)",
    f"os.listdir({str(ROOT / 'tests')!r})", f"os.listdir({str(ROOT / 'solver' / 'store' / 'shipped')!r})",
    "os.environ['SECRET']", "os.kill(os.getppid() + 10, 0)", "open('other', 'w')",
    "open('/other', 'w')", "open('/dev/other', 'w')",
    "for name in range(40): open(f'/tmp/{name}', 'wb').write(bytes(9 * 10**6))",
    "import socket; socket.create_connection(('1.1.1.1', 53), 1)", "pass",
]  # fmt: skip


@needs_sandbox
def test_a_sandbox_shows_no_other_way_to_a_move(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine tries another way in each position with two stones; the last way does nothing."""
    monkeypatch.setenv("SECRET", "1")
    at = [cells for cells in GAME.live if cells.count(".") == 7][: len(WAYS)]
    body = f"exec(dict(zip({at!r}, {WAYS!r}))[''.join(board).replace(' ', '.')], globals())\n{FIRST}"
    verdicts = attack(body, at=boards(GAME, at), sandbox=True).verdicts
    assert [way for way, one in zip(WAYS, verdicts, strict=True) if one.answer.failure != "exception"] == ["pass"]


@needs_sandbox
@pytest.mark.skipif(not os.access("/opt", os.W_OK), reason="only root can write to /opt")
def test_a_sandbox_hides_a_course_among_the_systems_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as in /opt, or in /usr/src of a container."""
    with TemporaryDirectory(dir="/opt") as folder:
        course = Path(folder)
        (course / "marks.csv").write_text("2")
        (course / "ada").mkdir()
        agent = course / "ada" / "agent.py"
        agent.write_text(f"def best_move(board):\n    return int(open('{course}/marks.csv').read())\n")
        monkeypatch.chdir(course)
        assert (is_of_system(agent), is_of_system(Path(sys.executable))) == (False, True)
        monkeypatch.chdir("/")
        assert is_of_system(Path("/usr/bin/env"))
        monkeypatch.chdir(course)
        report = verify(str(agent), "3,3,3", at=TWO, sandbox=True, **FLAT)
        assert "FileNotFoundError" in report.verdicts[0].answer.detail


@needs_sandbox
def test_no_profile_and_no_board_lets_an_agent_call_this_package(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("def player(game, state):\n    from solver.search.truth import open_truth\n")
    report = verify(str(tmp_path / "agent.py"), "3,3,3", at=TWO, profile="aima", sandbox=True)
    assert "No module named 'solver.search'" in report.verdicts[0].answer.detail
    assert "package" not in report.isolation
    with pytest.raises(GraderError, match=r"the board can't be a solver\.Position there"):
        verify(str(tmp_path / "agent.py:player"), "3,3,3", board="position", moves="index", sandbox=True)


@needs_sandbox
def test_a_sandbox_hides_tables_and_what_lies_beside_them_but_no_data_of_an_agent(
    attack: Attack, tmp_path: Path
) -> None:
    hidden = ["mnk-4-4-4.sqlite", "mnk-4-4-4.strategy.opening.npz", "proofs/mnk-4-4-4.strategy.sqlite"]
    (tmp_path / "data" / "proofs").mkdir(parents=True)
    for name in (*hidden, "weights.npz"):
        (tmp_path / "data" / name).write_text("x")
    body = "assert open('data/weights.npz').read() == 'x'\n"
    body += f"for name in {hidden}:\n    try:\n        assert not open(f'data/{{name}}').read()\n"
    body += "    except OSError:\n        pass\n"
    assert [one.answer.detail for one in attack(body + FIRST, sandbox=True).verdicts] == [""]


@needs_sandbox
def test_a_report_names_the_files_beside_an_agent_that_may_be_the_work_of_others(
    attack: Attack, tmp_path: Path
) -> None:
    for name, function in (("ada.py", "best_move"), ("old/bert.py", "best_move"), ("helper.py", "first")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"def {function}(board): ...\n")
    said = attack(FIRST, sandbox=True).isolation
    assert "it can also read ada.py and old/bert.py, which define best_move too" in said
    said = attack(FIRST, sandbox=True, hidden=[str(tmp_path / "ada.py"), str(tmp_path / "old")]).isolation
    assert "can also read" not in said


@needs_sandbox
@pytest.mark.slow
def test_a_sandbox_compiles_and_caches_with_numba(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(
        "import numba\n@numba.njit(cache=True)\ndef find(taken):\n"
        "    for square in range(9):\n        if not taken[square]:\n            return square\n    return -1\n"
        "def best_move(board):\n    move = find(tuple(int(mark != ' ') for mark in board))\n"
        "    assert sum(find.stats.cache_misses.values()) + sum(find.stats.cache_hits.values()) == 1\n    return move\n"
    )
    [verdict] = verify(str(tmp_path / "agent.py"), "3,3,3", at=TWO, sandbox=True, time=60, **FLAT).verdicts
    assert (verdict.answer.move, verdict.answer.failure) == (1, None)


BWRAP = """#!/bin/sh
# A stand-in for bubblewrap.
case "$*" in *-ISc*) TRIAL ;; esac
echo "bwrap: No more namespaces" >&2
exit 1
"""
WITHOUT_RIGHTS = f"""while [ "$1" != -- ]; do shift; done; shift
{"exec setpriv --bounding-set=-all" if hasattr(os, "geteuid") and not os.geteuid() else "exec"} "$@"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a sandbox of Linux")
@pytest.mark.parametrize(
    ("trial", "error", "reason"),
    [
        ("exit 0", NotStarted, "it printed 'bwrap: No more namespaces'"),
        (":", NoSandbox, "No more namespaces"),
        (WITHOUT_RIGHTS, NoSandbox, r"this kernel can't filter system calls \(seccomp\)"),
    ],
)
def test_a_sandbox_that_fails_is_not_the_engines_fault(
    trial: str, error: type[Exception], reason: str, attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bwrap").write_text(BWRAP.replace("TRIAL", trial))
    (tmp_path / "bin" / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(error, match=reason):
        attack(FIRST, sandbox=True)


@needs_sandbox
def test_a_sandbox_leaves_an_engine_its_modules_its_folder_and_places_to_write(attack: Attack, tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text("def first(board):\n    return board.index(' ')\n")
    body = "import numpy\nfrom solver import load_program\ngame = load_program('game.py')\n"
    body += "for name in ('TMPDIR', 'NUMBA_CACHE_DIR', 'HOME'):\n    open(os.environ[name] + '/x', 'w').close()\n"
    report = attack(body + "return game.first(board)", sandbox=True)
    assert [verdict.answer.move for verdict in report.verdicts] == [1]
    assert "nothing to see but its folder" in report.isolation


CALL = "import ctypes, fcntl, subprocess\nlibc = ctypes.CDLL(None, use_errno=True)\n"
REACHES = {  # what an engine could do to other processes, and what a later engine could read
    "lease": "fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_WRLCK)",
    "core": "os.sched_setaffinity(0, os.sched_getaffinity(0))",
    "key": f"assert libc.syscall({248 if os.uname().machine == 'x86_64' else 217}, b'user', b'mal', b'4', 1, -3) > 0",
    "cgroup": "subprocess.run(['unshare', '-UrmC', 'mount', '-t', 'cgroup2', 'x', '/tmp'], check=True)",
    "device": "os.chmod('/dev/full', 0o666)",  # which root owns
}


@needs_sandbox
@pytest.mark.skipif(sys.platform != "linux", reason="seccomp")
def test_a_sandbox_forbids_the_calls_that_reach_beyond_it(attack: Attack) -> None:
    """The engine tries a way in each position with two stones; reading a setting of a file is still allowed."""
    ways = [*REACHES.values(), "fcntl.fcntl(0, fcntl.F_GETFD); subprocess.run(['true'], check=True)"]
    at = [cells for cells in GAME.live if cells.count(".") == 7][: len(ways)]
    body = f"{CALL}exec(dict(zip({at!r}, {ways!r}))[''.join(board).replace(' ', '.')], globals() | locals())\n{FIRST}"
    verdicts = attack(body, at=boards(GAME, at), sandbox=True).verdicts
    assert [way for way, one in zip(ways, verdicts, strict=True) if one.answer.failure != "exception"] == ways[-1:]


# Time


def test_an_engine_too_slow_for_a_grade_gets_none(attack: Attack) -> None:
    """One that sleeps, and knows the moves of the positions that it is asked first, would get full marks."""
    source = "def slow(board):\n    import time\n    time.sleep(0.3)\n    return board.index(' ')"
    scope: dict[str, Any] = {}
    exec(source, scope)
    with pytest.raises(GraderError, match=r"too slow; it was asked .* and a grade needs 300 positions"):
        verify(scope["slow"], "3,3,3", budget=1, **FLAT)


def test_positions_and_their_order_follow_from_a_seed_that_an_engine_cannot_know() -> None:
    def asked(**options: Any) -> tuple[list[int], int | None]:
        engine = FakeEngine(lambda position: position.legal_moves[0])
        report = verify(engine, THREE, **options)
        return [position.hash for position in engine.asked[:50]], report.scope.seed

    samples = [asked(sample=50) for _ in range(3)]
    assert len({seed for _, seed in samples}) > 1
    assert samples[0][0] != samples[1][0]
    assert asked(sample=50, seed=samples[0][1]) == samples[0]
    assert asked()[0] != asked()[0]
    all_asked, seed = asked()
    assert asked(seed=seed)[0] == all_asked
    report = verify(FakeEngine(lambda position: position.legal_moves[0]), THREE)
    assert f"4,520 positions (order: seed {report.scope.seed})" in str(report)


def test_an_engine_cannot_infer_the_order_of_positions_from_its_own_seed(
    attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[dict[str, Any]] = []

    def start(sessions: Sessions, *_: object) -> None:
        sent.append(json.loads(sessions._setup))
        raise KeyboardInterrupt

    monkeypatch.setattr(Sessions, "_start", start)
    for seed in (123456789, 123456789, 987654321):
        with pytest.raises(KeyboardInterrupt):
            attack(FIRST, seed=seed)
    assert sent[0]["seed"] == sent[1]["seed"] != sent[2]["seed"]
    assert "123456789" not in json.dumps(sent[0])
    reports = [verify(FakeEngine(lambda position: position.legal_moves[0]), THREE, sample=9) for _ in range(3)]
    assert max(report.scope.seed or 0 for report in reports) > 10**6  # which could be tried out


# Forgery


def test_an_exception_with_the_name_of_our_own_is_a_fault(attack: Attack) -> None:
    kinds = ("protocol", "address", "grader", "timeout")
    body = f"class EngineFailure(Exception):\n    kind = {kinds}[board.index('O')]\nraise EngineFailure('no server')"
    assert attack(body, at=["O.X/.../...", ".OX/.../...", "X.O/.../...", "X../O../..."]).counts["exception"] == 4


@pytest.mark.parametrize(
    "forged",
    [
        "'error': 'it is gone', 'kind': 'address'", "'move': 10**4000",
        *(pytest.param(forged, marks=pytest.mark.slow) for forged in (
            "'error': 'two lines', 'kind': 'protocol'", "'error': {}, 'kind': ['timeout']",
            "'move': {'object': {}}, 'value': 10**400", "'move': [[]] * 9, 'value': []",
        )),
    ],
)  # fmt: skip
def test_a_forged_reply_is_a_fault_of_the_engine_and_none_of_the_grader(forged: str, attack: Attack) -> None:
    body = "host = sys.modules['__main__']\nhost.answer = lambda _, request, game: {'n': request['n'], FORGED}\n"
    assert attack(body.replace("FORGED", forged) + "return 1", at=[TWO, "X../.O./..."], time=1).wrong == 2


@pytest.mark.parametrize("ready", ["{}", "{'arguments': 'x'}", "{'arguments': [10**400, 1e400]}"])
def test_a_forged_start_is_a_fault_of_the_engine(ready: str, tmp_path: Path) -> None:
    source = "import sys\nhost = sys.modules['__main__']\nwrite = host._write\n"
    source += f"host._write = lambda file, _: write(file, {{'ready': {ready}}})\ndef best_move(board):\n    {FIRST}\n"
    (tmp_path / "agent.py").write_text(source)
    with pytest.raises(EngineError, match="how many arguments"):
        verify(str(tmp_path / "agent.py"), "3,3,3", at=TWO, **FLAT)


@pytest.mark.skipif(sys.platform != "linux", reason="a setting of Linux")
def test_the_command_closes_its_files_to_other_processes() -> None:
    def is_open() -> int:
        return ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)  # type: ignore[no-any-return]  # PR_GET_DUMPABLE

    before = is_open()
    with no_orphans():
        assert is_open() == 0
    assert is_open() == before


def test_a_zero_is_a_zero_in_every_report() -> None:
    found = NotGraded("3,3,3", "agent.py", "It can't be loaded.", "EngineError", True)
    facts, scored = (json.loads(write_report(found, name)) for name in ("json", "gradescope"))
    assert [facts["passed"], facts["score"], facts["points"]] == [False, 0, 0]
    assert [scored["score"], scored["tests"][0]["score"], scored["tests"][0]["status"]] == [0, 0, "failed"]


# Processes


def test_what_a_dead_engine_leaves_behind_is_ended_without_the_command_too(
    attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "if not os.fork():\n    os.setsid()\n    pid = os.fork()\n    if pid:\n        os._exit(0)\n"
    body += f"    open({str(tmp_path / 'started')!r}, 'w').write(str(os.getpid()))\n"
    body += "    os.execve('/bin/sleep', ['sleep', '30'], {})\ntime.sleep(0.5)\nos._exit(1)"
    assert attack(body).counts["crash"] == 1
    assert (tmp_path / "started").read_text(encoding="ascii")
    assert survivors(tmp_path / "started") == []


def start(source: str, folder: Path, *options: str) -> "subprocess.Popen[str]":
    """Start the command on an engine with this source; its processes have the folder as their tag."""
    (folder / "agent.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "solver", "verify", "3,3,3", "agent.py", "--profile", "simple", *options]
    environment = {**os.environ, "TAGGED": str(folder), "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)


def test_all_ends_with_a_grader_that_is_killed(tmp_path: Path) -> None:
    source = "import os, time\ndef best_move(board):\n    if not os.fork():\n        os.setsid()\n"
    source += "    open('began', 'w').close()\n    time.sleep(60)\n"
    with start(source, tmp_path, "--time", "50") as grader:
        until = time.monotonic() + 60
        while not (tmp_path / "began").exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        for pid in tagged(str(tmp_path)):  # as when it is killed while it ends them
            if pid != grader.pid and "sleep" in Path(f"/proc/{pid}/wchan").read_text() and os.getsid(pid) == pid:
                os.kill(pid, signal.SIGSTOP)
        grader.kill()
    until = time.monotonic() + 5
    while (left := tagged(str(tmp_path))) and time.monotonic() < until:
        time.sleep(0.05)
    assert left == []


def test_an_engine_that_starts_a_helper_for_each_move_ends_with_its_report(tmp_path: Path) -> None:
    source = "import subprocess\ndef best_move(board):\n"
    source += f"    subprocess.Popen(['sleep', '60'], start_new_session=True)\n    {FIRST}\n"
    with start(source, tmp_path, "--sample", "40") as grader:
        written, _ = grader.communicate(timeout=60)
    assert "40 positions" in written
    assert tagged(str(tmp_path)) == []


HELD = "import mmap, time\nheld = mmap.mmap(-1, 9 * 10**8)\n"
TAKE = "for _ in range(COUNT): held.write(bytes(10**6))\n"


@pytest.mark.parametrize(
    "source",
    [
        f"{HELD}def best_move(board):\n    {TAKE.replace('COUNT', '400')}    time.sleep(9)\n    {FIRST}\n",
        f"{HELD}def best_move(board):\n    {TAKE.replace('COUNT', '20')}    time.sleep(0.02)\n    {FIRST}\n",
    ],
)
def test_shared_memory_counts(source: str, tmp_path: Path) -> None:
    """Also that of an engine that answers at once."""
    path = tmp_path / "agent.py"
    path.write_text(source)
    at = boards(GAME, [cells for cells in GAME.live if cells.count(".") == 7][:40])
    options = AskOptions(FLAT, limits=Limits(memory=3 * 10**8))
    with EngineUnderTest(str(path), parse_game("3,3,3"), options) as engine:
        report = verify(engine, "3,3,3", at=at[:1] if "sleep(9)" in source else at)
    crashed = [verdict for verdict in report.verdicts if verdict.answer.failure is Failure.CRASH]
    assert crashed
    assert all("0.3 GB of memory" in verdict.answer.detail for verdict in crashed)


def test_memory_that_is_taken_at_the_start_counts(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(
        f"{HELD}{TAKE.replace('COUNT', '400')}time.sleep(15)\ndef best_move(board): ...\n"
    )
    with pytest.raises(EngineError, match=r"did not start: its processes took more than 0\.3 GB of memory"):
        EngineUnderTest(
            str(tmp_path / "agent.py"), parse_game("3,3,3"), AskOptions(FLAT, limits=Limits(memory=3 * 10**8))
        )


# Foreign text

EVIL = "a\n\x1b[2J\u202e<b>\ufffe\x00"


def test_no_text_of_an_engine_changes_a_report(attack: Attack) -> None:
    def evil(_: object) -> EngineAnswer:
        return EngineAnswer(None, Failure.EXCEPTION, "Error", output=EVIL)

    engine = FakeEngine(evil)
    engine.name = f"{EVIL}.py"
    thrown = attack(f"raise ValueError({EVIL!r})")
    shown = attack(f"class Odd:\n    def __repr__(self):\n        return {EVIL!r}\nreturn Odd()")
    found = NotGraded("3,3,3", f"{EVIL}.py", EVIL, "EngineError", True)
    reports: list[Report | NotGraded] = [verify(engine, THREE, at=TWO), thrown, shown, found]
    for report, name in product(reports, FORMATS):
        written = write_report(report, name)
        assert not {*"\x1b\u202e\ufffe\x00\r"} & {*written}
        if name == "junit":
            Xml.fromstring(written)
    for report in (thrown, shown):
        assert all("\n" not in verdict.answer.detail for verdict in report.verdicts)
    assert "\n" not in verify(engine, THREE, at=TWO).engine


@pytest.mark.parametrize("name", ["x\nPassed: it keeps the value.\n.py", "x\x1b[2J.py", "x\u202eyp.py"])
def test_a_name_that_could_forge_a_line_of_a_report_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(f"def best_move(board):\n    {FIRST}\n")
    for spec in (str(tmp_path / name), f"cmd:{sys.executable} '{tmp_path / name}'"):
        with pytest.raises(GraderError, match="can't be printed; rename the file") as refused:
            verify(spec, "3,3,3", at=TWO)
        assert str(refused.value).isprintable()


def test_the_name_of_a_function_forges_no_line() -> None:
    def mal(board: list[str]) -> int:
        return board.index(" ")

    mal.__name__ = "x\nPassed: it keeps the value.\n"
    with pytest.raises(GraderError, match="is not stated") as refused:
        verify(mal, "3,3,3")
    assert "\nPassed" not in str(refused.value)


def test_a_program_cannot_blame_the_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may forge a reply of its host, such as one that only the host of a server may give."""
    (tmp_path / "mal.py").write_text("import sys\nfor line in sys.stdin:\n    print(0, flush=True)\n")
    with EngineUnderTest(f"cmd:{sys.executable} {tmp_path / 'mal.py'}", THREE, AskOptions()) as engine:
        forged = {"kind": "address", "error": "full points"}
        monkeypatch.setattr(engine._sessions, "run", lambda *_: [forged])
        [answer] = engine.request([Position.parse(THREE, TWO)])
    assert answer is not None
    assert answer.failure


@needs_sandbox
def test_a_program_is_found_by_a_relative_path_and_sees_no_private_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "bot.py").write_text(
        "import sys\nfor path in ('/etc/shadow', '/proc/sys/kernel/core_pattern'):\n    try:\n"
        "        with open(path, 'r' if 'etc' in path else 'a') as file:\n"
        "            assert 'etc' in path and not file.read()\n    except OSError:\n        pass\n"
        "for line in sys.stdin:\n    print(line.replace('/', '').index('.'), flush=True)\n"
    )
    report = verify(f"cmd:{sys.executable} ada/bot.py", "3,3,3", at=["XO./.../..."], sandbox=True)
    assert [verdict.answer.move for verdict in report.verdicts] == [2]


def test_an_engine_that_waits_for_the_end_of_the_time_must_answer_or_fail(attack: Attack) -> None:
    assert attack("time.sleep(4)\nreturn 1", at=[TWO], budget=4, time=9).wrong == 1  # a start can take a second
    assert attack("time.sleep(9)\nreturn 1", at=[TWO], budget=4, time=4).counts["timeout"] == 1


def test_no_side_is_left_out_by_being_late_or_crashing_there(tmp_path: Path) -> None:
    for trick in ("time.sleep(0.5)", "os._exit(1)"):
        source = (
            f"import os, time\ndef best_move(board):\n    if board.count(' ') % 2 == 0:\n        {trick}\n    {FIRST}\n"
        )
        (tmp_path / "agent.py").write_text(source)
        if "sleep" in trick:
            with pytest.raises(GraderError, match=r"too slow; it was asked .* and a grade needs 300 positions"):
                verify(str(tmp_path / "agent.py"), "3,3,3", budget=4, **FLAT)
        else:
            report = verify(str(tmp_path / "agent.py"), "3,3,3", **FLAT)
            assert report.counts["crash"] == sum(cells.count(".") % 2 == 0 for cells in GAME.live)
            assert len(report.verdicts) == len(GAME.live)


@pytest.mark.parametrize("answer", ["'--3'", "'-'", "'- 3'", "'\\N{ARABIC-INDIC DIGIT THREE}'", "'1e3'", "'+3'"])
def test_text_that_is_no_number_is_a_fault_of_the_engine(answer: str, attack: Attack) -> None:
    assert attack(f"return {answer}").wrong <= 1
