"""Objects in notebooks show the right figures as well-formed HTML and SVG, and draw only on demand."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from IPython.core.formatters import PlainTextFormatter

from solver import Position, Terms, open_tablebase, parse_game, play_match, verify
from solver.drawing.html import html_block, html_table
from solver.engines.builtin.and_or import search_position
from solver.game.strategy_views import DrawnStrategy
from solver.tablebase import Tablebase
from tests.conftest import ROOT

RULES = parse_game("3,3,3")
START = Position.start(RULES)
LATER = Position.parse(RULES, "XO./OX./...")
VOID = {"rect", "circle", "path", "br"}


class Page(HTMLParser):
    """Cells of tables row by row, all text, and whether every tag is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.rows: list[list[str]] = []
        self.texts: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.open and self.open[-1] in {"td", "th"}:
            self.rows[-1][-1] += data


@pytest.fixture
def table(table_file: Callable[..., Path]) -> Tablebase:
    return open_tablebase(table_file("3,3,3"))


def svg_texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]


def plain_text(shown: object) -> str:
    """What IPython prints in a terminal, and stores in a notebook beside the picture."""
    return str(PlainTextFormatter()(shown))


def test_a_table_of_html_escapes_and_aligns() -> None:
    html = html_table(["a", "<b>"], [["x & y", "2"]], left=(1,))
    assert Page(html).rows == [["a", "<b>"], ["x & y", "2"]]
    assert html.count("text-align:left") == html.count("text-align:right") == 2
    assert "<thead>" not in html_table([], [["x", "y"]])
    assert "&lt;" in html_block("<title>")


def test_a_table_shows_its_statistics(table: Tablebase) -> None:
    page = Page(table._repr_html_())
    header, *plies, total = page.rows
    columns = dict(zip(header, zip(*plies, strict=True), strict=False))
    assert columns["up to symmetry"] == ("1", "3", "12", "38", "108", "174", "204", "153", "57", "15")  # OEIS A008907
    assert total[:3] == ["all", "5,478", "765"]
    assert columns["longest"][-1] == "0"
    assert "3,3,3: 3 rows, 3 columns, 3 in a row; the empty board is a draw for X" in page.texts
    assert repr(table) == f"<Tablebase of 3,3,3: {table.name}>"


@pytest.mark.parametrize("found", ["table", "search"])
def test_a_strategy_is_a_list_and_draws_itself(table: Tablebase, found: str) -> None:
    strategy = table.strategy(LATER) if found == "table" else search_position(LATER).strategy
    assert isinstance(strategy, DrawnStrategy)
    assert strategy[0] == 2
    assert strategy == json.loads(json.dumps(strategy)) == pickle.loads(pickle.dumps(strategy))
    assert str(strategy) == str([*strategy])
    assert svg_texts(strategy._repr_svg_()).count("X plays c2") == 3
    assert plain_text(strategy).startswith("X plays c1.\n  If O plays c2: X plays a3 and wins.")


@pytest.mark.slow
def test_a_large_strategy_shows_its_first_moves(table_file: Callable[..., Path]) -> None:
    """Parts of a strategy are shared; drawn or printed one by one, those of 4,4,4 have no end."""
    with open_tablebase(table_file("4,4,4")) as table:
        strategy = table.strategy(Position.start(parse_game("4,4,4")))
    assert isinstance(strategy, DrawnStrategy)
    assert sum(text.startswith("if O plays") for text in svg_texts(strategy._repr_svg_())) == 15
    assert len(plain_text(strategy).splitlines()) == 16


def test_a_round_robin_shows_its_cross_table(table: Tablebase) -> None:
    result = play_match(["random", "perfect", "graded"], Terms(START), tables=table)
    html = result._repr_html_()
    assert [row[1] for row in Page(html).rows] == ["engine", "perfect", "graded", "random"]
    for shown in (html, table._repr_html_()):  # nothing that affects the rest of the page
        assert not re.search(" id=|<style|class=", shown)


@pytest.mark.slow
def test_a_report_shows_its_answers_and_its_worst_blunders() -> None:
    def first(board: list[str]) -> int:
        """Asked with a list, as functions are that do not say otherwise."""
        return board.index(" ")

    html = verify(first, "3,3,3")._repr_html_()
    page = Page(html)
    assert page.rows[0][:2] == ["keeps the value", "no"]
    assert page.tags.count("section") == 2
    assert "<style" not in html
    assert "background:#fff" not in html


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
    assert before == ["solver.drawing", "solver.drawing.columns", "solver.drawing.diagram"]  # how boards are written
    assert {"solver.drawing.board", "solver.drawing.html"} <= set(after)
