"""Build a minimax tree that is stored: every position below one, with its value.

Values are X's: 1 where X wins, -1 where O does, 0 for a draw. A position at the depth limit is judged by the
number of immediate wins (see `judging`).

>>> from solver.game.rules import Rules
>>> tree = build_tree(Position.parse(Rules.parse("3,3,3"), "XXO/.OO/..X"), depth=1)
>>> tree.value, [round(child.value, 2) for child in tree.children]
(-0.5, [-0.5, -0.5, -0.67])
"""

from collections.abc import Callable

from solver.engines.game_tree.judging import judge_position
from solver.engines.game_tree.measuring import measure_tree
from solver.engines.game_tree.node import Node
from solver.game.position import Position

__all__ = ["Judge", "build_tree", "exact_value"]

Judge = Callable[[Position], float]
"""Judges for X a position that a depth limit cuts off, where the game is not over."""


def exact_value(position: Position) -> float:
    """Find the true value for X, by walking the whole tree; raises the errors of `measure_tree`."""
    return measure_tree(position).value or 0.0


def build_tree(position: Position, depth: int | None = None, judge: Judge = judge_position) -> Node:
    """Build the tree below a position, whole or down to a depth, with the minimax value of every node.

    judge: the value of positions at the depth limit; with `exact_value` the values are those of the whole tree.
    A node takes about 200 bytes, so whole trees are for small boards; `measure_tree` counts larger ones.
    """
    return _grow(Node(position), depth, judge)


def _grow(node: Node, depth: int | None, judge: Judge) -> Node:
    position = node.position
    moves = () if depth == 0 else position.legal_moves
    if not moves:
        node.value = judge_position(position) if position.is_over else judge(position)
        return node
    below = None if depth is None else depth - 1
    node.children = [_grow(Node(position.play(square), square), below, judge) for square in moves]
    values = [child.value for child in node.children]
    node.value = max(values) if position.to_move == "X" else min(values)
    return node
