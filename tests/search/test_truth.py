"""The values of a game from a table, and from a search for positions that it lacks."""

from pathlib import Path

import pytest

from solver.errors import MissingTable, Unsettled
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.truth import PlainSearch, Truth, open_truth
from solver.store import paths
from solver.study.openings import list_openings
from solver.tablebase import Evaluation, open_tablebase
from tests.commands import TableFile

CONNECT_FOUR = parse_game("6,7,4,gravity")


@pytest.fixture(autouse=True)
def _nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the tables of the package."""
    monkeypatch.setattr(paths, "SHIPPED", Path("nowhere"))


def test_a_whole_table_answers_itself(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        assert open_truth(table.rules, table) is table
        position = Position.start(table.rules)
        assert table.evaluate(position) == (table.probe(position), table.moves(position), "table")


@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", "4,4,4,gravity"])
def test_a_search_gives_the_values_of_the_table(game: str, table_file: TableFile, tmp_path: Path) -> None:
    with open_tablebase(table_file(game)) as table:
        truth = open_truth(table.rules, tmp_path)
        assert isinstance(truth, Truth)
        position = Position.start(table.rules)
        while not position.is_over:
            assert truth.evaluate(position) == Evaluation(table.probe(position), [*table.moves(position)], "search")
            assert truth.mainline(position) == table.mainline(position)
            position = position.play(position.legal_moves[-1])
        assert truth.evaluate(position) == (table.probe(position), [], "table")


def test_a_search_answers_beyond_an_opening_table(table_file: TableFile) -> None:
    whole, table = open_tablebase(table_file("4,4,4,gravity")), open_tablebase(table_file("4,4,4,gravity"))
    table.opening_plies = 4  # as the file of an opening table says
    with whole, open_truth(table.rules, table) as truth:
        for moves, source in (("start", "table"), ("123", "table"), ("1233", "search"), ("12334", "search")):
            position = Position.parse(table.rules, moves)
            assert truth.evaluate(position) == (whole.probe(position), whole.moves(position), source)
        start = Position.parse(table.rules, "123")
        assert list_openings(truth, 3, start) == list_openings(whole, 3, start)
        assert truth.strategy(start) == whole.strategy(start)
        assert isinstance(truth, Truth)
        assert truth.empty is None  # what follows this table is searched at once


def test_a_strategy_is_cut_after_some_moves(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        corner = Position.parse(table.rules, "a1")
        whole, cut = table.strategy(corner), table.strategy(corner, depth=1)
        assert whole
        assert cut
        assert cut.moves == {corner: whole.first_move}
        after = table.strategy(corner, "X", depth=1)
        assert after
        assert {position.ply for position in after.moves} == {2}
        assert len(after.moves) == 8


def test_late_positions_are_chosen_if_an_opening_table_ends_too_early(table_file: TableFile) -> None:
    table = open_tablebase(table_file("3,4,3,gravity"))
    with Truth(CONNECT_FOUR) as truth:
        few = truth.empty
        assert few is not None
        for plies, empty in ((few - 1, None), (42 - few - 1, None), (42 - few - 2, few)):
            table.opening_plies = plies
            truth.table = table
            assert truth.empty == empty


def test_moves_that_a_search_does_not_settle_in_time_have_no_value() -> None:
    start = Position.start(CONNECT_FOUR)
    truth = Truth(CONNECT_FOUR, seconds=0.05)
    value, moves, source = truth.evaluate(start)
    assert (value, {one for _, one in moves}, len(moves), source) == (None, {None}, 7, "search")
    for ask in (truth.probe, truth.moves, truth.mainline):
        with pytest.raises(Unsettled, match="after 0 plies was not settled") as caught:
            ask(start)
        assert caught.value.build == "mnk build 6,7,4,gravity"


def test_values_of_connect_four_beyond_the_opening() -> None:
    truth = Truth(CONNECT_FOUR, seconds=30)
    assert str(truth.probe(Position.parse(CONNECT_FOUR, "44455554221"))) == "loss in 2"
    with pytest.raises(MissingTable, match="not of 3,3,3"):
        truth.probe(Position.start(parse_game("3,3,3")))


@pytest.mark.parametrize("game", ["7,7,5", "15,15,5", "4,9,4", "8,8,4,gravity"])
def test_other_large_games_are_answered_in_late_positions(game: str) -> None:
    rules = parse_game(game)
    truth = open_truth(rules, Path("nowhere"), seconds=0.01)
    with pytest.raises(Unsettled, match="give a later position"):
        truth.probe(Position.start(rules))
    assert isinstance(truth, Truth)
    assert truth.empty == PlainSearch(rules).empty


def test_games_whose_table_is_built_quickly_need_a_table(tmp_path: Path) -> None:
    with pytest.raises(MissingTable, match="mnk build 4,4,4"):
        open_truth(parse_game("4,4,4"), tmp_path)
