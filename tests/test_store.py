"""Writing tables that are whole or not there, and refusing those that are not whole."""

from __future__ import annotations

import os
import random
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from itertools import chain
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import DamagedTable, MissingTable, StorageError, TableError, UnsupportedTable
from solver.position import Position
from solver.rules import Rules
from solver.store import schema
from solver.store.codec import CodecError, dense_digest, pack_page, page_digest, sum_digest, unpack_page
from solver.store.layout import layout_of
from solver.store.places import build_command, default_folder, missing_table, table_path
from solver.store.reader import TableReader
from solver.store.sqlite import SqliteSource
from solver.store.writer import SQLITE_PAGE_BYTES, TableWriter
from solver.tablebase import Tablebase, open_table
from tests.slow_build import oracle, raw_page, slow_build

RULES = Rules.parse("3,3,3")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[schema.Storage], bytes]:
    """The bytes of a sound table of 3,3,3, as positions or as pages."""
    content = {
        storage: slow_build("3,3,3", tmp_path_factory.mktemp(storage), storage=storage).read_bytes()
        for storage in schema.STORAGES
    }
    return content.__getitem__


# The bytes of a page


@given(st.binary(max_size=400), st.integers(0, 300))
def test_pages_survive_packing(start: bytes, zeros: int) -> None:
    raw = start + bytes(zeros)
    data = pack_page(raw)
    assert len(data) <= len(raw) + 4
    assert unpack_page(data, len(raw)) == raw


def test_a_page_that_does_not_shrink_is_kept_as_it_is() -> None:
    raw = random.Random(1).randbytes(100)
    assert pack_page(raw)[:-4] == raw
    assert len(pack_page(bytes(5000))) < 40


@pytest.mark.parametrize("raw", [bytes(300), random.Random(2).randbytes(60), b"\x01"], ids=["frame", "raw", "byte"])
def test_no_flipped_bit_and_no_cut_goes_unnoticed(raw: bytes) -> None:
    data = pack_page(raw)
    harmless = {raw, None} if data[:-4] != raw else {None}  # a frame has bits that mean nothing
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit >> 3] ^= 1 << (bit & 7)
        assert unpacked(bytes(flipped), len(raw)) in harmless
    for length in range(len(data)):
        assert unpacked(data[:length], len(raw)) is None


def unpacked(data: bytes, raw_bytes: int) -> bytes | None:
    try:
        return unpack_page(data, raw_bytes)
    except CodecError:
        return None


def test_a_page_can_not_ask_for_memory() -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(1 << 24))
    with pytest.raises(CodecError, match="promises 16777216 bytes instead of 8"):
        unpack_page(bomb + bytes(4), 8)
    unsized = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(1 << 24))
    with pytest.raises(CodecError, match="instead of 8"):
        unpack_page(unsized + bytes(4), 8)


def test_digests_are_those_of_the_format() -> None:
    page = blake2b(b"\x05\0\0\0\0\0\0\0page", digest_size=32).hexdigest()
    assert f"{page_digest(5, b'page'):064x}" == page
    assert sum_digest((1 << 256) + 10) == "a".rjust(64, "0")
    assert dense_digest(b"") == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"


# Writing


def test_the_file_is_plain_sqlite(tmp_path: Path) -> None:
    path = slow_build("3,3,3", tmp_path)
    assert path == tmp_path / "mnk-3-3-3.sqlite"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    connection = sqlite3.connect(path)
    pragma = {
        name: connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version", "page_size")
    }
    assert pragma == {"application_id": 0x6D6E6B54, "user_version": 1, "page_size": SQLITE_PAGE_BYTES}
    columns = {
        table: {name: kind for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")}
        for table in ("meta", "plies", "positions")
    }
    assert list(columns["plies"]) == [
        "ply",
        "positions",
        "canonical",
        "won",
        "drawn",
        "lost",
        "terminal",
        "longest",
    ]
    assert list(columns["positions"]) == [
        "hash",
        "board",
        "ply",
        "to_move",
        "wdl",
        "distance",
        "best_moves",
        "canonical",
    ]
    assert columns["positions"]["hash"] == "INTEGER"
    assert columns["meta"] == {"key": "TEXT", "value": "TEXT"}
    row = connection.execute("SELECT * FROM positions WHERE hash = 88").fetchone()
    assert row[:7] == (88, "XO./.X./...", 3, "O", -1, 4, "c3")
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    assert set(meta) == set(schema.META_KEYS)
    known = {key: value for key, value in meta.items() if key not in {"builder", "digest"}}
    assert known == {
        "game": "3,3,3", "metric": "distance", "storage": "positions", "positions": "5478", "canonical": "765",
        "root_wdl": "0", "root_distance": "9", "format": "1", "symmetries": "8",
    }  # fmt: skip
    connection.close()


def test_a_table_of_pages_has_pages(tmp_path: Path) -> None:
    path = slow_build("3,3,3", tmp_path, "wdl", "pages")
    connection = sqlite3.connect(path)
    assert {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")} == {
        "meta",
        "plies",
        "pages",
    }
    assert connection.execute("SELECT value FROM meta WHERE key = 'root_distance'").fetchone() == (None,)
    connection.close()


def test_the_order_of_pages_leaves_no_trace(tmp_path: Path) -> None:
    known = oracle("3,3,3")
    layout = layout_of(RULES, "distance")
    pages = [(key, raw_page(known, layout, key)) for key in layout.all_keys()]
    shuffled = random.Random(3).sample(pages, len(pages))
    files = []
    for name, order in (("a", pages), ("b", shuffled), ("c", pages[::-1])):
        with TableWriter(tmp_path / name, RULES, "distance", "pages") as writer:
            writer.add_packed((key, pack_page(raw), page_digest(key, raw)) for key, raw in order)
            files.append(writer.finish(ROOT | {"positions": 5478, "canonical": 765}))
    with open_table(files[0]) as first, open_table(files[1]) as second:
        assert first.meta["digest"] == second.meta["digest"]
        assert first.meta["digest"] == sum_digest(sum(page_digest(key, raw) for key, raw in pages))
    # Shuffled and reversed both went through VACUUM; every page is found in the same place.
    assert files[1].read_bytes()[100:] == files[2].read_bytes()[100:]


ROOT = {"root_wdl": 0, "root_distance": 9, "builder": "test"}


def broken_build(path: Path, error: BaseException) -> None:
    with TableWriter(path, RULES, "distance") as writer:
        writer.put_plies([{"ply": 0, "positions": 1}])
        assert writer.part.exists()
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("wrong")])
def test_a_build_that_stops_leaves_the_old_table(tmp_path: Path, error: BaseException) -> None:
    path = slow_build("3,3,3", tmp_path)
    before = path.read_bytes()
    with pytest.raises(type(error)):
        broken_build(path, error)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_build_that_never_finishes_leaves_nothing(tmp_path: Path) -> None:
    with TableWriter(tmp_path / "t.sqlite", RULES, "distance") as writer:
        writer.put_plies([])
    assert list(tmp_path.iterdir()) == []


KILLED = """
import os, signal, sys
from pathlib import Path
from solver.rules import Rules
from solver.store.writer import TableWriter
with TableWriter(Path(sys.argv[1]), Rules.parse("3,3,3"), "distance") as writer:
    writer.put_plies([{"ply": ply} for ply in range(10)])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_build_leaves_the_old_table_and_the_next_replaces_it(tmp_path: Path) -> None:
    path = slow_build("3,3,3", tmp_path)
    before = path.read_bytes()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=Path(__file__).parent.parent, check=False)
    assert killed.returncode < 0
    assert path.read_bytes() == before
    part = path.with_name(path.name + ".part")
    assert part.exists()
    slow_build("3,3,3", tmp_path)
    assert not part.exists()
    with open_table(path) as table:
        assert table.probe(Position.start(RULES)).wdl == 0


@pytest.mark.parametrize(
    ("meta", "error"),
    [({}, ValueError), ({"positions": "many", "canonical": 1}, DamagedTable)],
    ids=["incomplete", "nonsense"],
)
def test_a_table_that_does_not_open_is_not_put_in_place(
    tmp_path: Path, meta: dict[str, object], error: type[Exception]
) -> None:
    path = slow_build("3,3,3", tmp_path)
    before = path.read_bytes()
    with TableWriter(path, RULES, "distance", "pages") as writer, pytest.raises(error):
        writer.finish(ROOT | meta)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_can_not_be_written(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("not a folder")
    with pytest.raises(StorageError, match=f"{taken}.*can't be written"):
        TableWriter(taken / "t.sqlite", RULES, "distance")
    (tmp_path / "t.sqlite.part").mkdir()
    with pytest.raises(StorageError, match=f"{tmp_path}"):
        TableWriter(tmp_path / "t.sqlite", RULES, "distance")


def test_a_new_folder_is_made(tmp_path: Path) -> None:
    assert slow_build("2,2,2", tmp_path / "new" / "data").exists()


@pytest.fixture
def small_disk() -> Iterator[None]:
    """Files can't grow beyond a limit: what a full disk is to a program, but for the number of the error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("small_disk")
def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    pages = ((key, random.Random(key).randbytes(5000)) for key in range(1000))
    with TableWriter(tmp_path / "t", RULES, "wdl", "pages") as writer, pytest.raises(StorageError, match=str(tmp_path)):
        writer.add_pages(pages)
    assert list(tmp_path.iterdir()) == []


def test_sqlite_saying_that_the_disk_is_full(tmp_path: Path) -> None:
    with TableWriter(tmp_path / "t", RULES, "wdl", "pages") as writer:
        writer._connection.execute("PRAGMA max_page_count = 20")
        with pytest.raises(StorageError, match="full"):
            writer.add_pages((key, random.Random(key).randbytes(5000)) for key in range(1000))


# Reading what is not a table


def test_missing_and_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "mnk-3-3-3.sqlite"
    with pytest.raises(MissingTable, match=r"mnk build"):
        SqliteSource(path)
    for content in (b"", b"hello", b"SQLite format 3\0", os.urandom(5000)):
        path.write_bytes(content)
        with pytest.raises(UnsupportedTable, match="is not a tablebase"):
            SqliteSource(path)
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (a)")
    connection.close()
    with pytest.raises(UnsupportedTable, match="is not a tablebase"):
        SqliteSource(path)
    with pytest.raises(TableError, match="can't be read"):
        SqliteSource(tmp_path)


def test_another_version_is_refused_by_name(tmp_path: Path) -> None:
    path = slow_build("2,2,2", tmp_path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(UnsupportedTable, match=r"format 7.*reads format 1"):
        SqliteSource(path)


@pytest.mark.parametrize("storage", schema.STORAGES)
def test_truncated_tables(tmp_path: Path, whole: Callable[[schema.Storage], bytes], storage: schema.Storage) -> None:
    content = whole(storage)
    path = tmp_path / "mnk-3-3-3.sqlite"
    for length in (100, 5000, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(DamagedTable, match="cut off"):
            open_table(path)


@pytest.mark.parametrize("storage", schema.STORAGES)
def test_zeroed_blocks_are_damage(
    tmp_path: Path, whole: Callable[[schema.Storage], bytes], storage: schema.Storage
) -> None:
    content = whole(storage)
    path = tmp_path / "t.sqlite"
    found = 0
    for start in range(SQLITE_PAGE_BYTES, len(content), SQLITE_PAGE_BYTES):
        path.write_bytes(content[:start] + bytes(SQLITE_PAGE_BYTES) + content[start + SQLITE_PAGE_BYTES :])
        try:
            answer_everything(path)
        except DamagedTable:
            found += 1
    assert found >= 2


@pytest.mark.parametrize("storage", schema.STORAGES)
def test_a_flipped_bit_is_an_error_or_makes_no_difference(
    tmp_path: Path, whole: Callable[[schema.Storage], bytes], storage: schema.Storage
) -> None:
    content = whole(storage)
    path = tmp_path / "t.sqlite"
    path.write_bytes(content)
    truth = answer_everything(path)
    chance = random.Random(4)
    used = [at for at, byte in enumerate(content) if byte]
    refused = 0
    for _ in range(120):
        flipped = bytearray(content)
        flipped[chance.choice(used)] ^= 1 << chance.randrange(8)
        path.write_bytes(flipped)
        try:
            assert answer_everything(path) == truth
        except (DamagedTable, UnsupportedTable):
            refused += 1
    assert refused > 20


def answer_everything(path: Path) -> list[tuple[int, int | None]]:
    with open_table(path) as table:
        return [table.probe(position) for position in oracle("3,3,3").reachable()]


# Content that is not what it should be, from a source that is no file


class Memory:
    """A source (`reader.Source`) whose bytes a test can damage."""

    name = "memory"

    def __init__(self, storage: schema.Storage) -> None:
        known = oracle("3,3,3")
        layout = layout_of(RULES, "distance")
        raw = {key: raw_page(known, layout, key) for key in layout.all_keys()}
        self.data: dict[int, bytes] = {key: pack_page(page) for key, page in raw.items()}
        self.rows = [(position.hash, schema.dense_code(*known.value(position))) for position in known.reachable()]
        dense = bytearray([schema.UNREACHABLE]) * 3**9
        for number, code in self.rows:
            dense[number] = code
        pages_digest = sum_digest(sum(page_digest(key, page) for key, page in raw.items()))
        self.facts: dict[str, str | None] = {
            "game": "3,3,3", "metric": "distance", "storage": storage, "positions": "5478", "canonical": "765",
            "root_wdl": "0", "root_distance": "9", "format": "1", "builder": "test", "symmetries": "8",
            "digest": dense_digest(dense) if storage == "positions" else pages_digest,
        }  # fmt: skip

    def meta(self) -> Mapping[str, str | None]:
        return self.facts

    def plies(self) -> list[dict[str, int | None]]:
        return []

    def codes(self) -> list[tuple[int, int]]:
        return self.rows

    def page(self, key: int) -> bytes | None:
        return self.data.get(key)

    def pages(self) -> Iterator[tuple[int, bytes]]:
        return iter(sorted(self.data.items()))

    def close(self) -> None:
        self.data.clear()


@pytest.mark.parametrize("storage", schema.STORAGES)
def test_a_sound_source_is_read(storage: schema.Storage) -> None:
    table = Tablebase(TableReader(Memory(storage)))
    assert table.probe(Position.parse(RULES, "XO./.X./...")) == (-1, 4)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "4,4"), ("game", None), ("game", "3, 3,3"), ("metric", "time"), ("storage", "rows"),
        ("positions", "-1"), ("positions", None), ("canonical", "x"), ("root_wdl", "2"), ("root_distance", None),
        ("root_distance", "-5"), ("format", "2"), ("digest", "12ab"), ("symmetries", "32"), ("symmetries", ""),
    ],
)  # fmt: skip
def test_meta_that_makes_no_sense(key: str, value: str | None) -> None:
    source = Memory("pages")
    source.facts[key] = value
    with pytest.raises(DamagedTable, match=f"its meta says {key} = "):
        TableReader(source)


@pytest.mark.parametrize("key", schema.META_KEYS)
def test_meta_that_lacks_a_key(key: str) -> None:
    source = Memory("positions")
    del source.facts[key]
    with pytest.raises(DamagedTable, match=f"lacks {key}"):
        TableReader(source)


@pytest.mark.parametrize(("storage", "game", "squares"), [("positions", "4,4,4", 16), ("pages", "9,9,3", 81)])
def test_games_too_large_for_their_table(storage: schema.Storage, game: str, squares: int) -> None:
    source = Memory(storage)
    source.facts["game"] = game
    with pytest.raises(DamagedTable, match=f"board of {squares} squares can't be kept as {storage}"):
        TableReader(source)


def test_a_table_of_another_game_than_expected() -> None:
    with pytest.raises(DamagedTable, match=r"'3,3,3', not '3,3,3,misere'"):
        TableReader(Memory("pages"), Rules.parse("3,3,3,misere"))


@pytest.mark.parametrize("row", [(88, 35), (3**9, 16), (5, 300), ("a", 16), (5, None), (5, b"x"), (4, 16)])
def test_rows_of_positions_that_are_wrong(row: tuple[int, int]) -> None:
    source = Memory("positions")
    source.rows.append(row)
    with pytest.raises(DamagedTable, match=r"makes no sense|digest"):
        TableReader(source).dense()


def test_a_missing_row_of_positions() -> None:
    source = Memory("positions")
    del source.rows[77]
    with pytest.raises(DamagedTable, match="digest"):
        TableReader(source).dense()


@pytest.mark.parametrize("data", [b"", b"abc", b"abcdefgh", bytes(2000), "text", 5])
def test_damaged_pages_are_named(data: bytes) -> None:
    source = Memory("pages")
    key, _ = layout_of(RULES, "distance").locate(Position.parse(RULES, "XO./.X./..."))
    source.data[key] = data
    table = Tablebase(TableReader(source))
    assert table.probe(Position.start(RULES)) == (0, 9)
    with pytest.raises(DamagedTable, match=f"page {key} "):
        table.probe(Position.parse(RULES, "XO./.X./..."))
    with pytest.raises(DamagedTable, match=f"page {key} "):
        table.probe_many([88])


def test_a_missing_page_is_named() -> None:
    source = Memory("pages")
    del source.data[0]
    with pytest.raises(DamagedTable, match="page 0 is missing"):
        Tablebase(TableReader(source)).probe(Position.start(RULES))


def test_pages_with_meaningless_bits_and_a_right_checksum() -> None:
    source = Memory("pages")
    source.data[0] = pack_page(b"\xff\xff\xff\xff")
    table = Tablebase(TableReader(source))
    with pytest.raises(DamagedTable, match="mean nothing"):
        table.probe(Position.start(RULES))
    with pytest.raises(DamagedTable, match="mean nothing"):
        table.probe_many([0])


def test_all_pages_in_turn() -> None:
    source = Memory("pages")
    reader = TableReader(source)
    pages = dict(reader.pages())
    assert pages == {key: reader.page(key) for key in source.data}
    assert sum_digest(sum(page_digest(key, raw) for key, raw in pages.items())) == reader.meta["digest"]
    source.data[1 << 9] = b""
    with pytest.raises(DamagedTable, match="page 512 lies off the board"):
        list(reader.pages())


# Where tables live


def test_the_command_that_builds_a_missing_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("4,4,4,gravity")
    assert default_folder() == Path("data")
    assert build_command(rules, Path("data")) == "mnk build 4,4,4,gravity"
    assert build_command(rules, tmp_path) == f"mnk build 4,4,4,gravity --data {tmp_path}"
    monkeypatch.setenv("MNK_DATA", str(tmp_path))
    assert default_folder() == tmp_path
    assert build_command(rules, tmp_path) == "mnk build 4,4,4,gravity"
    assert table_path(tmp_path, rules).name == "mnk-4-4-4-gravity.sqlite"
    assert "`mnk build 4,4,4,gravity`" in str(missing_table(rules, tmp_path))
    assert isinstance(missing_table(rules, tmp_path), MissingTable)


def test_statistics_come_back_as_they_were_put(tmp_path: Path) -> None:
    with open_table(slow_build("3,3,3", tmp_path)) as table:
        rows = table.plies()
    assert [row["positions"] for row in rows] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert list(chain.from_iterable(row.keys() for row in rows[:1])) == list(schema.PLIES_COLUMNS)
