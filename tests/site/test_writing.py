"""The files of a table: what they hold, how large they are, and that they are whole or not there."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from solver import DamagedTable, MnkError, StorageError, open_tablebase, parse_game
from solver.answers import game_answer
from solver.site.tables import LEAST_PART_SIZE, MANIFEST, write_table_files
from solver.store.sqlite import SqliteSource
from tests.conftest import PACKAGE

Write = Callable[..., Path]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def manifest_of(folder: Path) -> Any:
    return json.loads((folder / MANIFEST).read_bytes())


def varints(data: bytes) -> list[int]:
    found, weight = [0], 1
    for byte in data:
        found[-1] += (byte & 127) * weight
        weight <<= 7
        if byte < 128:
            found.append(0)
            weight = 1
    return found[:-1]


@pytest.mark.parametrize("part_size", [LEAST_PART_SIZE, 90_000_000])
def test_pages_lie_in_the_files_as_in_the_table_and_the_index_finds_them(
    part_size: int, table_file: Write, written: Write
) -> None:
    folder = written("4,4,4", part_size=part_size)
    manifest = manifest_of(folder)
    run = b"".join((folder / part).read_bytes() for part in manifest["parts"])
    index, squares = manifest["index"], 16
    assert len(run) == manifest["bytes"] == index["data"] + index["leaves"] + index["top"]
    leaves, leaf_at, data_at, found, first = run[index["data"] :], 0, 0, {}, 0
    top = varints(run[-index["top"] :])
    for first_delta, data_bytes, leaf_bytes in zip(top[::3], top[1::3], top[2::3], strict=True):
        first += first_delta
        place, end = first, data_at + data_bytes
        entries = varints(leaves[leaf_at : leaf_at + leaf_bytes])
        for delta, size in zip(entries[::2], entries[1::2], strict=True):
            place += delta
            found[place] = run[data_at : data_at + size]
            data_at += size
        assert data_at == end
        leaf_at += leaf_bytes
    with closing(SqliteSource(table_file("4,4,4"))) as source:
        stored = dict(source.pages())
    assert found == {key.bit_count() << squares | key: data for key, data in stored.items()}
    assert list(found) == sorted(found)


def test_parts_have_the_size_that_is_asked_for_and_names_that_tell_versions_apart(written: Write) -> None:
    folder = written("4,4,4", part_size=LEAST_PART_SIZE)
    manifest = manifest_of(folder)
    sizes = [(folder / part).stat().st_size for part in manifest["parts"]]
    assert set(sizes[:-1]) == {LEAST_PART_SIZE}
    assert 0 < sizes[-1] <= LEAST_PART_SIZE
    run = b"".join((folder / part).read_bytes() for part in manifest["parts"])
    mark = sha256(run).hexdigest()[:12]
    assert manifest["parts"] == [f"{mark}-{number}.bin" for number in range(len(sizes))]


def test_the_same_table_gives_the_same_files(table_file: Write, written: Write, tmp_path: Path) -> None:
    again = write_table_files(table_file("4,4,4"), tmp_path / "again", part_size=20_000)
    assert contents(again) == contents(written("4,4,4", part_size=20_000))


def test_the_manifest_tells_what_the_server_tells_of_the_game(table_file: Write, written: Write) -> None:
    manifest = manifest_of(written("4,4,4,gravity"))
    with open_tablebase(table_file("4,4,4,gravity")) as table:
        assert manifest["game"] == json.loads(json.dumps(game_answer(table, manifest["bytes"])))


def test_lines_and_symmetries_are_written_as_digits_in_base_36(written: Write) -> None:
    rules = manifest_of(written("4,4,3,exact"))["rules"]
    assert rules["x_lines"] == rules["o_lines"]
    assert {"012-3", "567-4", "048-c"} <= set(rules["x_lines"])
    assert rules["symmetries"][0] == "0123456789abcdef"
    assert len(rules["symmetries"]) == len(parse_game("4,4,3,exact").symmetries)


def test_progress_ends_with_all_pages(table_file: Write, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    write_table_files(table_file("4,4,4"), tmp_path, progress=lambda *now: told.append(now))
    assert told == sorted(told)
    assert told[-1] == (manifest_of(tmp_path / "4-4-4")["index"]["pages"],) * 2


def test_a_folder_is_replaced_only_when_that_is_asked_for(table_file: Write, tmp_path: Path) -> None:
    folder = write_table_files(table_file("3,3,3"), tmp_path)
    before = contents(folder)
    (folder / "left.txt").write_text("of an older version")
    with pytest.raises(StorageError, match="exists; choose another, or replace it with --force"):
        write_table_files(table_file("3,3,3"), tmp_path)
    write_table_files(table_file("3,3,3"), tmp_path, force=True)
    assert contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["3-3-3"]


def test_a_damaged_table_leaves_the_older_folder_and_nothing_else(table_file: Write, tmp_path: Path) -> None:
    damaged = Path(shutil.copy(table_file("4,4,4"), tmp_path))
    folder = write_table_files(damaged, tmp_path / "site")
    before = contents(folder)
    with closing(sqlite3.connect(damaged)) as database, database:
        database.execute("UPDATE pages SET data = zeroblob(length(data)) WHERE key = (SELECT max(key) FROM pages)")
    with pytest.raises(DamagedTable):
        write_table_files(damaged, tmp_path / "site", force=True)
    assert contents(folder) == before
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["4-4-4"]


def test_what_cannot_be_written_is_said(table_file: Write, tmp_path: Path) -> None:
    with pytest.raises(MnkError, match="Parts of 9,999 bytes are too small; take 10,000 or more"):
        write_table_files(table_file("3,3,3"), tmp_path, part_size=9_999)
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="can't be written"):
        write_table_files(table_file("3,3,3"), tmp_path / "file")


def test_the_code_that_reads_is_small() -> None:
    modules = PACKAGE / "web" / "page" / "js"
    reading = ("answers", "errors", "fzstd", "game", "layout", "legality", "notation", "source", "table")
    assert sum((modules / "tables" / f"{name}.js").stat().st_size for name in reading) < 65_000
