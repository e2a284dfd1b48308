"""A full minimax tree that is stored: every position below one, with its value.

Values are X's: 1 where X wins, -1 where O does, 0 for a draw. A position at the depth limit is judged by the
number of immediate wins of the side to move (`heuristic`): w of them are worth w / (w + 1) to that side, so
that what is judged never counts more than a game that is won.

In the notebook that this comes from a judged position is worth the plain number of immediate wins. That is
wrong twice: two threats count more than a win, and the threats of O count in favour of X. So its one-ply
tree of `XXO/.OO/..X` has the value 2, by the move that leaves O two ways to win; here it is -1/2.

>>> from solver.game.rules import Rules
>>> tree = build(Position.parse(Rules.parse("3,3,3"), "XXO/.OO/..X"), depth=1)
>>> tree.value, [round(child.value, 2) for child in tree.children]
(-0.5, [-0.5, -0.5, -0.67])
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from solver.engines.game_tree.figures import heuristic, measure
from solver.game.position import Position

__all__ = ["Judge", "Node", "build", "exact_value", "judged_value"]

Judge = Callable[[Position], float]
"""What a position is worth to X that a depth limit cuts off, where the game is not over."""


@dataclass(slots=True)
class Node:
    """A position in a tree; `move` led to it, `value` is X's, `children` follow by the order of the squares."""

    position: Position
    move: int | None = None
    value: float = 0.0
    children: list["Node"] = field(default_factory=list)

    @property
    def best(self) -> int | None:
        """The first move that keeps the value; None for a leaf."""
        return next((child.move for child in self.children if child.value == self.value), None)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What a notebook shows: boards and text; of a large tree the text alone, cut short."""
        from solver.engines.game_tree.showing import tree_bundle

        return tree_bundle(self)


def judged_value(position: Position) -> float:
    """The value of a finished game, or the judgement by immediate wins, for X."""
    sign = 1 if position.to_move == "X" else -1
    over = position.value_if_over
    if over is not None:
        return float(sign * over.wdl)
    wins = heuristic(position, position.to_move)
    return sign * wins / (wins + 1) + 0.0  # never -0.0


def exact_value(position: Position) -> float:
    """The true value for X, by walking the whole tree; raises the errors of `measure`."""
    return measure(position).value or 0.0


def build(position: Position, depth: int | None = None, judge: Judge = judged_value) -> Node:
    """The tree below a position, whole or down to a depth, with the minimax value of every node.

    judge: the value of positions at the depth limit; with `exact_value` the values are those of the whole tree.
    A node takes about 200 bytes, so whole trees are for small boards; `measure` counts larger ones.
    """
    return _grow(Node(position), depth, judge)


def _grow(node: Node, depth: int | None, judge: Judge) -> Node:
    position = node.position
    moves = () if depth == 0 else position.legal_moves
    if not moves:
        node.value = judged_value(position) if position.is_over else judge(position)
        return node
    below = None if depth is None else depth - 1
    node.children = [_grow(Node(position.play(square), square), below, judge) for square in moves]
    values = [child.value for child in node.children]
    node.value = max(values) if position.to_move == "X" else min(values)
    return node
