"""The Universal Web API, used as its clients use it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver.game.game_files import read_file
from solver.game.games import parse_game
from solver.solve.build import build_table
from tests.commands import TableFile
from tests.slow_build import oracle
from tests.web.asgi import Client, refusal

REGULAR = "/v1/uwapi/3,3,3/regular/"
NAMES = {1: "win", 0: "tie", -1: "lose"}


@pytest.fixture(scope="module")
def api(table_file: TableFile) -> Iterator[Client]:
    for game in ("3,3,3", "3,3,3,misere", "2,2,2"):
        table_file(game)
    with Client(table_file("3,3,3").parent) as client:
        yield client


def test_a_client_finds_a_game_its_variants_and_the_start(api: Client) -> None:
    games = {game["id"]: game for game in api.json("/v1/uwapi/")}
    assert {"2,2,2", "3,3,3"} <= set(games)
    assert (set(games["3,3,3"]), games["3,3,3"]["type"]) == ({"id", "name", "type", "gui"}, "twoPlayer")
    game = api.json("/v1/uwapi/3,3,3/")
    assert {"regular", "misere"} <= {variant["id"] for variant in game["variants"]}
    for variant in ("regular", "misere"):
        found = api.json(f"/v1/uwapi/3,3,3/{variant}/")
        assert (found["id"], found["startPosition"]) == (variant, "1_---------")
        theme = found["imageAutoGUIData"]["themes"][found["imageAutoGUIData"]["defaultTheme"]]
        assert theme["space"] == [3, 3]
        assert theme["centers"][:4] == [[0.5, 0.5], [1.5, 0.5], [2.5, 0.5], [0.5, 1.5]]
        assert set(theme["charImages"]) == {"x", "o"}
        assert "3 in a row" in api.json(f"/v1/uwapi/3,3,3/{variant}/instructions/", locale="en")["instructions"]


def test_boards_of_any_shape(tmp_path: Path) -> None:
    (tmp_path / "pairs.json").write_text('{"squares": 4, "lines": [["1", "2"], ["3", "4"]]}')
    pairs = read_file(tmp_path / "pairs.json")
    for rules in (pairs, parse_game("affine,2"), parse_game("clique,4,3,x=12")):
        build_table(rules, tmp_path)
    with Client(tmp_path) as api:
        games = {game["id"] for game in api.json("/v1/uwapi/")}
        assert games == {pairs.name, "affine,2", "clique,4,3", "3,3,3", "4,4,4"}
        for game, squares in ((f"{pairs.name}/regular", 4), ("affine,2/regular", 4), ("clique,4,3/x=12", 5)):
            found = api.json(f"/v1/uwapi/{game}/")
            assert len(found["imageAutoGUIData"]["themes"]["stones"]["centers"]) == squares
            assert len(api.json(f"/v1/uwapi/{game}/positions/", p=found["startPosition"])["moves"]) == squares


@pytest.mark.parametrize("variant", ["regular", "misere"])
def test_positions_have_the_values_of_the_slow_solver(variant: str, api: Client) -> None:
    known = oracle("3,3,3" if variant == "regular" else f"3,3,3,{variant}")
    for position in known.reachable()[::60]:
        text = ("1_" if position.to_move == "X" else "2_") + "".join(position.cells).lower().replace(".", "-")
        answer = api.json(f"/v1/uwapi/3,3,3/{variant}/positions/", p=text)
        value = known.value(position)
        assert (answer["position"], answer["autoguiPosition"]) == (text, text)
        assert (answer["positionValue"], answer["remoteness"]) == (NAMES[value.wdl], value.distance)
        moves = {int(move["autoguiMove"].split("_")[2]): move for move in answer["moves"]}
        assert sorted(moves) == list(position.legal_moves)
        for square, move in moves.items():
            reached = known.value(position.play(square))
            assert (move["positionValue"], move["remoteness"]) == (NAMES[reached.wdl], reached.distance)
            assert move["moveValue"] == NAMES[-reached.wdl]
            assert move["deltaRemoteness"] == delta(move, list(moves.values()))


def delta(move: dict[str, Any], moves: list[dict[str, Any]]) -> int:
    """The difference of a move from the best of its value: the fastest win or tie, the slowest loss."""
    remoteness = [other["remoteness"] for other in moves if other["moveValue"] == move["moveValue"]]
    best = max(remoteness) if move["moveValue"] == "lose" else min(remoteness)
    return abs(int(move["remoteness"]) - int(best))


def test_a_table_without_distances_has_unknown_remoteness(table_file: TableFile) -> None:
    with Client(table_file("3,3,3", metric="wdl").parent) as api:
        answer = api.json(f"{REGULAR}positions/", p="2_xo--x----")
    assert (answer["positionValue"], answer["remoteness"]) == ("lose", -100)
    assert {move["deltaRemoteness"] for move in answer["moves"]} == {0}


def test_invalid_positions_games_and_missing_tables_are_refused(api: Client) -> None:
    for position in ("1_xo--x----", "1_xo", "3_---------"):
        api.refused(f"{REGULAR}positions/", 400, "notation_error", p=position)
    api.refused(f"{REGULAR}positions/", 400, "impossible_position", p="2_xx-------")
    api.refused(f"{REGULAR}positions/", 400, "bad_request")
    refusal(api.get(f"{REGULAR}positions/?p=1_xo", headers={"If-None-Match": "*"}), 400, "notation_error")
    api.refused("/v1/uwapi/3,3,3/nonsense/", 400, "rules_error")
    api.refused("/v1/uwapi/5,5,4/regular/", 404, "missing_table")
