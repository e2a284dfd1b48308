"""Engines that are not called directly: programs, a brain, a server, our engines; and loaded programs."""

import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from solver.errors import EngineError, GraderError
from solver.game.position import Position
from solver.support.program_loader import load_program
from solver.support.sessions import Limits
from solver.verification import host
from solver.verification.player import open_engines
from solver.verification.verify import Report, verify
from tests.commands import assert_refused, mnk
from tests.verification.fakes import THREE
from tests.verification.makers import assert_exact, boards
from tests.verification.referee import THREE as GAME

AGENTS = Path(__file__).parent / "agents"
PYTHON = sys.executable
ALL = random.Random(4).sample(GAME.live, 200)


def asked(spec: str, at: list[str] = ALL, **options: Any) -> Report:
    return verify(spec, "3,3,3", at=boards(GAME, at), **options)


def failures(report: Report) -> dict[str, str]:
    return {
        verdict.position.board: str(verdict.answer.failure) for verdict in report.verdicts if verdict.answer.failure
    }


# Programs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "moves"),
    [
        (f"{PYTHON} {AGENTS / 'line_engine.py'}", None),
        (f"sh {AGENTS / 'line_engine.sh'}", "index from 1"),
        (f"node {AGENTS / 'line_engine.js'}", "index"),
        ("c", "row,column"),
    ],
)
def test_a_program_in_any_language_is_graded(command: str, moves: str | None, tmp_path: Path) -> None:
    if command == "c":
        compiler, command = shutil.which("cc"), f"{tmp_path / 'engine'}"
        if compiler is None:
            pytest.skip("no compiler of C")
        subprocess.run([compiler, "-o", command, str(AGENTS / "line_engine.c")], check=True)
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"no {command.split()[0]}")
    report = asked(f"cmd:{command}", moves=moves)
    assert_exact(report, GAME, GAME.first)
    assert (report.values is not None) == command.endswith(".py")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "moves", "move"),
    [("b.replace('.', p, 1)", "board", 0), ("'1,2'", "row,column", 5), ("'1,2'", "column,row", 7), ("'b2'", None, 4)],
)
def test_a_program_may_state_any_form_of_moves_but_not_of_boards(answer: str, moves: str | None, move: int) -> None:
    code = f"import sys\nfor line in sys.stdin:\n b, p = line.split()\n print({answer}, flush=True)"
    program = f"cmd:{shlex.join([PYTHON, '-c', code])}"
    [verdict] = asked(program, ["." * 9], moves=moves).verdicts
    assert verdict.answer.move == move
    with pytest.raises(GraderError, match="is not a function, so marks can't be stated"):
        asked(program, ["." * 9], marks="1,2,0")
    with pytest.raises(GraderError, match="is not a function, so profile can't be stated"):
        asked(program, ["." * 9], profile="pettingzoo")


@pytest.mark.slow
def test_a_report_names_the_form_in_which_all_moves_of_a_program_are_legal() -> None:
    code = "import sys\nfor line in sys.stdin:\n print(line.replace('/', '').index('.') + 1, flush=True)"
    report = asked(f"cmd:{shlex.join([PYTHON, '-c', code])}", ["." * 9, ".X.......", "XO......."])
    assert report.notes == ("all its moves are legal with --moves 'index from 1'",)
    assert not asked(f"cmd:{shlex.join([PYTHON, '-c', code])}", ["." * 9]).notes


def test_a_program_that_ends_after_each_answer_is_started_for_each_request() -> None:
    at = ["X........", "XO.......", "....X....", ".....X...", "X...O...."]
    report = asked(f"cmd:sh {AGENTS / 'once.sh'}", at, time=1, moves="index")
    assert failures(report) == {".../.X./...": "crash", ".../..X/...": "timeout"}
    assert [verdict.answer.move for verdict in report.verdicts if not verdict.answer.failure] == [1, 2, 1]


@pytest.mark.slow
def test_a_failure_of_a_program_costs_one_position() -> None:
    at = ["X........", ".X.......", "..X......", "...X.....", "....X....", "XO......."]
    report = asked(f"cmd:{PYTHON} {AGENTS / 'line_faulty.py'}", at, time=1, moves="index")
    expected = {"X../.../...": "crash", ".X./.../...": "timeout", "..X/.../...": "timeout", ".../.X./...": "illegal"}
    assert failures(report) == expected
    assert "exit code 5" in report.verdicts[0].answer.detail


def test_a_signal_that_ends_a_program_is_named() -> None:
    report = asked("cmd:sh -c 'read line; kill -SEGV $$'", ALL[:1], time=1)
    assert "Segmentation fault" in report.verdicts[0].answer.detail


def test_a_file_that_may_not_be_run_is_named(tmp_path: Path) -> None:
    file = tmp_path / "engine"
    file.write_text("#!/bin/sh\n", encoding="utf-8")
    with pytest.raises(EngineError, match=r"chmod \+x"):
        asked(f"cmd:{file}", ALL[:1])


@pytest.mark.slow
@pytest.mark.parametrize("wait", [0, 0.5])
def test_a_program_that_writes_more_lines_than_answers_is_not_graded(wait: float, tmp_path: Path) -> None:
    """A slow one has not yet written the surplus line when the grader first looks for it."""
    answer = f"for line in sys.stdin:\n    time.sleep({wait})\n    print(line.replace('/', '').index('.'), flush=True)"
    (tmp_path / "engine.py").write_text(f"import sys, time\nprint('Welcome', flush=True)\n{answer}", encoding="utf-8")
    with pytest.raises(EngineError, match=r"it wrote .* for one position"):
        asked(f"cmd:{PYTHON} {tmp_path / 'engine.py'}", ALL[:8])


def test_a_command_runs_in_the_folder_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (AGENTS / "line_engine.py").read_text(encoding="utf-8")
    (tmp_path / "data").write_text("x", encoding="utf-8")
    (tmp_path / "engine.py").write_text(f"open('data', encoding='ascii').close()\n{source}", encoding="utf-8")
    monkeypatch.chdir("/")
    assert asked(f"cmd:{PYTHON} {tmp_path / 'engine.py'}", ALL[:8]).counts["crash"] == 0


@pytest.mark.sampled
@pytest.mark.parametrize("command", [f"{PYTHON} -m engine", "sh -c 'cat notes >&2; exec python3 engine.py'", "runs"])
def test_a_command_without_a_file_runs_in_the_current_folder(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = f"#!{PYTHON}\nopen('notes', encoding='ascii').close()\n"
    source += (AGENTS / "line_engine.py").read_text(encoding="utf-8")
    (tmp_path / "notes").write_text("x", encoding="utf-8")
    for name in ("engine.py", "runs"):
        (tmp_path / name).write_text(source, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert_exact(asked(f"cmd:{command}", ALL[:3]), GAME, GAME.first)


# Brains of Gomocup


def test_a_brain_receives_the_board_and_its_own_stones(tmp_path: Path) -> None:
    for at, moves, lines in (
        (["X........", "....X....", "XOX......"], [1, 0, 3], ["0,0,2"]),
        (["XO.......", "." * 9], [2, 0], ["0,0,1", "1,0,2"]),
    ):
        log = tmp_path / str(len(at))
        report = asked(f"gomocup:{PYTHON} {AGENTS / 'brain.py'} {log}", at)
        assert [verdict.answer.move for verdict in report.verdicts] == moves
        heard = log.read_text(encoding="utf-8").splitlines()
        assert heard[0] == "START 3"
        assert "INFO rule 0" in heard
        assert heard[heard.index("BOARD") :][: len(lines) + 2] == ["BOARD", *lines, "DONE"]
        assert heard.count("RESTART") == len(at) - 1
        assert heard[heard.index("RESTART") + 1].startswith("INFO")


@pytest.mark.parametrize("unknown", ["", pytest.param("RESTART", marks=pytest.mark.slow)])
def test_a_brain_that_clears_its_board_on_start_and_restart_errs_nowhere_else(unknown: str, tmp_path: Path) -> None:
    report = asked(f"gomocup:{PYTHON} {AGENTS / 'brain.py'} {tmp_path / 'log'} {unknown}", ALL[:20])
    assert_exact(report, GAME, GAME.first)


def test_a_brain_hears_only_a_move_that_follows_its_own_in_a_game(tmp_path: Path) -> None:
    """A move that is taken back, and a new game that goes on where the last one ended, need RESTART and BOARD."""
    log, known = tmp_path / "log", 0
    with open_engines(THREE, None) as open_engine:
        engine = open_engine(f"gomocup:{PYTHON} {AGENTS / 'brain.py'} {log}")
        engine.new_game()
        for number, (board, words) in enumerate(
            [
                ("X../.../...", ["START", "BOARD"]),
                ("XO./.../..X", ["TURN"]),
                ("XO./.../..X", ["RESTART", "BOARD"]),
                ("XOO/..X/..X", ["TURN"]),
                ("XOO/O.X/.XX", ["RESTART", "BOARD"]),
            ]
        ):
            if number == 4:
                engine.new_game()
            engine.clock = (9.5, 1e9) if number % 2 else None
            engine.choose(Position.parse(THREE, board))
            heard = log.read_text(encoding="utf-8").splitlines()
            lines, known = heard[known:], len(heard)
            assert [line.split()[0] for line in lines if line[0].isalpha() and line[:4] not in "INFO DONE"] == words
            at = next(at for at, line in enumerate(lines) if line.startswith(words[-1]))
            total = 9500 if number % 2 else 0
            assert lines[at - 2 : at] == [f"INFO timeout_match {total}", "INFO time_left 2147483647"]


def test_a_program_of_a_match_is_started_again_before_its_clock_runs(tmp_path: Path) -> None:
    """It may have crashed, and it has a process for each side."""
    (tmp_path / "agent.py").write_text("def best_move(board):\n    return board.index(' ')\n")
    stated = {"profile": "simple", "time": 60}
    with open_engines(THREE, None, stated) as open_engine:
        player: Any = open_engine(str(tmp_path / "agent.py"))
        sessions = player._tested._sessions
        assert sessions._limits == Limits(seconds_per_move=60, seconds_to_start=60)
        for board in (".../.../...", "X../.../...", ".../.../..."):
            position = Position.parse(THREE, board)
            player.get_ready(position)
            [ready] = [one for one in sessions._processes if one.player == position.to_move]
            assert ready.facts
            sessions._processes.remove(ready)
            ready.end()


def test_a_brain_may_end_on_restart_and_answer_info(tmp_path: Path) -> None:
    (tmp_path / "brain.py").write_text(
        "import sys\nfor line in sys.stdin:\n    word = line.split()[0]\n"
        "    if word == 'RESTART':\n        sys.exit(3)\n"
        "    if word in ('START', 'INFO'):\n        print('OK' if word == 'START' else 'UNKNOWN', flush=True)\n"
        "    if word == 'BOARD':\n        taken = []\n"
        "        while (stone := sys.stdin.readline().strip()) != 'DONE':\n            taken.append(stone[:3])\n"
        "        print(next(f'{x},{y}' for y in range(3) for x in range(3) if f'{x},{y}' not in taken), flush=True)\n"
    )
    at = ["X........", "XO.......", "....X....", ".....X...", "X...O...."]
    assert_exact(asked(f"gomocup:{PYTHON} {tmp_path / 'brain.py'}", at), GAME, GAME.first)


def test_a_program_may_end_with_any_exit_code_after_its_answer(tmp_path: Path) -> None:
    code = "import sys\nprint(sys.stdin.readline().replace('/', '').index('.'), flush=True)\nsys.exit(3)"
    at = ["X........", "XO.......", "....X....", ".....X...", "X...O...."]
    assert_exact(asked(f"cmd:{shlex.join([PYTHON, '-c', code])}", at), GAME, GAME.first)


def test_an_interpreter_that_is_a_script_runs_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shims").mkdir()
    (tmp_path / "shims" / "snake").write_text(f'#!/bin/sh\nexec {shlex.quote(PYTHON)} "$@"\n')
    (tmp_path / "shims" / "snake").chmod(0o755)
    (tmp_path / "player.py").write_text(
        "import sys\nfor line in sys.stdin:\n    print(line.replace('/', '').index('.'), flush=True)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'shims'}:/usr/bin:/bin")
    assert_exact(asked("cmd:snake -m player", ["X........"]), GAME, GAME.first)


def test_a_brain_that_takes_no_such_board_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="does not take the board of 15,20,5"):
        verify(f"gomocup:{PYTHON} {AGENTS / 'brain.py'} {tmp_path / 'log'}", "15,20,5", sample=1)


# Servers


class Server(BaseHTTPRequestHandler):
    """Answers with the first legal move; some positions go wrong."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert {*request} == {"game", "board", "to_move", "legal_moves"}
        if self.path != "/":
            self.send_error(404)
        elif request["board"] == "X../.../...":
            self.send_error(500, "No idea")
        elif request["board"] == ".X./.../...":
            self._answer("not a move")
        else:
            self._answer(json.dumps({"move": request["legal_moves"][0], "value": 0.5}))

    def _answer(self, text: str) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


def test_a_server_without_an_engine_at_its_address_is_not_graded(address: str) -> None:
    with pytest.raises(GraderError, match="the server answered 404"):
        asked(f"{address}elsewhere", ALL[:3])


@pytest.fixture
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_server_is_graded(address: str) -> None:
    at = ["X........", ".X.......", *[cells for cells in ALL if cells.count(".") < 8]]
    report = asked(address, at)
    assert failures(report) == {"X../.../...": "exception", ".X./.../...": "wrong_type"}
    assert "500 No idea" in report.verdicts[0].answer.detail
    assert report.values is not None
    assert report.isolation == "at its own address"


def test_a_server_gets_one_request_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may serve one client only, and the others' time to answer would run."""
    monkeypatch.setattr("solver.support.sessions.available_cores", lambda: 4)
    now, most = list[int](), list[int]()

    class Counting(Server):
        def do_POST(self) -> None:
            now.append(1)
            most.append(len(now))
            time.sleep(0.02)
            super().do_POST()
            now.pop()

    with ThreadingHTTPServer(("127.0.0.1", 0), Counting) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        report = asked(f"http://127.0.0.1:{server.server_port}/", ALL[20:40])
        server.shutdown()
        thread.join()
    assert (len(report.verdicts), max(most)) == (20, 1)


@pytest.mark.slow
def test_a_server_that_cannot_be_reached_is_not_graded() -> None:
    with pytest.raises(EngineError, match=r"can't be reached .*; start it first"):
        asked("http://127.0.0.1:9/", ALL[:3])


# Engines of this package


@pytest.mark.slow
def test_our_engines_are_graded_by_name() -> None:
    report = asked("alphabeta")
    assert (report.wrong, report.values is not None) == (0, True)
    assert asked("random", seed=1).wrong > 0


# Programs that were written to be played


PLAYED = """
import pygame
from random import choice

SIZE = 3
board = [[" "] * SIZE for _ in range(SIZE)]


class Board:
    def __init__(self, size=3):
        self.size = size

    def play(self, row, column):
        return row, column


def main():
    while True:
        input("Your move? ")


def free(cells):
    return [at for at, cell in enumerate(cells) if cell == " "]


screen = pygame.display.set_mode((300, 300))
name = input("Who are you? ")
print("Welcome")
main()
while True:
    pass
if __name__ == "__main__":
    main()
"""


def test_the_definitions_of_a_program_are_loaded_without_its_game(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "played.py"
    path.write_text(PLAYED, encoding="utf-8")
    game = load_program(str(path))
    assert game.free([" ", "X"]) == [0]
    assert game.SIZE == 3
    assert not hasattr(game, "name")
    lines = PLAYED.splitlines()
    assert [lines[line - 1].partition("(")[0] for line in game.left_out][:2] == ["name = input", "print"]
    assert "Welcome" not in capsys.readouterr().out
    sys.modules.pop("pygame", None)


def test_all_kinds_of_definitions_are_run_and_the_process_is_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    path = tmp_path / "kinds.py"
    lines = [
        "from __future__ import unknown", "continue", "a = b = 1", "del b", "match a:\n    case 1: c = 2",
        "try:\n    d = 3\nexcept* ValueError: pass", "if a: return",
    ]  # fmt: skip
    lines += ["type Size = int"] if sys.version_info >= (3, 12) else []
    path.write_text("\n".join(lines), encoding="utf-8")
    _, game = (load_program(str(path)) for _ in range(2))
    assert (game.a, game.c, game.d, hasattr(game, "b"), len(game.left_out)) == (1, 2, 3, False, 3)
    assert hasattr(game, "Size") == (sys.version_info >= (3, 12))
    assert sys.path.count(str(tmp_path)) == 1
    assert "SDL_VIDEODRIVER" not in os.environ


def test_annotations_that_are_not_evaluated_drop_no_definition(tmp_path: Path) -> None:
    path = tmp_path / "typed.py"
    path.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass Board:\n"
        "    size: int = 3\n    def copy(self) -> Board: ...\n"
    )
    game = load_program(str(path))
    assert (game.Board().size, game.left_out) == (3, [])
    assert "typed" not in sys.modules


def test_the_decorators_of_a_missing_module_change_nothing_and_the_module_is_named(tmp_path: Path) -> None:
    path = tmp_path / "fast.py"
    path.write_text(
        "import nowhere\nfrom nowhere.deep import jit\n\n"
        "@jit\ndef one():\n    return 1\n\n@nowhere.njit(cache=True)\ndef two():\n    return 2\n"
    )
    game = load_program(str(path))
    assert (game.one(), game.two(), game.missing) == (1, 2, ["nowhere"])
    for name in ("nowhere", "nowhere.deep"):
        sys.modules.pop(name)


def test_a_program_may_begin_its_text_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(
        "import sys\nsys.stdout.reconfigure(encoding='utf-8-sig')\n"
        "for line in sys.stdin:\n    print(line.strip().replace('/', '').index('.'), flush=True)\n"
    )
    report = verify(f"cmd:{sys.executable} {tmp_path / 'agent.py'}", "3,3,3", at=["XX./OO./...", "X../.../..."])
    assert [verdict.answer.failure for verdict in report.verdicts] == [None, None]


INTERRUPTED = """
import _thread, os, threading
def best_move(board):
    if board.count(" ") < 8:
        print("searching")
        os._exit(3)
    threading.Timer(0.2, _thread.interrupt_main).start()
    try:
        while True:
            pass
    except KeyboardInterrupt:
        return 4
"""


def test_an_engine_may_interrupt_itself_and_its_last_words_are_kept(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(INTERRUPTED)
    report = verify(str(tmp_path / "agent.py"), "3,3,3", profile="simple", at=["X../.../...", "XX./OO./..."])
    first, second = report.verdicts
    assert (first.answer.failure, second.answer.failure) == (None, "crash")
    assert second.answer.output == "searching\n"


def test_a_board_of_361_squares_may_be_returned() -> None:
    rows = "/".join(["." * 19] * 19)
    assert host._make_plain(rows) == rows


def test_a_notebook_is_loaded_and_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": ["%matplotlib inline\n", "def one():\n", "    return 1\n"]}]
    (tmp_path / "book.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert load_program(str(tmp_path / "book.ipynb")).one() == 1
    odd = (
        "%%bash\nls | wc -l\n", "%%writefile agent.py\ndef two():\n    return 2\n",
        "if True:\n    !pip install \\\n      nothing\n    files = !ls\ntwo?\n", 'text = """\n!kept\n"""\n',
    )  # fmt: skip
    cells += [{"cell_type": "code", "source": text.splitlines(keepends=True)} for text in odd]
    (tmp_path / "odd.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    game = load_program(str(tmp_path / "odd.ipynb"))
    assert (game.one(), game.two(), game.text, game.files) == (1, 2, "\n!kept\n", None)
    (tmp_path / "wrong.py").write_text("def one(:\n", encoding="utf-8")
    (tmp_path / "null.py").write_bytes(b"a = 1\0")
    (tmp_path / "deep.py").write_text(f"a = {'-' * 100_000}1\n", encoding="utf-8")
    (tmp_path / "deep.ipynb").write_text("[" * 100_000, encoding="utf-8")
    for name in ("wrong.py", "absent.py", "null.py", "deep.py", "deep.ipynb"):
        with pytest.raises(EngineError, match=f"{name} can't be read") as caught:
            load_program(str(tmp_path / name))
        assert "None" not in str(caught.value)


@pytest.mark.slow
def test_the_wrapper_that_is_written_runs(tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text(
        PLAYED + "\n\ndef best_move(board, player):\n"
        "    return next((r, c) for r in range(3) for c in range(3) if board[r][c] == ' ')\n",
        encoding="utf-8",
    )
    assert mnk("verify", "3,3,3", path, "--template", tmp_path / "wrapper.py").exit_code == 0
    wrapper = (tmp_path / "wrapper.py").read_text(encoding="utf-8")
    assert len(wrapper.partition("# game.py defines")[0].strip().splitlines()) <= 17
    assert "Board.play(row, column)" in wrapper
    stated: Any = {"board": "rows", "marks": "X,O,space", "player": "mark", "moves": "row,column"}
    with pytest.raises(EngineError, match=r"wrapper\.py is not edited"):
        asked(str(tmp_path / "wrapper.py"), **stated)
    (tmp_path / "wrapper.py").write_text(re.sub("raise LookupError.*", "", wrapper), encoding="utf-8")
    assert_exact(asked(str(tmp_path / "wrapper.py"), **stated), GAME, GAME.first)
    assert mnk("verify", "--template", tmp_path / "plain.py").exit_code == 0
    assert_refused(mnk("verify", "--template", tmp_path / "plain.py"), 2, "exists")
    for name in ("wrap.mjs", "w.c"):
        assert_refused(mnk("verify", "3,3,3", path, "--template", tmp_path / name), 2, "is not a .py file")
    assert "load_program" in (tmp_path / "plain.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("4,4,3 game.py", "game.Player(mark).choose(board)"), ("game.py:score", "game.score(board)"),
        ("4,4,3 game.py:Other.think", "game.Other(mark, depth).think(board)"),
    ],
)  # fmt: skip
def test_a_wrapper_calls_what_was_named_and_repeats_the_game(
    words: str, call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.py").write_text(
        "class Player:\n    def __init__(self, mark): ...\n    def choose(self, board): ...\n"
        "class Slow(Player):\n    def wait(self): ...\n"
        "class Other(Player):\n    def __init__(self, mark, depth): ...\n    def think(self, board): ...\n"
        "def score(board): ...\ndef learn(games): ...\nlearn(20000)\nprint('x')\n"
        "if __name__ == '__main__':\n    score([])\n"
    )
    mnk("verify", *words.split(), "--template", "w.py")
    written = Path("w.py").read_text(encoding="utf-8")
    assert f"return {call}" in written
    assert f"mnk verify {'4,4,3' if '4,4,3' in words else '3,3,3'} w.py" in written
    assert "Slow(mark)" in written
    assert written.endswith("#     game.learn(20000)  (line 11)\n#     game.score([])  (line 14)\n")


def test_a_wrapper_needs_a_program_beside_it(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "agent.py").write_text("def choose(board): ...\n")
    words: list[str | Path] = ["--template", tmp_path / "w.py"]
    assert_refused(mnk("verify", "3,3,3", tmp_path / "package", *words), 2, "is no Python file or notebook; name")
    refused = mnk("verify", "3,3,3", tmp_path / "package" / "agent.py", *words)
    assert_refused(refused, 2, f"add --template {tmp_path / 'package' / 'w.py'}")
    assert not (tmp_path / "w.py").exists()


def test_a_wrapper_of_nothing_names_its_game(tmp_path: Path) -> None:
    mnk("verify", "4,4,3", "--template", tmp_path / "w.py")
    assert "mnk verify 4,4,3 " in (tmp_path / "w.py").read_text(encoding="utf-8")


def test_a_prompt_without_a_newline_is_refused_at_once() -> None:
    code = "while True: print(input('Enter the board: ').split()[0].replace('/', '').index('.'), flush=True)"
    with pytest.raises(EngineError, match=r"and then 'Enter the board:' for one position; .* without a prompt"):
        asked(f"cmd:{shlex.join([PYTHON, '-c', code])}", moves="index", budget=30)


@pytest.mark.slow
def test_remarks_after_an_answer_are_no_answers() -> None:
    code = "import time\nfor line in iter(input, ''):\n    print(line.replace('/', '').index('.'), flush=True)\n"
    code += "    print('# I', end='', flush=True); time.sleep(0.05); print(' think', flush=True)"
    assert not asked(f"cmd:{shlex.join([PYTHON, '-c', code])}", ALL[:20], moves="index").counts["wrong_type"]


def test_a_flood_of_output_ends_the_process(tmp_path: Path) -> None:
    body = "    if board[4] == 'X':\n        while True: print('x' * 100_000)\n    return board.index(' ')\n"
    (tmp_path / "agent.py").write_text(f"def best_move(board):\n{body}")
    report = asked(f"{tmp_path}/agent.py", ["....X....", "X........"], profile="simple")
    assert report.counts["crash"] == 1
    assert "printed more than 10 MB" in str(report)
