"""Full minimax trees: nodes, leaves, mean leaf depth and value of tic-tac-toe, and a one-ply tree.

The notebook's "branching factor", 0.9999981816396519 for tic-tac-toe, is descendants divided by nodes, n - 1 to n in
every tree, so it says nothing about branching. The branching factor, edges divided by internal nodes, stands in the
next row. A position at its depth limit is worth the plain number of immediate wins. That is wrong twice: two threats
count more than a win, and the threats of O count in favour of X. So its one-ply tree of `XXO/.OO/..X` has the value 2,
by the move that leaves O two ways to win; here it is -1/2. It also counts immediate wins on a board that has a line.
"""

from solver.course.experiments import Row
from solver.engines.game_tree.measuring import TreeStatistics, count_immediate_wins, measure_tree
from solver.engines.game_tree.node import build_tree
from solver.game.games import parse_game
from solver.game.position import Position


def run() -> list[Row]:
    """Measure the whole tree from the empty board, the value of another position, and the one-ply tree."""
    rules = parse_game("3,3,3")
    whole = measure_tree(Position.start(rules))
    before_end = Position.parse(rules, "XXO/.OO/..X")
    one_ply = build_tree(before_end, 1)
    shape = one_ply.statistics()
    unsigned = build_tree(before_end, 1, lambda position: float(count_immediate_wins(position, position.to_move)))
    counts = " ".join(str(count_immediate_wins(child.position, "X")) for child in one_ply.children)
    return [
        Row("whole tree: nodes", 549946, whole.nodes),
        Row("whole tree: leaves", 255168, whole.leaves),
        Row("whole tree: mean leaf depth", 8.25451467268623, whole.mean_leaf_depth),
        Row("whole tree: value", 0, whole.value),
        Row("whole tree: descendants / nodes", 0.9999981816396519, _descendants_per_node(whole), note="called b there"),
        Row("whole tree: branching factor", None, whole.branching_factor, note="edges / internal nodes"),
        Row("tree of five plies: nodes", 18730, measure_tree(Position.start(rules), 5).nodes),
        Row("X../.O./O.X: value", 1, measure_tree(Position.parse(rules, "X../.O./O.X")).value),
        Row("one ply from XXO/.OO/..X: nodes", 4, shape.nodes),
        Row("one ply from XXO/.OO/..X: leaves", 3, shape.leaves),
        Row("one ply from XXO/.OO/..X: mean leaf depth", 1, shape.mean_leaf_depth),
        Row("one ply from XXO/.OO/..X: descendants / nodes", 0.75, _descendants_per_node(shape)),
        Row("one ply from XXO/.OO/..X: branching factor", None, shape.branching_factor),
        Row("one ply from XXO/.OO/..X: immediate wins of X", "1 2 1", counts),
        Row("one ply from XXO/.OO/..X: value, threats of O in X's favour", 2, unsigned.value),
        Row("one ply from XXO/.OO/..X: value", None, one_ply.value, note="threats of O in O's favour, below a win"),
    ]


def _descendants_per_node(tree: TreeStatistics) -> float:
    return (tree.nodes - 1) / tree.nodes
