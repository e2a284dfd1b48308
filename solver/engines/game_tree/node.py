"""Build a minimax tree that is stored, and show it as lines of text, as JSON, and as a tree of boards.

Values are X's: 1 where X wins, -1 where O does, 0 for a draw. A position at the depth limit is judged by the
number of immediate wins (`judge_position`).

>>> from solver.game.rules import Rules
>>> tree = build_tree(Position.parse(parse_game("3,3,3"), "XXO/.OO/..X"), depth=1)
>>> tree.value, [round(child.value, 2) for child in tree.children]
(-0.5, [-0.5, -0.5, -0.67])
>>> print(build_tree(Position.parse(parse_game("1,3,2"), "X.."), depth=1).text())
O to move: draw, by b1
X..
  O b1, then X to move: draw
  XO.
  O c1, then X to move: judged 0.50 for X
  X.O
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from solver.engines.game_tree.measuring import TreeStatistics, count_immediate_wins, judge_position, measure_tree
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import OTHER
from solver.game.squares import square_name
from solver.support.drawing.board import TreeNode, svg_tree

MOST_BOARDS: Final = 60
"""Boards of a tree that a Jupyter notebook draws."""

_WORTHS: Final = {1.0: "X wins", -1.0: "O wins", 0.0: "draw"}

Judge = Callable[[Position], float]
"""Judges for X a position that a depth limit cuts off, where the game is not over."""


@dataclass(slots=True)
class Node:
    """A position in a tree, with all that is below it."""

    position: Position
    move: int | None = None
    """The square that led to it; None at the root."""
    value: float = 0.0
    """Its value for X."""
    children: list["Node"] = field(default_factory=list)
    """The positions after each move, by the order of the squares; none where the tree ends."""

    @property
    def best(self) -> int | None:
        """The first move that keeps the value; None for a leaf."""
        return next((child.move for child in self.children if child.value == self.value), None)

    def statistics(self) -> TreeStatistics:
        """Measure the stored tree."""
        nodes_at: list[int] = []
        leaves_at: list[int] = []
        ends = {"X": 0, "O": 0, "draw": 0, None: 0}
        level = [self]
        while level:
            leaves = [node for node in level if not node.children]
            nodes_at.append(len(level))
            leaves_at.append(len(leaves))
            for node in leaves:
                ends[node.position.outcome] += 1
            level = [child for node in level for child in node.children]
        return TreeStatistics(
            tuple(nodes_at), tuple(leaves_at), ends["X"], ends["O"], ends["draw"], ends[None], self.value
        )

    def text(self) -> str:
        """Write every node: a line about it, then its board, indented by its depth."""
        return "\n".join(self._lines(""))

    def svg(self) -> str:
        """Draw the tree as an SVG picture; thick edges lead to the moves that keep the value."""
        rules = self.position.rules
        return svg_tree(rules.diagram, self._drawing(), title=f"{rules}: minimax tree, best moves by thick edges")

    def json(self) -> dict[str, Any]:
        """The tree as objects for JSON."""
        position = self.position
        answer: dict[str, Any] = {} if self.move is None else {"square": self.move, "name": self._move_name}
        answer |= {
            "position": position.board,
            "to_move": position.to_move,
            "over": position.is_over,
            "value": self.value,
            "immediate_wins": count_immediate_wins(position, position.to_move),
        }
        return answer | ({"children": [child.json() for child in self.children]} if self.children else {})

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """The picture and the text, for Jupyter; of more than MOST_BOARDS the root and its moves alone."""
        if len([*islice(self._nodes(), MOST_BOARDS + 1)]) <= MOST_BOARDS:
            return {"image/svg+xml": self.svg(), "text/plain": self.text()}
        moves = [f"  {child._headline()}" for child in self.children]
        return {"text/plain": "\n".join([self._headline(), *moves, "A large tree: the moves at its root."])}

    @property
    def _move_name(self) -> str:
        return square_name(self.position.rules, self.move or 0)

    @property
    def _worth(self) -> str:
        """The value in words."""
        if self.position.is_over:
            outcome = self.position.outcome
            return "a draw" if outcome == "draw" else f"{outcome} has won"
        return _WORTHS.get(self.value, f"judged {abs(self.value):.2f} for {'X' if self.value > 0 else 'O'}")

    def _nodes(self) -> Iterator["Node"]:
        yield self
        for child in self.children:
            yield from child._nodes()

    def _lines(self, indent: str) -> Iterator[str]:
        yield f"{indent}{self._headline()}"
        for row in self.position.board.split("/"):
            yield f"{indent}{row}"
        for child in self.children:
            yield from child._lines(indent + "  ")

    def _headline(self) -> str:
        position = self.position
        lead = "" if self.move is None else f"{OTHER[position.to_move]} {self._move_name}"
        if position.is_over:
            return f"{lead}: {self._worth}" if lead else self._worth
        best = "" if self.best is None else f", by {square_name(position.rules, self.best)}"
        then = f"{lead}, then " if lead else ""
        return f"{then}{position.to_move} to move: {self._worth}{best}"

    def _drawing(self, above: str = "", strong: bool = False) -> TreeNode:
        position = self.position
        children = [
            child._drawing(f"{position.to_move} plays {child._move_name}", child.value == self.value)
            for child in self.children
        ]
        marks = frozenset(squares_of(position.winning_line)) or ({self.move} if self.move is not None else frozenset())
        below = self._worth if position.is_over else f"{position.to_move} to move: {self._worth}"
        tone = "" if self.value == 0 else "win" if self.value > 0 else "loss"
        return TreeNode(position.cells, above, below, tone, frozenset(marks), children, strong)


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
