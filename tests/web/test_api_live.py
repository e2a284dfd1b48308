"""Live games between two people."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from solver.game.games import parse_game
from solver.web import live
from solver.web.responses import Busy
from tests.commands import TableFile
from tests.web.asgi import Client, refusal

DRAW = ["a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"]
O_WINS = ["a1", "b2", "c1", "b1", "c3", "b3"]


class Table:
    """A live game of two players, X first, whose responses don't wait."""

    def __init__(self, api: Client, clock: int = 0) -> None:
        self.api = api
        first = api.ask("POST", "/v1/live", json={"game": "3,3,3", "clock": clock}).json()["seat"]
        self.seats = [first, self.follow(first, moves=["b2"] * 9)["invitation"]]

    async def send(self, seat: str, **shown: Any) -> Any:
        return (await self.api.send("POST", f"/v1/live/{seat}", json=shown)).json()

    def follow(self, seat: str, **shown: Any) -> Any:
        return self.api.run(self.send(seat, **shown))

    def play(self, moves: list[str], players: str = "XO", number: int = 1) -> None:
        """Play all moves. players: for each seat, its side."""
        for ply in range(len(moves)):
            seat = self.seats[players.index("XO"[ply % 2])]
            assert self.follow(seat, round=number, moves=moves[: ply + 1])["moves"] == moves[: ply + 1]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "WAIT", 0.01)


def test_a_response_waits_for_the_other_player(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "WAIT", 30)
    game = Table(api)

    async def play() -> list[Any]:
        waits = asyncio.create_task(game.send(game.seats[1], round=1, moves=[]))
        await asyncio.sleep(0.05)
        waits_too = asyncio.create_task(game.send(game.seats[0], round=1, moves=["b2"]))
        seen = await waits
        moved = asyncio.create_task(game.send(game.seats[1], round=1, moves=["b2", "c1"]))
        seen_too = await waits_too
        moved.cancel()  # it waits for the next move
        return [seen, seen_too]

    for side, moves, seen in zip("OX", (["b2"], ["b2", "c1"]), api.run(play()), strict=True):
        assert (seen["side"], seen["moves"], seen["invitation"]) == (side, moves, None)


@pytest.mark.parametrize(
    ("seat", "moves"),
    [(0, ["b2", "a1", "c3"]), (1, ["b2", "b2"]), (1, ["b2", "z9"]), (0, ["b2", "a1"]), (1, ["a1", "c1"]), (1, [])],
)
def test_no_other_moves_are_played(seat: int, moves: list[str], api: Client) -> None:
    game = Table(api)
    game.play(["b2"])
    assert game.follow(game.seats[seat], round=1, moves=moves)["moves"] == ["b2"]
    assert game.follow(game.seats[1], round=2, moves=["a1"])["round"] == 1  # it isn't over


@pytest.mark.parametrize(("moves", "sides"), [(DRAW, "OX"), (O_WINS, "XO"), (["a1", "b1", "a2", "b2", "a3"], "OX")])
def test_the_loser_begins_the_next_round(moves: list[str], sides: str, api: Client) -> None:
    game = Table(api)
    game.play(moves)
    seen = [game.follow(seat, round=2, moves=[]) for seat in game.seats]
    assert [(each["round"], each["side"], each["moves"]) for each in seen] == [(2, side, []) for side in sides]
    game.play(["c3", "a1"], sides, 2)


def test_the_time_of_the_side_to_move_runs(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(live, "monotonic", lambda: now)
    game = Table(api, clock=1)
    now += 100
    game.play(["a1"])  # the first move takes no time
    now += 100
    assert game.follow(game.seats[1])["left"] == {"X": 60, "O": 60}  # nor does waiting for the other player
    now += 25
    assert game.follow(game.seats[1], round=1, moves=["a1", "b2"])["left"] == {"X": 60, "O": 35}
    now += 61
    seen = game.follow(game.seats[0], round=1, moves=["a1", "b2", "c3"])
    assert (seen["late"], seen["moves"], seen["left"]) == ("X", ["a1", "b2"], {"X": 0, "O": 35})
    assert game.follow(game.seats[1], round=2, moves=[])["side"] == "O"


def test_games_are_limited(table_file: TableFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_GAMES", 1)
    with Client(table_file("3,3,3").parent) as api:
        old, new = Table(api), Table(api)
        refusal(api.ask("POST", f"/v1/live/{old.seats[0]}", json={}), 404, "no_live_game")
        monkeypatch.setattr(live, "MOST_WAITING", 0)
        refusal(api.ask("POST", f"/v1/live/{new.seats[0]}", json={"round": 1}), 503, "busy")


def test_a_client_removes_only_its_own_games() -> None:
    games = live.LiveGames()
    rules = parse_game("3,3,3")
    idle = [games.begin(rules, 0, f"192.0.2.{number}")["seat"] for number in range(200)]
    greedy = [games.begin(rules, 0, "198.51.100.1")["seat"] for _ in range(1001)]
    many = [games.begin(rules, 0, f"203.0.113.{number % 20}")["seat"] for number in range(20 * live.MOST_OF_CLIENT)]

    def runs(seat: str) -> bool:
        with suppress(live.NoLiveGame):
            return bool(asyncio.run(games.follow(seat, -1, [], "")))
        return False

    assert all(map(runs, idle))
    kept = sum(map(runs, greedy)), sum(map(runs, many))
    assert kept[0] <= live.MOST_OF_CLIENT
    assert sum(kept) == live.MOST_GAMES - len(idle)
    assert not any(map(runs, greedy[: -live.MOST_OF_CLIENT]))


def test_a_client_has_a_bounded_number_of_waiting_responses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "WAIT", 30)
    games = live.LiveGames()
    seat = games.begin(parse_game("3,3,3"), 0, "192.0.2.1")["seat"]

    async def wait() -> None:
        waiting = [asyncio.create_task(games.follow(seat, 1, [], "192.0.2.1")) for _ in range(2 * live.MOST_OF_CLIENT)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await games.follow(seat, 1, [], "192.0.2.1")
        other = asyncio.create_task(games.follow(seat, 1, [], "192.0.2.2"))
        mover = asyncio.create_task(games.follow(seat, 1, ["b2"], "192.0.2.3"))
        assert {len((await task)["moves"]) for task in [*waiting, other]} == {1}
        mover.cancel()

    asyncio.run(wait())


@pytest.mark.parametrize("asked", [{"game": "nobody,3"}, {"game": "3,3,3", "clock": -1}, {"clock": 1}, {"game": 3}, []])
def test_other_games_are_refused(asked: object, api: Client) -> None:
    answer = api.ask("POST", "/v1/live", json=asked)
    refusal(answer, answer.status_code, answer.json()["error"]["code"])
