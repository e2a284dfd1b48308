"""Tables that change while they are served."""

import gc
import shutil
import threading
import weakref
from pathlib import Path

import pytest

from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.truth import Truth
from solver.solve.build import build_table
from solver.web.served import ServedGames
from tests.commands import TableFile

RULES = parse_game("4,4,4,gravity")
START = Position.start(RULES)


@pytest.fixture
def folder(table_file: TableFile, tmp_path: Path) -> Path:
    shutil.copy(table_file(RULES.name), tmp_path)
    return tmp_path


def test_a_table_is_closed_when_nobody_uses_it(folder: Path) -> None:
    tables = ServedGames(folder)
    served = tables.truth(RULES)
    assert tables.open_all()[RULES.name] is served
    old, tag = served.table, tables.tag(served)
    build_table(RULES, folder, metric="wdl", force=True)
    new = tables.truth(RULES)
    assert (new.table.metric, tables.tag(new) != tag) == ("wdl", True)
    assert served.probe(START).distance is not None  # the old table still works
    unused = weakref.ref(old._reader._content)
    del served, old
    gc.collect()
    assert unused() is None  # so its file is closed
    assert new.probe(START).distance is None


def test_threads_share_tables(folder: Path) -> None:
    tables = ServedGames(folder)
    found: list[Truth] = []
    together = threading.Barrier(8)

    def open_and_probe() -> None:
        together.wait()
        for _ in range(50):
            served = tables.truth(RULES)
            served.probe(START)
            found.append(served)

    threads = [threading.Thread(target=open_and_probe) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 400
    assert {id(served) for served in found} == {id(tables.truth(RULES))}
