"""Openings up to symmetry, and positions under other rules."""

import json
import re
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from solver.errors import PositionError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.folder import Library
from solver.search.truth import Truth, open_tablebase
from solver.study.answers import position_answer
from solver.study.comparison import Comparison, compare, list_relatives
from solver.study.openings import OpeningsAnswer, list_openings, openings_answer
from tests.commands import TableFile, mnk
from tests.slow_build import oracle
from tests.web.asgi import Client


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,misere", "3,3,3,gravity", "affine,3"])
def test_openings_are_the_positions_up_to_symmetry(game: str, table_file: TableFile) -> None:
    known = oracle(game)
    with open_tablebase(table_file(game)) as table:
        plies = list_openings(table, 4)
        rows = {row["ply"]: row["canonical"] for row in table.table.plies()}
        assert [len(level) for level in plies] == [rows[ply] for ply in range(1, 5)]
        for level in plies:
            assert len({known.canonical_hash(opening.position) for opening in level}) == len(level)
            for opening in level:
                assert Position.from_moves(known.rules, opening.moves) == opening.position
                value = known.value(opening.position)
                replies = [] if opening.position.is_over else [reply for _, _, reply in known.moves(opening.position)]
                assert opening.value == value
                assert len(opening.ranked) == len(replies)
                assert opening.holding == sum(reply.wdl == value.wdl for reply in replies)


def test_tic_tac_toe_has_three_first_moves_and_twelve_positions_after_two(tictactoe: Truth) -> None:
    """The numbers of positions up to symmetry by ply: 1, 3, 12, 38, 108 (Schaefer 2002, and many others)."""
    plies = list_openings(tictactoe, 4)
    assert [len(level) for level in plies] == [3, 12, 38, 108]
    first = {opening.names[0]: (opening.holding, len(opening.ranked)) for opening in plies[0]}
    assert first == {"a1": (1, 8), "b1": (4, 8), "b2": (4, 8)}


def test_only_moves_that_keep_the_result_are_followed(tictactoe: Truth) -> None:
    plies = list_openings(tictactoe, 9, kept=True)
    assert all(opening.value.wdl == 0 for level in plies for opening in level)
    assert len(plies) == 9
    assert [" ".join(opening.names) for opening in plies[1]] == ["a1 b2", "b1 a1", "b1 b2", "b1 b3", "b2 a1"]


def test_too_many_openings_are_refused_and_a_game_ends(tictactoe: Truth) -> None:
    with pytest.raises(PositionError, match="more than 100 positions at ply 4"):
        list_openings(tictactoe, 4, most=100)
    last = Position.parse(tictactoe.rules, "XOX/XOO/.X.")
    assert [len(level) for level in list_openings(tictactoe, 9, last)] == [2, 2]
    assert list_openings(tictactoe, 2, Position.parse(tictactoe.rules, "XXX/OO./...")) == []


def test_the_openings_are_printed_as_a_tree(table_file: TableFile) -> None:
    shown = mnk("query", "3,3,3", "--openings", "2", "--data", table_file("3,3,3").parent).stdout
    assert "Ply 2: 12 positions up to symmetry" in shown
    assert "a1    a draw             1 of 8 replies keeps the draw\n" in shown
    assert "  b2  a draw             7 of 7 replies keep the draw\n" in shown
    assert "  b1  X wins in 5 plies  6 of 7 replies keep the win" in shown


def test_the_command_and_the_address_list_alike(table_file: TableFile) -> None:
    data = table_file("3,3,3").parent
    printed = json.loads(mnk("query", "3,3,3", "b2", "--openings", "3", "--kept", "--json", "--data", data).stdout)
    TypeAdapter(OpeningsAnswer).validate_python(printed, strict=True)
    with Client(data) as api:
        assert api.json("/v1/3,3,3/openings", moves="b2", depth=3, kept="true") == printed
        assert "depth" in api.refused("/v1/3,3,3/openings", 400, "bad_request", depth=9)


@pytest.mark.parametrize(
    ("game", "relatives"),
    [
        ("3,3,3", ["3,3,3", "3,3,3,misere", "3,3,3,torus", "3,3,3,gravity"]),
        ("3,3,3,gravity", ["3,3,3,gravity", "3,3,3", "3,3,3,misere", "3,3,3,torus"]),
        ("3,3,3,misere,torus", ["3,3,3,misere,torus", "3,3,3", "3,3,3,misere", "3,3,3,torus", "3,3,3,gravity"]),
        ("3,3,3,exact", ["3,3,3,exact", "3,3,3,exact,misere", "3,3,3,exact,torus", "3,3,3,exact,gravity"]),
        ("affine,3", ["affine,3", "affine,3,misere"]), ("hex,3", ["hex,3", "hex,3,misere"]),
    ],
)  # fmt: skip
def test_the_relatives_of_a_game(game: str, relatives: list[str]) -> None:
    assert sorted(map(str, list_relatives(parse_game(game)))) == sorted(parse_game(name).name for name in relatives)
    assert str(list_relatives(parse_game(game))[0]) == parse_game(game).name


def test_a_position_under_other_rules(table_file: TableFile, tmp_path: Path) -> None:
    for game in ("3,3,3", "3,3,3,misere", "3,3,3,gravity"):
        (tmp_path / table_file(game).name).symlink_to(table_file(game))
    position = Position.parse(parse_game("3,3,3"), "b2 b1")
    with Library(tmp_path) as tables:
        found = compare(position, tables.truth)
        TypeAdapter(Comparison).validate_python(found, strict=True)
        normal, misere, torus, gravity = found["rules"]
        assert normal["answer"] == position_answer(tables.truth(position.rules), position)
        other = Position.parse(parse_game("3,3,3,misere"), "b2 b1")
        assert misere["answer"] == position_answer(tables.truth(other.rules), other)
    assert torus["answer"]
    assert (torus["status"], torus["answer"]["source"]) == ("answered", "search")
    assert gravity["status"] == "impossible"
    assert "can't arise" in (gravity["problem"] or "")
    with Client(tmp_path) as api:
        served = api.json("/v1/3,3,3/compare", moves="b2 b1")
        assert [{**each, "build": None} for each in served["rules"]] == [
            {**each, "build": None} for each in found["rules"]
        ]
        missing = api.json("/v1/4,5,4/compare")["rules"][0]
        assert missing["build"] == "mnk build 4,5,4"  # the answer does not reveal the folder
    arguments = ["query", "3,3,3", "b2", "b1", "--variants", "--data", str(tmp_path)]
    shown = mnk(*arguments).stdout
    assert re.search(r"^3,3,3 +X to move wins in 5 plies with ", shown, re.MULTILINE)
    assert re.search(r"^3,3,3,torus +X to move wins in 5 plies with ", shown, re.MULTILINE)  # by a search
    assert re.search(r"^3,3,3,gravity .*can't arise", shown, re.MULTILINE)
    assert json.loads(mnk(*arguments, "--json").stdout)["rules"][:2] == found["rules"][:2]
    large = ["query", "4,4,4", "b2", "--variants", "--data", str(tmp_path)]
    assert re.search(r"^4,4,4,torus +no table; build it with `mnk build 4,4,4,torus", mnk(*large).stdout, re.MULTILINE)
    connect_four = mnk("query", "6,7,4,gravity", "--variants", "--seconds", "0.2", "--data", tmp_path).stdout
    assert "6,7,4,gravity  X to move wins in 41 plies with d6." in connect_four
    assert re.search(r"^6,7,4,misere +The empty board of 6,7,4,misere is in no", connect_four, re.MULTILINE)


def test_the_openings_of_a_game_that_is_searched_are_those_of_its_table(table_file: TableFile, tmp_path: Path) -> None:
    with open_tablebase(table_file("3,3,3,misere")) as table, Client(tmp_path) as api:
        answer = api.json("/v1/3,3,3,misere/openings", depth=2)
        assert answer == openings_answer(table, 2, Position.start(table.rules))
        assert (
            json.loads(mnk("query", "3,3,3,misere", "--openings", "2", "--json", "--data", tmp_path).stdout) == answer
        )
        api.refused("/v1/4,5,4/openings", 404, "unsettled")


@pytest.mark.parametrize("options", [["--kept"], ["--openings", "2", "--variants"], ["--openings", "2", "--replies"]])
def test_options_that_do_not_belong_together_are_refused(options: list[str]) -> None:
    assert mnk("query", "3,3,3", *options).exit_code == 2
