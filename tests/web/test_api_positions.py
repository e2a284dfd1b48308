"""Answers about positions, compared with a slow solver that shares no code with the tables."""

import json
from functools import reduce

import pytest
from pydantic import TypeAdapter, ValidationError

from solver.game.notation import square_name
from solver.game.position import Position
from solver.search.truth import open_tablebase
from solver.study.answers import PositionAnswer, RepliesAnswer, winner_of
from solver.web.api import Mainline
from tests.commands import TableFile, mnk
from tests.slow_build import oracle
from tests.web.asgi import Client

GAMES = ["3,3,3", "2,4,2,exact,misere", "3,3,3,gravity", "2,2,3", "1,9,3,exact"]


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_positions_have_the_values_of_the_slow_solver(game: str, api: Client) -> None:
    known = oracle(game)
    for position in known.reachable()[:: max(1, len(known.reachable()) // 40)]:
        answer = api.json(f"/v1/{game}", position=position.board)
        TypeAdapter(PositionAnswer).validate_python(answer, strict=True)
        value = known.value(position)
        assert (answer["wdl"], answer["distance"], answer["category"]) == (*value, value.category)
        assert (answer["hash"], answer["ply"], answer["terminal"]) == (position.hash, position.ply, position.is_over)
        assert answer["to_move"] == (None if position.is_over else position.to_move)
        assert answer["winner"] == (position.outcome if position.outcome in {"X", "O"} else None)
        moves = sorted(known.moves(position))
        assert [move["square"] for move in answer["moves"]] == [square for _, square, _ in moves]
        assert [move["verdict"] for move in answer["moves"]] == [value.category for _, _, value in moves]
        for move in answer["moves"]:
            reached = position.play(move["square"])
            assert (move["position"], move["hash"]) == (reached.board, reached.hash)
            assert (move["wdl"], move["distance"]) == known.value(reached)


@pytest.mark.parametrize("board", ["XO./.X./...", "XXX/OO./..."])
def test_the_command_prints_the_same_answer(board: str, table_file: TableFile, api: Client) -> None:
    printed = mnk("query", "3,3,3", board, "--json", "--data", table_file("3,3,3").parent).stdout
    answer = api.json("/v1/3,3,3", position=board)
    assert json.loads(printed) == answer
    assert list(json.loads(printed)) == list(answer)
    replies = api.json("/v1/3,3,3/replies", position=board)
    assert TypeAdapter(RepliesAnswer).validate_python(replies, strict=True) == replies
    with pytest.raises(ValidationError, match="Extra inputs"):
        TypeAdapter(PositionAnswer).validate_python({**answer, "more": 1})


def test_every_notation_gives_the_same_answer(api: Client) -> None:
    answer = api.json("/v1/3,3,3", position="XO./.X./...")
    for query in ({"hash": 88}, {"moves": "a1 b1 b2"}, {"position": "xo. .x. ..."}):
        assert api.json("/v1/3,3,3", **query) == answer
    assert api.json("/v1/3-3-3", position="XO./.X./...") == answer
    start = api.json("/v1/3,3,3")
    assert start["position"] == ".../.../..."
    assert [api.json("/v1/3,3,3", **query) for query in ({"position": ""}, {"moves": ""}, {"hash": 0})] == [start] * 3


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"position": "hello"}, "notation_error"), ({"position": "XX./.../..."}, "impossible_position"),
        ({"hash": ""}, "notation_error"), ({"moves": "a1 a1"}, "illegal_move"),
        ({"position": "start", "hash": "0"}, "notation_error"), ({"pos": "start"}, "bad_request"),
        ({"position": "." * 1001}, "bad_request"),
    ],
)  # fmt: skip
def test_invalid_positions_are_refused(query: dict[str, str], code: str, api: Client) -> None:
    api.refused("/v1/3,3,3", 400, code, **query)


def test_invalid_games_are_refused(api: Client) -> None:
    assert "perhaps hex,3 is meant" in api.refused("/v1/hxe,3", 400, "rules_error")


def test_a_game_without_a_table_is_answered_where_a_search_settles_it(api: Client) -> None:
    assert api.json("/v1/3,3,2,misere")["source"] == "search"
    assert "; give a later position." in api.refused("/v1/9,9,5,misere", 404, "unsettled")
    start = api.json("/v1/9,9,5")
    assert (start["category"], {move["category"] for move in start["moves"]}) == (None, {None})
    assert {move["category"] for move in api.json("/v1/9,9,5,misere", search="false")["moves"]} == {None}
    assert api.json("/v1/9,9,5,misere/rules")["k"] == 5
    assert api.json("/v1/9,9,5/played", moves="e5a1 e6")["moves"] == ["e5", "a1", "e6"]
    four = "a1 i9 b1 i8 c1 i7 d1 i6"
    answer = api.json("/v1/9,9,5", moves=four)
    assert (answer["category"], answer["distance"], answer["source"]) == ("win", 1, "search")
    assert (answer["moves"][0]["name"], answer["moves"][1]["category"]) == ("e1", None)
    values = api.ask("POST", "/v1/9,9,5/batch", json={"positions": ["start", f"moves:{four}"]}).json()["answers"]
    assert (values[0]["error"]["code"], values[1]["category"]) == ("unsettled", "win")


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_the_main_line_is_that_of_the_table(game: str, table_file: TableFile, api: Client) -> None:
    known = oracle(game).reachable()
    with open_tablebase(table_file(game)) as table:
        for position in known[:: max(1, len(known) // 20)]:
            answer = api.json(f"/v1/{game}/mainline", position=position.board)
            TypeAdapter(Mainline).validate_python(answer, strict=True)
            line = table.mainline(position)
            assert answer["moves"] == [square_name(table.rules, square) for square in line]
            end = reduce(Position.play, line, position)
            assert (answer["result"], answer["winner"]) == (table.probe(position).category, winner_of(end))
