"""The notebook on heuristic alpha-beta search (seed 002, file 002_29d858bfc9b1e4cf): every figure it prints.

Where o is a stone ahead, the notebook lets x move; here X begins, so these boards have the colours exchanged.
"""

import pytest

from solver.course import alpha_beta
from solver.engines.alphabeta import evaluate, search
from solver.engines.engine import make_engine
from solver.engines.playing import play_game
from solver.game.games import parse_game
from solver.game.position import Position

RULES = parse_game("3,3,3")
CUTOFFS = (2, 4, None)

# Nodes, value and move with cut-off 2, 4 and none.
SEARCHES = {
    "XO./OX./...": ((13, 10, 8), (47, 10, 2), (61, 10, 2)),
    "XX./XO./..O": ((11, -10, 2), None, (15, -10, 2)),
    "XOX/.O./...": ((21, -1, 7), (81, 0, 7), (101, 0, 7)),
    ".../.X./...": ((24, -1, 0), (220, -1, 0), (2316, 0, 0)),
    ".../.../...": ((26, 0, 0), (541, 0, 4), (18297, 0, 0)),
    "X.O/.../..X": ((26, -2, 4), (148, -10, 1), (238, -10, 1)),
}
MATCHES = [
    ("alphabeta:cutoff=2", "alphabeta", "draw"),
    ("alphabeta", "alphabeta:cutoff=2", "X"),
    ("alphabeta:cutoff=4", "alphabeta", "draw"),
    ("alphabeta", "alphabeta:cutoff=4", "draw"),
]
RECORDED = [
    ("alphabeta:cutoff=2", "alphabeta:cutoff=4", "XXO/OOX/XOX", [26, 350, 26, 49, 18, 17, 8, 5, 2]),
    ("alphabeta:cutoff=4", "alphabeta:cutoff=2", "OXX/XXO/OOX", [541, 24, 238, 30, 82, 14, 12, 5, 2]),
]


@pytest.mark.parametrize(
    ("board", "cutoff", "printed"),
    [
        (board, cutoff, printed)
        for board, row in SEARCHES.items()
        for cutoff, printed in zip(CUTOFFS, row, strict=True)
        if printed
    ],
)
def test_nodes_value_and_move(board: str, cutoff: int | None, printed: tuple[int, int, int]) -> None:
    found = search(Position.parse(RULES, board), cutoff)
    assert (found.nodes, found.value, found.line[0]) == printed


@pytest.mark.parametrize(
    ("board", "player", "value"), [("XX./XO./..O", "X", 2), ("XX./XO./..O", "O", -2), ("XO./XO./...", "X", 0)]
)
def test_evaluation(board: str, player: str, value: int) -> None:
    assert evaluate(Position.parse(RULES, board), player) == value


def test_evaluation_of_a_won_board() -> None:
    won = Position.parse(RULES, "XXX/OO./...")
    assert (evaluate(won, "X"), evaluate(won, "O"), evaluate(won)) == (10, -10, -10)


@pytest.mark.parametrize(("x", "o", "outcome"), MATCHES)
def test_matches_without_chance(x: str, o: str, outcome: str) -> None:
    record = play_game(make_engine(x, RULES), make_engine(o, RULES), Position.start(RULES))
    assert record.outcome == outcome


@pytest.mark.parametrize(("x", "o", "final", "nodes"), RECORDED)
def test_recorded_matches(x: str, o: str, final: str, nodes: list[int]) -> None:
    record = play_game(make_engine(x, RULES), make_engine(o, RULES), Position.start(RULES))
    assert (record.outcome, record.final.board) == ("draw", final)
    assert [choice.nodes for choice in record.choices] == nodes


@pytest.mark.slow
def test_the_experiment_agrees_and_starts_from_random_boards_too() -> None:
    rows = alpha_beta.run()
    assert [row.what for row in rows if not row.agrees] == []
    assert sum(row.exact and row.theirs is not None for row in rows) == 17 + 3 + 6
    assert sum("random plies" in row.what for row in rows) == 4
