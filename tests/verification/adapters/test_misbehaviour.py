"""Engines that misbehave get their right verdict or one clear sentence, and leave nothing behind."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.game.position import Position
from solver.support.processes import is_running
from solver.verification.adapters.open import open_engine
from solver.verification.contract import Answer, AskOptions, EngineUnderTest, Failure
from solver.verification.verify import verify
from tests.verification.agents import misbehaving
from tests.verification.fakes import THREE

FILE = str(Path(misbehaving.__file__))
START = Position.start(THREE)
ASKED = AskOptions(board="flat list", marks="X,O, ", moves="index", workers=1)

WELL = (None, "")
WRONG, RAISED, ENDED, ILLEGAL = Failure.WRONG_TYPE, Failure.EXCEPTION, Failure.CRASH, Failure.ILLEGAL

EXPECTED: dict[str, tuple[Failure | None, str]] = {
    "huge_number": (WRONG, "returned a whole number of 16,610 bits, expected"),
    "huge_negative_number": (WRONG, "returned a whole number of 16,610 bits"),
    "huge_text": (WRONG, "returned a text of 1,000,000 characters, which begins with '888"),
    "deep_list": (WRONG, "returned something nested more than 16 deep"),
    "wide_list": (WRONG, "returned something of more than 10,000 items"),
    "laughs": (WRONG, "returned something of more than 10,000 items"),
    "not_a_number": (WRONG, "returned nan"),
    "infinity": (WRONG, "returned inf"),
    "some_bytes": (WRONG, "returned"),
    "surrogate": (WRONG, r"returned '\ud800'"),
    "generator": (WRONG, "<generator object"),
    "itself_in_itself": (WRONG, "returned something nested"),
    "module": (WRONG, "<module 'os'"),
    "decimal": WELL,
    "answers_anything": (WRONG, "returned something nested"),
    "raises_when_written": (RAISED, "ValueError: no text"),
    "long_when_written": (WRONG, "returned 'xxx"),
    "index": WELL,
    "raises_as_index": (RAISED, "RuntimeError: no number"),
    "lies_about_its_class": (RAISED, "TypeError"),
    "raises_when_compared": (RAISED, "RuntimeError: not to be compared"),
    "text_that_raises": (RAISED, "RuntimeError: no text"),
    "endless_dict": (WRONG, "returned something of more than 10,000 items"),
    "endless_list": (WRONG, "returned something of more than 10,000 items"),
    "runs_when_unpickled": (WRONG, "_Pickled object"),
    "empties_the_board": (Failure.MUTATED, "left () as the board"),
    "fills_the_board": (Failure.MUTATED, "left something of more than 10,000 items as the board"),
    "puts_what_raises_on_the_board": (RAISED, "ValueError: no text"),
    "interrupt": (RAISED, "KeyboardInterrupt"),
    "leaves": (RAISED, "SystemExit: 3"),
    "generator_exit": (RAISED, "GeneratorExit"),
    "error_without_text": (RAISED, "_Unspeakable, whose text can't be had"),
    "error_with_much_text": (RAISED, "ValueError: xxx"),
    "error_with_odd_text": (RAISED, r"ValueError: a\ud800 b"),
    "recursion": (RAISED, "RecursionError: maximum recursion depth exceeded"),
    "hunger": (RAISED, "MemoryError"),
    "reads": (RAISED, "EOFError: EOF when reading a line (it reads from the keyboard)"),
    "ends_well": (ENDED, "it ended its own process with exit code 0"),
    "ends": (ENDED, "it ended its own process with exit code 3"),
    "aborts": (ENDED, "it was ended by SIGABRT"),
    "segfaults": (ENDED, "it was ended by SIGSEGV"),
    "kills_itself": (ENDED, "it was ended by SIGKILL"),
    "kills_its_group": (ENDED, "it was ended by SIGKILL"),
    "kills_its_parent": (ENDED, "it was ended by SIGKILL"),
    "kills_everybody": (RAISED, "PermissionError: an engine may send signals to its own processes only"),
    "kills_its_judge": (RAISED, "PermissionError: an engine may send signals to its own processes only"),
    "bounds_its_judge": (RAISED, "PermissionError: an engine may send signals to its own processes only"),
    "takes_hold_of_its_judge": (RAISED, "PermissionError: an engine may send signals to its own processes only"),
    "alarm": (ENDED, "it was ended by SIGALRM"),
    "closes_everything": (ENDED, "it ended its own process with exit code 1"),
    "many_children": (ENDED, "it started more than 64 processes"),
    "writes_without_end": (ENDED, "it wrote more than 1.0 GB"),
    "returns_twice": WELL,
    "returns_often": WELL,
    "leaves_a_child": WELL,
    "leaves_a_daemon": WELL,
    "leaves_a_program": WELL,
    "leaves_a_pool": WELL,
    "many_threads": WELL,
    "many_files": (RAISED, "Too many open files"),
    "large_file": (RAISED, "File too large"),
    "leaves_files": WELL,
    "goes_elsewhere": WELL,
    "much_output": WELL,
    "odd_output": WELL,
    "no_output": WELL,
    "forges_replies": (ILLEGAL, "is taken"),
    "forges_facts": (ILLEGAL, "is taken"),
    "looks_for_its_caller": (ILLEGAL, "is taken"),
    "imports_the_solver": WELL,
    "opens_a_table": WELL,
    "runs_the_solver": WELL,
}


class Seen:
    """What came of asking the engine in the position of every fault, and in others between them."""

    def __init__(self, folder: Path) -> None:
        self.notes = folder / "started"
        names = [*misbehaving.FAULTS]
        asked: list[Position] = []
        for name in EXPECTED:
            x, o = divmod(names.index(name), 9)
            asked += [START.play(x).play(o), START]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("MISBEHAVING", str(self.notes))
            patch.setattr("solver.verification.adapters.pooled.MOST_CHUNKS", 3)
            options = replace(ASKED, seconds_per_move=10, memory=10**9)
            with open_engine(f"{FILE}:best_move", THREE, options=options) as tested:
                answers = tested.ask(asked)
            self.engine: EngineUnderTest = tested
        self.answers: dict[str, Answer] = dict(zip(EXPECTED, answers[::2], strict=True))
        self.between = answers[1::2]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    return Seen(tmp_path_factory.mktemp("misbehaving"))


@pytest.mark.parametrize("name", EXPECTED)
def test_each_has_its_verdict(seen: Seen, name: str) -> None:
    failure, words = EXPECTED[name]
    answer = seen.answers[name]
    assert (answer.failure, words in answer.detail) == (failure, True), answer
    assert len(answer.detail) < 500
    assert answer.detail.isprintable()


def test_questions_between_are_answered_all_the_same(seen: Seen) -> None:
    assert {(answer.move, answer.failure) for answer in seen.between} == {(0, None)}


def test_what_it_did_is_told(seen: Seen) -> None:
    told = seen.engine.remarks()
    refused = next(remark for remark in told if remark.endswith("a process that is not its own, which was refused"))
    assert all(deed in refused for deed in ("send signal 9 to", "set bounds to", "take hold of"))
    assert "it sent messages that were not asked for, which were dropped" in told
    assert any(remark.startswith("it left ") and remark.endswith("running, which was ended") for remark in told)
    assert {*seen.engine.asked_solver} == {
        "imported solver.tablebase",
        "opened the table mnk-3-3-3.sqlite",
        "ran this package as a program",
    }


def test_nothing_is_left(seen: Seen) -> None:
    started = [int(line) for line in seen.notes.read_text(encoding="ascii").split()]
    assert len([pid for pid in started if pid > 0]) > 40
    assert not [pid for pid in started if pid > 0 and is_running(pid)]
    assert not Path(seen.notes.with_suffix(".folder").read_text(encoding="utf-8")).exists()


WRITE = """
import os
for file in range(3, 9):
    try: os.write(file, b'{}')
    except OSError: pass
"""

LOADED = {
    "import os; os._exit(4)": "did not start: it ended its own process with exit code 4",
    "import os; os.kill(os.getpid(), 9)": "did not start: it was ended by SIGKILL",
    "raise SystemExit(5)": "Nothing in engine is named like a player",
    "raise KeyboardInterrupt": "can't be loaded: KeyboardInterrupt",
    "class E(Exception):\n    def __str__(self): raise ValueError\nraise E": "can't be loaded: E",
    WRITE.format(r"\xff\xff\xff\xff"): "sent 4,294,967,295 bytes at once",
    WRITE.format(r'\0\0\0\x0f["ready",[8],1]'): "can't be read",
    "import numpy; numpy.zeros(10**10)": "MemoryError",
}


@pytest.mark.sampled
@pytest.mark.parametrize("text", LOADED)
def test_one_that_misbehaves_while_it_is_loaded_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "engine.py"
    file.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(EngineError) as refused:
        open_engine(str(file), THREE, options=replace(ASKED, memory=10**9))
    assert LOADED[text] in str(refused.value)


HANGS = {
    "ignores signals": "import signal, time\nsignal.signal(15, signal.SIG_IGN)\nwhile True: time.sleep(1)",
    "stops itself": "import os\nos.kill(os.getpid(), 19)",
    "never returns from compiled code": "return sum(range(10**12))",
    "breaks what sends its reply": "import json\njson.dumps = lambda *_: '[]'\nreturn 8",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HANGS)
def test_one_that_hangs_is_late(tmp_path: Path, name: str) -> None:
    file = tmp_path / "engine.py"
    body = "\n".join(f"        {line}" for line in HANGS[name].splitlines())
    file.write_text(
        f"def best_move(board):\n    if board.count(' ') == 8:\n{body}\n    return board.index(' ')\n", encoding="utf-8"
    )
    with open_engine(f"{file}:best_move", THREE, options=replace(ASKED, seconds_per_move=0.5)) as one:
        late, well = one.ask([START.play(4), START])
    assert (late.failure, late.detail) == (Failure.TIMEOUT, "no answer within 0.5 s")
    assert (late.output, well.move) == ("", 0)


@pytest.mark.slow
def test_copies_that_it_makes_of_itself_do_not_add_up(tmp_path: Path) -> None:
    file = tmp_path / "engine.py"
    file.write_text("import os\ndef best_move(board):\n    os.fork()\n    return board.index(' ')\n", encoding="utf-8")
    positions = [START.play(x).play(o) for x in range(9) for o in range(9) if x != o]
    with open_engine(f"{file}:best_move", THREE, options=replace(ASKED, seconds_per_move=60)) as one:
        assert {answer.failure for answer in one.ask([START, *positions])} == {None}
    assert one.remarks() == ()


@pytest.mark.sampled
@pytest.mark.parametrize("may_ask", [False, True])
def test_one_that_asks_this_package_fails_unless_it_may(tmp_path: Path, may_ask: bool) -> None:
    file = tmp_path / "engine.py"
    file.write_text(
        "def best_move(board):\n    import solver.tablebase\n    return board.index(' ')\n", encoding="utf-8"
    )
    options = replace(ASKED, allow_solver=may_ask)
    report = verify(f"{file}:best_move", THREE, at="XX./OO./...", options=options)
    assert not report.faults
    assert report.passed is may_ask
    assert "answers by itself              no   it asked this package for its answers: imported solver" in str(report)


REACHES = {
    "sqlite3.connect(Path('mnk-3-3-3.sqlite'))": "opened the table mnk-3-3-3.sqlite",
    "open('other')": "opened the table other",
    "__import__('solver.verification.adapters.audit')": "imported solver.verification.adapters.audit",
}


def test_what_reaches_a_table_or_its_judge_in_another_way_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mnk-3-3-3.sqlite").touch()
    Path("other").symlink_to("mnk-3-3-3.sqlite")
    start = "import sqlite3\nfrom pathlib import Path\nfrom solver.verification.adapters.audit import watch_process\n"
    code = "\n".join([start, "watch_process(lambda _, text: print(text))", *REACHES])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [*dict.fromkeys(REACHES.values())]
