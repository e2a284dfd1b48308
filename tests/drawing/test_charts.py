"""Charts: they are described, the same each time, and style nothing outside them."""

import sys
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from solver.drawing.charts import draw_chart
from solver.errors import MissingExtra
from tests.texts import words_of_chart


def plot(figure: Any) -> None:
    figure.subplots().set_title("<engine>")


def test_a_chart_is_described_and_the_same_each_time() -> None:
    drawn, again = (draw_chart("A match of $5", 4, 3, plot, "a < b") for _ in range(2))
    assert drawn == again
    assert "<style" not in drawn
    title, description, *labels = words_of_chart(drawn)
    assert (title, description) == ("A match of $5", "a < b")
    assert "<engine>" in labels
    assert ET.fromstring(drawn).get("role") == "img"


def test_a_chart_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match="pictures"):
        draw_chart("A match", 4, 3, plot)
