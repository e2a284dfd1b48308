"""Game trees: full minimax trees, stored or only counted, and conditional plans; as text, JSON and pictures.

>>> from solver.position import Position
>>> from solver.rules import Rules
>>> figures = measure(Position.start(Rules.parse("3,3,3")))
>>> figures.nodes, figures.leaves, figures.value
(549946, 255168, 0.0)
"""

from solver.gametree.figures import Figures, figures_of, heuristic, measure, measure_game, move_values
from solver.gametree.minimax import Node, build, exact_value, judged_value

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
