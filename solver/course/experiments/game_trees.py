"""Full minimax trees: nodes, leaves, mean leaf depth and value of tic-tac-toe, and a one-ply tree.

Its "branching factor" is not one, as `solver.engines.game_tree.figures` says; the right figure stands in the next row.
"""

from solver.course.experiments import Row
from solver.engines.game_tree import Figures, build, figures_of, heuristic, measure
from solver.game.position import Position
from solver.game.rules import Rules

__all__ = ["run"]


def run() -> list[Row]:
    """The whole tree from the empty board, the value of another position, and the one-ply tree."""
    rules = Rules.parse("3,3,3")
    whole = measure(Position.start(rules))
    before_end = Position.parse(rules, "XXO/.OO/..X")
    one_ply = build(before_end, 1)
    shape = figures_of(one_ply)
    # The notebook judges by the plain number of immediate wins of the side to move, for X whoever that is.
    unsigned = build(before_end, 1, lambda position: float(heuristic(position, position.to_move)))
    counts = " ".join(str(heuristic(child.position, "X")) for child in one_ply.children)
    return [
        Row("whole tree: nodes", 549946, whole.nodes),
        Row("whole tree: leaves", 255168, whole.leaves),
        Row("whole tree: mean leaf depth", 8.25451467268623, whole.mean_leaf_depth),
        Row("whole tree: value", 0, whole.value),
        Row("whole tree: descendants / nodes", 0.9999981816396519, _descendants_per_node(whole), note="called b there"),
        Row("whole tree: branching factor", None, whole.branching_factor, note="edges / internal nodes"),
        Row("tree of five plies: nodes", 18730, measure(Position.start(rules), 5).nodes),
        Row("X../.O./O.X: value", 1, measure(Position.parse(rules, "X../.O./O.X")).value),
        Row("one ply from XXO/.OO/..X: nodes", 4, shape.nodes),
        Row("one ply from XXO/.OO/..X: leaves", 3, shape.leaves),
        Row("one ply from XXO/.OO/..X: mean leaf depth", 1, shape.mean_leaf_depth),
        Row("one ply from XXO/.OO/..X: descendants / nodes", 0.75, _descendants_per_node(shape)),
        Row("one ply from XXO/.OO/..X: branching factor", None, shape.branching_factor),
        Row("one ply from XXO/.OO/..X: immediate wins of X", "1 2 1", counts),
        Row("one ply from XXO/.OO/..X: value, threats of O in X's favour", 2, unsigned.value),
        Row("one ply from XXO/.OO/..X: value", None, one_ply.value, note="threats of O in O's favour, below a win"),
    ]


def _descendants_per_node(figures: Figures) -> float:
    return (figures.nodes - 1) / figures.nodes
