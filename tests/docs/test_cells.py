"""Cells of a page run like those of a notebook, after the cells above that they need."""

from typing import Any

import pytest
from cells import Cells

from tests.export.pictures.test_course_notebook import course


def above(name: str) -> list[tuple[str, str]]:
    """The code cells of the course up to one of them."""
    cells = [(cell.id, cell.source) for cell in course().cells if cell.cell_type == "code"]
    return cells[: [each for each, _ in cells].index(name) + 1]


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("setup", []), ("probe", ["setup", "position"]), ("minimax-picture", ["setup", "minimax-tree-code"]),
        ("exercise-2-code", ["setup", "and-or-code"]), ("exercise-4-code", ["setup", "alphabeta-code"]),
    ],
)  # fmt: skip
def test_a_cell_needs_the_cells_that_define_its_names(name: str, needed: list[str]) -> None:
    assert Cells({}).needed(above(name)) == needed
    assert Cells(dict.fromkeys(["Position", "rules", "table", "position"])).needed(above("probe")) == []


def test_a_cell_shows_prints_displays_and_its_last_value() -> None:
    names: dict[str, Any] = {}
    cells = Cells(names)
    shown = cells.run("one", "print('<')\ndisplay(1)\na = 2\na + 1")
    assert shown == ("<pre>&lt;\n</pre><pre>1</pre><pre>3</pre>", "", "", None)
    assert cells.run("two", "a = 5").html == "", "a statement shows nothing"
    assert names["a"] == 5
    position = cells.run("three", "from solver import Position, parse_game\nPosition.start(parse_game('3,3,3'))")
    assert position.html.startswith("<svg")


@pytest.mark.parametrize(
    ("code", "error", "missing"),
    [
        ("a = 1\nb", "NameError in line 2: name 'b' is not defined", ""),
        ("a = (", "SyntaxError in line 1: '(' was never closed.", ""),
        ("import nowhere", "This needs the package nowhere, which could not be fetched.", "nowhere"),
        ("from solver import parse_game\nparse_game('x')", None, ""),
    ],
)
def test_an_error_of_a_cell_is_a_sentence(code: str, error: str | None, missing: str) -> None:
    shown = Cells({}).run("cell", code)
    assert shown.missing == missing
    assert shown.error
    assert error in (None, shown.error)
    assert not shown.html
