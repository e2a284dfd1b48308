"""Measure `mnk serve` under load: requests per second, and growth of memory.

The server runs in its own process. This process calls it over loopback and keeps several connections busy. Wall-clock
time includes the work of both; processor time is that of the server alone.
"""

import asyncio
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from serving import Server as StartedServer

from benchmarks.figure import Figure
from benchmarks.process import user_environment
from benchmarks.sample import played
from solver import build_table, parse_game

CONNECTIONS = 8
BATCH = 500  # positions in one request
WARM = 1000  # requests before the measurement


class Server(NamedTuple):
    """A running server: its process and its port on this machine."""

    pid: int
    port: int

    def megabytes(self) -> float:
        """Return the memory that the server uses now."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) * 1024 / 1e6

    def processor_seconds(self) -> float:
        """Return the processor time that the server has used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Load(NamedTuple):
    """The cost of a load: seconds by the clock, and processor seconds of the server."""

    seconds: float
    processor: float


def figures(folder: Path, quick: bool) -> Iterator[Figure]:
    """Yield all figures of this module, on Linux only; tables are built in `folder`."""
    if not Path("/proc/self/stat").exists():
        return
    few, many = (1000, 5000) if quick else (20_000, 1_000_000)
    games = ("3,3,3", "4,4,4")
    for game in games:
        build_table(game, folder)
    with serving(folder) as server:
        for game in games:
            yield from probes(server, game, few)
        yield batches(server, games[0], few // 100)
        yield from memory(server, games, few, many)


def probes(server: Server, game: str, count: int) -> Iterator[Figure]:
    """Yield the rate of requests for single positions."""
    requests = requests_for(game, 1000)
    load(server, requests, WARM)
    taken = load(server, requests, count)
    what = f"a position of {game} with every move over HTTP"
    yield Figure(
        f"{what}, by the server's processor time", count / taken.processor, "requests/s a core", "over 2,000 requests/s"
    )
    yield Figure(f"{what}, by the clock, {CONNECTIONS} connections", count / taken.seconds, "requests/s")


def batches(server: Server, game: str, count: int) -> Figure:
    """Measure the rate of positions in batches."""
    body = json.dumps({"positions": [position.board for position in islice(played(parse_game(game)), BATCH)]}).encode()
    head = f"POST /v1/{game}/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    taken = load(server, [f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body], count)
    return Figure(
        f"positions of {game} in batches of {BATCH}, by the server's processor time",
        BATCH * count / taken.processor,
        "positions/s a core",
    )


def memory(server: Server, games: Sequence[str], few: int, many: int) -> Iterator[Figure]:
    """Yield the memory of the server after a few and after many requests, alternating between the games."""
    requests = [request for pair in zip(*(requests_for(game, 5000) for game in games), strict=True) for request in pair]
    load(server, requests, few)
    yield Figure(f"memory of the server after {few:,} requests more", server.megabytes(), "MB")
    load(server, requests, many)
    yield Figure(f"memory of the server after {few + many:,} requests more", server.megabytes(), "MB", "hardly more")


def requests_for(game: str, count: int) -> list[bytes]:
    """Return requests for random positions of a game, the same in every run."""
    boards = [position.board for position in islice(played(parse_game(game)), count)]
    return [f"GET /v1/{game}?position={quote(board)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for board in boards]


def load(server: Server, requests: Sequence[bytes], count: int) -> Load:
    """Send `count` requests, repeating the given ones. Raise SystemExit if one fails."""
    before = server.processor_seconds()
    try:
        elapsed = asyncio.run(_exhaust(server.port, islice(cycle(requests), count)))
    except OSError as error:
        raise SystemExit(f"the server under load failed: {error}") from error
    return Load(elapsed, server.processor_seconds() - before)


async def _exhaust(port: int, requests: Iterator[bytes]) -> float:
    loop = asyncio.get_running_loop()
    start = loop.time()
    ends: list[asyncio.Future[None]] = []
    transports: list[asyncio.Transport] = []

    def connection() -> _Connection:
        ends.append(loop.create_future())
        return _Connection(requests, ends[-1])

    try:
        for _ in range(CONNECTIONS):
            transport, _ = await loop.create_connection(connection, "127.0.0.1", port)
            transports.append(transport)
        await asyncio.gather(*ends)
        return loop.time() - start
    finally:
        for transport in transports:
            transport.close()
        await asyncio.sleep(0)  # lets them close


class _Connection(asyncio.Protocol):
    """A connection that sends one request after another, each after the complete response to the previous one."""

    def __init__(self, requests: Iterator[bytes], end: "asyncio.Future[None]") -> None:
        self._requests = requests
        self._end = end
        self._received = b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._next()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, blank, body = self._received.partition(b"\r\n\r\n")
        length = re.search(rb"\r\ncontent-length: (\d+)", head)
        if not blank or (length and len(body) < int(length[1])):
            return
        if not head.startswith(b"HTTP/1.1 200 "):
            self._end.set_exception(OSError(f"the response was {self._received!r}"))
            return
        self._received = b""
        self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._end.done():
            self._end.set_exception(OSError(f"the server closed the connection: {exc}"))

    def _next(self) -> None:
        request = next(self._requests, None)
        if request is not None:
            self._transport.write(request)
        else:
            self._end.set_result(None)


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Run `mnk serve` on a free port, and stop it at the end. Raise SystemExit if it does not start."""
    with StartedServer(folder, environment=user_environment()) as started:
        yield Server(started.process.pid, started.port)
