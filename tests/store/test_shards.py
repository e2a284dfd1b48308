"""Tables that are folders of shards: they answer as files do, and what is wrong with them is told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.check import check_table
from solver.check.search import draw
from solver.errors import DamagedTable, StorageError, TableError, UnsupportedTable
from solver.game.base3 import encode
from solver.game.block import block_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.store.codec import pack_page, page_digest
from solver.store.disk import process_path
from solver.store.layout import layout_of
from solver.store.manifest import class_of
from solver.store.paths import MANIFEST, shards_path
from solver.store.rows import gather_rows
from solver.store.schema import Metric
from solver.store.shard_writer import ShardedWriter, merge_table, split_table
from solver.tablebase import open_tablebase, open_tablebases
from solver.web.tables import ServedTables
from tests.check.tables import execute, flipped
from tests.commands import assert_refused, mnk
from tests.page_geometry import page_keys
from tests.slow_build import oracle, plies, raw_page, root_meta

TableFile = Callable[..., Path]
RULES = Rules.parse("4,4,4")


@pytest.fixture
def folder(table_file: TableFile, tmp_path: Path) -> Path:
    """The folder of 4,4,4, beside nothing. A test may change it."""
    return split_table(Path(shutil.copy(table_file("4,4,4"), tmp_path)))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "metric"),
    [("4,4,4", "distance"), ("4,4,4", "wdl"), ("4,4,4,gravity", "distance"), ("4,4,3,exact,torus", "wdl")],
)
def test_a_folder_answers_as_its_file_does(game: str, metric: Metric, table_file: TableFile, tmp_path: Path) -> None:
    path = Path(shutil.copy(table_file(game, metric), tmp_path))
    before = path.read_bytes()
    with open_tablebase(path) as table:
        positions = [Position(table.rules, *stones) for stones in draw(table.rules, 100, seed=2)]
        hashes = np.array([encode(position.x, position.o) for position in positions])
        values, many = [table.probe(position) for position in positions], table.probe_many(hashes)
        facts = table.meta, table.plies()
    folder = split_table(path)
    path.unlink()
    with open_tablebases(tmp_path) as tables:
        assert tables.games() == [table.rules]
        sharded = tables.table(table.rules)
        assert sharded.name == str(folder)
        assert (sharded.meta, sharded.plies()) == facts
        assert [sharded.probe(position) for position in positions] == values
        for found, expected in zip(sharded.probe_many(hashes), many, strict=True):
            np.testing.assert_array_equal(found, expected)
    report = check_table(folder)
    assert (report.problems, report.digest) == ((), facts[0]["digest"])
    assert merge_table(folder).read_bytes() == before


@pytest.mark.parametrize("game", ["3,3,3", "4,4,4", "4,5,4", "4,4,3,torus", "4,5,4,gravity", "6,6,4", "3,11,3"])
def test_classes_are_those_of_the_block(game: str) -> None:
    rules = Rules.parse(game)
    block = block_of(rules)
    find = class_of(rules, block.squares)
    keys = np.random.default_rng(1).integers(0, 1 << rules.squares, 200)
    assert [find(key) for key in keys.tolist()] == block.classes_of(keys).tolist()


def test_a_block_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="no block"):
        class_of(Rules.parse("3,3,3"), (0, 1))


def slow_folder(folder: Path, classes_each: int = 1) -> Path:
    """Write 3,3,3 as a folder, shard by shard in descending order."""
    known, rules = oracle("3,3,3"), Rules.parse("3,3,3")
    layout, block = layout_of(rules, "distance"), block_of(rules).squares
    find = class_of(rules, block)
    raw = {key: raw_page(known, layout, key) for key in page_keys(layout)}
    numbers = sorted({find(key) for key in raw})
    rows = plies(known, known.reachable(), "distance")
    with ShardedWriter(shards_path(folder, rules), rules, "distance", block) as writer:
        for first in reversed(range(0, len(numbers), classes_each)):
            classes = numbers[first : first + classes_each]
            pages = [(key, page) for key, page in raw.items() if find(key) in classes]
            digest = sum(page_digest(key, page) for key, page in pages)
            writer.add(classes, gather_rows((key, pack_page(page)) for key, page in pages), digest)
        writer.put_plies(rows)
        return writer.finish(root_meta(known, "distance") | {"positions": 5478, "canonical": 765})


@pytest.mark.sampled
@pytest.mark.parametrize("classes_each", [1, 5, 1000])
def test_every_value_of_a_small_game(tmp_path: Path, classes_each: int) -> None:
    known = oracle("3,3,3")
    with open_tablebase(slow_folder(tmp_path, classes_each)) as table:
        positions = known.reachable()
        values = [known.value(position) for position in positions]
        assert [table.probe(position) for position in positions] == values
        assert table.probe_many([p.hash for p in positions])[0].tolist() == [value.wdl for value in values]
        table.close()
        assert table.probe(positions[0]) == values[0]


def test_a_new_folder_replaces_an_older_one_when_it_is_whole(tmp_path: Path) -> None:
    path = slow_folder(tmp_path)
    (path / "old").write_text("of the older one")
    rules = Rules.parse("3,3,3")
    with ShardedWriter(path, rules, "distance", ()) as writer:
        writer.add([0], [], 0)
        assert (path / "old").exists()
        with pytest.raises(ValueError, match="added before"):
            writer.add([0], [], 0)
        with pytest.raises(ValueError, match="meta lacks positions"):
            writer.finish({})
    assert list(tmp_path.iterdir()) == [path]
    assert slow_folder(tmp_path) == path
    assert list(tmp_path.iterdir()) == [path]
    assert not (path / "old").exists()


def test_a_folder_that_was_moved_aside_by_a_killed_process_comes_back(tmp_path: Path) -> None:
    path, rules = slow_folder(tmp_path), Rules.parse("3,3,3")
    path.rename(process_path(path, "old"))
    with ShardedWriter(path, rules, "distance", ()), open_tablebase(path) as table:
        assert table.probe(Position.start(rules)).wdl == 0
    assert list(tmp_path.iterdir()) == [path]


def test_a_server_notices_that_a_file_has_become_a_folder(table_file: TableFile, tmp_path: Path) -> None:
    path, served = Path(shutil.copy(table_file("4,4,4"), tmp_path)), ServedTables(tmp_path)
    before = served.table(RULES)
    folder = split_table(path)
    path.unlink()
    after = served.table(RULES)
    assert after is served.table(RULES) is not before
    assert after.table.name == str(folder)
    assert after.bytes == sum(file.stat().st_size for file in folder.iterdir())
    assert after.tag.partition("-")[0] == before.tag.partition("-")[0]


def test_a_table_of_rows_is_not_split(table_file: TableFile) -> None:
    with pytest.raises(StorageError, match="has no pages"):
        split_table(table_file("3,3,3"))


# What is wrong with a folder


def first_shard(folder: Path) -> Path:
    return min(folder.glob("shard-*.sqlite"))


def probe_all(path: Path) -> None:
    with open_tablebase(path) as table:
        for stones in draw(table.rules, 200, seed=1):
            table.probe(Position(table.rules, *stones))


def remove_shard(folder: Path) -> None:
    first_shard(folder).unlink()


def cut_shard(folder: Path) -> None:
    first_shard(folder).write_bytes(first_shard(folder).read_bytes()[:5000])


def overwrite_shard(folder: Path) -> None:
    first_shard(folder).write_bytes(bytes(first_shard(folder).stat().st_size))


def remove_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


def change_manifest(**changes: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        manifest = json.loads((folder / MANIFEST).read_text())
        for key, value in changes.items():
            manifest[key] = value(manifest[key]) if callable(value) else value
        (folder / MANIFEST).write_text(json.dumps(manifest))

    return change


def swap(key: str) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    def swapped(shards: list[dict[str, Any]]) -> list[dict[str, Any]]:
        first, second, *others = shards
        return [first | {key: second[key]}, second | {key: first[key]}, *others]

    return swapped


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("damage", "error", "reason"),
    [
        (remove_shard, DamagedTable, r"its shard shard-00000.sqlite can't be read: No such file"),
        (cut_shard, DamagedTable, r"its shard shard-00000.sqlite has 5000 of its \d+ bytes"),
        (overwrite_shard, DamagedTable, r"its shard shard-00000.sqlite is not there, or is no shard"),
        (change_manifest(shards=swap("digest")), DamagedTable, r"its shard \S+ belongs to another table"),
        (change_manifest(shards=swap("classes")), DamagedTable, r"page \d+ is missing"),
        (remove_manifest, UnsupportedTable, r"is not the manifest of a table, it can't be read: No such file"),
        (lambda path: (path / MANIFEST).write_text("{"), UnsupportedTable, "it is not JSON"),
        (lambda path: (path / MANIFEST).write_text("[]"), UnsupportedTable, "it names no format"),
        (change_manifest(format=2), UnsupportedTable, "has format 2, but this program reads 1"),
        (change_manifest(block=[0, 0]), DamagedTable, "is not a set of squares"),
        (change_manifest(block=[0, 1]), DamagedTable, "are no block of 4,4,4"),
        (change_manifest(block=[77]), DamagedTable, "is not a set of squares"),
        (change_manifest(block=list(range(20))), DamagedTable, "more than 16 squares"),
        (change_manifest(block="abc"), DamagedTable, "makes no sense"),
        (change_manifest(plies=[{}]), DamagedTable, "makes no sense"),
        (change_manifest(meta=lambda meta: meta | {"game": "4,4,4,misere"}), DamagedTable, "not '4,4,4'"),
        (change_manifest(meta=lambda meta: meta | {"storage": "positions"}), DamagedTable, "that it holds pages"),
        (change_manifest(meta=lambda meta: meta | {"metric": "wdl", "root_distance": None}), DamagedTable, "belongs"),
        (change_manifest(shards=lambda shards: shards[1:]), DamagedTable, "digests of its shards do not add up"),
        (change_manifest(shards=lambda shards: shards + shards[:1]), DamagedTable, "names a class or a file twice"),
        (change_manifest(shards=[{"file": "../shard"}]), DamagedTable, "makes no sense"),
    ],
)
def test_a_damaged_folder(folder: Path, damage: Callable[[Path], object], error: type[TableError], reason: str) -> None:
    damage(folder)
    with pytest.raises(error, match=reason) as found:
        probe_all(folder)
    message = str(found.value)
    assert str(folder) in message
    assert "mnk build 4,4,4" in message
    assert message.count(". ") == 0


def test_a_shard_is_no_table(folder: Path) -> None:
    with pytest.raises(UnsupportedTable, match=rf"is one shard of a table; open its folder, {folder}\."):
        open_tablebase(first_shard(folder))


def test_a_closed_folder_says_so(folder: Path) -> None:
    table = open_tablebase(folder)
    table.close()
    with pytest.raises(TableError, match="has been closed"):
        table.probe(Position.start(RULES))


def test_a_check_finds_a_flipped_bit_and_a_page_in_the_wrong_shard(folder: Path) -> None:
    path = next(path for path in sorted(folder.glob("shard-*")) if execute(path, "SELECT * FROM pages WHERE key = 3"))
    ((data,),) = execute(path, "SELECT data FROM pages WHERE key = 3")
    assert isinstance(data, bytes)
    execute(path, "UPDATE pages SET data = ? WHERE key = 3", flipped(data, 8 * len(data) - 1))
    assert check_table(folder).problems == ("The page 3 (X on a1 b1) can't be read: its checksum is wrong.",)
    execute(path, "DELETE FROM pages WHERE key = 3")
    (problem,) = check_table(folder).problems
    assert problem.startswith(f"The shard {path.name} has ")


# Commands


@pytest.mark.slow
def test_the_commands_turn_one_into_the_other(table_file: TableFile, tmp_path: Path) -> None:
    path = Path(shutil.copy(table_file("4,4,4"), tmp_path))
    before = path.read_bytes()
    data = ("--data", tmp_path)
    assert_refused(mnk("merge", "4,4,4", *data), 5, "is one file already")
    split = mnk("split", "4,4,4", *data)
    assert split.exit_code == 0, split.output
    assert split.stdout.startswith("Split 4,4,4 into ")
    assert not path.exists()
    assert_refused(mnk("split", "4,4,4", *data), 5, "is a folder of shards already")
    tree = ["tree", "4,4,4", "start", "--depth", "1"]
    for command in (["query", "4,4,4", "start"], ["stats", "4,4,4"], ["check", "4,4,4"], ["list"], tree):
        result = mnk(*command, *data)
        assert result.exit_code == 0, result.output
    assert "mnk-4-4-4.shards" in mnk("list", *data, "--json").stdout
    assert mnk("build", "4,4,4", *data).stdout.startswith("Kept 4,4,4")
    assert mnk("merge", "4,4,4", *data).exit_code == 0
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    assert_refused(mnk("split", "4,4,3", *data), 3, "mnk build 4,4,3")
    assert_refused(mnk("merge", "4,4,3", *data), 3, "mnk build 4,4,3")
