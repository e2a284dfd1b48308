"""Writing tables, complete or not at all."""

import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from solver.errors import DamagedTable, StorageError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.truth import open_tablebase
from solver.store import schema
from solver.store.codec import pack_page
from solver.store.digests import page_digest, sum_digest
from solver.store.layout import layout_of
from solver.store.writer import SQLITE_PAGE_BYTES, TableWriter
from tests.conftest import ROOT
from tests.page_geometry import page_keys
from tests.slow_build import oracle, plies, raw_page, slow_build

RULES = parse_game("3,3,3")


def test_the_file_is_plain_sqlite(tmp_path: Path) -> None:
    path = slow_build("3,3,3", tmp_path)
    assert path == tmp_path / "mnk-3-3-3.sqlite"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    connection = sqlite3.connect(path)
    pragma = {
        name: connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version", "page_size")
    }
    assert pragma == {"application_id": 0x6D6E6B54, "user_version": 3, "page_size": SQLITE_PAGE_BYTES}
    row = connection.execute("SELECT * FROM positions WHERE hash = 88").fetchone()
    assert row[:7] == (88, "XO./.X./...", 3, "O", -1, 4, "c3")
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    connection.close()
    assert set(meta) == {*schema.META_KEYS, schema.RULES_KEY}
    assert len(json.loads(meta[schema.RULES_KEY])["lines"]) == 8
    assert (meta["game"], meta["positions"], meta["canonical"], meta["root_distance"]) == ("3,3,3", "5478", "765", "9")


def test_a_table_of_pages_has_pages(tmp_path: Path) -> None:
    connection = sqlite3.connect(slow_build("3,3,3", tmp_path / "new" / "data", "wdl", "pages"))
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert names == {"meta", "plies", "pages"}
    assert connection.execute("SELECT value FROM meta WHERE key = 'root_distance'").fetchone() == (None,)
    connection.close()


def test_the_digest_is_the_sum_of_the_pages_shares(tmp_path: Path) -> None:
    known = oracle("3,3,3")
    layout = layout_of(RULES, "distance")
    pages = [(key, raw_page(known, layout, key)) for key in page_keys(layout)]
    digest = sum(page_digest(key, raw) for key, raw in pages)
    files = []
    for name in ("a", "b"):
        with TableWriter(tmp_path / name, RULES, "distance", "pages") as writer:
            writer.put_plies(plies(known, known.reachable(), "distance"))
            if name == "a":
                writer.add_pages(pages)
            else:
                writer.add_packed(((key, pack_page(raw)) for key, raw in pages), digest)
            files.append(writer.finish(ROOT_VALUE | {"positions": 5478, "canonical": 765}))
    with open_tablebase(files[0]) as table:
        assert table.table.meta["digest"] == sum_digest(digest)
    assert files[0].read_bytes() == files[1].read_bytes()


ROOT_VALUE = {"root_wdl": 0, "root_distance": 9, "builder": "test"}


def broken_build(path: Path, error: BaseException | None) -> None:
    with TableWriter(path, RULES, "distance") as writer:
        writer.put_plies([{"ply": 0, "positions": 1}])
        assert writer.part.exists()
        if error:
            raise error


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Path]:
    """The only file of a folder, a table that is still the same after the test."""
    path = slow_build("3,3,3", tmp_path)
    before = path.read_bytes()
    yield path
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("wrong"), None])
def test_an_incomplete_build_leaves_the_old_table(old: Path, error: BaseException | None) -> None:
    with pytest.raises(type(error)) if error else nullcontext():
        broken_build(old, error)


KILLED = """
import os, signal, sys
from pathlib import Path
from solver.game.games import parse_game
from solver.store.writer import TableWriter
with TableWriter(Path(sys.argv[1]), parse_game("3,3,3"), "distance") as writer:
    writer.put_plies([{"ply": ply} for ply in range(10)])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_build_leaves_the_old_table_and_the_next_replaces_it(tmp_path: Path) -> None:
    path = slow_build("3,3,3", tmp_path)
    before = path.read_bytes()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, check=False)
    assert killed.returncode < 0
    assert path.read_bytes() == before
    assert len([*tmp_path.glob("*.part")]) == 1
    slow_build("3,3,3", tmp_path)
    assert list(tmp_path.iterdir()) == [path]
    with open_tablebase(path) as table:
        assert table.probe(Position.start(RULES)).wdl == 0


@pytest.mark.parametrize(
    ("meta", "error"),
    [({}, ValueError), ({"positions": "many", "canonical": 1}, DamagedTable)],
    ids=["incomplete", "nonsense"],
)
def test_an_invalid_table_does_not_replace_the_old_one(
    old: Path, meta: dict[str, object], error: type[Exception]
) -> None:
    with TableWriter(old, RULES, "distance", "pages") as writer, pytest.raises(error):
        writer.finish(ROOT_VALUE | meta)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("not a folder")
    with pytest.raises(StorageError, match=f"{taken}.*can't be written"):
        TableWriter(taken / "t.sqlite", RULES, "distance")
    (tmp_path / f"t.sqlite.{os.getpid()}.part").mkdir()
    with pytest.raises(StorageError, match=f"{tmp_path}"):
        TableWriter(tmp_path / "t.sqlite", RULES, "distance")


@pytest.fixture
def small_disk() -> Iterator[None]:
    """Files cannot exceed a limit, which to a program looks like a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("small_disk")
def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    pages = ((key, random.Random(key).randbytes(5000)) for key in range(20_000))
    with TableWriter(tmp_path / "t", RULES, "wdl", "pages") as writer, pytest.raises(StorageError, match=str(tmp_path)):
        writer.add_pages(pages)
    assert list(tmp_path.iterdir()) == []


def test_sqlite_reports_a_full_disk(tmp_path: Path) -> None:
    with TableWriter(tmp_path / "t", RULES, "wdl") as writer:
        writer._database.conn.execute("PRAGMA max_page_count = 20")
        rows = ((number, "." * 5000, 0, "X", 0, 9, "", number) for number in range(1000))
        with pytest.raises(StorageError, match="full"):
            writer.add_positions(rows, b"")


def test_two_simultaneous_builds_do_not_interfere(tmp_path: Path) -> None:
    """The file of a running process stays; that of a process that has ended is removed."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        theirs = tmp_path / f"mnk-3-3-3.sqlite.{other.pid}.part"
        theirs.write_text("half a table")
        path = slow_build("3,3,3", tmp_path)
        assert {*tmp_path.iterdir()} == {path, theirs}
        other.communicate(b"\n")
    slow_build("3,3,3", tmp_path)
    assert list(tmp_path.iterdir()) == [path]
