"""The values of a game from a table, and from a search for positions that it lacks."""

import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import pytest

from solver.errors import MissingTable, RulesError, TableError, Unsettled
from solver.game.game_files import read_game
from solver.game.games import parse_game
from solver.game.position import Position, reachable_positions
from solver.game.rules import Rules
from solver.game.value import Value
from solver.search import folder as library_module
from solver.search import truth as truth_module
from solver.search.folder import Library
from solver.search.sources import SmallSearch, Source, searches_of
from solver.search.truth import Evaluation, Truth, open_tablebase, open_truth
from solver.solve.build import build_table
from solver.store import paths
from solver.store.paths import table_path
from solver.study.openings import list_openings
from solver.tablebase import Tablebase, game_of_table
from tests.commands import TableFile

CONNECT_FOUR = parse_game("6,7,4,gravity")


@pytest.fixture(autouse=True)
def _nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the tables of the package."""
    monkeypatch.setattr(paths, "SHIPPED", Path("nowhere"))


def test_a_whole_table_answers_itself(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        assert open_truth(table.rules, table).sources == table.sources
        position = Position.start(table.rules)
        assert table.evaluate(position) == (table.probe(position), table.moves(position), "table")


@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", "4,4,4,gravity"])
def test_a_search_gives_the_values_of_the_table(game: str, table_file: TableFile, tmp_path: Path) -> None:
    with open_tablebase(table_file(game)) as table:
        truth = open_truth(table.rules, tmp_path)
        position = Position.start(table.rules)
        while not position.is_over:
            assert truth.evaluate(position) == Evaluation(table.probe(position), [*table.moves(position)], "search")
            assert truth.mainline(position) == table.mainline(position)
            position = position.play(position.legal_moves[-1])
        assert truth.evaluate(position) == table.evaluate(position) == (table.probe(position), [], "rules")


def test_a_search_answers_beyond_an_opening_table(table_file: TableFile) -> None:
    whole, table = open_tablebase(table_file("4,4,4,gravity")), Tablebase.open(table_file("4,4,4,gravity"))
    table.opening_plies = 4  # as the file of an opening table says
    with whole, open_truth(table.rules, table) as truth:
        for moves, source in (("start", "table"), ("123", "table"), ("1233", "search"), ("12334", "search")):
            position = Position.parse(table.rules, moves)
            assert truth.evaluate(position) == (whole.probe(position), whole.moves(position), source)
        start = Position.parse(table.rules, "123")
        assert list_openings(truth, 3, start) == list_openings(whole, 3, start)
        assert truth.strategy(start) == whole.strategy(start)
        assert truth.empty is None  # what follows this table is searched at once


def test_the_text_of_a_truth_names_its_game_and_sources(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as truth:
        assert repr(truth) == "<Truth of 3,3,3: table>"
    assert repr(Truth(parse_game("3,3,3"), ())) == "<Truth of 3,3,3: no source>"


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
    table = Tablebase.open(table_file("3,4,3,gravity"))
    [search] = searches_of(CONNECT_FOUR)
    few = search.empty
    assert Truth(CONNECT_FOUR, [search]).empty == few
    for plies, empty in ((few - 1, None), (42 - few - 1, None), (42 - few - 2, few)):
        table.opening_plies = plies
        assert Truth(CONNECT_FOUR, [table, search]).empty == empty


def test_moves_that_a_search_does_not_settle_in_time_have_no_value() -> None:
    start = Position.start(CONNECT_FOUR)
    truth = Truth(CONNECT_FOUR, searches_of(CONNECT_FOUR), seconds=0.05)
    value, moves, source = truth.evaluate(start)
    assert (value, {one for _, one in moves}, len(moves), source) == (None, {None}, 7, "search")
    for ask in (truth.probe, truth.moves, truth.mainline):
        with pytest.raises(Unsettled, match=r"The empty board of .* was not settled") as caught:
            ask(start)
        assert caught.value.build is None  # a whole table does not fit


def test_values_of_connect_four_beyond_the_opening() -> None:
    truth = Truth(CONNECT_FOUR, searches_of(CONNECT_FOUR), seconds=30)
    assert str(truth.probe(Position.parse(CONNECT_FOUR, "44455554221"))) == "loss in 2"
    with pytest.raises(MissingTable, match="not of 3,3,3"):
        truth.probe(Position.start(parse_game("3,3,3")))


@pytest.mark.parametrize("game", ["8,8,5", "15,15,5", "4,9,4", "8,8,4,gravity"])
def test_other_large_games_are_answered_in_late_positions(game: str) -> None:
    rules = parse_game(game)
    truth = open_truth(rules, Path("nowhere"), seconds=60)
    for ask in (truth.probe, truth.moves):
        with pytest.raises(Unsettled) as caught:
            ask(Position.start(rules))
        assert "more time" not in str(caught.value)  # the search ends at once
        assert "give a later position" in str(caught.value)
        assert ("nothing left to try" in str(caught.value)) is rules.has_threats
        assert ("or look for a proof with" in str(caught.value)) is rules.has_threats
    assert truth.empty == SmallSearch(rules).empty


def test_a_game_without_a_table_is_opened_and_names_what_helps(tmp_path: Path) -> None:
    for game, advice, build in (
        ("4,5,4", f"build a table with `mnk build 4,5,4 --data {tmp_path}`", f"mnk build 4,5,4 --data {tmp_path}"),
        ("6,6,5", f"look for a proof with `mnk build 6,6,5 --data {tmp_path}`.", None),  # its table would take 4.7 TB
        ("5,5,2,exact", "see with `mnk forecast 5,5,2,exact` whether a table fits.", None),
        ("6,6,4,gravity", "see with `mnk forecast 6,6,4,gravity` whether a table fits.", None),
        ("8,8,4,gravity", "give a later position.", None),
        ("6,7,4,gravity", "allow more time.", None),
    ):
        rules = parse_game(game)
        truth = open_truth(rules, tmp_path, seconds=0.01)
        with pytest.raises(Unsettled) as caught:
            truth.probe(Position.start(rules))
        assert str(caught.value).endswith(f"{advice}" if build is None else f"{advice}.")
        assert caught.value.build == build
        with pytest.raises(MissingTable, match=f"There is no table of {game} in {tmp_path}"):
            truth.table  # noqa: B018 - the property raises


def stub(rules: Rules, values: dict[Position, Value]) -> Source:
    """Return a source that knows these values only."""
    search = SmallSearch(rules)
    search.empty = 0
    search.find = lambda position, seconds: values.get(position)  # type: ignore[method-assign]
    return search


def test_a_winning_move_settles_a_position_and_other_values_need_all_moves() -> None:
    rules = parse_game("4,4,4")
    start = Position.start(rules)
    after = {square: start.play(square) for square in start.legal_moves}
    quick = Truth(rules, [stub(rules, {after[5]: Value(-1, 2)})])
    assert quick.evaluate(start)[:2] == (Value(1, 3), [(5, Value(1, 3)), *((s, None) for s in after if s != 5)])
    assert (quick.probe(start), quick.best_move(start)) == (Value(1, 3), 5)
    slow = Truth(rules, [stub(rules, {after[5]: Value(-1, 8), after[6]: Value(1, 1)})])
    assert (slow.probe(start), slow.best_move(start)) == (Value(1), 5)  # another move may win sooner
    for value in (Value(0, 15), Value(1, 5)):
        most = Truth(rules, [stub(rules, {child: value for square, child in after.items() if square})])
        for ask in (most.probe, most.best_move, most.moves):
            with pytest.raises(Unsettled):
                ask(start)
        assert most.evaluate(start).value is None
        every = Truth(rules, [stub(rules, dict.fromkeys(after.values(), value))])
        assert every.probe(start) == value.before_move()
        assert every.evaluate(start).value == value.before_move()
    known = Truth(rules, [stub(rules, {start: Value(0, 16), after[3]: Value(0, 15)})])
    assert known.best_move(start) == 3  # proved to keep the draw, although the other moves are unsettled


def test_four_in_a_row_wins_at_once_on_a_large_board() -> None:
    rules = parse_game("15,15,5")
    position = Position.from_moves(rules, ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4"])
    with open_truth(rules, Path("nowhere")) as truth:
        value, moves, source = truth.evaluate(position)
        assert (value, moves[0][1], moves[2][1], source) == (Value(1, 1), Value(1, 1), None, "search")
        assert truth.probe(position) == Value(1, 1)
        assert truth.best_move(position) == moves[0][0]


@pytest.mark.parametrize("has_table", [True, False])
def test_a_position_of_another_game_is_refused_by_every_question(has_table: bool, table_file: TableFile) -> None:
    path = table_file("3,3,3,misere") if has_table else Path("nowhere")
    other = Position.start(parse_game("3,3,3"))
    with open_truth(parse_game("3,3,3,misere"), path) as truth:
        for ask in (truth.probe, truth.evaluate, truth.moves, truth.best_move, truth.replies, truth.mainline):
            with pytest.raises(MissingTable, match=r"values of 3,3,3,misere, not of 3,3,3\."):
                ask(other)
        with pytest.raises(MissingTable, match=r"not of 3,3,3\."):
            truth.moves_many([Position.start(truth.rules), other])
        assert truth.get(other) is None


def test_the_first_source_with_a_value_answers() -> None:
    rules = parse_game("3,3,3")
    start = Position.start(rules)
    first, second = stub(rules, {start: Value(1, 5)}), stub(rules, {start: Value(0, 9), start.play(4): Value(0, 8)})
    truth = Truth(rules, [first, second])
    assert truth.probe(start) == Value(1, 5)
    assert truth.probe(start.play(4)) == Value(0, 8)


def test_a_truth_closes_only_what_was_opened_for_it(table_file: TableFile) -> None:
    path = table_file("4,4,4,gravity")
    rules = parse_game("4,4,4,gravity")
    with Tablebase.open(path) as table:
        for given in (table, open_truth(rules, table)):
            with open_truth(rules, given) as truth:
                truth.probe(Position.start(rules))
            table.plies()
    with open_truth(rules, path) as truth:
        own = truth.table
    with pytest.raises(TableError, match="closed"):
        own.find(Position.start(rules))


@pytest.mark.parametrize("game", ["3,3,3,misere", "4,4,4,gravity"])
def test_a_truth_is_pickled_after_a_search(game: str, tmp_path: Path) -> None:
    rules = parse_game(game)
    start = Position.start(rules).play(0 if game == "3,3,3,misere" else 15)
    with open_truth(rules, tmp_path, seconds=30) as truth:
        value = truth.probe(start)
        copied = pickle.loads(pickle.dumps(truth))
        assert (copied.probe(start), copied.seconds) == (value, 30)


@pytest.mark.parametrize("game", ["3,3,3", "4,4,4", "4,4,4,misere", "6,7,4,gravity", "6,6,5"])
def test_a_truth_frees_its_memory_when_it_is_dropped(game: str, table_file: TableFile, tmp_path: Path) -> None:
    rules = parse_game(game)
    truth = open_truth(rules, table_file(game) if game in {"3,3,3", "4,4,4"} else tmp_path, seconds=0.01)
    truth.evaluate(Position.start(rules))
    truth.moves_many([Position.start(rules)] if truth.is_whole else [])
    dropped: list[weakref.ref[object]] = [weakref.ref(one) for one in (truth, *truth.sources)]
    gc.disable()  # it looks at the number of objects, not at their size
    try:
        del truth
        assert [reference() for reference in dropped] == [None] * len(dropped)
    finally:
        gc.enable()


def test_a_game_of_few_plies_on_a_large_board_is_not_searched_to_its_end(tmp_path: Path) -> None:
    rules = parse_game("10,11,5,plies=7")
    start = Position.start(rules)
    with open_truth(rules, tmp_path, seconds=0.1) as truth:
        assert truth.get(start) is None
        late = Position.from_moves(rules, ["a1", "e5", "b1", "g5"])
        assert truth.get(late) is None
        assert truth.probe(Position.from_moves(rules, ["a1", "e5", "b1", "g5", "k9"])) == Value(0, 2)


def test_a_game_of_few_plies_on_a_board_of_many_squares_needs_a_table(tmp_path: Path) -> None:
    """The plies left are few enough for a search, and the ways to play them are too many."""
    for game, few in (("4,4,4,plies=8", 8), ("4,4,4,plies=4", 8), ("4,4,4,plies=3", None)):
        rules = parse_game(game)
        with open_truth(rules, tmp_path) as truth:
            assert truth.empty == few
            assert (truth.get(Position.start(rules)) is None) == (few is not None)


def test_a_win_that_was_found_before_is_shown_with_its_move(tmp_path: Path) -> None:
    position = Position.from_moves(parse_game("19,19,6"), ["j10", "a1", "k10", "m1", "l10", "a13", "m10", "a16"])
    with open_truth(position.rules, tmp_path, seconds=1) as truth:
        assert truth.probe(position) == Value(1, 3)  # it is remembered
        value, moves, _ = truth.evaluate(position)
        assert value == moves[0][1] == Value(1, 3)
        assert truth.best_move(position) == moves[0][0]


@pytest.mark.parametrize("game", ["3,3,3,misere", pytest.param("3,4,3", marks=pytest.mark.slow)])
def test_threads_share_a_truth(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truth_module, "_MOST_REMEMBERED", 2)  # so that values are often forgotten
    rules = parse_game(game)
    late = [p for p in reachable_positions(parse_game("3,3,3,misere")) if p.ply > 5] if game == "3,3,3,misere" else []
    start = Position.from_moves(rules, ["a1", "b1", "c1", "d1", "a2"]) if game == "3,4,3" else Position.start(rules)
    positions = [*late[:200], start, *(start.play(square) for square in start.legal_moves)]
    expected = [open_truth(rules, tmp_path).moves(position) for position in positions]
    with open_truth(rules, tmp_path) as truth, ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: [truth.moves(position) for position in positions], range(16)):
            assert found == expected


def test_a_library_keeps_few_games_open(table_file: TableFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "_MOST_OPEN", 2)
    folder = table_file("3,3,3").parent
    games = [parse_game(game) for game in ("3,3,3", "2,2,2", "2,3,2")]
    with Library(folder) as library:
        first, second, third = map(library.truth, games)
        assert library.truth(games[2]) is third
        assert library.truth(games[1]) is second
        assert library.truth(games[0]) is not first  # dropped, because it was used longest ago
        assert library.truth(games[2]) is not third
    with Library(folder, most_bytes=0) as library:
        truths = []
        for rules in games:
            truths.append(library.truth(rules))
            truths[-1].probe(Position.start(rules))
        assert library.truth(games[2]) is truths[2]
        assert library.truth(games[0]) is not truths[0]
    copied = pickle.loads(pickle.dumps(library))
    assert copied.truth(games[0]).probe(Position.start(games[0])) == Value(0, 9)


def test_a_library_reads_a_game_from_its_table_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = read_game("data/examples/pappus.json")
    build_table(rules, tmp_path)
    reads = Mock(side_effect=game_of_table)
    monkeypatch.setattr(library_module, "game_of_table", reads)
    with Library(tmp_path) as library:
        for _ in range(3):
            assert library.truth(library.game(rules.name)).probe(Position.start(rules)) == Value(1, 7)
        assert reads.call_count == 1
        table_path(tmp_path, rules).unlink()
        with pytest.raises(RulesError, match="There is no table of"):
            library.game(rules.name)


def test_the_main_line_stops_every_four_that_can_be_stopped() -> None:
    rules = parse_game("15,15,5")
    with open_truth(rules) as truth:
        position = Position.parse(rules, "h8 a1 i8 g8 j8 a3 k7 c1 k6 o1")
        line = truth.mainline(position)
        assert [rules.diagram.names[square] for square in line[:-1]] == ["k8", "l8", "k5", "k4"]
        assert truth.forced_line(Position.start(rules)) == []
