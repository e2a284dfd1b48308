"""Faults of pages."""

import random
from pathlib import Path

import pytest

from solver.check import check_table
from solver.check.findings import MOST_PROBLEMS, CheckReport
from solver.game.games import parse_game
from solver.game.position import Position
from solver.store.layout import layout_of
from solver.store.schema import METRICS, Metric
from tests.check.tables import Copy, TableFile, execute, flipped, only_problem, page_of, put_digest, put_page
from tests.small_games import slow_games


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    "game",
    [
        "2,3,2",
        *slow_games("2,3,2,exact", "3,2,2,gravity", "3,2,3"),
    ],
)
def test_every_flipped_bit_is_found(game: str, metric: Metric, slow_pages: TableFile, copy: Copy) -> None:
    rules, path = parse_game(game), copy(slow_pages(game, metric))
    for (key,) in execute(path, "SELECT key FROM pages"):
        assert isinstance(key, int)
        raw = page_of(path, rules, metric, key)
        for bit in range(8 * len(raw)):
            put_page(path, key, flipped(raw, bit))
            put_digest(path, rules, metric)
            report = check_table(path, threads=1)
            assert not report.ok, (key, bit)
            assert not any("digest" in problem for problem in report.problems)
        put_page(path, key, raw)
    put_digest(path, rules, metric)
    assert check_table(path).ok


@pytest.mark.slow
@pytest.mark.parametrize("game", ["4,4,4", "4,4,3,gravity"])
def test_a_flipped_bit_in_a_large_page_is_found(game: str, table_file: TableFile, copy: Copy) -> None:
    rules, path, chance = parse_game(game), copy(table_file(game)), random.Random(1)
    keys = [key for (key,) in execute(path, "SELECT key FROM pages")]
    for key in chance.sample(keys, 20):
        assert isinstance(key, int)
        raw = page_of(path, rules, "distance", key)
        put_page(path, key, flipped(raw, chance.randrange(8 * len(raw))))
        put_digest(path, rules, "distance")
        assert not check_table(path).ok
        put_page(path, key, raw)


def test_a_flipped_bit_is_named(slow_pages: TableFile, copy: Copy) -> None:
    """X, on its move, makes two threats: a win in three plies. The bits of a draw instead."""
    report, images = check_without_bits(copy(slow_pages("3,3,3")), "OOX/X../...")
    named = [problem for problem in report.problems if any(board in problem for board in images)]
    assert named
    assert "is a win in 3 by the values one move later, but the table says draw in 5" in named[0]


def check_without_bits(path: Path, board: str) -> tuple[CheckReport, list[str]]:
    """Clear the bits of a position in a table of 3,3,3; return the report and the position's images."""
    rules = parse_game("3,3,3")
    position = Position.parse(rules, board)
    key, rank = layout_of(rules, "distance").locate(position)
    size = layout_of(rules, "distance").page_size(key)
    raw = bytearray(page_of(path, rules, "distance", key))
    for plane in range(1 + size.digits):
        raw[plane * size.plane_bytes + (rank >> 3)] &= ~(1 << (rank & 7))
    put_page(path, key, bytes(raw))
    put_digest(path, rules, "distance")
    return check_table(path), [position.transform(symmetry).board for symmetry in rules.symmetries]


def test_bits_of_positions_that_threats_decide_must_be_0(slow_pages: TableFile, copy: Copy) -> None:
    rules, path = parse_game("3,3,3"), copy(slow_pages("3,3,3"))
    position = Position.parse(rules, "X.X/O.O/X..")
    key, rank = layout_of(rules, "distance").locate(position)
    raw = bytearray(page_of(path, rules, "distance", key))
    raw[rank >> 3] |= 1 << (rank & 7)
    put_page(path, key, bytes(raw))
    put_digest(path, rules, "distance")
    (problem,) = check_table(path).problems
    assert any(position.transform(symmetry).board in problem for symmetry in rules.symmetries)
    assert problem.endswith("is decided by threats, so its bits must be 0, and are not.")


def test_bits_of_positions_that_are_never_looked_up_must_be_0(slow_pages: TableFile, copy: Copy) -> None:
    rules, path = parse_game("3,3,3"), copy(slow_pages("3,3,3"))
    over = Position.parse(rules, "OOO/XX./X..")
    key, rank = layout_of(rules, "distance").locate(over)
    put_page(path, key, flipped(page_of(path, rules, "distance", key), rank))
    put_digest(path, rules, "distance")
    assert "is never looked up" in only_problem(check_table(path))


def test_bits_past_the_last_position_must_be_0(slow_pages: TableFile, copy: Copy) -> None:
    rules, path = parse_game("3,3,3"), copy(slow_pages("3,3,3"))
    put_page(path, 0, flipped(page_of(path, rules, "distance", 0), 7))
    put_digest(path, rules, "distance")
    problem = only_problem(check_table(path))
    assert problem == "The page 0 (X on no square) has bits set past its last position."


def test_a_flipped_bit_breaks_the_digest(slow_pages: TableFile, copy: Copy) -> None:
    rules, path = parse_game("3,3,3"), copy(slow_pages("3,3,3"))
    put_page(path, 0, flipped(page_of(path, rules, "distance", 0), 0))
    report = check_table(path)
    assert any(problem.startswith(f"The digest of the values is {report.digest}") for problem in report.problems)


def test_a_flipped_bit_breaks_the_checksum(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("4,4,4"))
    ((data,),) = execute(path, "SELECT data FROM pages WHERE key = 3")
    assert isinstance(data, bytes)
    execute(path, "UPDATE pages SET data = ? WHERE key = 3", flipped(data, 8 * len(data) - 1))
    report = check_table(path)
    assert only_problem(report) == "The page 3 (X on a1 b1) can't be read: its checksum is wrong."
    assert report.digest is None


@pytest.mark.parametrize(
    ("statement", "value", "reason"),
    [
        *(("UPDATE pages SET data = ? WHERE key = 3", data, "promises|decompressed") for data in (b"", b"short")),
        *(("UPDATE pages SET data = ? WHERE key = 3", data, "is missing|not a blob") for data in (None, "text", 7)),
        ("DELETE FROM pages WHERE key = ?", 3, "it is missing"),
    ],
)
def test_an_unreadable_page_is_found(
    statement: str, value: object, reason: str, table_file: TableFile, copy: Copy
) -> None:
    path = copy(table_file("4,4,4"))
    execute(path, statement, value)
    problem = only_problem(check_table(path))
    assert problem.startswith("The page 3 (X on a1 b1) can't be read: ")
    assert any(text in problem for text in reason.split("|"))


@pytest.mark.sampled
@pytest.mark.parametrize("key", [-1, 1 << 13, 15, (1 << 16) - 1, 1 << 40])
def test_a_surplus_page_is_found(key: int, table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("4,4,4"))
    execute(path, "INSERT INTO pages VALUES (?, ?)", key, b"")
    assert only_problem(check_table(path)) == f"There is a page {key}, but no page of this game has that key."


def test_at_most_ten_problems_are_listed(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("4,4,4"))
    execute(path, "DELETE FROM pages WHERE key > 3")
    assert len(check_table(path).problems) == MOST_PROBLEMS


def test_a_table_of_another_game_is_found(table_file: TableFile, copy: Copy) -> None:
    # As large, with as many symmetries; only the values differ.
    path = copy(table_file("4,4,4,misere"))
    execute(path, "UPDATE meta SET value = '4,4,4' WHERE key = 'game'")
    assert any("decided by threats" in problem for problem in check_table(path).problems)
