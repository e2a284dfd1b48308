"""Charts: the figures they show, and that they are the same each time."""

import sys
from xml.etree import ElementTree as ET

import pytest

from solver.drawing.charts import draw_shares
from solver.errors import MissingExtra
from tests.texts import words_of_chart


def test_shares_are_drawn_and_described() -> None:
    drawn = draw_shares("A match", [("<engine> $5", (0.25, 0.25, 0.5)), ("narrow", (0.99, 0.0, 0.01))], note="Note")
    title, description, *labels = words_of_chart(drawn)
    assert title == "A match"
    assert description.startswith("Note. <engine> $5: wins 25.0%, draws 25.0%, losses 50.0%; narrow: wins 99.0%, ")
    assert {"Note", "wins", "draws", "losses", "25%", "50%", "99%"} <= {*labels}
    assert "1%" not in labels  # too narrow for letters
    assert ET.fromstring(drawn).get("role") == "img"


def test_a_chart_is_the_same_each_time_and_styles_nothing_outside_it() -> None:
    drawn, again = (draw_shares("A match", [("random", (0.5, 0.2, 0.3))]) for _ in range(2))
    assert drawn == again
    assert "<style" not in drawn


def test_a_chart_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match="pictures"):
        draw_shares("A match", [])
