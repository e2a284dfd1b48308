"""Engines in a sandbox: without bubblewrap there is one sentence; with it, nothing outside can be reached."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.game.position import Position
from solver.verification.adapters import sandbox
from solver.verification.adapters.open import open_engine
from solver.verification.contract import AskOptions
from tests.verification.fakes import THREE, first

ASKED = AskOptions(board="flat list", marks="X,O, ", moves="index", workers=1, sandbox=True)
START = Position.start(THREE)


def test_without_bubblewrap_it_is_told_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "PROGRAM", "no-such-program")
    with pytest.raises(EngineError, match=r"no sandbox without bubblewrap: install it .*leave out --sandbox"):
        open_engine(__file__, THREE, options=ASKED)


def test_what_cannot_be_put_into_one_is_refused() -> None:
    with pytest.raises(EngineError, match="An object of this process can't be put into a sandbox"):
        open_engine(first, THREE, options=ASKED)
    with pytest.raises(EngineError, match="An engine at an address can't be put into a sandbox"):
        open_engine("http://localhost:1", THREE, options=ASKED)


def test_tables_are_hidden_and_what_is_needed_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(sandbox, "_EMPTIED", (str(tmp_path),))
    tables, engine = tmp_path / "tables", tmp_path / "engine"
    tables.mkdir()
    (tables / "mnk-3-3-3.sqlite").touch()
    (engine / "inner").mkdir(parents=True)
    (tmp_path / "linked").mkdir()
    (engine / "link").symlink_to(tmp_path / "linked")
    needed = [str(engine), str(engine / "inner"), str(engine / "link")]
    words = " ".join(sandbox.wrap(needed, [str(tables)]))
    assert f"--tmpfs {tmp_path} " in words
    assert words.count(f"--ro-bind {engine}") == 1
    assert f"--ro-bind {engine} {engine} " in words
    assert f"--ro-bind {tmp_path / 'linked'} " in words
    assert f"--ro-bind /dev/null {tables}/mnk-3-3-3.sqlite " in words
    assert "--unshare-all --uid 65534" in words


TRIES = """
import os, socket
def best_move(board):
    found = [os.getuid() != 65534]
    try:
        with open({table!r}, "rb") as file:
            found.append(file.read() != b"")
    except OSError:
        found.append(False)
    for path in ("/etc/x", os.path.expanduser("~/x"), {table!r}):
        try:
            with open(path, "w"):
                found.append(True)
        except OSError:
            found.append(False)
    try:
        socket.create_connection(("192.0.2.1", 80), 0.2)
    except OSError as error:
        found.append("unreachable" not in str(error))
    found.append(len([name for name in os.listdir("/proc") if name.isdecimal()]) > 6)
    return board.index(" ") if not any(found) else str(found)
"""


@pytest.mark.slow  # scripts/test --long has bubblewrap
def test_the_package_of_a_file_is_seen(tmp_path: Path) -> None:
    package = tmp_path / "game"
    (package / "players").mkdir(parents=True)
    for folder in (package, package / "players"):
        (folder / "__init__.py").touch()
    (package / "rules.py").write_text("def free(board): return board.index(' ')\n", encoding="utf-8")
    file = package / "players" / "first.py"
    file.write_text("from ..rules import free\ndef best_move(board): return free(board)\n", encoding="utf-8")
    with open_engine(str(file), THREE, options=ASKED) as tested:
        [answer] = tested.ask([START])
    assert (answer.move, answer.detail) == (0, "")


@pytest.mark.slow  # scripts/test --long has bubblewrap
@pytest.mark.parametrize("kind", ["file", "program"])
def test_nothing_outside_is_reached(tmp_path: Path, kind: str) -> None:
    table, file = tmp_path / "tables" / "mnk-3-3-3.sqlite", tmp_path / "engine.py"
    table.parent.mkdir()
    table.write_text("values", encoding="utf-8")
    file.write_text(TRIES.format(table=str(table)), encoding="utf-8")
    engine = f"{file}:best_move"
    options = replace(ASKED, hidden=(str(table.parent),))
    if kind == "program":
        loop = "import sys\nsys.path.insert(0, '.')\nfrom engine import best_move\nfor line in sys.stdin:\n"
        loop += "    print(best_move([*line.split()[0].replace('/', '').replace('.', ' ')]), flush=True)\n"
        (tmp_path / "loop.py").write_text(loop, encoding="utf-8")
        engine, options = f"cmd:python3 {tmp_path / 'loop.py'}", replace(options, board=None, marks=None)
    with open_engine(engine, THREE, options=options) as tested:
        [answer] = tested.ask([START])
    assert (answer.move, answer.detail) == (0, "")
    assert tested.isolation == sandbox.SANDBOXED
