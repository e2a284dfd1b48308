"""Charts: the figures they show, and that they are the same each time."""

import sys
from xml.etree import ElementTree as ET

import pytest

from solver.errors import MissingExtra
from solver.support.drawing.charts import Panel, Points, draw_lines, draw_shares
from tests.texts import words_of_chart

LINES: dict[str, Points] = {"one": [(1.0, 1.0), (3.0, 2.0)], "two": [(1.0, 2.0), (3.0, 1.0)]}


def test_panels_share_the_axis_and_the_legend() -> None:
    drawn = draw_lines([Panel("A", LINES), Panel("B", LINES)], title="T & U", x_label="time", description="All.")
    title, description, *labels = words_of_chart(drawn)
    assert (title, description) == ("T & U", "All.")
    assert {"A", "B", "time"} <= {*labels}
    assert labels.count("one") == 1
    assert ET.fromstring(drawn).get("role") == "img"


def test_a_single_line_has_no_legend_and_a_logarithmic_axis_leaves_out_points_below_1() -> None:
    line: Points = [(0, 9), (1, 3), (100, 2), (10_000, 1), (1_000_000, 0)]
    labels = words_of_chart(draw_lines([Panel("Height", {"one": line})], title="T", x_label="x", log_x=True))
    assert "one" not in labels
    assert any("10^{6}" in label for label in labels)
    with pytest.raises(ValueError, match="at least one point"):
        draw_lines([Panel("A", {"one": [(0, 1)]})], title="T", x_label="x", log_x=True)


@pytest.mark.parametrize("points", [[(1.0, 0.0)], [(3.0, 0.0), (3.0, 0.0)], [(1.0, 1e-7), (2.0, 1e9)]])
@pytest.mark.parametrize("log_x", [False, True])
def test_odd_values_are_drawn(points: Points, log_x: bool) -> None:
    drawn = draw_lines([Panel("A", {"one": points})], title="T", x_label="x", log_x=log_x)
    ET.fromstring(drawn)
    assert "nan" not in drawn


def test_shares_are_drawn_and_described() -> None:
    drawn = draw_shares("A match", [("<engine> $5", (0.25, 0.25, 0.5)), ("narrow", (0.99, 0.0, 0.01))], note="Note")
    title, description, *labels = words_of_chart(drawn)
    assert title == "A match"
    assert description.startswith("Note. <engine> $5: wins 25.0%, draws 25.0%, losses 50.0%; narrow: wins 99.0%, ")
    assert {"Note", "wins", "draws", "losses", "25%", "50%", "99%"} <= {*labels}
    assert "1%" not in labels  # too narrow for letters


def test_a_chart_is_the_same_each_time_and_styles_nothing_outside_it() -> None:
    drawn, again = (draw_lines([Panel("A", LINES)], title="T", x_label="x") for _ in range(2))
    assert drawn == again
    assert "<style" not in drawn


def test_a_chart_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match="pictures"):
        draw_shares("A match", [])
