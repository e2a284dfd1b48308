"""Seed 003_e90871ce695cb498: full minimax trees, measured, valued and drawn."""

import pytest

from solver.count.walking import count_games
from solver.course.game_trees import (
    MOST_DRAWN,
    Node,
    TreeStatistics,
    build_tree,
    count_immediate_wins,
    measure_tree,
    run,
)
from solver.engines.builtin.minimax import Minimax, walk_moves
from solver.engines.engine import make_engine
from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position

RULES = parse_game("3,3,3")
START = Position.start(RULES)
ONE_PLY = Position.parse(RULES, "xxo/.oo/..x")


def statistics(tree: Node) -> TreeStatistics:
    """The slow twin of `measure_tree`: the statistics of a stored tree."""
    nodes_at, leaves_at, level = [], [], [tree]
    while level:
        leaves = [node for node in level if not node.children]
        nodes_at.append(len(level))
        leaves_at.append(len(leaves))
        level = [child for node in level for child in node.children.values()]
    return TreeStatistics(tuple(nodes_at), tuple(leaves_at), tree.value)


def test_the_experiment_agrees() -> None:
    assert all(row.agrees for row in run())


def test_the_whole_tree() -> None:
    figures = measure_tree(START)
    assert (figures.nodes, figures.leaves, figures.value) == (549946, 255168, 0)
    assert figures.mean_leaf_depth == 8.25451467268623
    assert walk_moves(START).leaves.sum(axis=0).tolist() == [77904, 46080, 131184, 0]
    assert figures.leaves_at == (0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872)
    assert figures.branching_factor == 549945 / (549946 - 255168)
    assert figures.edges / figures.nodes == 0.9999981816396519  # the notebook's branching factor
    assert measure_tree(START, 5).nodes == 18730  # printed by a cell that was run before the whole tree was built


def test_the_one_ply_tree() -> None:
    tree, figures = build_tree(ONE_PLY, 1), measure_tree(ONE_PLY, 1)
    assert (figures.nodes, figures.leaves, figures.mean_leaf_depth, figures.branching_factor) == (4, 3, 1, 3)
    assert statistics(tree) == figures
    assert count_immediate_wins(ONE_PLY, "X") == 0
    assert [count_immediate_wins(child.position, "X") for child in tree.children.values()] == [1, 2, 1]
    assert ([child.value for child in tree.children.values()], tree.value) == ([-1 / 2, -1 / 2, -2 / 3], -1 / 2)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "game", ["2,4,2", "4,2,2,full", "2,4,3,gravity", "2,4,2,exact,misere", "2,3,2,torus", "1,7,3", "3,3,3,misere"]
)
def test_walked_and_stored_trees_are_alike(game: str) -> None:
    position = Position.start(parse_game(game))
    for depth in (0, 1, 3, 4):
        assert measure_tree(position, depth) == statistics(build_tree(position, depth))
    while position.rules.squares - position.ply > 7:
        position = position.play(position.legal_moves[0])
    assert measure_tree(position) == statistics(build_tree(position))


@pytest.mark.parametrize("game", ["3,3,3", "3,3,2,exact", "2,5,2,full", "2,4,3,gravity,misere", "5,2,2,full"])
def test_walked_and_counted_trees_are_alike(game: str) -> None:
    start, counts = Position.start(parse_game(game)), [*count_games(parse_game(game))]
    walked = measure_tree(start)
    assert walked.nodes_at == tuple(count.nodes for count in counts if count.nodes)
    assert walked.leaves_at == tuple(count.games for count in counts if count.nodes)
    lost, drawn, won, _ = walk_moves(start).leaves.sum(axis=0)
    for end, leaves in (("x_wins", won), ("o_wins", lost), ("draws", drawn)):
        assert leaves == sum(getattr(count, end) for count in counts)


def test_a_tree_too_large_to_walk_is_refused() -> None:
    with pytest.raises(EngineError, match="set a depth"):
        measure_tree(Position.start(parse_game("4,4,4")))


def test_a_finished_game_is_a_tree_of_one_node() -> None:
    won = Position.parse(RULES, "xxx/oo./...")
    figures = measure_tree(won)
    assert (figures.nodes, figures.leaves, figures.mean_leaf_depth, figures.branching_factor) == (1, 1, 0, 0)
    assert figures.value == 1
    assert figures == statistics(build_tree(won))
    assert count_immediate_wins(won, "X") == 0


def test_immediate_wins_in_variants() -> None:
    board = Position.parse(parse_game("2,3,2,gravity"), ".../X.O")
    assert count_immediate_wins(board, "X") == 2  # on top and beside, but not where a stone would float
    assert count_immediate_wins(Position.parse(parse_game("1,3,2,misere"), "X.O"), "X") == 0


def test_the_engine_walks_the_tree() -> None:
    choice = make_engine("minimax", RULES).choose(START)
    assert (choice.move, choice.value, choice.nodes) == (0, 0, 549946)
    threatened = Position.parse(RULES, "xx./oo./...")
    assert Minimax().choose(threatened).move == 2
    assert Minimax(depth=1).choose(threatened).value == 1
    o_to_move = Position.parse(RULES, "xx./oo./x..")
    assert walk_moves(o_to_move).values == {2: 0, 5: 1, 7: -1, 8: -1}
    assert measure_tree(o_to_move).value == -1  # X's


def test_small_trees_draw_themselves() -> None:
    tree = build_tree(ONE_PLY, 1)
    assert str(tree._repr_svg_()).count("X plays b3") == 1
    assert "4 boards" in repr(tree)
    large = build_tree(Position.parse(RULES, "XO./OX./..."), 3)
    assert large._repr_svg_() is None
    assert int(repr(large).split()[3]) > MOST_DRAWN
