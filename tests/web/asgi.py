"""Asking the application without a server: requests go straight into it."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from solver.web import create_app

_T = TypeVar("_T")


class Client:
    """A client of the tables in a folder; its answers are those of httpx."""

    def __init__(self, folder: Path) -> None:
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(create_app(folder))
        self._client = httpx.AsyncClient(transport=transport, base_url="http://test")

    def ask(self, method: str, url: str, **more: Any) -> httpx.Response:
        """The answer to any request."""
        return self.run(self.send(method, url, **more))

    async def send(self, method: str, url: str, **more: Any) -> httpx.Response:
        """Make a request, inside `run`."""
        return await self._client.request(method, url, **more)

    def run(self, asked: Coroutine[Any, Any, _T]) -> _T:
        """Wait for what is asked."""
        return self._runner.run(asked)

    def ask_together(self, *requests: tuple[str, str, dict[str, Any]]) -> list[httpx.Response]:
        """The answers to requests (method, address, options) that are made at the same time."""

        async def together() -> list[httpx.Response]:
            asked = [self._client.request(method, url, **more) for method, url, more in requests]
            return await asyncio.wait_for(asyncio.gather(*asked), 30)

        return self._runner.run(together())

    def get(self, url: str, **more: Any) -> httpx.Response:
        """The answer to GET."""
        return self.ask("GET", url, **more)

    def json(self, url: str, **query: str | int) -> Any:
        """What is answered to GET, which must succeed."""
        answer = self.get(url, params=query or None)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, url: str, status: int, code: str, **query: str | int) -> str:
        """The message of an error, which must have this status and code, and the shape of all errors."""
        return str(refusal(self.get(url, params=query or None), status, code)["message"])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self._client.aclose())
        self._runner.close()


def refusal(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The error in an answer, in the shape of all errors."""
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert list(answer.json()) == ["error"]
    error: dict[str, Any] = answer.json()["error"]
    assert set(error) - {"build"} == {"status", "code", "message"}
    assert (answer.status_code, error["status"], error["code"]) == (status, status, code), answer.text
    assert "\n" not in error["message"]
    assert error["message"][-1] in ".)"
    return error
