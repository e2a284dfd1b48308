"""Walk game trees: `measuring` measures them without storing them, `node` builds minimax trees to show.

>>> from solver.engines.game_tree.measuring import measure_tree
>>> from solver.game.position import Position
>>> statistics = measure_tree(Position.start(parse_game("3,3,3")))
>>> statistics.nodes, statistics.leaves, statistics.value
(549946, 255168, 0.0)
"""
