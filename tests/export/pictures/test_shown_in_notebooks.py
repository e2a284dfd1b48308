"""Objects in notebooks show the right figures as well-formed HTML and SVG, and draw only on demand."""

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from IPython.core.formatters import PlainTextFormatter

from solver import Position, Terms, open_tablebase, parse_game, play_match
from solver.drawing.html import html_block, html_table
from solver.engines.builtin.and_or import search_position
from solver.search.truth import Truth
from tests.conftest import ROOT

RULES = parse_game("3,3,3")
START = Position.start(RULES)
LATER = Position.parse(RULES, "XO./OX./...")


def parse(html: str) -> ElementTree.Element:
    """Parse a piece of HTML, in which every tag is closed."""
    return ElementTree.fromstring(f"<div>{html.replace('<br>', '<br/>')}</div>")


def rows_of(html: str) -> list[list[str]]:
    """Return the text of the cells of all tables."""
    return [["".join(cell.itertext()) for cell in row] for row in parse(html).iter("tr")]


@pytest.fixture
def table(table_file: Callable[..., Path]) -> Truth:
    return open_tablebase(table_file("3,3,3"))


def svg_texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]


def test_a_table_of_html_escapes_and_aligns() -> None:
    html = html_table(["a", "<b>"], [["x & y", "2"]], left=(1,))
    assert rows_of(html) == [["a", "<b>"], ["x & y", "2"]]
    assert html.count("text-align:left") == html.count("text-align:right") == 2
    assert "<thead>" not in html_table([], [["x", "y"]])
    assert "&lt;" in html_block("<title>")


def test_a_table_shows_its_statistics(table: Truth) -> None:
    header, *plies, total = rows_of(table.table._repr_html_())
    columns = dict(zip(header, zip(*plies, strict=True), strict=False))
    assert columns["up to symmetry"] == ("1", "3", "12", "38", "108", "174", "204", "153", "57", "15")  # OEIS A008907
    assert total[:3] == ["all", "5,478", "765"]
    assert columns["longest"][-1] == "0"
    assert "the empty board is a draw for X" in table.table._repr_html_()


@pytest.mark.parametrize("found", ["table", "search"])
def test_a_strategy_draws_itself(table: Truth, found: str) -> None:
    strategy = table.strategy(LATER) if found == "table" else search_position(LATER).strategy
    assert strategy
    assert strategy == pickle.loads(pickle.dumps(strategy))
    assert repr(strategy) == "<strategy of X in 3,3,3, from XO./OX./...: 8 moves>"
    assert svg_texts(strategy._repr_svg_()).count("X plays c2") == 3
    assert str(PlainTextFormatter()(strategy)) == str(strategy)
    assert str(strategy).startswith("X plays c1.\n  If O plays c2: X plays a3 and wins.")


@pytest.mark.slow
def test_a_large_strategy_shows_its_first_moves(table_file: Callable[..., Path]) -> None:
    """A strategy is a graph. Drawn or printed line of play by line of play, that of 4,4,4 would have no end."""
    with open_tablebase(table_file("4,4,4")) as table:
        strategy = table.strategy(Position.start(parse_game("4,4,4")))
    assert strategy
    assert sum(text.startswith("if O plays") for text in svg_texts(strategy._repr_svg_())) == 15
    assert len(str(PlainTextFormatter()(strategy)).splitlines()) == 16


def test_a_round_robin_shows_its_cross_table(table: Truth) -> None:
    result = play_match(["random", "perfect", "graded"], Terms(START), tables=table)
    html = result._repr_html_()
    assert [row[1] for row in rows_of(html)] == ["engine", "perfect", "graded", "random"]
    for shown in (html, table.table._repr_html_()):  # nothing that affects the rest of the page
        assert not re.search(" id=|<style|class=", shown)


def test_drawing_is_imported_lazily(table_file: Callable[..., Path]) -> None:
    code = (
        "import sys; from solver import Position, open_tablebase\n"
        "def drawing(): return sorted(m for m in sys.modules if '.drawing' in m or '.pictures' in m)\n"
        "table = open_tablebase(sys.argv[1]); position = Position.start(table.rules)\n"
        "strategy = table.strategy(position); value = table.probe(position)\n"
        "before = drawing(); strategy._repr_svg_(); table._repr_html_()\n"
        "import json; print(json.dumps([before, drawing()]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(table_file("3,3,3"))], cwd=ROOT, check=True, capture_output=True, text=True
    )
    before, after = json.loads(done.stdout)
    assert before == ["solver.drawing", "solver.drawing.diagram"]  # how boards are written
    assert {"solver.drawing.board", "solver.drawing.html"} <= set(after)
