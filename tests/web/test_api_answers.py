"""Games, opponents and batches."""

import asyncio
import threading
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from pydantic import TypeAdapter

from solver.game import legality
from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.store import paths
from solver.study.answers import Gallery, PositionAnswer, position_answer
from solver.web import api as api_module
from solver.web import requests, served
from solver.web.api import BatchAnswer, Games, OpponentMove
from tests.commands import SHIPPED_GAMES, TableFile
from tests.slow_build import oracle
from tests.web.asgi import Client, refusal

BATCH = "/v1/3,3,3/batch"
LISTED = ("/review", "/played")  # take moves


def test_games_and_gallery(table_file: TableFile, api: Client, tmp_path: Path) -> None:
    for game in ("3,3,3", "2,2,2", "3,3,3,gravity", "4,4,4,gravity"):
        table_file(game)
    answer = api.json("/v1/games")
    TypeAdapter(Games).validate_python(answer, strict=True)
    assert answer["damaged"] == []
    assert next(game["game"] for game in answer["games"]) == "3,3,3"  # the gallery's order, then by size
    games = {game["game"]: game for game in answer["games"]}
    found = games["3,3,3"]
    assert (found["rows"], found["columns"], found["k"], found["variants"]) == (3, 3, 3, [])
    assert (found["positions"], found["canonical"], found["category"], found["distance"]) == (5478, 765, "draw", 9)
    assert games["3,3,3,gravity"]["variants"] == ["gravity"]
    answer = api.json("/v1/gallery")
    TypeAdapter(Gallery).validate_python(answer, strict=True)
    games = {game["game"]: game for game in answer["games"]}
    assert games["3,3,3"]["table"]
    assert not games["affine,5"]["table"]
    assert games["affine,5"]["build"].startswith("mnk build affine,5")
    for folder in (tmp_path, tmp_path / "missing"):
        with Client(folder) as empty:
            answer = empty.json("/v1/games")
            assert (sorted(game["game"] for game in answer["games"]), answer["damaged"]) == (SHIPPED_GAMES, [])


def test_long_requests_wait_for_each_other_but_nothing_else_does(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Endless lists of openings do not delay other requests, and more than fit into the queue are refused."""
    asked, answered = api_module.MOST_QUEUED + 2, threading.Event()
    api.json("/v1/3,3,3")  # opens the table, so that requests queue in their order

    def openings(*_: object, **__: object) -> dict[str, str]:
        assert answered.wait(30)
        return {}

    monkeypatch.setattr(api_module, "openings_answer", openings)

    async def together() -> list[httpx.Response]:
        openings_asked = [asyncio.create_task(api.send("GET", "/v1/3,3,3/openings")) for _ in range(asked)]
        try:
            others = [await api.send("GET", url) for url in ("/v1/3,3,3/opponent", "/v1/games", "/v1/gallery")]
        finally:
            answered.set()
        return [*others, *(await asyncio.gather(*openings_asked))]

    answers = api.run(together())
    assert [answer.status_code for answer in answers] == [200] * (3 + api_module.MOST_QUEUED) + [503, 503]
    refusal(answers[-1], 503, "busy")
    assert int(answers[-1].headers["retry-after"]) > 0
    assert "depth: " in api.refused("/v1/3,3,3/openings", 400, "bad_request", depth=9)


def test_a_class_may_ask_for_the_daily_puzzle_together(api: Client) -> None:
    async def together() -> list[httpx.Response]:
        return await asyncio.gather(*[api.send("GET", "/v1/3,3,3/puzzles?day=2026-11-22") for _ in range(40)])

    assert {answer.status_code for answer in api.run(together())} == {200}


def test_answers_to_long_queries_are_not_kept(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_module, "position_answer", made := Mock(wraps=position_answer))
    for query, count in (("moves=a3&", 1), ("moves=a3" + "&" * 400, 2)):
        made.reset_mock()
        assert api.get(f"/v1/3,3,3?{query}").content == api.get(f"/v1/3,3,3?{query}").content
        assert made.call_count == count


def test_names_that_are_read_for_long_delay_nothing_else(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answered, parse = threading.Event(), parse_game

    def parse_slowly(name: str) -> Rules:
        assert not name.startswith("5,5") or answered.wait(30)
        return parse(name)

    monkeypatch.setattr("solver.search.folder.parse_game", parse_slowly)

    async def together() -> list[httpx.Response]:
        names = [asyncio.create_task(api.send("GET", f"/v1/5,5,{k}/rules")) for k in (3, 4, 5)]
        try:
            others = [await api.send("GET", url) for url in ("/v1/3,3,3/opponent", "/v1/games", "/v1/gallery")]
        finally:
            answered.set()
        return [*others, *(await asyncio.gather(*names))]

    assert api.json("/v1/3,3,3")["wdl"] == 0
    assert [answer.status_code for answer in api.run(together())] == [200] * 6


@pytest.mark.parametrize("part", ["", "/mainline", "/why", "/replies", "/review", "/played", "/opponent", "/compare"])
@pytest.mark.parametrize("game", ["6,7,4,gravity", "3,3,3,gravity"])  # without a table, and with one
def test_positions_whose_moves_must_be_ordered_are_read_in_threads(
    part: str, game: str, api: Client, table_file: TableFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_file("3,3,3,gravity")
    search, searched = legality._leads_back, []

    def search_in_thread(*given: Any) -> bool:
        searched.append(threading.current_thread() is not threading.main_thread())
        return search(*given)

    monkeypatch.setattr(legality, "_leads_back", search_in_thread)
    board = "/".join(["......."] * 4 + [".OXOXOX", "OXXOXXO"]) if game == "6,7,4,gravity" else ".../.../XOX"
    query = {"position": board, **({"move": "a1"} if part == "/why" else {"moves": ""} if part in LISTED else {})}
    assert api.get(f"/v1/{game}{part}", params=query).status_code in {200, 400, 404}
    assert searched
    assert all(searched)


def test_a_batch_without_a_table_ends_in_time(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_module, "_BATCH_SECONDS", 0.0)
    answer = api.ask("POST", "/v1/7,8,9,gravity/batch", json={"hashes": [0, 1]}).json()
    assert [found["error"]["code"] for found in answer["answers"]] == ["busy", "busy"]


def test_a_perfect_opponent_plays_a_best_move(api: Client) -> None:
    known = oracle("3,3,3")
    for position in known.reachable()[::200]:
        if not position.is_over:
            answer = api.json("/v1/3,3,3/opponent", position=position.board, engine="perfect:ties=random")
            TypeAdapter(OpponentMove).validate_python(answer, strict=True)
            ranks = {square: rank for rank, square, _ in known.moves(position)}
            assert ranks[answer["square"]] == min(ranks.values())


@pytest.mark.sampled
@pytest.mark.parametrize("engine", ["random", "graded:strength=0.5"])
def test_other_opponents_play_legal_moves_that_are_not_cached(engine: str, api: Client) -> None:
    squares = set()
    for _ in range(30):
        answer = api.get("/v1/3,3,3/opponent", params={"engine": engine})
        assert answer.headers["cache-control"] == "no-store"
        squares.add(answer.json()["square"])
    assert len(squares) > 1
    assert squares <= set(range(9))


def test_other_engines_are_refused(api: Client) -> None:
    for engine in ("mcts", "graded:strength=2", "cmd:id"):
        api.refused("/v1/3,3,3/opponent", 400, "engine_error", engine=engine)
    assert "over" in api.refused("/v1/3,3,3/opponent", 400, "position_error", position="XXX/OO./...")


def test_a_batch_answers_every_position_of_a_game(api: Client) -> None:
    known = oracle("3,3,3")
    hashes = [position.hash for position in known.reachable()]
    answers = []
    for start in range(0, len(hashes), requests.MOST_POSITIONS):
        answer = api.ask("POST", BATCH, json={"hashes": hashes[start : start + requests.MOST_POSITIONS]})
        TypeAdapter(BatchAnswer).validate_python(answer.json(), strict=True)
        answers += answer.json()["answers"]
    values = [known.value(position) for position in known.reachable()]
    assert [answer["hash"] for answer in answers] == hashes
    assert [(answer["wdl"], answer["distance"]) for answer in answers] == values


def test_invalid_positions_of_a_batch_have_errors_in_their_places(api: Client) -> None:
    given = ["start", "XX./.../...", "hello", "b2"]
    answer = api.ask("POST", BATCH, json={"positions": given}).json()
    TypeAdapter(BatchAnswer).validate_python(answer, strict=True)
    first, second, third, fourth = answer["answers"]
    assert [first["hash"], fourth["hash"]] == [0, 81]
    assert second["error"]["code"] == "impossible_position"
    assert third["error"]["code"] == "notation_error"
    huge = api.ask("POST", BATCH, content=f'{{"hashes": [{"9" * 4000}, -1, 19682]}}'.encode())
    assert {part["error"]["status"] for part in huge.json()["answers"]} == {400}
    assert api.ask("POST", BATCH, json={"positions": []}).json()["answers"] == []


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("body", "part"),
    [
        (b"", "JSON"), (b'{"positions": ["start"], "hashes": [0]}', "either positions or hashes"),
        (b'{"positions": [1]}', "positions: 0: "), (b'{"hashes": [true]}', "hashes: 0: "),
        (b'{"positions": [], "more": 1}', "more"), (b"[" * 100_000, "JSON"), (b'{"positions": ["\xff"]}', "JSON"),
    ],
)  # fmt: skip
def test_invalid_batches_are_refused(body: bytes, part: str, api: Client) -> None:
    answer = api.ask("POST", BATCH, content=body)
    assert part in refusal(answer, 400, "bad_request")["message"]


def test_a_large_batch_is_refused(api: Client) -> None:
    many = {"hashes": [0] * (requests.MOST_POSITIONS + 1)}
    assert "1,000 positions" in refusal(api.ask("POST", BATCH, json=many), 413, "too_large")["message"]
    bytes_ = b" " * (requests.MOST_BYTES + 1)
    assert "200,000 bytes" in refusal(api.ask("POST", BATCH, content=bytes_), 413, "too_large")["message"]


def test_connect_four_is_answered_by_a_search_that_stalls_nobody(
    api: Client, table_file: TableFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "/v1/6,7,4,gravity"
    answer = api.json(address, moves="165713352355467777")
    TypeAdapter(PositionAnswer).validate_python(answer, strict=True)
    assert (answer["source"], answer["category"], answer["distance"]) == ("search", "win", 19)
    monkeypatch.setattr(paths, "SHIPPED", Path("nowhere"))  # so that no opening table answers
    monkeypatch.setattr(served, "SECONDS", 0.2)
    with Client(table_file("3,3,3").parent) as bare:
        unsettled_positions_stall_nobody(bare, address)


def unsettled_positions_stall_nobody(api: Client, address: str) -> None:
    start = api.get(address)
    assert "etag" not in start.headers  # a later answer may have more values
    assert (start.json()["wdl"], {move["verdict"] for move in start.json()["moves"]}) == (None, {None})
    refused = api.get(f"{address}/opponent")
    assert "; send the request again." in refusal(refused, 404, "unsettled")["message"]
    assert int(refused.headers["retry-after"]) > 0
    assert api.refused(f"{address}/puzzles", 404, "missing_table") == "There is no table of 6,7,4,gravity here."
    finished: list[str] = []

    async def ask(url: str) -> None:
        assert (await api.send("GET", url)).status_code == 200
        finished.append(url)

    async def together() -> None:
        early = [f"{address}?moves={moves}" for moves in ("4", "3", "2")]
        await asyncio.gather(*map(ask, [*early, "/v1/3,3,3", "/v1/gallery"]))

    api.run(together())
    assert {*finished[:2]} == {"/v1/3,3,3", "/v1/gallery"}


def test_a_strategy_that_holds_answers_where_no_value_is_known(api: Client) -> None:
    answer = api.json("/v1/7,7,5", moves="d4")
    assert (answer["wdl"], answer["holder"]) == (None, "O")
    held = api.json("/v1/7,7,5", moves=f"d4,{answer['holding_move']['name']}")
    assert (held["holder"], held["holding_move"]) == ("O", None)
    assert "holder" not in api.json("/v1/6,6,4", moves="d4")
