"""Live games between two people."""

import asyncio
from functools import partial
from threading import get_ident
from typing import Any

import pytest

from solver.game.games import parse_game
from solver.web import live
from solver.web.invitation import places
from solver.web.requests import LiveMoves
from solver.web.responses import Busy
from tests.commands import TableFile
from tests.web.asgi import Client, refusal

DRAW = ["a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"]
O_WINS = ["a1", "b2", "c1", "b1", "c3", "b3"]


SECRETS = ["first-player-secret", "other-player-secret"]


class Table:
    """A live game of two players, X first, whose responses don't wait."""

    def __init__(self, api: Client, clock: int = 0, increment: int = 0) -> None:
        self.api = api
        begun = {"game": "3,3,3", "clock": clock, "increment": increment, "secret": SECRETS[0]}
        self.name = api.ask("POST", "/v1/live", json=begun).json()["live"]
        assert [self.follow(each)["side"] for each in (*range(2), 2)] == ["X", "O", None]

    async def send(self, player: int, **shown: Any) -> Any:
        """Send what the device of a player shows, who watches if it is neither of the first two."""
        secret = [*SECRETS, "secret-of-who-watches"][player]
        return (await self.api.send("POST", f"/v1/live/{self.name}", json={"secret": secret, **shown})).json()

    def follow(self, player: int, **shown: Any) -> Any:
        return self.api.run(self.send(player, **shown))

    def play(self, moves: list[str], players: str = "XO", number: int = 1) -> None:
        """Play all moves. players: their sides."""
        for ply in range(len(moves)):
            player = players.index("XO"[ply % 2])
            assert self.follow(player, round=number, moves=moves[: ply + 1])["moves"] == moves[: ply + 1]

    def deed(self, player: int, deed: str, moves: list[str], **shown: Any) -> Any:
        return self.follow(player, **{"round": 1, "moves": moves, "deed": deed, **shown})


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "WAIT", 0.01)


def test_a_response_waits_for_the_other_player(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "WAIT", 30)
    game = Table(api)

    async def play() -> list[Any]:
        known = (await game.send(1))["change"]
        waits = asyncio.create_task(game.send(1, round=1, moves=[], change=known))
        await asyncio.sleep(0.05)
        first = await game.send(0, round=1, moves=["b2"])
        seen = await waits
        waits_too = asyncio.create_task(game.send(0, round=1, moves=["b2"], change=first["change"]))
        await asyncio.sleep(0.05)
        await game.send(1, round=1, moves=["b2", "c1"])
        return [seen, await waits_too]

    for side, moves, seen in zip("OX", (["b2"], ["b2", "c1"]), api.run(play()), strict=True):
        assert (seen["side"], seen["moves"], seen["joined"], seen["present"]) == (side, moves, True, ["X", "O"])


@pytest.mark.parametrize(
    ("player", "moves"),
    [
        *((0, ["b2", "a1", "c3"]), (0, ["b2", "a1"]), (0, ["b2", "b2"]), (1, ["a1", "c1"]), (1, [])),
        *((2, ["b2", "a1"]), (2, ["b2", "b2"])),
    ],
)
def test_no_other_moves_are_played(player: int, moves: list[str], api: Client) -> None:
    game = Table(api)
    game.play(["b2"])
    assert game.follow(player, round=1, moves=moves)["moves"] == ["b2"]
    for deed in ("again", "draw"):
        assert game.deed(1, deed, ["a1"])["offers"] == {}  # for it isn't over, or the board is another


@pytest.mark.parametrize("move", ["b2", "z9", ""])
def test_an_illegal_move_is_refused(move: str, api: Client) -> None:
    game = Table(api)
    game.play(["b2"])
    shown = {"secret": SECRETS[1], "round": 1, "moves": ["b2", move]}
    refusal(api.ask("POST", f"/v1/live/{game.name}", json=shown), 400, "illegal_move")
    assert game.follow(1, round=1, moves=["B2", "A1"])["moves"] == ["b2", "a1"]
    assert game.follow(1, **{**shown, "taken_back": 1})["moves"] == ["b2", "a1"]
    assert game.deed(0, "resign", ["b2", "a1"])["ended"]
    assert game.follow(0, round=1, moves=["b2", "a1", move])["moves"] == ["b2", "a1"]


@pytest.mark.parametrize("shown", [[], ["b2"], ["b2", "a1"]])
def test_a_player_may_resign_before_seeing_the_last_moves(shown: list[str], api: Client) -> None:
    game = Table(api)
    game.play(["b2", "a1"])
    assert game.deed(0, "resign", shown, round=2)["ended"] is None
    assert game.deed(0, "draw", shown[:1])["offers"] == {}
    assert game.deed(0, "resign", shown)["ended"] == {"winner": "O", "by": "resignation"}


@pytest.mark.parametrize(("moves", "sides"), [(DRAW, "OX"), (O_WINS, "XO"), (["a1", "b1", "a2", "b2", "a3"], "OX")])
def test_the_loser_begins_the_next_round(moves: list[str], sides: str, api: Client) -> None:
    game = Table(api)
    game.play(moves)
    offered = game.deed(0, "again", moves)
    assert (offered["round"], offered["moves"], offered["offers"]) == (1, moves, {"X": "again"})  # the other looks on
    game.deed(1, "again", moves)
    seen = [game.follow(player, round=2) for player in range(2)]
    assert [(each["round"], each["side"], each["moves"]) for each in seen] == [(2, side, []) for side in sides]
    game.play(["c3", "a1"], sides, 2)


def test_players_resign_agree_on_a_draw_and_take_moves_back(api: Client) -> None:
    game = Table(api)
    game.play(["b2", "a1", "c3"])
    assert game.deed(0, "take_back", ["b2", "a1", "c3"])["moves"] == ["b2", "a1", "c3"]
    assert game.deed(1, "take_back", ["b2", "a1", "c3"])["moves"] == ["b2", "a1"]
    assert game.follow(0, round=1, moves=["b2", "a1", "c3"])["moves"] == ["b2", "a1"]  # a request that is repeated
    assert game.deed(0, "take_back", ["b2", "a1"], taken_back=1)["offers"] == {"X": "take_back"}
    assert game.follow(0, round=1, moves=["b2", "a1", "c1"], taken_back=1)["offers"] == {}  # play withdraws offers
    moves = ["b2", "a1", "c1"]
    assert game.deed(1, "draw", moves, taken_back=1)["ended"] is None
    assert game.deed(0, "draw", moves, taken_back=1)["ended"] == {"winner": None, "by": "agreement"}
    assert game.deed(0, "resign", moves, taken_back=1)["ended"]["by"] == "agreement"
    for player in range(2):
        game.deed(player, "again", moves, taken_back=1)
    resigned = game.deed(0, "resign", [], round=2)
    assert (resigned["side"], resigned["ended"]) == ("O", {"winner": "X", "by": "resignation"})


def test_a_player_without_requests_is_away(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(live, "monotonic", lambda: now)
    game = Table(api)
    now += live.AWAY + 1
    assert game.follow(1)["present"] == ["O"]


def test_the_time_of_the_side_to_move_runs(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(live, "monotonic", lambda: now)
    game = Table(api, clock=1)
    now += 100
    game.play(["a1"])  # the first move takes no time
    now += 25
    assert game.follow(1, round=1, moves=["a1", "b2"])["left"] == {"X": 60, "O": 35}
    now += 61
    seen = game.follow(0, round=1, moves=["a1", "b2", "c3"])
    assert (seen["ended"], seen["moves"]) == ({"winner": "O", "by": "time"}, ["a1", "b2"])
    assert seen["left"] == {"X": 0, "O": 35}
    assert game.deed(1, "again", ["a1", "b2"])["round"] == 1
    assert (begun := game.deed(0, "again", ["a1", "b2"]))["round"] == 2
    assert (begun["side"], begun["left"], begun["ended"]) == ("X", {"X": 60, "O": 60}, None)


def test_each_move_adds_its_increment(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(live, "monotonic", lambda: now)
    game = Table(api, clock=3, increment=2)
    game.play(["a1"])
    now += 25
    seen = game.follow(1, round=1, moves=["a1", "b2"])
    assert (seen["clock"], seen["increment"], seen["left"]) == (3, 2, {"X": 182, "O": 157})


def test_games_are_limited(table_file: TableFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_GAMES", 1)
    with Client(table_file("3,3,3").parent) as api:
        old, new = Table(api), Table(api)
        refusal(api.ask("POST", f"/v1/live/{old.name}", json={"secret": SECRETS[0]}), 404, "no_live_game")
        monkeypatch.setattr(live, "MOST_WAITING", 0)
        shown = {"secret": SECRETS[0], "round": 1, "change": new.follow(0)["change"]}
        refusal(api.ask("POST", f"/v1/live/{new.name}", json=shown), 503, "busy")


def test_a_client_removes_only_its_own_games() -> None:
    games = live.LiveGames()
    rules = parse_game("3,3,3")
    begin = partial(games.begin, rules, 0, 0, SECRETS[0])
    idle = [begin(f"192.0.2.{number}")["live"] for number in range(200)]
    greedy = [begin("198.51.100.1")["live"] for _ in range(1001)]
    many = [begin(f"203.0.113.{number % 20}")["live"] for number in range(20 * live.MOST_OF_CLIENT)]

    async def run(names: list[str]) -> list[bool]:
        shown, found = LiveMoves.model_validate({"secret": SECRETS[0]}), []
        for name in names:
            try:
                found.append(bool(await games.follow(name, shown, "")))
            except live.NoLiveGame:
                found.append(False)
        return found

    assert all(asyncio.run(run(idle)))
    kept = sum(asyncio.run(run(greedy))), sum(asyncio.run(run(many)))
    assert kept[0] <= live.MOST_OF_CLIENT
    assert sum(kept) == live.MOST_GAMES - len(idle)
    assert not any(asyncio.run(run(greedy[: -live.MOST_OF_CLIENT])))


def test_a_client_has_a_bounded_number_of_waiting_responses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "WAIT", 30)
    games = live.LiveGames()
    name = games.begin(parse_game("3,3,3"), 0, 0, SECRETS[0], "192.0.2.1")["live"]

    async def wait() -> None:
        shown = LiveMoves.model_validate({"secret": SECRETS[0], "round": 1})
        shown.change = (await games.follow(name, shown, ""))["change"]
        follow = partial(games.follow, name, shown)
        waiting = [asyncio.create_task(follow("192.0.2.1")) for _ in range(2 * live.MOST_OF_CLIENT)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await follow("192.0.2.1")
        other = asyncio.create_task(follow("192.0.2.2"))
        await asyncio.sleep(0)
        await games.follow(
            name, LiveMoves.model_validate({"secret": SECRETS[0], "round": 1, "moves": ["b2"]}), "192.0.2.3"
        )
        assert {len((await task)["moves"]) for task in [*waiting, other]} == {1}

    asyncio.run(wait())


@pytest.mark.parametrize(
    "asked",
    [
        {"game": "nobody,3"}, {"clock": 1}, {"game": 3}, [],
        *({"game": "3,3,3", **clock} for clock in ({"clock": -1}, {"clock": True}, {"clock": "5"}, {"increment": 2})),
    ],
)  # fmt: skip
def test_other_games_are_refused(asked: Any, api: Client) -> None:
    answer = api.ask("POST", "/v1/live", json={**asked, "secret": SECRETS[0]} if asked else asked)
    refusal(answer, answer.status_code, answer.json()["error"]["code"])


def test_a_link_to_this_machine_becomes_one_for_other_devices(api: Client, table_file: TableFile) -> None:
    local, other = "http://127.0.0.1:8000/?game=3,3,3", "http://192.0.2.7:8000/?game=3,3,3"
    invited = api.json("/v1/invitation", link=local)
    assert (invited["link"], invited["works"]) == (local, False)
    assert api.json("/v1/invitation", link=other)["works"]
    for invalid in ("http://[bad", "?game=3,3,3", "ftp://192.0.2.7", other + "&" * 500):
        api.refused("/v1/invitation", 400, "bad_request", link=invalid)
    with Client(table_file("3,3,3").parent, addresses=["http://192.0.2.7:8000"]) as reached:
        invited = reached.json("/v1/invitation", link=local)
    assert (invited["link"], invited["works"]) == (other, True)
    size, path = invited["code"]["size"], invited["code"]["path"]
    assert [path.count(f"M{x} 0h") for x in range(8)] == [1] * 7 + [0]  # a finder pattern
    assert (size - 17) % 4 == 0


def test_a_code_is_drawn_in_a_thread(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.web.api.invite", lambda *_: {"drawn": get_ident()})
    assert api.json("/v1/invitation", link="http://x")["drawn"] != get_ident()


def test_the_addresses_of_a_server_are_those_it_listens_on() -> None:
    assert places("192.0.2.7", 8000) == ["http://192.0.2.7:8000"]
    assert places("::1", 8000) == ["http://[::1]:8000"]
    assert places("0.0.0.0", 8000)[0] == "http://127.0.0.1:8000"
    assert places("::", 8000)[0] == "http://[::1]:8000"


def test_a_move_may_have_the_longest_name_of_a_square() -> None:
    """`makers.maker.require_names` allows 20 signs."""
    assert LiveMoves.model_validate({"secret": "s" * 16, "moves": ["a" * 20]}).moves == ["a" * 20]
