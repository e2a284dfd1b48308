"""Invalid content is refused, whatever its source."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from solver.errors import DamagedTable
from solver.game.games import parse_game
from solver.game.position import Position
from solver.store import schema
from solver.store.codec import dense_checksum, pack_page
from solver.store.digests import dense_digest, page_digest, sum_digest
from solver.store.layout import layout_of
from solver.store.reader import TableReader
from solver.tablebase import Tablebase
from tests.page_geometry import page_keys
from tests.slow_build import oracle, plies, raw_page

RULES = parse_game("3,3,3")


class Memory:
    """The content of a table (`reader.TableContent`) whose bytes a test can damage."""

    path = Path("memory")

    def __init__(self, storage: schema.Storage) -> None:
        known = oracle("3,3,3")
        layout = layout_of(RULES, "distance")
        raw = {key: raw_page(known, layout, key) for key in page_keys(layout)}
        self.data: dict[int, bytes] = {key: pack_page(page) for key, page in raw.items()}
        self.rows = [(position.hash, schema.dense_code(*known.value(position))) for position in known.reachable()]
        dense = bytearray([schema.UNREACHABLE]) * 3**9
        for number, code in self.rows:
            dense[number] = code
        pages_digest = sum_digest(sum(page_digest(key, page) for key, page in raw.items()))
        self.statistics: list[dict[str, object]] = [{**row} for row in plies(known, known.reachable(), "distance")]
        self.facts: dict[object, object] = {
            "game": "3,3,3", "metric": "distance", "storage": storage, "positions": "5478", "canonical": "765",
            "root_wdl": "0", "root_distance": "9", "format": "3", "builder": "test", "symmetries": "8",
            "digest": dense_digest(dense) if storage == "positions" else pages_digest,
            "checksum": dense_checksum(dense) if storage == "positions" else None,
        }  # fmt: skip

    def meta(self) -> Mapping[object, object]:
        return self.facts

    def plies(self) -> list[dict[str, object]]:
        return self.statistics

    def codes(self) -> list[tuple[int, int]]:
        return self.rows

    def page(self, key: int) -> bytes | None:
        return self.data.get(key)

    def limit_pages(self, size: int) -> None:
        self.most = size

    def close(self) -> None:
        self.data.clear()


@pytest.mark.parametrize("storage", schema.STORAGES)
def test_a_sound_source_is_read(storage: schema.Storage) -> None:
    source = Memory(storage)
    table = Tablebase(TableReader(source))
    if storage == "pages":
        assert max(map(len, source.data.values())) <= source.most < 100
    assert table.find(Position.parse(RULES, "XO./.X./...")) == (-1, 4)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "4,4"), ("game", None), ("game", "3, 3,3"), ("metric", "time"), ("storage", "rows"),
        ("positions", "-1"), ("positions", None), ("canonical", "x"), ("root_wdl", "2"), ("root_distance", None),
        ("root_distance", "-5"), ("format", "2"), ("digest", "12ab"),
        ("positions", "9" * 5000), ("root_distance", "9" * 5000), ("digest", b"\x00"), ("builder", 7), ("own", b"text"),
        ("checksum", "0"), ("builder", "\x1b[31m"), ("symmetries", "32"), ("symmetries", ""),
    ],
)  # fmt: skip
def test_invalid_meta(key: str, value: object) -> None:
    source = Memory("pages")
    source.facts[key] = value
    with pytest.raises(DamagedTable, match=f"{key} = "):
        TableReader(source)


@pytest.mark.sampled
@pytest.mark.parametrize("key", schema.META_KEYS)
def test_meta_that_lacks_a_key(key: str) -> None:
    source = Memory("positions")
    del source.facts[key]
    with pytest.raises(DamagedTable, match=f"lacks {key}"):
        TableReader(source)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("ply", 5), ("ply", "4"), ("ply", None), ("positions", None), ("positions", -1), ("positions", "many"),
        ("positions", b"\x00"), ("positions", 1.5), ("won", "\x1b[31m"), ("terminal", b""), ("longest", "5"),
        ("longest", 10), ("positions", 1 << 62), ("terminal", 757),
    ],
)  # fmt: skip
def test_invalid_statistics(column: str, value: object) -> None:
    source = Memory("pages")
    source.statistics[4][column] = value
    with pytest.raises(DamagedTable, match="its table plies has an invalid row for ply 4"):
        TableReader(source)


@pytest.mark.parametrize("ply", [0, 9])
def test_statistics_of_a_game_that_cannot_begin_or_end(ply: int) -> None:
    source = Memory("pages")
    source.statistics[ply]["terminal"] = 1
    with pytest.raises(DamagedTable, match=f"its table plies has an invalid row for ply {ply}"):
        TableReader(source)


def test_missing_statistics() -> None:
    source = Memory("pages")
    del source.statistics[-1]
    with pytest.raises(DamagedTable, match="its table plies has 9 rows instead of 10"):
        TableReader(source)


@pytest.mark.parametrize(("storage", "game", "squares"), [("positions", "4,4,4", 16), ("pages", "9,9,3", 81)])
def test_games_too_large_for_their_table(storage: schema.Storage, game: str, squares: int) -> None:
    source = Memory(storage)
    source.facts["game"] = game
    with pytest.raises(DamagedTable, match=f"{squares} squares.*{storage}"):
        TableReader(source)


def test_a_table_of_another_game_than_expected() -> None:
    with pytest.raises(DamagedTable, match=r"'3,3,3', not '3,3,3,misere'"):
        TableReader(Memory("pages"), parse_game("3,3,3,misere"))


@pytest.mark.parametrize("row", [(88, 35), (3**9, 16), (5, 300), ("a", 16), (5, None), (5, b"x"), (4, 16)])
def test_invalid_rows_of_positions(row: tuple[int, int]) -> None:
    source = Memory("positions")
    source.rows.append(row)
    with pytest.raises(DamagedTable, match=r"row|checksum"):
        TableReader(source).dense()
    del source.rows[77]
    with pytest.raises(DamagedTable, match=r"row|checksum"):
        TableReader(source).dense()


@pytest.mark.parametrize("data", [b"", b"abc", b"abcdefgh", bytes(2000), "text", 5])
def test_damaged_and_missing_pages_are_named(data: bytes) -> None:
    source = Memory("pages")
    key, _ = layout_of(RULES, "distance").locate(Position.parse(RULES, "XO./.X./..."))
    source.data[key] = data
    table = Tablebase(TableReader(source))
    assert table.find(Position.start(RULES)) == (0, 9)
    with pytest.raises(DamagedTable, match=f"page {key} "):
        table.find(Position.parse(RULES, "XO./.X./..."))
    with pytest.raises(DamagedTable, match=f"page {key} "):
        table.probe_many([88])
    del source.data[key]
    with pytest.raises(DamagedTable, match=f"page {key} is missing"):
        Tablebase(TableReader(source)).find(Position.parse(RULES, "XO./.X./..."))


def test_pages_with_meaningless_bits_and_a_right_checksum() -> None:
    source = Memory("pages")
    source.data[0] = pack_page(b"\xff\xff\xff\xff")
    table = Tablebase(TableReader(source))
    for probe in (lambda: table.find(Position.start(RULES)), lambda: table.probe_many([0])):
        with pytest.raises(DamagedTable, match="bits"):
            probe()
