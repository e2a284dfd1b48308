"""The search of the page has the same results and enters the same nodes as the search in Python."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

from solver import Position, parse_game
from solver.game.rules import require_rectangle
from solver.game.value import Value
from solver.search.gravity import Search
from tests.search.test_gravity import CONNECT_FOUR, PUBLISHED, drop, late_positions, slow
from tests.web.site.conftest import run_node

MEMORY = 1 << 20
PROGRAM = Path(__file__).with_name("search.js")


def searched(modules: Path, positions: Sequence[Position], **facts: object) -> dict[str, Any]:
    """Search positions by the page's modules."""
    board = require_rectangle(positions[0].rules, "The search")
    asked = {
        "board": {"rows": board.m, "columns": board.n, "length": board.k},
        "memory": MEMORY,
        "limits": {},
        "positions": [(position.board.replace("/", ""), position.ply) for position in positions],
    }
    found: dict[str, Any] = json.loads(run_node(PROGRAM, modules, stdin=json.dumps({**asked, **facts})))
    return found


def pair(value: Value | None) -> list[int | None] | None:
    return value and [value.wdl, value.distance]


def reachable(start: Position) -> Iterator[Position]:
    level = {start}
    while level:
        yield from (position for position in level if not position.is_over)
        level = {position.play(move) for position in level for move in position.legal_moves}


@pytest.mark.parametrize("memory", [1, MEMORY])
@pytest.mark.parametrize("game", [*map(slow, ["3,4,4,gravity", "3,3,3,gravity", "3,4,3,gravity", "2,5,2,gravity"])])
def test_every_position_of_a_small_board(game: str, memory: int, modules: Path) -> None:
    positions = list(reachable(Position.start(parse_game(game))))
    search = Search(positions[0].rules, memory=memory)
    found = searched(modules, positions, memory=memory)
    assert found["found"] == [pair(search.solve(position)) for position in positions]
    assert found["nodes"] == search.nodes


@pytest.mark.parametrize("memory", [1, MEMORY])
@pytest.mark.parametrize(
    "game",
    [
        "6,7,4,gravity", slow("7,8,4,gravity"), slow("6,9,4,gravity"), slow("6,7,5,gravity"), slow("9,6,6,gravity"),
        slow("3,16,4,gravity"), slow("15,4,4,gravity"),
    ],
)  # fmt: skip
def test_late_positions(game: str, memory: int, modules: Path) -> None:
    positions = list(late_positions(parse_game(game), 12, 10))
    search = Search(positions[0].rules, memory=memory)
    found = searched(modules, positions, memory=memory)
    assert found["found"] == [pair(search.solve(position)) for position in positions]
    assert found["nodes"] == search.nodes


def test_published_positions_of_connect_four(modules: Path) -> None:
    positions = [drop(Position.start(CONNECT_FOUR), columns) for columns in PUBLISHED]
    search = Search(CONNECT_FOUR, memory=1 << 22)
    found = searched(modules, positions, memory=1 << 22)
    assert found["found"] == [pair(search.solve(position)) for position in positions]
    assert found["nodes"] == search.nodes


@pytest.mark.parametrize("limit", ["nodes", "seconds"])
def test_a_limit_leaves_a_position_unsettled(limit: Literal["nodes", "seconds"], modules: Path) -> None:
    start = Position.start(CONNECT_FOUR)
    assert searched(modules, [start], limits={limit: 0})["found"] == [None]
    assert searched(modules, [start, drop(start, "121212")], limits={limit: 0})["found"] == [None, [1, 1]]


@pytest.mark.parametrize("game", ["8,8,4,gravity", "20,2,2,gravity", "1,17,4,gravity"])
def test_boards_that_do_not_fit_are_refused(game: str, modules: Path) -> None:
    with pytest.raises(AssertionError, match="can't be searched"):
        searched(modules, [Position.start(parse_game(game))])
