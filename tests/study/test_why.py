"""Why a move gives the result away."""

import pytest

from solver import Position, parse_game
from solver.search.truth import open_truth
from solver.web.api import explain
from tests.commands import TableFile


@pytest.mark.parametrize(
    ("game", "position", "move", "sentence"),
    [
        ("3,3,3", "a1", "b1", "b1 loses: after a2 a3 b2, X has two ways to win, at c2 and c3."),
        ("3,3,3", "XX./OO./...", "a3", "a3 loses: O wins at once, at c2."),
        ("3,3,3", "XO./.../...", "c2", "c2 only draws: O answers b2."),
        ("3,3,3", "a1 b1", "a2", "a2 wins."),
        ("3,3,3", "a1 b2 c3", "c1", "c1 loses: X answers a3 and then has two ways to win, at a2 and b3."),
        ("3,3,3,misere", "a1 b2", "b1", "b1 loses: O wins after a3 a2 c2 b3 c3 c1."),
    ],
)
def test_the_reply_and_the_threats_are_named(
    game: str, position: str, move: str, sentence: str, table_file: TableFile
) -> None:
    with open_truth(parse_game(game), table_file(game)) as truth:
        start = Position.parse(truth.rules, position)
        why = explain(truth, start, move)
        assert why["sentence"] == sentence
