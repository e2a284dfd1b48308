"""Seed 003_e90871ce695cb498: full minimax trees, measured, valued and printed."""

from __future__ import annotations

import pytest

from solver.course.experiments.game_trees import run
from solver.engines.builtin.minimax import Minimax
from solver.engines.engine import make_engine
from solver.engines.game_tree.measuring import count_immediate_wins, measure_game, measure_moves, measure_tree
from solver.engines.game_tree.node import build_tree, exact_value
from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position

RULES = parse_game("3,3,3")
START = Position.start(RULES)
ONE_PLY = Position.parse(RULES, "xxo/.oo/..x")


def test_the_whole_tree() -> None:
    figures = measure_tree(START)
    assert (figures.nodes, figures.leaves, figures.value) == (549946, 255168, 0)
    assert figures.mean_leaf_depth == 8.25451467268623
    assert (figures.x_wins, figures.o_wins, figures.draws, figures.undecided) == (131184, 77904, 46080, 0)
    assert figures.leaves_at == (0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872)


def test_the_branching_factor_is_edges_by_internal_nodes() -> None:
    figures = measure_tree(START)
    assert figures.branching_factor == 549945 / (549946 - 255168)
    assert (figures.nodes - 1) / figures.nodes == 0.9999981816396519  # what the notebook calls so


def test_the_value_of_its_second_board() -> None:
    position = Position.parse(RULES, "x../.o./o.x")
    assert measure_tree(position).value == build_tree(position).value == 1


def test_the_one_ply_tree() -> None:
    tree = build_tree(ONE_PLY, 1)
    figures = tree.statistics()
    assert (figures.nodes, figures.leaves, figures.mean_leaf_depth, figures.branching_factor) == (4, 3, 1, 3)
    assert count_immediate_wins(ONE_PLY, "X") == 0
    assert [count_immediate_wins(child.position, "X") for child in tree.children] == [1, 2, 1]
    assert measure_tree(ONE_PLY, 1) == figures


def test_the_tree_of_five_plies() -> None:
    assert measure_tree(START, 5).nodes == 18730  # printed by a cell that was run before the whole tree was built


def test_judged_values() -> None:
    def as_notebook(position: Position) -> float:
        return float(count_immediate_wins(position, position.to_move))

    theirs = build_tree(ONE_PLY, 1, as_notebook)
    assert [child.value for child in theirs.children] == [1, 1, 2]
    assert theirs.value == 2
    ours = build_tree(ONE_PLY, 1)
    assert [child.value for child in ours.children] == [-1 / 2, -1 / 2, -2 / 3]
    assert ours.value == -1 / 2


@pytest.mark.sampled
@pytest.mark.parametrize(
    "game", ["2,4,2", "4,2,2,full", "2,4,3,gravity", "2,4,2,exact,misere", "2,3,2,torus", "1,7,3", "3,3,3,misere"]
)
def test_walked_and_stored_trees_are_alike(game: str) -> None:
    position = Position.start(parse_game(game))
    for depth in (0, 1, 3, 4):
        assert measure_tree(position, depth) == build_tree(position, depth).statistics()
    while position.rules.squares - position.ply > 7:
        position = position.play(position.legal_moves[0])
    assert measure_tree(position) == build_tree(position).statistics()


@pytest.mark.parametrize("game", ["3,3,3", "3,3,2,exact", "2,5,2,full", "2,4,3,gravity,misere", "5,2,2,full"])
def test_walked_and_counted_trees_are_alike(game: str) -> None:
    rules = parse_game(game)
    walked, counted = measure_tree(Position.start(rules)), measure_game(rules)
    assert counted.value is None
    for figure in ("nodes_at", "leaves_at", "x_wins", "o_wins", "draws", "undecided"):
        assert getattr(walked, figure) == getattr(counted, figure)


def test_a_tree_too_large_to_store_is_counted() -> None:
    figures = measure_game(parse_game("4,4,4"))
    assert (figures.leaves, figures.depth) == (15038733958272, 16)
    with pytest.raises(EngineError, match="give a depth"):
        measure_tree(Position.start(parse_game("4,4,4")))


def test_finished_games_are_trees_of_one_node() -> None:
    won = Position.parse(RULES, "xxx/oo./...")
    figures = measure_tree(won)
    assert (figures.nodes, figures.leaves, figures.mean_leaf_depth, figures.branching_factor) == (1, 1, 0, 0)
    assert (figures.value, figures.x_wins) == (1, 1)
    assert figures == build_tree(won).statistics()
    assert count_immediate_wins(won, "X") == 0


def test_heuristic_of_variants() -> None:
    board = Position.parse(parse_game("2,3,2,gravity"), ".../X.O")
    assert count_immediate_wins(board, "X") == 2  # on top, and beside; not where a stone would float
    assert count_immediate_wins(Position.parse(parse_game("1,3,2,misere"), "X.O"), "X") == 0


def test_the_engine_walks_the_tree() -> None:
    choice = make_engine("minimax", RULES).choose(START)
    assert (choice.move, choice.value, choice.nodes) == (0, 0, 549946)
    threatened = Position.parse(RULES, "xx./oo./...")
    assert Minimax().choose(threatened).move == 2
    assert Minimax(depth=1).choose(threatened).value == 1
    with pytest.raises(EngineError, match="depth must be at least 1"):
        make_engine("minimax:depth=0", RULES)


def test_values_of_moves_are_the_movers() -> None:
    position = Position.parse(RULES, "xx./oo./x..")
    values, figures = measure_moves(position)
    assert values == {2: 0, 5: 1, 7: -1, 8: -1}
    assert figures.value == -1  # X's


def test_text_and_json() -> None:
    tree = build_tree(Position.parse(RULES, "xox/xoo/.x."), 1, exact_value)
    assert tree.text().splitlines() == [
        "O to move: draw, by a3",
        *["XOX", "XOO", ".X."],
        "  O a3, then X to move: draw",
        *["  XOX", "  XOO", "  OX."],
        "  O c3, then X to move: X wins",
        *["  XOX", "  XOO", "  .XO"],
    ]
    json = tree.json()
    assert (json["value"], json["to_move"], [child["name"] for child in json["children"]]) == (0, "O", ["a3", "c3"])


def test_the_experiment_agrees() -> None:
    assert all(row.agrees for row in run())
