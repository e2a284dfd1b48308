"""The notebook on heuristic alpha-beta search (seed 002, file 002_29d858bfc9b1e4cf): every figure it prints."""

import pytest

from solver.course import alpha_beta
from solver.engines.alphabeta import evaluate
from solver.game.games import parse_game
from solver.game.position import Position

RULES = parse_game("3,3,3")


def test_nodes_values_moves_and_evaluations() -> None:
    rows = [*alpha_beta._printed(RULES)]
    assert [(row.what, row.ours) for row in rows] == [(row.what, row.theirs) for row in rows]
    assert len(rows) == 17 + 3 + 6
    printed = {row.what: row.theirs for row in rows}
    assert printed[".../.../... cut-off none: nodes (value, move)"] == "18297 (0, 0)"
    assert printed["XO./OX./... cut-off 4: nodes (value, move)"] == "47 (10, 2)"


def test_evaluation_of_a_won_board() -> None:
    won = Position.parse(RULES, "XXX/OO./...")
    assert (evaluate(won, "X"), evaluate(won, "O"), evaluate(won)) == (10, -10, -10)


@pytest.mark.slow
def test_the_experiment_agrees() -> None:
    assert [row.what for row in alpha_beta.run() if not row.agrees] == []
