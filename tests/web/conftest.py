"""Fixtures of the tests of the API."""

from collections.abc import Iterator

import pytest

from tests.commands import TableFile
from tests.web.asgi import Client


@pytest.fixture(scope="module")  # making an application takes longer than its answers
def api(table_file: TableFile) -> Iterator[Client]:
    """A client of a folder with the table of 3,3,3, and any others that were built."""
    with Client(table_file("3,3,3").parent) as client:
        yield client
