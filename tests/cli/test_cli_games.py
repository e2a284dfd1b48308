"""`mnk games`, and the games it lists."""

import json
from pathlib import Path

import pytest

from solver import Position, open_tablebase
from solver.gallery import GALLERY, Entry
from solver.game.makers import makers
from tests.commands import TableFile, mnk

SMALL = [entry for entry in GALLERY if entry.rules.squares <= 10]


def test_every_game_is_there_once_under_its_own_name() -> None:
    names = [entry.rules.name for entry in GALLERY]
    assert names == [entry.name for entry in GALLERY]
    assert len(set(names)) == len(names)
    assert len({entry.title for entry in GALLERY}) == len(GALLERY)
    assert (GALLERY[0].title, GALLERY[0].name) == ("Tic-tac-toe", "3,3,3")


@pytest.mark.sampled
@pytest.mark.parametrize("entry", SMALL, ids=[entry.name for entry in SMALL])
def test_tables_say_the_values_that_the_gallery_says(entry: Entry, table_file: TableFile) -> None:
    with open_tablebase(table_file(entry.name, metric="wdl")) as table:
        wdl = table.probe_wdl(Position.start(table.rules))
    assert entry.value == {1: "X wins", 0: "a draw", -1: "O wins"}[wdl]


def test_games_are_listed_with_their_tables_and_families(table_file: TableFile) -> None:
    folder = table_file("3,3,3").parent
    lines = mnk("games", "--data", folder).stdout.splitlines()
    assert lines[1].split() == [
        *("Tic-tac-toe", "3,3,3", "a", "draw", "(folklore)", "1", "s", "yes"),
        *("three", "in", "a", "row,", "also", "called", "noughts", "and", "crosses"),
    ]
    assert sum(line.startswith(tuple(maker.form for maker in makers())) for line in lines) == len(list(makers()))


def test_games_as_json(tmp_path: Path) -> None:
    answer = json.loads(mnk("games", "--json", "--data", tmp_path).stdout)
    assert [game["game"] for game in answer["games"]] == [entry.name for entry in GALLERY]
    assert not any(game["table"] for game in answer["games"])
    assert {"form", "about", "examples"} == set(answer["families"][0])
