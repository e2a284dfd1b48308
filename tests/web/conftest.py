"""What the tests of the API share."""

from collections.abc import Iterator

import pytest

from tests.commands import TableFile
from tests.web.asgi import Client


@pytest.fixture(scope="module")  # an application takes longer to make than to answer
def api(table_file: TableFile) -> Iterator[Client]:
    """A client of a folder with the table of 3,3,3, and whatever else was built."""
    with Client(table_file("3,3,3").parent) as client:
        yield client
