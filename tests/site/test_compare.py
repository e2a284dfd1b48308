"""The same position under the other rules of a site is what the server says of those that have a table."""

from contextlib import ExitStack
from typing import Any

import pytest

from solver import MnkError, Position, Rules, open_tablebase, parse_game
from solver.errors import MissingTable
from solver.study.comparison import compare
from solver.tablebase import Tablebase
from solver.web.errors import error_answer
from tests.site.conftest import Ask
from tests.site.test_reading import played

GAMES = ["3,3,3,gravity", "3,3,3", "affine,3", "3,3,3,misere", "3,3,3,exact,torus"]


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_comparisons_are_those_of_the_server(game: str, table_file: Any, written: Any, ask: Ask) -> None:
    folders = {each: str(written(each)) for each in GAMES}
    with ExitStack() as opened:
        tables = {each: opened.enter_context(open_tablebase(table_file(each))) for each in GAMES}

        def find_table(rules: Rules) -> Tablebase:
            if rules.name not in tables:
                raise MissingTable(f"There is no table of {rules}.")
            return tables[rules.name]

        positions = played(parse_game(game), 15)
        expected = [compare(position, find_table) for position in positions]
    for answer in expected:
        answer["rules"] = [each for each in answer["rules"] if each["game"] in GAMES]
    asked = [[folders, game, position.board] for position in positions]
    assert ask(written(game), "compareAnswer", asked).answers == expected


def test_what_is_no_position_is_refused(written: Any, ask: Ask) -> None:
    with pytest.raises(MnkError) as refused:
        Position.parse(parse_game("3,3,3"), "XX./.../...")
    folder = written("3,3,3")
    (answer,) = ask(folder, "compareAnswer", [[{"3,3,3": str(folder)}, "3,3,3", "XX./.../..."]]).answers
    assert answer == error_answer(refused.value)
