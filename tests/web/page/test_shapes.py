"""Games on other boards than rectangles: planes, graphs, slices, hexagons, holes, and games from files."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from playwright.sync_api import expect
from serving import Server

import solver
from solver import Position, Rules, parse_game
from solver.game.files import read_file
from solver.tablebase import TablebaseFolder
from tests.web.page.conftest import Open
from tests.web.page.explorer import expected_label
from tests.web.page.test_access import faults

pytestmark = pytest.mark.browser

GAMES = ("affine,3", "clique,5,3", "2x2x3,3", "3,3,3,maker,without=c3,x=a1", "clique,4,3,x=12", "hex,3", "projective,2")
HEXAGONS = {
    "squares": ["north", "n2", "n3", "south"],
    "lines": [["north", "south"], ["n2", "n3"]],
    "rows": 2,
    "columns": 3,
    "cells": ["#", 0, 1, 2, 3, "#"],
    "shape": "hexagons",
}


Shapes = Callable[[str | Rules], str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shapes")
    (path / "diamond.json").write_text(json.dumps(HEXAGONS))
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


def file_game(folder: Path) -> Rules:
    return read_file(folder / "diamond.json")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("affine,3", "a1 b1"),
        ("clique,5,3", "12 13"),
        ("2x2x3,3", "1a1 1b1 1a2 2a1"),
        (GAMES[3], "b1"),
        ("hex,3", "b2 a1"),
        ("projective,2", "p1 p2"),
        ("file", "north"),
    ],
)
def test_every_square_shows_its_value(visit: Open, folder: Path, shapes: Shapes, game: str, moves: str) -> None:
    rules = file_game(folder) if game == "file" else parse_game(game)
    page = visit(f"?game={rules}&moves={moves.replace(' ', ',')}", at=shapes(rules))
    position = Position.parse(rules, f"moves:{moves}")
    page.shows(position)
    table = TablebaseFolder(folder).table(rules)
    for square, label in enumerate(page.labels()):
        if position.cells[square] == ".":
            assert label == expected_label(table, position, square)
    assert faults(page.page) == []
    for width in (320, 1280):
        page.page.set_viewport_size({"width": width, "height": 900})
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_a_plane_is_drawn_with_its_lines_and_the_completed_one_stands_out(visit: Open, shapes: Shapes) -> None:
    page = visit("?game=affine,3", at=shapes("affine,3"))
    expect(page.page.locator("#board .stroke")).to_have_count(12)
    page.square("b2").hover()
    expect(page.page.locator("#board .stroke.near")).to_have_count(4)
    page.play("a1", "a2", "b1", "a3", "c1")
    expect(page.verdict).to_have_text("X has won")
    expect(page.page.locator("#board .stroke.won")).to_have_count(1)


@pytest.mark.slow
def test_hex_has_the_borders_of_each_side_and_a_chain_that_is_struck_through(visit: Open, shapes: Shapes) -> None:
    page = visit("?game=hex,3", at=shapes("hex,3"))
    colours = {}
    for side in "XO":
        borders = page.page.locator(f"#board .border.by-{side}")
        expect(borders).to_have_count(2)
        expect(borders.first).to_have_css("stroke-linecap", "round")
        colours[side] = borders.first.evaluate("border => getComputedStyle(border).stroke")
    assert colours["X"] != colours["O"]
    page.play("b2", "a1", "b1", "a2", "b3")
    expect(page.verdict).to_have_text("X has won")
    expect(page.page.locator(".strike")).to_have_count(2)  # from b1 to b2 and on to b3
    stones = page.page.locator("#board .square .stone-X, #history .step .stone-X")
    expect(stones).to_have_count(6)
    for stone in stones.all():  # one colour a side, wherever it stands
        expect(stone).to_have_css("stroke", colours["X"])


@pytest.mark.slow
def test_the_fano_plane_has_a_circle_among_its_lines(visit: Open, shapes: Shapes) -> None:
    page = visit("?game=projective,2", at=shapes("projective,2"))
    ways = [str(stroke.get_attribute("d")) for stroke in page.page.locator("#board .stroke").all()]
    assert len(ways) == 7
    assert len([way for way in ways if "A" in way]) == 1


@pytest.mark.slow
def test_edges_are_drawn_by_who_took_them(visit: Open, shapes: Shapes) -> None:
    page = visit("?game=clique,5,3", at=shapes("clique,5,3"))
    expect(page.page.locator("#board .corner-name")).to_have_text(["1", "2", "3", "4", "5"])
    page.play("12", "34", "13", "45")
    for side, count in (("X", 2), ("O", 2), ("nobody", 6)):
        expect(page.page.locator(f"#board .edge.by-{side}")).to_have_count(count)
    page.play("23")
    expect(page.verdict).to_have_text("X has won")
    expect(page.page.locator("#board .edge.won")).to_have_count(3)


@pytest.mark.slow
def test_an_edge_that_is_taken_from_the_start_is_drawn(visit: Open, shapes: Shapes) -> None:
    page = visit(f"?game={GAMES[4]}", at=shapes(GAMES[4]))
    expect(page.page.locator("#board .edge.by-X")).to_have_count(1)
    expect(page.page.locator(".square")).to_have_count(5)
    expect(page.page.locator("#board .lines .stone")).to_have_count(1)
    page.play("34", "13")
    expect(page.page.locator("#board .edge.by-X")).to_have_count(2)


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


@pytest.mark.slow
def test_holes_are_no_squares_and_standing_stones_are_said(visit: Open, shapes: Shapes) -> None:
    page = visit(f"?game={GAMES[3]}", at=shapes(GAMES[3]))
    expect(page.page.locator(".square")).to_have_count(7)
    expect(page.page.get_by_role("img", name="X from the start")).to_be_visible()
    page.play("b3", "b1", "a2", "a3")
    assert page.stones().count("X") == 2


@pytest.mark.slow
def test_a_position_can_be_set_up_on_any_board(visit: Open, folder: Path, shapes: Shapes) -> None:
    rules = file_game(folder)
    page = visit(f"?game={rules}", at=shapes(rules))
    page.button("Set up").click()
    page.square("n2").click()
    expect(page.page.locator("#setup-text")).to_have_value("#.X/..#")
    page.button("Play from here").click()
    page.shows(Position.parse(rules, "moves:n2"))


@pytest.mark.slow
def test_a_game_that_breaker_wins_says_so_at_its_end(visit: Open, shapes: Shapes) -> None:
    page = visit(f"?game={GAMES[3]}&moves=b2,c2,b1,b3,c1", at=shapes(GAMES[3]))
    expect(page.verdict).to_have_text("X has won")
    page.open(f"?game={GAMES[3]}&moves=b1,c1,a2,a3,b3,b2,c2")
    expect(page.verdict).to_have_text("O has won")
    expect(page.page.locator("#history")).not_to_contain_text(re.compile("draw"))
