"""The fixture shared by the tests of this folder."""

from collections.abc import Iterator

import pytest

from solver.tablebase import Tablebase, open_tablebase
from tests.commands import TableFile


@pytest.fixture
def table(table_file: TableFile) -> Iterator[Tablebase]:
    """The open table of 3,3,3."""
    with open_tablebase(table_file("3,3,3")) as opened:
        yield opened
