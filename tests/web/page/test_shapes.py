"""Games on other boards than rectangles: planes, graphs, slices, hexagons, holes, and games from files."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from playwright.sync_api import expect
from serving import Server

import solver
from solver import Position, Rules, parse_game
from solver.game.game_files import read_file
from solver.search.folder import Library
from tests.web.page.conftest import Open
from tests.web.page.explorer import Scheme
from tests.web.page.test_access import check

pytestmark = pytest.mark.browser

HEXAGONS = """{"squares": ["north", "n2", "n3", "south"], "lines": [["north", "south"], ["n2", "n3"]],
"rows": 2, "columns": 3, "cells": ["#", 0, 1, 2, 3, "#"], "shape": "hexagons"}"""

Shapes = Callable[[str | Rules], str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shapes")
    (path / "diamond.json").write_text(HEXAGONS)
    return path


@pytest.fixture(scope="module")
def shapes(folder: Path) -> Iterator[Shapes]:
    """`shapes("hex,3")`: the address of a server with the table of this game, which is built on first use."""
    with Server(folder) as server:
        built = cache(partial(solver.build_table, folder=folder))

        def serve(game: str | Rules) -> str:
            built(parse_game(game) if isinstance(game, str) else game)
            return server.address

        yield serve


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (1440, "forced")])
@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("affine,3", "a1 b1"), ("clique,5,3", "12 13"), ("2x2x3,3", "1a1 1b1 1a2 2a1"),
        ("3,3,3,maker,without=c3,x=a1", "b1"), ("hex,3", "b2 a1"), ("projective,2", "p1 p2"), ("file", "north"),
        ("progression,9,3", "5 1"),
    ],
)  # fmt: skip
def test_every_square_shows_its_value(
    visit: Open, folder: Path, shapes: Shapes, game: str, moves: str, width: int, scheme: Scheme
) -> None:
    rules = read_file(folder / "diamond.json") if game == "file" else parse_game(game)
    page = visit(f"?game={rules}&moves={moves.replace(' ', ',')}", at=shapes(rules))
    page.has_values(Library(folder).truth(rules), Position.parse(rules, f"moves:{moves}"))
    check(page, width, scheme)
    page.emulate(320, "light")
    page.fits(320)


@pytest.mark.slow
def test_arrow_keys_walk_over_any_board(visit: Open, shapes: Shapes) -> None:
    page = visit("?game=2x2x3,3", at=shapes("2x2x3,3"))
    page.square("1b1").focus()
    keys = page.page.keyboard
    for key, name in (("ArrowRight", "1c1"), ("ArrowRight", "2a1"), ("ArrowDown", "2a2"), ("ArrowLeft", "1c2")):
        keys.press(key)
        expect(page.square(name)).to_be_focused()
    keys.press("Home")
    expect(page.square("1a2")).to_be_focused()
    keys.press("Enter")
    expect(page.verdict).to_contain_text("O to move")
    shapes("clique,5,3")
    page.open("?game=clique,5,3")
    page.square("12").focus()
    reached = set()
    for key in ("ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowRight") * 3:
        keys.press(key)
        reached.add(page.page.evaluate("document.activeElement.dataset.square"))
    assert len(reached) > 4
