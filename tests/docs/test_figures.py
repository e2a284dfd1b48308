"""The figures of the explanation are drawn from a table of tic-tac-toe."""

import re

from figures import draw_figures

from solver import open_tablebase
from tests.commands import TableFile
from tests.conftest import Kept
from tests.docs.pages import DOCS, PAGES


def test_figures_are_drawn_from_real_positions_and_shown(table_file: TableFile, kept: Kept) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        figures = draw_figures(table)
    for file, drawn in figures.items():
        kept.whole(DOCS / "figures" / file, drawn)
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert {*re.findall(r"figures/(\S+)\)", text)} == {*figures} == {path.name for path in (DOCS / "figures").iterdir()}
