"""Boards as text and as SVG: aligned, well-formed, readable without colour."""

from xml.etree import ElementTree

import pytest

from solver.drawing.svg import svg_board
from solver.drawing.text import text_board

SVG = "{http://www.w3.org/2000/svg}"


def picture(*args: object, **options: object) -> ElementTree.Element:
    """The parsed picture of a board of 3 rows and 3 columns."""
    return ElementTree.fromstring(svg_board(3, 3, "XO..X....", **{"title": "A title", **options}))  # type: ignore[arg-type]


def texts(svg: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in svg.iter(f"{SVG}text")]


def test_plain_text() -> None:
    assert text_board(2, 3, "XO..X.") == "   a b c\n1  X O .\n2  . X ."


def test_labels_stand_for_their_squares_and_columns_stay_aligned() -> None:
    assert text_board(2, 3, "XO..X.", labels={2: "L12", 3: "=", 5: "W1"}).splitlines() == [
        "   a    b    c",
        "1  X    O    L12",
        "2  =    X    W1",
    ]


def test_highlighted_squares_are_in_parentheses() -> None:
    assert text_board(2, 2, "XXO.", highlight=[0, 1]).splitlines() == ["    a   b", "1  (X) (X)", "2   O   ."]


def test_large_boards_stay_aligned() -> None:
    lines = text_board(12, 30, "." * 360).splitlines()
    assert lines[0].split()[24:] == ["y", "z", "aa", "ab", "ac", "ad"]
    assert lines[1].startswith(" 1  .")
    assert lines[12].startswith("12  .")
    assert {line.rindex(".") for line in lines[1:]} == {lines[0].rindex("ad")}


def test_svg_is_well_formed_and_has_a_title_first() -> None:
    svg = picture(title='<X> & "O"')
    assert svg.tag == f"{SVG}svg"
    assert svg[0].tag == f"{SVG}title"
    assert svg[0].text == '<X> & "O"'
    assert svg.get("role") == "img"


def test_svg_has_a_cell_for_each_square_and_a_shape_for_each_stone() -> None:
    svg = picture()
    assert len(svg.findall(f"{SVG}rect")) == 1 + 9
    assert len(svg.findall(f"{SVG}path")) == 2
    assert len(svg.findall(f"{SVG}circle")) == 1


def test_svg_coordinates_can_be_left_out() -> None:
    assert texts(picture()) == ["a", "b", "c", "1", "2", "3"]
    assert texts(picture(coordinates=False)) == []


def test_svg_says_verdicts_in_words_on_empty_squares_only() -> None:
    svg = picture(coordinates=False, labels={0: "W9", 2: "W3", 3: "=", 8: "L4", 5: "?"}, caption="X to move & wins")
    assert texts(svg) == ["W3", "=", "?", "L4", "X to move & wins"]


def test_svg_marks_line_and_last_move() -> None:
    plain, marked = picture(), picture(highlight=[0, 4, 8], last_move=4)
    assert len(marked.findall(f"{SVG}circle")) == len(plain.findall(f"{SVG}circle")) + 1
    wide = [rect for rect in marked.iter(f"{SVG}rect") if rect.get("stroke-width") == "3"]
    assert [(rect.get("x"), rect.get("y")) for rect in wide] == [("30", "30"), ("92", "92"), ("154", "154")]


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 3), (1, 25), (19, 19)])
def test_svg_of_any_board_fits_its_frame_and_a_page(m: int, n: int) -> None:
    svg = ElementTree.fromstring(svg_board(m, n, "." * (m * n), title="", caption="c"))
    _, _, width, height = map(float, svg.get("viewBox", "").split())
    assert max(float(svg.get("width", "")), float(svg.get("height", ""))) <= 640
    for rect in svg.iter(f"{SVG}rect"):
        right = float(rect.get("x", 0)) + float(rect.get("width", 0))
        bottom = float(rect.get("y", 0)) + float(rect.get("height", 0))
        assert right <= width
        assert bottom <= height


def test_pictures_on_one_page_share_no_names() -> None:
    assert "id=" not in svg_board(3, 3, "." * 9, title="")
    assert "<style" not in svg_board(3, 3, "." * 9, title="")
