"""The search that checks tables: correct on every small game, and it finds faults."""

from pathlib import Path
from random import Random

import pytest

from solver.check import CheckReport
from solver.check.plain_rules import has_line, ply_of
from solver.check.sample_check import Bounds, CheckSearch, draw, search_table
from solver.errors import RulesError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import Value
from solver.kernels.recheck_search import MOST_SEARCHES
from solver.search.truth import open_tablebase
from solver.store.layout import layout_of
from solver.store.schema import METRICS, Metric
from tests.check.tables import Copy, TableFile, flipped, page_of, put_page
from tests.commands import assert_refused, mnk
from tests.facts.test_values import connect4, dfriedman
from tests.slow_build import oracle
from tests.small_games import SMALL_GAMES


def searched(path: Path, count: int, **options: int) -> CheckReport:
    with open_tablebase(path) as table:
        return search_table(table.table, count, **options)  # type: ignore[arg-type] # options other than progress


@pytest.mark.sampled
@pytest.mark.parametrize("game", SMALL_GAMES)
def test_every_position_of_a_small_game(game: str) -> None:
    known = oracle(game)
    search = CheckSearch(known.rules)
    for position in known.reachable():
        if position.value_if_over is None:
            stones, value = (position.x, position.o), known.value(position)
            assert search.value(stones) == Bounds(value.wdl, value.wdl), position.board
            assert search.confirms(stones, value), position.board
            assert value.distance is not None
            others = [Value(value.wdl, value.distance + more) for more in (-2, 2) if value.wdl and value.distance > 2]
            for other in (*others, Value(-value.wdl or 1, value.distance)):
                assert search.confirms(stones, other) is False, position.board


# Enough squares for bounds, dead squares and the hash table to matter; all rules, alone and together.
@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    "game",
    [
        "4,4,3,exact,misere", "4,4,3,exact,torus", "4,4,4", "4,4,4,full", "4,4,4,gravity", "4,4,4,misere",
        "4,4,4,gravity,misere", "3,3,3",
    ],
)  # fmt: skip
def test_samples_of_larger_games(game: str, metric: Metric, table_file: TableFile) -> None:
    report = searched(table_file(game, metric), 150)
    assert report.problems == ()
    assert report.counts == {"agree": 150}


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["hex,3,plies=7", "3,4,3,maker", "affine,3,maker,misere"])
def test_tables_of_games_of_any_lines_are_searched(game: str, table_file: TableFile) -> None:
    report = searched(table_file(game), 40)
    assert report.problems == ()
    assert report.counts["agree"] == report.counts.total() > 20
    assert max(report.searched) < parse_game(game).plies


# Published values, without a table: two of these games take several GB to build.
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "wdl"),
    [
        ("5,5,4", 0), ("5,5,5", 0), ("4,6,4", 0), ("3,8,3", 1), ("3,9,4", 0), ("5,6,4", 1), ("6,6,4", 1), ("6,6,5", 0),
        *((game, wdl) for game, wdl, _ in connect4(0, 25)),
        *((game, value.wdl if value else 0) for game, value in dfriedman()),
    ],
)  # fmt: skip
def test_published_values(game: str, wdl: int) -> None:
    assert CheckSearch(parse_game(game)).value((0, 0)) == Bounds(wdl, wdl)


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["4,4,3,exact,misere", "3,9,4"])
def test_earlier_searches_change_nothing(game: str) -> None:
    rules = parse_game(game)
    positions = draw(rules, 30, seed=3)
    used = CheckSearch(rules, nodes=500)
    used._memory.nodes[2] = MOST_SEARCHES - 20  # the number of the search starts again on the way
    assert [used.value(stones) for stones in positions] == [
        CheckSearch(rules, 500).value(stones) for stones in positions
    ]


def test_a_position_that_takes_too_long_is_not_settled() -> None:
    assert CheckSearch(parse_game("5,5,4,misere"), nodes=1000).value((0, 0)) == Bounds(-1, 1)


def test_unsettled_positions_do_not_agree(table_file: TableFile) -> None:
    counts = searched(table_file("4,4,4,misere"), 64, nodes=50).counts
    assert counts["unsettled"] > 10
    assert counts["agree"] == 64 - counts["unsettled"]


def test_a_board_that_is_too_large_is_refused() -> None:
    with pytest.raises(RulesError, match="49 are the most"):
        CheckSearch(parse_game("7,8,4"))


@pytest.mark.parametrize("game", ["3,3,3", "4,4,4,gravity", "3,5,3,exact"])
def test_positions_are_drawn_evenly_over_the_plies(game: str) -> None:
    rules = parse_game(game)
    positions = draw(rules, 100, seed=1)
    assert len(set(positions)) == len(positions) == 100
    assert not any(has_line(rules, stones, by_x) for x, o in positions for stones, by_x in ((x, True), (o, False)))
    found = [sum(ply_of(position) == ply for position in positions) for ply in range(rules.squares)]
    assert found[0] == 1
    assert max(found) - min(found[2:-2]) <= 1
    assert positions == draw(rules, 100, seed=1) != draw(rules, 100, seed=2)


def test_games_with_fewer_positions_give_all_they_have() -> None:
    live = {(p.x, p.o) for p in oracle("2,2,3").reachable() if not p.is_over}
    assert set(draw(parse_game("2,2,3"), 1000, seed=0)) == live


@pytest.mark.parametrize("game", ["4,4,4", "4,4,4,gravity"])
def test_a_flipped_bit_is_found(game: str, table_file: TableFile, copy: Copy) -> None:
    rules, path = parse_game(game), copy(table_file(game, "wdl"))
    layout = layout_of(rules, "wdl")
    stones = Random(3).choice(draw(rules, 100, seed=4))
    position = Position(rules, *stones)
    key, rank = layout.locate(position)
    count_plane = 8 * layout.page_size(key).plane_bytes  # decisive becomes a draw, or the other way round
    put_page(path, key, flipped(page_of(path, rules, "wdl", key), count_plane + rank))
    report = searched(path, 100, seed=4)
    assert any(f"The position {position.board} " in problem for problem in report.problems)
    assert 1 <= report.counts["wrong"] <= 3  # others drawn may be images of it


def test_the_threads_change_nothing(table_file: TableFile) -> None:
    path = table_file("4,4,4,misere")
    one, three = (searched(path, 40, nodes=500, threads=threads) for threads in (1, 3))
    assert one == three


def test_the_command_reports_the_results_of_each_ply(table_file: TableFile) -> None:
    path = table_file("3,3,3")
    result = mnk("check", "3,3,3", "--search", "30", "--data", path.parent)
    assert result.exit_code == 0, result.output
    heading, *rows, summary = result.stdout.splitlines()
    assert heading.split() == ["ply", "positions", "agree", "wrong", "not", "settled"]
    assert sum(int(row.split()[1]) for row in rows) == 30
    assert summary.startswith("3,3,3: right, 30 of 30 positions agree, 0 not settled, ")


def test_the_command_finds_a_wrong_table(mislabelled: Path) -> None:
    result = mnk("check", "4,4,4", "--search", "50", "--seed", "2", "--data", mislabelled.parent)
    assert result.exit_code == 1
    assert "by a search to the end of the game, but the table says" in result.stderr
    assert "The check found mistakes in 4,4,4" in result.stderr


def test_the_command_refuses_two_checks_at_once_and_a_missing_table() -> None:
    result = mnk("check", "3,3,3", "--search", "5", "--sample", "5")
    assert result.exit_code == 2
    assert "are two checks" in result.stderr
    assert_refused(mnk("check", "3,4,3", "--search", "5", "--data", "tests"), 3, "mnk build 3,4,3")
