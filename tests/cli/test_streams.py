"""Text that an encoding lacks, closed streams, full disks, and control characters."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from solver.cli import main
from tests.commands import PROCESS, TableFile, assert_refused, mnk

ENGINE = "def best_move(board):\n    print('ход ✓')\n    return board.index(' ')\n"
ASKED = "--board flat --marks X,O,space --player none --moves index"
GAME = {"squares": ["ж", "и", "ц"], "lines": [["ж", "ц"]], "words": "слово ✓"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an engine and a game whose names and contents no Western encoding has."""
    folder = tmp_path_factory.mktemp("слова")
    (folder / "агент.py").write_text(ENGINE, encoding="utf-8")
    (folder / "ё.json").write_text(json.dumps(GAME), encoding="utf-8")
    return folder


def run(folder: Path, command: str, encoding: str = "utf-8", typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command with redirections in a shell: `{mnk}` is the program."""
    program = folder / "program.py"
    program.write_text(PROCESS[2])
    written = command.format(mnk=f"'{sys.executable}' program.py")
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}
    return subprocess.run(["bash", "-c", written], cwd=folder, capture_output=True, check=False, env=env, input=typed)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("{mnk} query 3,3,3 'ход ✓'", r"'\u0445\u043e\u0434 \u2713' can't be read"),
        ("{mnk} query ё.json", r"\u0436"),
        ("{mnk} show ё.json --data .", r"\u0441\u043b\u043e\u0432\u043e \u2713"),
        ("{mnk} play ё.json --side both", r"\u0436"),
        ("{mnk} nonsense✓", r"nonsense\u2713"),
        (f"{{mnk}} verify 3,3,3 агент.py {ASKED}", r"\u0430\u0433\u0435\u043d\u0442.py:best_move on 3,3,3"),
    ],
)
def test_text_outside_an_encoding_is_escaped(command: str, part: str, folder: Path) -> None:
    done = run(folder, command, "cp1252")
    assert part in (done.stdout + done.stderr).decode("cp1252")
    assert b"Traceback" not in done.stderr


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("{mnk} draw ё.json --plain", ">ц</text>"),
        (f"{{mnk}} verify 3,3,3 агент.py {ASKED} --report html", "агент.py"),
        (f"{{mnk}} verify 3,3,3 агент.py {ASKED} --report junit", "агент.py"),
        (f"{{mnk}} verify 3,3,3 агент.py {ASKED} --report html:отчёт.html; cat отчёт.html", "агент.py"),
        ("{mnk} verify 3,3,3 $'\\xff.py' --report html:r.html; cat r.html", r"\udcff.py"),
    ],
)
def test_documents_are_utf_8(command: str, part: str, folder: Path) -> None:
    done = run(folder, command, "cp1252")
    assert part in done.stdout.decode()
    assert b"Traceback" not in done.stderr


def test_undecodable_input_is_not_a_move(folder: Path) -> None:
    done = run(folder, "{mnk} play 3,3,3 --side both", typed=b"\xff\n\x1b[31m\nq\n")
    assert done.returncode == 0
    assert rb"'\\xff' is not a square" in done.stdout
    assert b"\x1b" not in done.stdout


FULL = "Error: Standard output can't be written: No space left on device; redirect it to a disk with free space.\n"
CLOSED = FULL.replace("No space left on device", "Bad file descriptor")


@pytest.mark.sampled
@pytest.mark.parametrize(
    "command", ["query 3,3,3", "--help", "--version", "games", "export 3,3,3", "verify 3,3,3 random"]
)
@pytest.mark.parametrize(("stream", "said"), [("/dev/full", FULL), ("&-", CLOSED)])
def test_output_that_cannot_be_written_is_an_error(stream: str, said: str, command: str, folder: Path) -> None:
    done = run(folder, f"{{mnk}} {command} >{stream}")
    assert (done.stderr.decode(), done.returncode) == (said, 2 if "verify" in command else 5)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("command", "code"), [("query 3,3,3", 0), ("query 3,3", 2), ("nonsense", 2), ("check 4,4,3", 3), ("play 3,3,3", 0)]
)
@pytest.mark.parametrize("streams", ["2>/dev/full", "<&- 2>&-"])
def test_the_exit_code_does_not_need_standard_input_or_error(
    streams: str, command: str, code: int, folder: Path
) -> None:
    done = run(folder, f"{{mnk}} {command} {streams}")
    assert done.returncode == code
    assert b"Traceback" not in done.stdout + done.stderr
    assert code or done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("streams", ["<&- 2>&-", "2>&-"])
def test_files_do_not_take_the_numbers_of_closed_streams(streams: str, folder: Path) -> None:
    done = run(folder, f"{{mnk}} build 2,2,2 --force --data tables {streams} && {{mnk}} check 2,2,2 --data tables")
    assert b"2,2,2: right" in done.stdout
    assert done.stderr == b""


def test_missing_streams_of_a_program_are_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit) as ended:
        main(["query", "3,3"])
    assert ended.value.code == 2
    assert (sys.stdin, sys.stderr) == (None, None)


@pytest.mark.parametrize("sign", ["\x1b[31m", "\x07", "\x7f", "\x9b31m", "\x00"])
def test_arguments_with_control_characters_are_refused(sign: str) -> None:
    for words in (["query", f"3,3,3{sign}"], ["play", "3,3,3", "--opponent", sign], ["nonsense", sign]):
        assert_refused(mnk(*words), 2, "control character", repr(sign)[1:-1])


@pytest.mark.parametrize("word", ["x" * 10_000, "x,3,3" * 2000, "./" * 5000 + "x.json"])
def test_messages_about_long_arguments_are_short(word: str) -> None:
    for words in (
        *(["query", word], ["query", "3,3,3", word], [word], ["build", "3,3,3", "--metric", word], [f"--{word}"]),
        *(["query", "3,3,3", "--data", word], ["export", "3,3,3", "-o", word], ["verify", "3,3,3", word]),
        *(["play", "3,3,3", "--opponent", word], ["match", "3,3,3", word, word], ["draw", "3,3,3", "-o", word]),
    ):
        result = mnk(*words)
        assert result.exit_code
        assert len(result.stderr) < 3000, words


def test_what_a_table_says_does_not_change_the_terminal(table_file: TableFile, tmp_path: Path) -> None:
    with sqlite3.connect(shutil.copy(table_file("3,3,3"), tmp_path)) as database:
        database.execute("UPDATE meta SET value = ? WHERE key = 'builder'", ["\x1b[31m\x07"])
    database.close()
    shown = mnk("show", "3,3,3", "--data", tmp_path)
    assert_refused(shown, 4, "is damaged")
    assert "\x1b" not in shown.output
