"""Line charts: well-formed, scaled, and readable without colour."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from solver.drawing import canvas
from solver.drawing.chart import Panel, svg_chart
from solver.pictures.saving import png_of

SVG = "{http://www.w3.org/2000/svg}"


def chart(lines: dict[str, list[tuple[float, float]]], *, log_x: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(svg_chart([Panel("Height", lines)], title="A & B", x_label="time", log_x=log_x))


def texts(svg: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in svg.iter(f"{SVG}text")]


def places(svg: ElementTree.Element) -> list[list[tuple[float, float]]]:
    lines = [line.get("points", "").split() for line in svg.iter(f"{SVG}polyline")]
    return [[(float(x), float(y)) for x, y in (place.split(",") for place in line)] for line in lines]


def test_titles_and_labels() -> None:
    svg = chart({"one": [(0, 0), (10, 4)]})
    assert svg.findtext(f"{SVG}title") == "A & B"
    assert {"A & B", "Height", "time"} <= set(texts(svg))
    assert "one" not in texts(svg)  # one line needs no legend


def test_the_axes_begin_at_0_and_cover_the_values() -> None:
    svg = chart({"one": [(0, 0), (5, 2), (10, 4)]})
    [[first, middle, last]] = places(svg)
    assert {"0", "1", "4", "10"} <= set(texts(svg))
    assert middle == pytest.approx(((first[0] + last[0]) / 2, (first[1] + last[1]) / 2), abs=0.1)
    assert last[1] < first[1]  # up is more


def test_a_logarithmic_axis() -> None:
    svg = chart({"one": [(0, 9), (1, 3), (100, 2), (10_000, 1), (1_000_000, 0)]}, log_x=True)
    [line] = places(svg)
    steps = [after[0] - before[0] for before, after in pairwise(line)]
    assert len(line) == 4  # the point at 0 has no place
    assert steps == pytest.approx([steps[0]] * 3, abs=0.2)
    assert {"1", "1,000", "100k", "1M"} <= set(texts(svg))


def test_exponents_are_drawn_in_every_font() -> None:
    words = [canvas.text(10, 20, f"2·10{sign} more", 12) for sign in "⁴⁵"]
    four, five = (canvas.svg(canvas.page(80, 30, [each], title="")) for each in words)
    assert not set("⁰¹²³⁴⁵⁶⁷⁸⁹") & {*four, *five}
    assert png_of(four) != png_of(five)


def test_lines_differ_without_colour() -> None:
    svg = chart({name: [(1, i), (2, i)] for i, name in enumerate("abcd")})
    dashes = [line.get("stroke-dasharray") for line in svg.iter(f"{SVG}polyline")]
    assert len(set(dashes)) == 4
    assert set("abcd") <= set(texts(svg))


@pytest.mark.parametrize("points", [[(1.0, 0.0)], [(3.0, 0.0), (3.0, 0.0)], [(1.0, 1e-7), (2.0, 1e9)]])
@pytest.mark.parametrize("log_x", [False, True])
def test_odd_values_are_drawn_within_the_picture(points: list[tuple[float, float]], log_x: bool) -> None:
    svg = chart({"one": points}, log_x=log_x)
    width, height = (float(svg.get(side, "0")) for side in ("width", "height"))
    assert all(0 <= x <= width and 0 <= y <= height for line in places(svg) for x, y in line)
    assert "nan" not in ElementTree.tostring(svg, encoding="unicode")


def test_panels_share_the_axis_and_the_legend() -> None:
    lines = {"one": [(1.0, 1.0), (3.0, 2.0)], "two": [(1.0, 2.0), (3.0, 1.0)]}
    svg = ElementTree.fromstring(svg_chart([Panel("A", lines), Panel("B", lines)], title="T", x_label="x"))
    assert len(places(svg)) == 4
    assert texts(svg).count("one") == 1


def test_a_chart_without_points_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one point"):
        svg_chart([Panel("A", {"one": [(0, 1)]})], title="T", x_label="x", log_x=True)
