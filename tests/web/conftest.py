"""Fixtures of the tests of the API."""

from collections.abc import Iterator

import pytest

from tests.commands import TableFile
from tests.web.asgi import Client


@pytest.fixture(scope="module")  # making an application takes longer than its answers
def api(request: pytest.FixtureRequest, table_file: TableFile) -> Iterator[Client]:
    """A client of a folder with the tables of 3,3,3 and of the module's GAMES, and any others that were built."""
    for game in getattr(request.module, "GAMES", ()):
        table_file(game)
    with Client(table_file("3,3,3").parent) as client:
        yield client
