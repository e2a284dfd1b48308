"""Calls of the kernel that walks game trees."""

import numpy as np

from solver.game.bitboards import board_of, require_words, sides
from solver.game.position import Position
from solver.kernels.gametree import CUT_OFF, immediate_wins, walk_tree

__all__ = ["walk_children"]


def walk_children(position: Position, limit: int) -> tuple[list[int], list[list[int]], dict[int, float]]:
    """Walk the tree below each move of a position that is not over, down to `limit` moves (at least 1).

    Gives the nodes at depth 1, 2, ...; likewise the leaves, each lost, drawn, won for the side to move in
    `position`, and undecided; and the value of each move for that side. Between two moves an interrupt is
    heeded. Raises EngineError for a board of more than 64 squares.
    """
    require_words(position.rules, "The tree walker")
    board = board_of(position.rules)
    depths = position.rules.squares + 2
    nodes, leaves = np.zeros(depths, np.int64), np.zeros((depths, 4), np.int64)
    values = {}
    for square in position.legal_moves:
        child = position.play(square)
        nodes[0] += 1
        over = child.value_if_over
        if over is not None:
            # The leaves of a child are counted as it sees them: its loss is a win of the mover.
            leaves[0, 1 + over.wdl] += 1
            values[square] = -float(over.wdl)
        elif limit == 1:
            leaves[0, CUT_OFF] += 1
            wins = immediate_wins(board, *sides(child))
            values[square] = -wins / (wins + 1)
        else:
            values[square] = -walk_tree(board, *sides(child), limit - 1, nodes, leaves)
    turned = leaves[:, [2, 1, 0, CUT_OFF]]
    return nodes.tolist(), turned.tolist(), values
