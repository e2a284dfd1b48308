"""Boards as text and as SVG: aligned, well-formed, readable without colour."""

from unittest.mock import Mock
from xml.etree import ElementTree

import pytest

from solver.drawing import palette
from solver.drawing.board import Label, _small_board, draw_board
from solver.drawing.canvas import svg
from solver.drawing.diagram import grid, text_board
from solver.game.games import parse_game

SVG = "{http://www.w3.org/2000/svg}"


def picture(*args: object, **options: object) -> ElementTree.Element:
    """The parsed picture of a board of 3 rows and 3 columns."""
    board = draw_board(grid(3, 3), "XO..X....", **{"title": "A title", **options})  # type: ignore[arg-type]
    return ElementTree.fromstring(svg(board))


def test_columns_stay_aligned() -> None:
    painted = text_board(grid(1, 3), "XO.", labels={1: "W1"}, paint=lambda label: f"<b>{label}</b>")
    assert painted.splitlines()[1] == "1  X   <b>W1</b>  ."
    assert text_board(grid(2, 2), "XXO.", highlight=[0, 1]).splitlines() == ["    a   b", "1  (X) (X)", "2   O   ."]
    lines = text_board(grid(12, 30), "." * 360).splitlines()
    assert lines[0].split()[24:] == ["y", "z", "aa", "ab", "ac", "ad"]
    assert {line.rindex(".") for line in lines[1:]} == {lines[0].rindex("ad")}


def test_svg_is_well_formed_and_has_a_title_first_and_unique_ids() -> None:
    drawn = picture(title='<X> & "O"')
    assert (drawn.tag, drawn.get("role")) == (f"{SVG}svg", "img")
    assert (drawn[0].tag, drawn[0].text) == (f"{SVG}title", '<X> & "O"')
    assert not [element for element in drawn.iter() if element.get("id") or element.tag == f"{SVG}style"]


def test_svg_says_verdicts_in_words_on_empty_squares_only() -> None:
    labels = {
        0: Label("W9", "win"),
        2: Label("W3", "win"),
        3: Label("=", "draw"),
        8: Label("L4", "loss"),
        5: Label("?"),
    }
    drawn = picture(labels=labels)
    assert [element.text for element in drawn.iter(f"{SVG}text")] == [*"abc123", "W3", "=", "?", "L4"]
    assert len(drawn.findall(f"{SVG}path")) == 2 + 2  # two stones of X, the marks of a win and of a loss


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 3), (1, 25), (19, 19)])
def test_svg_of_any_board_fits_its_frame_and_a_page(m: int, n: int) -> None:
    drawn = ElementTree.fromstring(svg(draw_board(grid(m, n), "." * (m * n), title="")))
    _, _, width, height = map(float, drawn.get("viewBox", "").split())
    assert max(float(drawn.get("width", "")), float(drawn.get("height", ""))) <= 640
    for rect in drawn.iter(f"{SVG}rect"):
        right = float(rect.get("x", 0)) + float(rect.get("width", 0))
        bottom = float(rect.get("y", 0)) + float(rect.get("height", 0))
        assert right <= width
        assert bottom <= height


def test_the_boards_of_a_tree_have_the_stones_that_are_there_from_the_start() -> None:
    node = Mock(above="", last_line="", marked=frozenset())
    diagrams = [parse_game(game).diagram for game in ("3,3,3", "3,3,3,x=b2,o=a1", "clique,4,3,x=12")]
    drawn = []
    for diagram in diagrams:
        node.cells = "." * len(diagram.names)
        parts = str([*_small_board(diagram, node, 0, 0, 90, 90)])
        drawn.append([parts.count(str(palette.STONES[side])) for side in "XO"])
    assert drawn[0] == [0, 0]
    assert all(drawn[1])
    assert drawn[2][0]
