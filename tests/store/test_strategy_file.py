"""The file of a strategy: what is written is read, and a file that cannot be used is refused in one sentence."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from solver.errors import DamagedTable, MissingTable, TableError, UnsupportedTable
from solver.game.games import parse_game
from solver.game.position import Position
from solver.store.paths import strategy_path
from solver.store.strategy_file import Header, Row, StrategyReader, canonical, symmetries, write_strategy

RULES = parse_game("7,7,4")
HEADER = Header("X", "wins", 17, 1234, "threats")
ROWS = [Row(0, 24, 17), Row(3**5 + 2 * 3**48, 8, 9), Row(1 + 2 * 3**47, 3, 11)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_strategy(strategy_path(tmp_path, RULES), RULES, HEADER, ROWS)


def test_what_is_written_is_read(path: Path) -> None:
    assert [one.name for one in path.parent.iterdir()] == ["mnk-7-7-4.strategy.sqlite"]
    reader = StrategyReader(path, RULES)
    assert (reader.rules, reader.header, len(reader)) == (RULES, HEADER, 3)
    assert [*reader] == sorted(ROWS)
    assert [reader.get(row.hash) for row in ROWS] == ROWS
    assert reader.get(1) is None
    reader.close()


def test_a_strategy_that_holds_has_no_bounds(tmp_path: Path) -> None:
    header = Header("O", "holds", None, 5, "pairings")
    assert str(header) == "O holds: X does not win"
    path = write_strategy(tmp_path / "held.sqlite", RULES, header, [Row(2, 7, None)])
    reader = StrategyReader(path)
    assert (reader.header, [*reader]) == (header, [Row(2, 7, None)])
    reader.close()


@pytest.mark.parametrize("game", ["7,7,4", "4,9,4", "4x4x4,4", "hex,4"])
def test_images_of_a_position_have_one_canonical_hash(game: str) -> None:
    rules, chance = parse_game(game), Random(0)
    for _ in range(10):
        squares = chance.sample(range(rules.squares), 7)
        position = Position.start(rules)
        for square in squares:
            position = position.play(square)
        number, symmetry = canonical(rules, position.x, position.o)
        assert position.transform(symmetry).hash == number == position.canonical().hash
        image = position.transform(chance.choice(symmetries(rules)))
        assert canonical(rules, image.x, image.o)[0] == number


CHANGES = {
    "DROP TABLE moves": "the table moves is missing",
    "DROP TABLE meta": "the table meta is missing",
    "ALTER TABLE moves RENAME COLUMN move TO square": "its declaration differs",
    "DELETE FROM meta WHERE key = 'claim'": "meta lacks claim",
    "UPDATE meta SET value = 'loses' WHERE key = 'claim'": "the claim 'X' 'loses' is unknown",
    "UPDATE meta SET value = 'Z' WHERE key = 'side'": "the claim 'Z' 'wins' is unknown",
    "UPDATE meta SET value = 'soon' WHERE key = 'within'": "'soon' where a number from 0 to 49 is expected",
    "UPDATE meta SET value = '-3' WHERE key = 'within'": "'-3' where a number",
    "UPDATE meta SET value = '50' WHERE key = 'within'": "'50' where a number",
    "UPDATE meta SET value = printf('%.*c', 5000, '9') WHERE key = 'within'": "999...' where a number",
    "UPDATE meta SET value = printf('%.*c', 5000, '9') WHERE key = 'leaves'": "999...' where a number",
    "UPDATE meta SET value = '0-1 1-2' WHERE key = 'pairs'": "no disjoint pairs",
    "UPDATE meta SET value = '0-49' WHERE key = 'pairs'": "'49' where a number from 0 to 48 is expected",
    "UPDATE meta SET value = '0-1-2' WHERE key = 'pairs'": "no disjoint pairs",
    "UPDATE meta SET value = printf('%.*c', 9000, 'a') WHERE key = 'method'": "a text of 9,000 characters",
    "UPDATE meta SET value = printf('%.*c', 9000, 'a') WHERE key = 'side'": "the claim 'aaa",
    "UPDATE meta SET value = '7,7,' WHERE key = 'rules'": "7,7,",
    "UPDATE meta SET value = x'00' WHERE key = 'rows'": "can't be read",
    "DROP TABLE moves; CREATE VIEW moves AS SELECT x'01' AS position, 1 AS move, 2 AS within": "'moves' is a view",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_strategy_is_refused(path: Path, change: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.executescript(change)
    with pytest.raises(DamagedTable, match="can't be read") as caught:
        StrategyReader(path)
    assert CHANGES[change] in str(caught.value)
    assert len(str(caught.value)) < 400 + len(str(path))
    assert str(caught.value).endswith("remove it, or build the game again with --force.")


@pytest.mark.parametrize("change", ["move = 49", "move = -1", "move = 'a'", "within = NULL", "within = 50"])
def test_a_row_out_of_range_is_refused(path: Path, change: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE moves SET {change}")
    reader = StrategyReader(path)
    with pytest.raises(DamagedTable, match="a row of moves"):
        reader.get(0)
    with pytest.raises(DamagedTable, match="a row of moves"):
        list(reader)
    reader.close()


def test_other_files_are_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingTable, match="There is no strategy"):
        StrategyReader(tmp_path / "none.sqlite")
    with pytest.raises(UnsupportedTable, match=r"a strategy of 7,7,4, not of 7,7,5"):
        StrategyReader(path, parse_game("7,7,5"))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 1")
    with pytest.raises(UnsupportedTable, match="no strategy of format 2"):
        StrategyReader(path)
    with pytest.raises(UnsupportedTable, match="is not a file"):
        StrategyReader(tmp_path)
    text = tmp_path / "text.sqlite"
    text.write_text("no database")
    with pytest.raises(UnsupportedTable, match="is no strategy"):
        StrategyReader(text)
    with pytest.raises(TableError, match="can't be read: Input/output error; choose another file"):
        StrategyReader(Path("/proc/self/mem"))


def test_a_link_to_a_strategy_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(path)
    write_strategy(link, RULES, HEADER, ROWS[:1])
    assert link.is_symlink()
    assert len(StrategyReader(path)) == 1


def test_a_file_cut_anywhere_is_refused_or_right(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    for length in range(0, len(content), 512):
        cut = tmp_path / "cut.sqlite"
        cut.write_bytes(content[:length])
        try:
            reader = StrategyReader(cut)
            rows = [*reader]
            reader.close()
        except TableError:
            continue
        assert rows == sorted(ROWS)
