"""The opening tree on the page of a site is that of Python."""

from typing import Any

import pytest

from solver import Position, open_tablebase, parse_game
from solver.errors import PositionError
from solver.study.openings import openings_answer
from solver.web.api import MOST_OPENINGS
from solver.web.errors import error_answer
from tests.site.conftest import Ask
from tests.small_games import slow_games

TICTACTOE = [("start", 4, False), ("b2", 2, True), ("a1", 1, False), ("XXX/OO./...", 3, False), ("b2 a1 c3", 3, False)]
OTHERS = [("start", 3, False), ("start", 4, True)]


@pytest.mark.parametrize("game", ["3,3,3", *slow_games("3,3,3,misere", "4,4,4", "3,3,3,gravity", "hex,3", "affine,3")])
def test_openings_are_those_of_python(game: str, table_file: Any, written: Any, ask: Ask) -> None:
    rules, expected = parse_game(game), list[Any]()
    asked = TICTACTOE if game == "3,3,3" else OTHERS
    with open_tablebase(table_file(game)) as table:
        for text, depth, kept in asked:
            position = Position.parse(rules, text)
            try:
                expected.append(openings_answer(table, depth, position, kept=kept, most=MOST_OPENINGS))
            except PositionError as error:
                expected.append(error_answer(error))
    assert ask(written(game), "openingsAnswer", asked).answers == expected
