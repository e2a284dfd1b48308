"""Minimax trees: the full tree of tic-tac-toe (its size, mean leaf depth and value), and a tree of one ply.

The notebook's "branching factor", 0.9999981816396519 for tic-tac-toe, is descendants divided by nodes. That is
(n - 1) / n in every tree of n nodes and says nothing about branching. `TreeStatistics.branching_factor` is edges
divided by internal nodes.

The notebook evaluates a position at the depth limit by the plain number of immediate wins. That is wrong in two
ways: two threats count more than a win, and the threats of O count in favour of X. So its one-ply tree of `XXO/.OO/..X`
has the value 2, because of the move that leaves O two ways to win; here the value is -1/2. The notebook also counts
immediate wins on a board that already has a line.

>>> tree = build_tree(Position.parse(parse_game("3,3,3"), "XXO/.OO/..X"), depth=1)
>>> tree.value, [round(child.value, 2) for child in tree.children.values()]
(-0.5, [-0.5, -0.5, -0.67])
"""

from collections.abc import Mapping
from dataclasses import dataclass

from solver.course.experiments import Row
from solver.drawing.board import TreeNode, svg_tree
from solver.engines.builtin.minimax import walk_moves
from solver.game.games import parse_game
from solver.game.lines import completed, squares_of
from solver.game.notation import square_name
from solver.game.position import Position

MOST_DRAWN = 60  # the most boards of a tree that a notebook draws


def run() -> list[Row]:
    """Measure the whole tree of tic-tac-toe, the value of another position, and a one-ply tree."""
    rules = parse_game("3,3,3")
    whole = measure_tree(Position.start(rules))
    before_end = Position.parse(rules, "XXO/.OO/..X")
    one_ply = build_tree(before_end, 1)
    shape = measure_tree(before_end, 1)
    after = [child.position for child in one_ply.children.values()]
    unsigned = max(count_immediate_wins(position, position.to_move) for position in after)
    counts = " ".join(str(count_immediate_wins(position, "X")) for position in after)
    return [
        Row("whole tree: nodes", 549946, whole.nodes),
        Row("whole tree: leaves", 255168, whole.leaves),
        Row("whole tree: mean leaf depth", 8.25451467268623, whole.mean_leaf_depth),
        Row("whole tree: value", 0, whole.value),
        Row("whole tree: descendants / nodes", 0.9999981816396519, whole.edges / whole.nodes, note="called b there"),
        Row("tree of five plies: nodes", 18730, measure_tree(Position.start(rules), 5).nodes),
        Row("X../.O./O.X: value", 1, measure_tree(Position.parse(rules, "X../.O./O.X")).value),
        Row("one ply from XXO/.OO/..X: nodes", 4, shape.nodes),
        Row("one ply from XXO/.OO/..X: leaves", 3, shape.leaves),
        Row("one ply from XXO/.OO/..X: mean leaf depth", 1, shape.mean_leaf_depth),
        Row("one ply from XXO/.OO/..X: descendants / nodes", 0.75, shape.edges / shape.nodes),
        Row("one ply from XXO/.OO/..X: immediate wins of X", "1 2 1", counts),
        Row("one ply from XXO/.OO/..X: value, threats of O in X's favour", 2, unsigned),
    ]


def count_immediate_wins(position: Position, player: str) -> int:
    """Return the number of squares where `player` (`X` or `O`) would win at once, even if the other side is to move.

    The number is 0 if the game is over, or if completing a line loses.

    >>> board = Position.parse(parse_game("3,3,3"), "XXO/.OO/X.X")
    >>> count_immediate_wins(board, "X"), count_immediate_wins(board, "O")
    (2, 1)
    """
    rules = position.rules
    if rules.misere:
        return 0
    stones, lines = (position.x, rules.x_lines_through) if player == "X" else (position.o, rules.o_lines_through)
    return sum(completed(lines[square], stones | 1 << square) != 0 for square in position.legal_moves)


def evaluate(position: Position) -> float:
    """Return the value of a position for X: 1, 0 or -1 if the game is over, otherwise an estimate.

    If the side to move has w immediate wins, the estimate for that side is w / (w + 1), which is below a win's value.
    """
    sign = 1 if position.to_move == "X" else -1
    over = position.value_if_over
    if over is not None:
        return float(sign * over.wdl)
    wins = count_immediate_wins(position, position.to_move)
    return sign * wins / (wins + 1) + 0.0  # never -0.0


@dataclass(frozen=True)
class TreeStatistics:
    """The size, the shape and the value of a tree."""

    nodes_at: tuple[int, ...]  #: The number of nodes at depth 0 (the root), 1, 2, ...
    leaves_at: tuple[int, ...]  #: The number of leaves at each depth.
    value: float  #: The minimax value of the root for X, from -1 to 1.

    @property
    def nodes(self) -> int:
        """The total number of nodes, including the root and the leaves."""
        return sum(self.nodes_at)

    @property
    def leaves(self) -> int:
        """The number of nodes without children; without a depth limit, the number of possible games."""
        return sum(self.leaves_at)

    @property
    def edges(self) -> int:
        """The number of moves: exactly one move leads to each node except the root."""
        return self.nodes - 1

    @property
    def branching_factor(self) -> float:
        """The mean number of children of an internal node: edges divided by internal nodes; 0 for a leaf."""
        internal = self.nodes - self.leaves
        return self.edges / internal if internal else 0.0

    @property
    def mean_leaf_depth(self) -> float:
        """The mean number of moves from the root to a leaf."""
        return sum(depth * leaves for depth, leaves in enumerate(self.leaves_at)) / self.leaves


def measure_tree(position: Position, depth: int | None = None) -> TreeStatistics:
    """Return the statistics of the tree below a position, whole or down to a depth. The tree is not stored.

    Raises EngineError for more than 64 squares or a tree of more than 20 billion nodes.
    """
    if position.is_over or depth == 0:
        return TreeStatistics((1,), (1,), evaluate(position))
    walk = walk_moves(position, depth)
    nodes_at = [1, *(int(count) for count in walk.nodes if count)]
    leaves_at = [0, *(int(count) for count in walk.leaves.sum(axis=1))][: len(nodes_at)]
    best = max(walk.values.values())
    value = (best if position.to_move == "X" else -best) + 0.0  # never -0.0
    return TreeStatistics(tuple(nodes_at), tuple(leaves_at), value)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Node:
    """A position in a tree, with its minimax value. It is one node even if several orders of moves lead to it."""

    position: Position  #: The position.
    value: float  #: The minimax value for X, from -1 to 1.
    children: Mapping[int, "Node"]  #: The node after each legal move, by its square; empty for a leaf.

    def __repr__(self) -> str:
        return f"<minimax tree of {self._count_boards({})} boards: {self._describe()}>"

    def _repr_svg_(self) -> str | None:
        """Return a drawing with thick edges for moves that keep the value; None for more than MOST_DRAWN boards."""
        if self._count_boards({}) > MOST_DRAWN:
            return None
        rules = self.position.rules
        return svg_tree(rules.diagram, self._draw(), title=f"{rules}: minimax tree, best moves by thick edges")

    def _count_boards(self, known: dict["Node", int]) -> int:
        if self not in known:
            known[self] = 1 + sum(child._count_boards(known) for child in self.children.values())
        return known[self]

    def _describe(self) -> str:
        position, value = self.position, self.value
        if position.is_over:
            return "a draw" if position.outcome == "draw" else f"{position.outcome} has won"
        estimate = f"about {abs(value):.2f} for {'X' if value > 0 else 'O'}"
        return f"{position.to_move} to move: {({1.0: 'X wins', -1.0: 'O wins', 0.0: 'draw'}).get(value, estimate)}"

    def _draw(self, above: str = "", move: int | None = None, strong: bool = False) -> TreeNode:
        position, side = self.position, f"{self.position.to_move} plays "
        children = [
            child._draw(side + square_name(position.rules, square), square, child.value == self.value)
            for square, child in self.children.items()
        ]
        marks = {*squares_of(position.winning_line)} or ({move} if move is not None else set[int]())
        tone = "" if self.value == 0 else "win" if self.value > 0 else "loss"
        return TreeNode(position.cells, above, self._describe(), tone, frozenset(marks), children, strong)


def build_tree(position: Position, depth: int | None = None) -> Node:
    """Build the tree below a position, whole or down to a depth, with the minimax value of every node."""
    nodes = dict[Position, Node]()

    def build(position: Position, depth: int | None) -> Node:
        if position not in nodes:
            squares = () if depth == 0 else position.legal_moves
            children = {square: build(position.play(square), depth and depth - 1) for square in squares}
            best = max if position.to_move == "X" else min
            values = [child.value for child in children.values()]
            nodes[position] = Node(position, best(values) if values else evaluate(position), children)
        return nodes[position]

    return build(position, depth)
