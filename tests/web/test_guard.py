"""Which hosts and pages the server answers, and requests that never end."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import Message

from solver.errors import InputError
from solver.web import connections, create_app, guard
from tests.commands import TableFile
from tests.web.asgi import Client, refusal

OTHER = "http://elsewhere.example"
CROSS = {"Sec-Fetch-Site": "cross-site"}
FOLLOWED = {**CROSS, "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1"}


@pytest.fixture(scope="module")
def proxied(table_file: TableFile) -> Iterator[Client]:
    """A client of an application that is reached through a proxy, as play.example."""
    with Client(table_file("3,3,3").parent, ["https://Play.example:8443"]) as client:
        yield client


def test_an_application_in_another_is_guarded_too(table_file: TableFile) -> None:
    outer = Starlette(routes=[Mount("/mnk", create_app(table_file("3,3,3").parent, ["play.example."]))])
    asked: tuple[tuple[str, dict[str, str]], ...] = (
        ("v1/games", {}), ("v1/games", {"Origin": "https://play.example."}), ("v1/games", {"Origin": OTHER}),
        ("v1/no/such/address", {"Accept": "text/html"}), ("none", {"Accept": "text/html"}),
    )  # fmt: skip

    async def ask() -> list[httpx.Response]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(outer), base_url="http://localhost/mnk/") as client:
            return [await client.get(url, headers=headers) for url, headers in asked]

    found, allowed, other, nothing, page = asyncio.run(ask())
    assert (found.status_code, allowed.status_code) == (200, 200)
    refusal(other, 403, "wrong_origin")
    message = "There is nothing at this address; /mnk/v1/games lists the games."
    assert refusal(nothing, 404, "not_found")["message"] == message
    assert page.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    "host",
    ["localhost:8000", "127.0.0.1:8000", "192.168.1.5:8000", "[::1]:8000", "[fe80::1]", "app.localhost", "LOCALHOST."],
)
def test_addresses_and_names_of_this_machine_are_answered(host: str, api: Client) -> None:
    assert api.get("/v1/3,3,3", headers={"Host": host}).status_code == 200
    assert api.get("/v1/3,3,3", headers={"Host": f"{socket.gethostname()}:8000"}).status_code == 200


@pytest.mark.parametrize(
    "host", ["elsewhere.example", "localhost.elsewhere.example", "127.0.0.1.nip.io:8000", "[::1", "\xff"]
)
def test_other_names_are_refused(host: str, api: Client) -> None:
    for url in ("/v1/3,3,3", "/"):
        error = refusal(api.get(url, headers={"Host": host.encode("latin-1")}), 421, "wrong_host")
        assert "--allow" in error["message"]


def test_allowed_names_are_answered(proxied: Client, table_file: TableFile) -> None:
    assert proxied.get("/v1/3,3,3", headers={"Host": "PLAY.example:443"}).status_code == 200
    refusal(proxied.get("/v1/3,3,3", headers={"Host": "elsewhere.example"}), 421, "wrong_host")
    # A proxy that passes on its own address, and the page of the public name
    assert proxied.get("/v1/3,3,3", headers={"Origin": "https://play.example"}).status_code == 200
    refusal(proxied.get("/v1/3,3,3", headers={"Origin": OTHER}), 403, "wrong_origin")
    with Client(table_file("3,3,3").parent, ["*"]) as everyone:
        assert everyone.get("/v1/3,3,3", headers={"Host": "any.example", "Origin": OTHER}).status_code == 200


@pytest.mark.parametrize(
    ("site", "name"),
    [
        ("https://Play.example/x", "play.example"), ("play.example:8443", "play.example"), ("*", "*"),
        ("play.example.", "play.example"), ("[::1]:80", "::1"), ("bücher.example", "xn--bcher-kva.example"),
    ],
)  # fmt: skip
def test_a_site_is_its_host_name(site: str, name: str) -> None:
    assert guard.read_site(site) == name


@pytest.mark.parametrize("site", ["", "https://", ":80", "*.example", "play example", "[::1", "::1"])
def test_a_site_without_a_host_name_is_refused(site: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no host name"):
        create_app(tmp_path, [site])


@pytest.mark.parametrize(
    "headers", [CROSS, {"Sec-Fetch-Site": "same-site"}, {"Origin": OTHER}, {"Origin": "null"}, {"Origin": "http://[::"}]
)
def test_pages_of_other_sites_cannot_use_the_api(headers: dict[str, str], api: Client) -> None:
    for url in ("/v1/3,3,3", "/v1/uwapi/", "/v1/games?a=1", "/v1"):
        refusal(api.get(url, headers=headers), 403, "wrong_origin")
    refusal(
        api.ask("POST", "/v1/live", json={"game": "3,3,3", "secret": "s" * 16}, headers=headers), 403, "wrong_origin"
    )
    asked = {**headers, "Access-Control-Request-Method": "POST"}
    refusal(api.ask("OPTIONS", "/v1/live", headers=asked), 403, "wrong_origin")
    assert api.get("/?game=3,3,3&embed=1", headers=headers).status_code == 200  # embedded in another page


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, FOLLOWED, {}],
)
def test_its_own_pages_links_and_programs_use_the_api(headers: dict[str, str], api: Client) -> None:
    assert api.get("/v1/3,3,3", headers=headers).status_code == 200
    assert api.ask("POST", "/v1/live", json={"game": "3,3,3", "secret": "s" * 16}, headers=headers).status_code == 200


LIVE = '{"game": "3,3,3", "secret": "0123456789abcdef"}'


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/json-seq"])
def test_bodies_that_are_not_json_are_refused(kind: str, api: Client) -> None:
    for url in ("/v1/live", "/v1/live/name", "/v1/3,3,3/batch"):
        answer = api.ask("POST", url, content=LIVE, headers={"Content-Type": kind})
        refusal(answer, 415, "wrong_type")
    typed = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert api.ask("POST", "/v1/live", content=LIVE, headers=typed).status_code == 200


def test_a_client_is_an_address_or_a_network_of_version_6() -> None:
    clients = ["192.0.2.1", "2001:db8:1:2:3::4", "2001:db8:1:2:ffff::", "/run/socket"]
    assert [guard.client_of({"client": (client, 1)}) for client in clients] == [
        *("192.0.2.1", "2001:db8:1:2::/64", "2001:db8:1:2::/64", "/run/socket")
    ]
    assert guard.client_of({"client": None}) == ""


def test_a_body_that_does_not_arrive_is_refused(table_file: TableFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.1)
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b" ", "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/v1/live", "query_string": b"", "headers": headers}
    asyncio.run(create_app(table_file("3,3,3").parent)(scope, receive, send))
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]


def receive(client: socket.socket) -> bytes:
    """Return a whole answer in JSON, which can come in several parts."""
    received = b""
    while not received.endswith(b"}") and (part := client.recv(1 << 16)):
        received += part
    return received


@pytest.mark.parametrize(
    "sent",
    [
        b"", b"whole", pytest.param(b"GET / HT", marks=pytest.mark.slow), pytest.param(b"\r\n", marks=pytest.mark.slow),
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\nA: ", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_headers_that_do_not_arrive_end_the_connection(
    sent: bytes, table_file: TableFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.3)
    request = b"GET /v1/3,3,3 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    config = uvicorn.Config(
        create_app(table_file("3,3,3").parent), http=connections.Connection, lifespan="off", log_config=None, port=0
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=server.run, args=([listener],))
        thread.start()
        with socket.create_connection(listener.getsockname(), timeout=20) as client:
            if sent == b"whole":  # then the next request is late
                client.sendall(request)
                assert receive(client).startswith(b"HTTP/1.1 200")
                sent = b"GET /"
            begun = monotonic()
            client.sendall(sent)
            assert client.recv(1 << 16) == b""
            assert monotonic() - begun < 10
        with socket.create_connection(listener.getsockname(), timeout=20) as client:
            client.sendall(request[:-2])
            sleep(0.1)
            client.sendall(request[-2:])
            assert receive(client).startswith(b"HTTP/1.1 200")
            client.sendall(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000)
            assert client.recv(1 << 16) == b""
        with socket.create_connection(listener.getsockname(), timeout=20) as client:
            client.sendall(b"NOT HTTP\r\n\r\n")
            head, body = client.makefile("rb").read().split(b"\r\n\r\n")
            headers = dict(line.split(b": ") for line in head.split(b"\r\n")[1:])
            refusal(httpx.Response(400, headers=headers, content=body), 400, "bad_request")
        server.should_exit = True
        thread.join()
