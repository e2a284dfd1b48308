"""Game trees: full minimax trees, stored or only counted, and conditional plans; as text, JSON and pictures.

>>> from solver.game.position import Position
>>> from solver.game.rules import Rules
>>> figures = measure(Position.start(Rules.parse("3,3,3")))
>>> figures.nodes, figures.leaves, figures.value
(549946, 255168, 0.0)
"""

from solver.engines.game_tree.figures import Figures, figures_of, heuristic, measure, measure_game, move_values
from solver.engines.game_tree.minimax import Node, build, exact_value, judged_value

__all__ = [
    "Figures",
    "Node",
    "build",
    "exact_value",
    "figures_of",
    "heuristic",
    "judged_value",
    "measure",
    "measure_game",
    "move_values",
]
