"""Walk game trees: measure them without storing them, or build minimax trees to show.

>>> from solver.game.position import Position
>>> from solver.game.rules import Rules
>>> statistics = measure_tree(Position.start(Rules.parse("3,3,3")))
>>> statistics.nodes, statistics.leaves, statistics.value
(549946, 255168, 0.0)
"""

from solver.engines.game_tree.measuring import (
    TreeStatistics,
    count_immediate_wins,
    judge_position,
    measure_game,
    measure_moves,
    measure_tree,
)
from solver.engines.game_tree.node import Node, build_tree, exact_value

__all__ = [
    "Node",
    "TreeStatistics",
    "build_tree",
    "count_immediate_wins",
    "exact_value",
    "judge_position",
    "measure_game",
    "measure_moves",
    "measure_tree",
]
