"""Engines at an address, asked of a server of our own."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from solver.errors import EngineError
from solver.game.position import Position
from solver.verification.adapters.open import open_engine
from solver.verification.contract import AskOptions, Failure
from tests.verification.fakes import THREE

START = Position.start(THREE)


class Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        self.answer(query["board"][0].replace("/", "").index(".") + 1)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert asked["game"] == "3,3,3"
        assert asked["to_move"] == ("O" if len(asked["legal_moves"]) % 2 == 0 else "X")
        if asked["board"] == "X../.../...":
            self.send_error(500, "lost")
        elif asked["board"] == ".X./.../...":
            sleep(2)
        else:
            self.answer({"move": divmod(asked["legal_moves"][0], 3), "value": 0.5})

    def answer(self, said: Any) -> None:
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_positions_are_posted_and_moves_read(address: str) -> None:
    with open_engine(f"{address}/move", THREE, options=AskOptions(seconds_per_move=0.5)) as tested:
        answers = tested.ask([START, START.play(0), START.play(1), START.play(0).play(1)])
    assert "row and column from 0" in tested.convention
    assert [answer.move for answer in answers] == [0, None, None, 2]
    assert [answer.failure for answer in answers] == [None, Failure.EXCEPTION, Failure.TIMEOUT, None]
    assert answers[0].value == 0.5
    assert answers[1].detail == "the server said 500 lost"


def test_an_address_with_a_place_for_the_board_is_fetched(address: str) -> None:
    with open_engine(f"{address}/?board={{board}}", THREE) as tested:
        assert tested.ask([START.play(0)])[0].move == 1
        assert "from 1; sent by GET" in tested.convention


def test_a_server_that_is_not_there_can_not_be_asked() -> None:
    with pytest.raises(EngineError, match="can't be reached"):
        open_engine("http://127.0.0.1:9/", THREE)
