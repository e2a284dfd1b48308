"""Answers about positions, compared with a slow solver that shares no code with the tables."""

import json
from collections.abc import Iterator
from itertools import pairwise

import pytest
from pydantic import TypeAdapter

from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.study.answers import PositionAnswer
from solver.web.schemas import Mainline
from tests.commands import TableFile, mnk
from tests.slow_build import oracle
from tests.web.asgi import Client

GAMES = ["3,3,3", "2,4,2,exact,misere", "3,3,3,gravity", "2,2,3", "1,9,3,exact"]


@pytest.fixture(scope="module")
def api(table_file: TableFile) -> Iterator[Client]:
    for game in GAMES:
        table_file(game)
    with Client(table_file("3,3,3").parent) as client:
        yield client


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


@pytest.mark.parametrize("board", ["XO./.X./...", "XXX/OO./...", "XOX/XOO/OXX", "start"])
def test_the_command_prints_the_same_answer(board: str, table_file: TableFile, api: Client) -> None:
    printed = mnk("query", "3,3,3", board, "--json", "--data", table_file("3,3,3").parent).stdout
    answer = api.json("/v1/3,3,3", position=board)
    assert json.loads(printed) == answer
    assert list(json.loads(printed)) == list(answer)


def test_every_notation_gives_the_same_answer(api: Client) -> None:
    answer = api.json("/v1/3,3,3", position="XO./.X./...")
    for query in ({"hash": 88}, {"moves": "a1 b1 b2"}, {"moves": "0,1,4"}, {"position": "xo. .x. ..."}):
        assert api.json("/v1/3,3,3", **query) == answer
    for game in ("3-3-3", "3, 3, 3", "%33,3,3"):
        assert api.json(f"/v1/{game}", position="XO./.X./...") == answer
    start = api.json("/v1/3,3,3")
    assert [api.json("/v1/3,3,3", **query) for query in ({"position": ""}, {"moves": ""}, {"hash": 0})] == [start] * 3
    assert start["position"] == ".../.../..."


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("query", "code", "part"),
    [
        ({"position": "hello"}, "notation_error", "can't be read as a position of 3,3,3"),
        ({"position": "XO./.X."}, "notation_error", "has 6 squares"),
        ({"position": "XX./.../..."}, "impossible_position", "X has 2 stones"),
        ({"position": "OOO/XXX/X.."}, "impossible_position", "can't arise"),
        ({"hash": "19683"}, "notation_error", "from 0 to 19682"),
        ({"hash": "-1"}, "notation_error", "from 0 to 19682"),
        ({"hash": ""}, "notation_error", "from 0 to 19682"),
        ({"moves": "a1 a1"}, "illegal_move", "taken"),
        ({"moves": "z9"}, "notation_error", "not a square"),
        ({"position": "start", "hash": "0"}, "notation_error", "position and hash"),
        ({"pos": "start"}, "bad_request", "'pos'"),
        ({"position": "." * 1001}, "bad_request", "at most 1000 characters"),
    ],
)
def test_invalid_positions_are_refused(query: dict[str, str], code: str, part: str, api: Client) -> None:
    assert part in api.refused("/v1/3,3,3", 400, code, **query)


@pytest.mark.parametrize(
    ("game", "part"),
    [
        ("chess", "can't be read"),
        ("hxe,3", "perhaps hex,3 is meant"),
        ("3,3", "can't be read"),
        ("9,9,5", "up to 36"),
        ("0,3,3", "least 1"),
    ],
)
def test_invalid_games_are_refused(game: str, part: str, api: Client) -> None:
    assert part in api.refused(f"/v1/{game}", 400, "rules_error")


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_the_main_line_is_best_play_to_the_end(game: str, api: Client) -> None:
    known, rules = oracle(game), parse_game(game)
    for position in known.reachable()[:: max(1, len(known.reachable()) // 20)]:
        answer = api.json(f"/v1/{game}/mainline", position=position.board)
        TypeAdapter(Mainline).validate_python(answer, strict=True)
        values = [known.value(position)]
        end = position
        for name in answer["moves"]:
            end = end.play(_square(rules, name))
            values.append(known.value(end))
        assert end.is_over
        assert all(now == after.before_move() for now, after in pairwise(values))
        assert answer["result"] == known.value(position).category
        assert answer["winner"] == (end.outcome if end.outcome != "draw" else None)


def _square(rules: Rules, name: str) -> int:
    return (int(name[1:]) - 1) * rules.diagram.columns + ord(name[0]) - ord("a")
