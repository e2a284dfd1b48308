"""Every kind of probe agrees with plain negamax on every position of small games."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from solver.check.sample_check import draw
from solver.errors import (
    DamagedTable,
    ImpossiblePosition,
    MissingTable,
    PositionError,
    RulesError,
    StorageError,
    TableError,
    Unsettled,
    UnsupportedTable,
)
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import Value
from solver.search.folder import Library
from solver.search.truth import Truth, open_tablebase, open_truth
from solver.solve.build import build_table
from solver.store.bulk import UNKNOWN_WDL
from solver.store.schema import METRICS, STORAGES, Metric, Storage
from tests.commands import SHIPPED_GAMES, TableFile, mnk
from tests.slow_build import oracle, slow_build
from tests.texts import refused
from tests.web.asgi import Client

GAMES = ["3,3,3", "3,3,3,misere", "3,3,3,torus", "3,3,3,gravity", "3,3,3,gravity,misere", "2,4,2,exact", "2,4,2,full"]
GAMES += ["2,4,3", "1,6,2", "1,1,1", "2,2,3", "2,3,2,gravity"]
RULES = parse_game("3,3,3")
START = Position.start(RULES)
Opener = Callable[..., Truth]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """`opened("3,3,3", storage="pages", metric="wdl")`: that table, open."""

    @cache
    def table(game: str, storage: Storage = "positions", metric: Metric = "distance") -> Truth:
        folder = tmp_path_factory.mktemp("tables")
        return open_tablebase(slow_build(game, folder, metric, storage))

    return table


def timed(value: Value, metric: Metric) -> Value:
    return value if metric == "distance" else Value(value.wdl)


# Values


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    "game",
    [
        *("3,3,3", "3,4,3,misere", "4,4,4", "4,4,3,exact,torus", "4,4,4,gravity", "4,4,4,gravity,torus", "3,6,4"),
        pytest.param("4,5,4", marks=pytest.mark.slow),
    ],
)
def test_images_have_the_same_value(game: str, metric: Metric, table_file: TableFile) -> None:
    rules = parse_game(game)
    symmetries = sorted({*rules.board_symmetries.elements, *rules.symmetries.elements})[:64]
    assert len(symmetries) > 1
    with open_tablebase(table_file(game, metric)) as table:
        for stones in draw(rules, 60, seed=6):
            position = Position(rules, *stones)
            images = [position.transform(symmetry) for symmetry in symmetries]
            assert {table.probe(image) for image in images} == {table.probe(position)}, position.board
            wdl, distance = table.table.probe_many([image.hash for image in images])
            assert len(set(zip(wdl.tolist(), distance.tolist(), strict=True))) == 1, position.board


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_small_games(opened: Opener, game: str, storage: Storage, metric: Metric) -> None:
    known, table = oracle(game), opened(game, storage, metric)
    positions = known.reachable()
    expected = [timed(known.value(position), metric) for position in positions]
    assert [table.probe(position) for position in positions] == expected
    wdl, distance = table.table.probe_many([position.hash for position in positions])
    assert wdl.dtype == np.int8
    assert distance.dtype == np.int16
    assert wdl.tolist() == [value.wdl for value in expected]
    assert distance.tolist() == [-1 if value.distance is None else value.distance for value in expected]


@pytest.mark.sampled
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("game", ["2,3,2", "2,3,2,misere", "2,3,2,full", "1,6,3,torus", "3,3,3"])
def test_bulk_probes_refuse_exactly_what_can_not_arise(opened: Opener, game: str, storage: Storage) -> None:
    table = opened(game, storage)
    possible = {position.hash for position in oracle(game).reachable()}
    impossible = [number for number in range(3**table.rules.squares) if number not in possible]
    assert table.table.probe_many(sorted(possible))[0].size == len(possible)
    for number in impossible[:: len(impossible) // 400 + 1]:
        with pytest.raises(ImpossiblePosition, match=f"hash {number} "):
            table.table.probe_many([number])


@pytest.mark.parametrize("storage", STORAGES)
def test_bulk_probes_refuse_floating_stones(opened: Opener, storage: Storage) -> None:
    with pytest.raises(ImpossiblePosition):
        opened("2,3,2,gravity", storage).table.probe_many([1])


@pytest.mark.parametrize("storage", STORAGES)
def test_bulk_probes_name_the_first_hash_that_is_wrong(opened: Opener, storage: Storage) -> None:
    table = opened("3,3,3", storage)
    for wrong in (-1, -(3**20), 3**9, 3**39, 2, 8):
        with pytest.raises(ImpossiblePosition, match=f"hash {wrong} "):
            table.table.probe_many([0, 88, wrong, -5])


@pytest.mark.parametrize("storage", STORAGES)
def test_bulk_probes_keep_the_shape(opened: Opener, storage: Storage) -> None:
    table = opened("3,3,3", storage)
    wdl, distance = table.table.probe_many(np.array([[0, 88], [1, 0], [88, 88]], np.int32))
    assert wdl.tolist() == [[0, -1], [0, 0], [-1, -1]]
    assert distance.tolist() == [[9, 4], [8, 9], [4, 4]]
    wdl, distance = table.table.probe_many([])
    assert wdl.shape == distance.shape == (0,)
    assert table.table.probe_many(88)[0] == -1
    with pytest.raises(TypeError, match="float64"):
        table.table.probe_many([1.5])


# Moves


@pytest.mark.parametrize("storage", STORAGES)
def test_moves_are_best_first_and_seen_by_the_mover(opened: Opener, storage: Storage) -> None:
    table = opened("3,3,3", storage)
    known = oracle("3,3,3")
    for position in known.reachable():
        expected = [(square, value) for _, square, value in sorted(known.moves(position))]
        assert table.moves(position) == expected


@pytest.mark.sampled
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", "3,3,3,torus", "3,3,3,gravity"])
def test_main_line_is_as_long_as_the_value_says(opened: Opener, game: str, metric: Metric) -> None:
    table, known = opened(game, metric=metric), oracle(game)
    for position in known.reachable()[::7]:
        line = table.mainline(position)
        value = known.value(position)
        end = position
        for square in line:
            assert square == table.best_move(end)
            end = end.play(square)
        assert end.is_over
        result = 0 if end.outcome == "draw" else 1 if end.outcome == position.to_move else -1
        assert result == value.wdl
        assert metric == "wdl" or len(line) == value.distance


def test_an_opening_table_lacks_later_positions_unless_the_game_is_over(tmp_path: Path) -> None:
    game = "3,3,3,gravity"
    known = oracle(game)
    with open_tablebase(slow_build(game, tmp_path, storage="pages", opening_plies=4)) as table:
        assert table.table.opening_plies == 4
        for position in known.reachable():
            if position.ply <= 4 or position.is_over:
                assert table.probe(position) == known.value(position)
                assert table.table.probe_many([position.hash])[0] == known.value(position).wdl
                continue
            assert table.table.find(position) is None
            assert table.probe(position) == known.value(position)  # by search
            wdl, distance = table.table.probe_many([0, position.hash])
            assert (wdl.tolist(), distance.tolist()) == ([0, UNKNOWN_WDL], [9, -1])


def test_a_finished_game_has_a_value_and_no_moves(opened: Opener) -> None:
    for storage in STORAGES:
        table = opened("3,3,3", storage)
        over = Position.parse(RULES, "XXX/OO./...")
        assert table.probe(over) == Value(-1, 0)
        assert table.moves(over) == []
        assert table.mainline(over) == []
        with pytest.raises(PositionError, match="over"):
            table.best_move(over)


# Missing tables and impossible positions


def test_a_position_of_another_game(opened: Opener) -> None:
    table = opened("3,3,3")
    other = Position.start(parse_game("4,4,4"))
    with pytest.raises(MissingTable, match=r"values of 3,3,3, not of 4,4,4"):
        table.probe(other)
    assert table.get(other) is None
    assert table.get(other, "none") == "none"
    assert table.get(START) == Value(0, 9)
    assert table.probe_wdl(START) == 0
    same = replace(table.rules)
    assert same is not table.rules
    assert table.probe(Position.start(same)) == Value(0, 9)


def test_a_position_that_can_not_arise(opened: Opener) -> None:
    with pytest.raises(ImpossiblePosition, match=r"XXX/OOO/\.\.\."):
        opened("3,3,3").probe(Position._of(RULES, 0b111, 0b111000))


def test_a_folder_answers_for_each_of_its_games(tmp_path: Path) -> None:
    for game in ("3,3,3", "2,4,2", "3,3,3,misere"):
        slow_build(game, tmp_path)
    (tmp_path / "mnk-notes.sqlite").write_text("no table")
    (tmp_path / "mnk-3-3-3.sqlite.part").write_text("no table")
    with Library(str(tmp_path)) as library:
        assert [rules.name for rules in library.games()] == ["2,4,2", "3,3,3", "3,3,3,misere", *SHIPPED_GAMES[1:]]
        assert library.truth(RULES).probe(START) == Value(0, 9)
        misere = parse_game("3,3,3,misere")
        assert library.truth(misere).best_move(Position.start(misere)) == 4
        assert library.truth(RULES) is library.truth(RULES)
        missing = Position.start(parse_game("4,5,4"))
        assert library.truth(missing.rules).get(missing) is None
        with pytest.raises(Unsettled, match=f"`mnk build 4,5,4 --data {tmp_path}`"):
            library.truth(missing.rules).probe(missing)


def test_a_table_is_pickled_and_copied_by_its_path(tmp_path: Path) -> None:
    with open_tablebase(slow_build("3,3,3", tmp_path)) as table:
        for copied in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
            assert (copied.table.path, copied.probe(START)) == (table.table.path, Value(0, 9))
            copied.close()


def test_a_path_of_the_wrong_kind_names_the_other_function(tmp_path: Path) -> None:
    path = slow_build("3,3,3", tmp_path)
    with pytest.raises(UnsupportedTable, match=r"is a folder, not .*; open it with `Library`\."):
        open_tablebase(tmp_path)
    with pytest.raises(UnsupportedTable, match=r"is a file, not a folder of tables; open it with `open_tablebase`\."):
        Library(path)


LONG = parse_game("19,19,5,without=" + "+".join(f"{column}{row}" for row in range(1, 19) for column in "abcdefghijk"))


def test_names_longer_than_the_name_of_a_file(tmp_path: Path) -> None:
    assert not open_truth(LONG, tmp_path).has_table
    assert open_truth(parse_game("3,3,3"), "x" * 5000).probe(Position.start(parse_game("3,3,3"))) == (0, 9)
    for path in ("x" * 300, "x\0"):
        with refused(TableError, "can't be read: ", "; choose another file."):
            open_tablebase(path)
    with Library("x" * 5000) as library:
        assert [rules.name for rules in library.games()] == SHIPPED_GAMES
    with Library(tmp_path) as library:
        assert not library.truth(LONG).has_table
        with refused(RulesError, "There is no table of 'aaaa"):
            library.game(f"{'a' * 5000}.0123456789ab")
    with refused(StorageError, "can't be written: File name too long"):
        build_table("3,3,3", "x" * 300)
    with refused(RulesError, "is too long for the name of a file; write its rules to a file with"):
        build_table(
            "9,9,3,without=" + "+".join(f"{column}{row}" for column in "abcdefgh" for row in range(1, 10)), tmp_path
        )
    for arguments in (
        ["query", LONG.name, "--seconds", "0.1"], ["show", LONG.name], ["check", LONG.name],
        ["games", "--data", "x" * 300], ["query", "3,3,3", "--data", "x" * 300],
        ["build", "4,4,4", "--memory", "4GB", "--data", "x" * 300],
        ["build", "3,3,3", "--data", str(tmp_path), "--workspace", "x" * 300],
        ["site", "3,3,3", "-o", "x" * 300], ["query", f"{'a' * 300}.0123456789ab"],
    ):  # fmt: skip
        answer = mnk(*arguments)
        assert isinstance(answer.exception, SystemExit | None), arguments
        assert "File name too long:" not in answer.stderr, arguments  # with a path, as Python writes it
    with Client(tmp_path) as client:
        assert client.get(f"/v1/{LONG.name}").status_code in {200, 404}
        client.refused(f"/v1/{'a' * 300}.0123456789ab", 400, "rules_error")


def test_a_file_whose_name_is_of_another_game(tmp_path: Path) -> None:
    path = slow_build("3,3,3", tmp_path)
    copy = path.rename(tmp_path / "copy.db")
    with open_tablebase(copy) as table:
        assert table.rules == RULES
    copy.rename(tmp_path / "mnk-2-4-2.sqlite")
    with pytest.raises(DamagedTable, match=r"'3,3,3', not '2,4,2'"):
        open_tablebase(tmp_path / "mnk-2-4-2.sqlite")


def test_a_closed_table_says_so(tmp_path: Path) -> None:
    table = open_tablebase(slow_build("3,3,3", tmp_path, storage="pages"))
    table.probe(START)
    table.close()
    assert table.probe(START) == Value(0, 9)
    with pytest.raises(TableError, match="closed"):
        table.probe(START.play(0))


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", "3,3,3,gravity"])
def test_replies_that_hold_are_those_that_keep_the_value(game: str, tmp_path: Path) -> None:
    known = oracle(game)
    with open_tablebase(slow_build(game, tmp_path)) as table:
        for position in known.reachable():
            values = [value.wdl for _, _, value in known.moves(position)] if not position.is_over else []
            holding = sum(wdl == known.value(position).wdl for wdl in values)
            assert table.replies(position) == (holding, len(values))


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,gravity", "2,4,2,exact"])
def test_many_positions_have_the_moves_of_each(game: str, tmp_path: Path) -> None:
    with open_tablebase(slow_build(game, tmp_path)) as table:
        positions = oracle(game).reachable()
        assert table.moves_many(positions) == [table.moves(position) for position in positions]
        assert table.moves_many([]) == []
