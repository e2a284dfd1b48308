"""A client that calls the application directly, without a server."""

import asyncio
from collections.abc import Collection, Coroutine, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from solver.web import create_app

_T = TypeVar("_T")


class Client:
    """A client for the tables in a folder; it returns responses of httpx."""

    def __init__(
        self, folder: Path, sites: Collection[str] = (), client: str = "127.0.0.1", addresses: Sequence[str] = ()
    ) -> None:
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(create_app(folder, sites, addresses), client=(client, 123))
        self._client = httpx.AsyncClient(transport=transport, base_url="http://localhost")

    def ask(self, method: str, url: str, **more: Any) -> httpx.Response:
        """Return the response to a request."""
        return self.run(self.send(method, url, **more))

    async def send(self, method: str, url: str, **more: Any) -> httpx.Response:
        """Send a request, inside `run`."""
        if "content" in more:
            more = {"headers": {"Content-Type": "application/json"}, **more}
        return await self._client.request(method, url, **more)

    def run(self, asked: Coroutine[Any, Any, _T]) -> _T:
        """Run a coroutine and return its result."""
        return self._runner.run(asked)

    def get(self, url: str, **more: Any) -> httpx.Response:
        """Return the response to a GET request."""
        return self.ask("GET", url, **more)

    def json(self, url: str, **query: str | int) -> Any:
        """Return the JSON of a GET request, which must succeed."""
        answer = self.get(url, params=query or None)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, url: str, status: int, code: str, **query: str | int) -> str:
        """Return the message of an error, which must have this status and code, and the common form of errors."""
        return str(refusal(self.get(url, params=query or None), status, code)["message"])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self._client.aclose())
        self._runner.close()


def refusal(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Return the error of a response, in the common form of errors."""
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert list(answer.json()) == ["error"]
    error: dict[str, Any] = answer.json()["error"]
    assert set(error) - {"build"} == {"status", "code", "message"}
    assert (answer.status_code, error["status"], error["code"]) == (status, status, code), answer.text
    assert "\n" not in error["message"]
    assert error["message"][-1] in ".)"
    return error
