"""`mnk serve` under load: requests a second, and whether its memory stays flat.

The server is a process of its own, asked over loopback by this one, which keeps several connections busy. Both
take part in the time by the clock; what the server alone takes is its processor's time.
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
WARM = 1000  # requests before anything is measured


class Server(NamedTuple):
    """A server that runs: its process and its port on this machine."""

    pid: int
    port: int

    def megabytes(self) -> float:
        """The memory it holds now."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) * 1024 / 1e6

    def processor_seconds(self) -> float:
        """The processor's time that it has taken so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Load(NamedTuple):
    """What a load has taken: seconds by the clock, and of the server's processor."""

    seconds: float
    processor: float


def figures(folder: Path, quick: bool) -> Iterator[Figure]:
    """Measure them all, where the system tells what a process takes (Linux); tables are built in `folder`."""
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
    """Positions asked one by one."""
    requests = asked(game, 1000)
    load(server, requests, WARM)
    taken = load(server, requests, count)
    what = f"a position of {game} with every move over HTTP"
    yield Figure(
        f"{what}, by the server's processor time", count / taken.processor, "requests/s a core", "over 2,000 requests/s"
    )
    yield Figure(f"{what}, by the clock, {CONNECTIONS} connections", count / taken.seconds, "requests/s")


def batches(server: Server, game: str, count: int) -> Figure:
    """Positions asked in batches."""
    body = json.dumps({"positions": [position.board for position in islice(played(parse_game(game)), BATCH)]}).encode()
    head = f"POST /v1/{game}/batch HTTP/1.1\r\nHost: bench\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    taken = load(server, [head + body], count)
    return Figure(
        f"positions of {game} in batches of {BATCH}, by the server's processor time",
        BATCH * count / taken.processor,
        "positions/s a core",
    )


def memory(server: Server, games: Sequence[str], few: int, many: int) -> Iterator[Figure]:
    """What the server holds after some requests and after many, of both games in turn."""
    requests = [request for pair in zip(*(asked(game, 5000) for game in games), strict=True) for request in pair]
    load(server, requests, few)
    yield Figure(f"memory of the server after {few:,} requests more", server.megabytes(), "MB")
    load(server, requests, many)
    yield Figure(f"memory of the server after {few + many:,} requests more", server.megabytes(), "MB", "hardly more")


def asked(game: str, count: int) -> list[bytes]:
    """Requests for random positions of a game, the same in every run."""
    boards = [position.board for position in islice(played(parse_game(game)), count)]
    return [f"GET /v1/{game}?position={quote(board)} HTTP/1.1\r\nHost: bench\r\n\r\n".encode() for board in boards]


def load(server: Server, requests: Sequence[bytes], count: int) -> Load:
    """Make so many requests, those given over and over. Raises SystemExit at the first that fails."""
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
        await asyncio.sleep(0)  # in which they do close


class _Connection(asyncio.Protocol):
    """Makes one request after another, each when the answer to the last is complete, until there are none left."""

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
            self._end.set_exception(OSError(f"it answered {self._received!r}"))
            return
        self._received = b""
        self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._end.done():
            self._end.set_exception(OSError(f"it hung up: {exc}"))

    def _next(self) -> None:
        request = next(self._requests, None)
        if request is not None:
            self._transport.write(request)
        else:
            self._end.set_result(None)


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """`mnk serve` at a free port, stopped at the end. Raises SystemExit if it does not start."""
    with StartedServer(folder, environment=user_environment()) as started:
        yield Server(started.process.pid, started.port)
