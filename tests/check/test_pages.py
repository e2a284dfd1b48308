"""Faults of pages."""

import random
from pathlib import Path

import pytest

from solver.check import check_table
from solver.check.check_report import CheckReport
from solver.game.games import parse_game
from solver.game.position import Position
from solver.store.layout import layout_of
from solver.store.schema import METRICS, Metric
from tests.check.tables import Copy, TableFile, execute, flipped, only_problem, page_of, put_digest, put_page
from tests.small_games import slow_games


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", ["2,3,2", *slow_games("2,3,2,exact", "3,2,2,gravity", "3,2,3")])
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


def check_flipped(path: Path, key: int, *bits: int, with_digest: bool = True) -> CheckReport:
    """Flip bits of a page in a table of 3,3,3, and check it."""
    rules = parse_game("3,3,3")
    raw = page_of(path, rules, "distance", key)
    for bit in bits:
        raw = flipped(raw, bit)
    put_page(path, key, raw)
    if with_digest:
        put_digest(path, rules, "distance")
    return check_table(path)


def place_of(board: str) -> tuple[int, int, list[str]]:
    """Return the page and the rank of a position of 3,3,3, and its images."""
    rules = parse_game("3,3,3")
    position = Position.parse(rules, board)
    images = [position.transform(symmetry).board for symmetry in rules.symmetries.elements]
    return *layout_of(rules, "distance").locate(position), images


def test_a_flipped_bit_is_named(slow_pages: TableFile, copy: Copy) -> None:
    """X, on its move, makes two threats: a win in three plies. The bits of a draw instead."""
    rules, path = parse_game("3,3,3"), copy(slow_pages("3,3,3"))
    key, rank, images = place_of("OOX/X../...")
    size, raw = layout_of(rules, "distance").page_size(key), page_of(path, rules, "distance", key)
    bits = [8 * plane * size.plane_bytes + rank for plane in range(1 + size.digits)]
    report = check_flipped(path, key, *(bit for bit in bits if raw[bit >> 3] >> (bit & 7) & 1))
    named = [problem for problem in report.problems if any(board in problem for board in images)]
    assert "is a win in 3 by the values one move later, but the table says draw in 5" in named[0]


def test_bits_without_a_meaning_must_be_0(slow_pages: TableFile, copy: Copy) -> None:
    key, rank, images = place_of("X.X/O.O/X..")
    problem = only_problem(check_flipped(copy(slow_pages("3,3,3")), key, rank))
    assert any(board in problem for board in images)
    assert problem.endswith("is decided by threats, so its bits must be 0, and are not.")
    key, rank, _ = place_of("OOO/XX./X..")
    assert "is never looked up" in only_problem(check_flipped(copy(slow_pages("3,3,3")), key, rank))
    problem = only_problem(check_flipped(copy(slow_pages("3,3,3")), 0, 7))
    assert problem == "The page 0 (X on no square) has bits set past its last position."


def test_a_flipped_bit_breaks_the_digest(slow_pages: TableFile, copy: Copy) -> None:
    report = check_flipped(copy(slow_pages("3,3,3")), 0, 0, with_digest=False)
    assert any(problem.startswith(f"The digest of the values is {report.digest}") for problem in report.problems)


def test_a_flipped_bit_breaks_the_checksum(table_file: TableFile, copy: Copy) -> None:
    path = copy(table_file("4,4,4"))
    ((data,),) = execute(path, "SELECT data FROM pages WHERE key = 3")
    assert isinstance(data, bytes)
    execute(path, "UPDATE pages SET data = ? WHERE key = 3", flipped(data, 8 * len(data) - 1))
    report = check_table(path)
    assert only_problem(report) == "The page 3 (X on a1 b1) can't be read: its checksum is wrong."
    assert report.digest is None


def test_a_table_of_another_game_is_found(mislabelled: Path) -> None:
    assert any("decided by threats" in problem for problem in check_table(mislabelled).problems)
