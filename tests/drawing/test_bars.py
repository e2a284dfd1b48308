"""Results drawn as bars."""

from xml.etree import ElementTree as ET

import pytest

from solver.drawing.bars import svg_bars

SVG = "{http://www.w3.org/2000/svg}"


def bars(svg: str) -> list[tuple[float, float]]:
    """(left, width) of every part of every bar."""
    rects = [rect for rect in ET.fromstring(svg).iter(f"{SVG}rect") if rect.get("height") == "26"]
    return [(float(rect.attrib["x"]), float(rect.attrib["width"])) for rect in rects]


def test_parts_stand_side_by_side_in_proportion() -> None:
    [(left, wins), (middle, draws), (right, losses)] = bars(svg_bars("A match", [("random", (0.5, 0.2, 0.3))]))
    assert (wins / draws, losses / draws) == pytest.approx((2.5, 1.5))
    assert (middle, right) == pytest.approx((left + wins, left + wins + draws))


def test_a_part_of_nothing_is_not_drawn() -> None:
    svg = svg_bars("A match", [("perfect", (0.0, 1.0, 0.0)), ("narrow", (0.99, 0.0, 0.01))])
    assert len(bars(svg)) == 3
    texts = [text.text for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert texts == ["A match", "wins", "draws", "losses", "perfect", "100%", "narrow", "99%"]


def test_everything_is_inside_and_said_in_words() -> None:
    svg = svg_bars("x < y & " * 20, [("<engine>", (0.25, 0.25, 0.5))])
    root = ET.fromstring(svg)
    width = float(root.attrib["viewBox"].split()[2])
    assert width > 160 * 8
    assert all(left + part <= width for left, part in bars(svg))
    assert root.findtext(f"{SVG}desc") == "<engine>: wins 25.0%, draws 25.0%, losses 50.0%"
    assert root.findtext(f"{SVG}title") == "x < y & " * 20


def test_a_picture_without_rows() -> None:
    assert bars(svg_bars("Nothing", [])) == []
