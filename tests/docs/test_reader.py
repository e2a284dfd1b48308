"""The reader in the documentation is short, needs few packages, and agrees with the project's own."""

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from solver import Position, Rules, open_tablebase
from solver.store.schema import Metric
from tests.commands import TableFile
from tests.docs.pages import DOCS

OTHERS = ("4,4,3,exact", "3,5,3,torus", "3,5,3,maker,plies=8", "4,5,4,x=b2", "hex,4")
READER = DOCS / "reference" / "reader.py"


@contextmanager
def their_table(path: Path) -> Iterator[Any]:
    table = runpy.run_path(str(READER))["Table"](path)
    with closing(table.file):
        yield table


def played(rules: Rules, games: int) -> Iterator[Position]:
    """Every position of games in which both sides move at random."""
    random = Random(0)
    for _ in range(games):
        position = Position.start(rules)
        while not position.is_over:
            yield position
            position = position.play(random.choice(position.legal_moves))
        yield position


@pytest.mark.sampled
@pytest.mark.parametrize("metric", ["distance", "wdl"])
@pytest.mark.parametrize("game", ["3,3,3", "3,4,3,misere", "4,4,4", "4,4,4,gravity", "4,4,3,misere", *OTHERS])
def test_the_reader_agrees_in_random_games(game: str, metric: Metric, table_file: TableFile) -> None:
    path = table_file(game, metric=metric)
    with open_tablebase(path) as ours, their_table(path) as table:
        for position in played(ours.rules, 50):
            value = ours.probe(position)
            distance = value.distance if metric == "distance" else None  # else 0 at the end of a game
            assert table.value(position.board) == (value.wdl, distance), position.board


def test_the_reader_needs_only_zstandard() -> None:
    named = set(re.findall(r"^(?:import|from) (\w+)", READER.read_text(encoding="utf-8"), re.MULTILINE))
    assert named - set(sys.stdlib_module_names) == {"zstandard"}


def test_the_reader_answers_as_a_command(table_file: TableFile) -> None:
    command = [sys.executable, str(READER), str(table_file("3,3,3")), "XO./.X./..."]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "-1 4\n"
