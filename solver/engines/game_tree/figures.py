"""The size and shape of a game tree: nodes, leaves, depth, branching factor; counted without being stored.

`measure` walks the tree below any position, some 100 million nodes a second. `measure_game` counts the tree
of a whole game without visiting it (`solver.count.count_games`), so that its size does not matter.

The notebook that this comes from prints a "branching factor" of 0.9999981816396519 for tic-tac-toe. It is
descendants divided by nodes, n - 1 to n in every tree, so it says nothing about branching. The branching
factor is edges divided by internal nodes: 549945 / 294778, or 1.87.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import perm
from typing import TYPE_CHECKING, Final

from solver.errors import EngineError
from solver.game.lines import completed
from solver.game.position import Position
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.engines.game_tree.minimax import Node

__all__ = ["Figures", "figures_of", "heuristic", "measure", "measure_game", "move_values"]

MOST_NODES: Final = 20_000_000_000
"""The largest tree that is walked, judged by the empty squares: a few minutes."""


@dataclass(frozen=True)
class Figures:
    """A tree measured.

    nodes_at, leaves_at: how many nodes, and leaves among them, at depth 0 (the root), 1, 2, ...
    x_wins, o_wins, draws: the leaves where the game is over; undecided: those cut off by a depth limit.
    value: of the root by minimax, 1 where X wins and -1 where O does; None where it was not computed.
    """

    nodes_at: tuple[int, ...]
    leaves_at: tuple[int, ...]
    x_wins: int
    o_wins: int
    draws: int
    undecided: int = 0
    value: float | None = None

    @property
    def nodes(self) -> int:
        """All nodes, the root and the leaves among them."""
        return sum(self.nodes_at)

    @property
    def leaves(self) -> int:
        """The nodes without children: without a depth limit, the games that can be played."""
        return sum(self.leaves_at)

    @property
    def internal(self) -> int:
        """The nodes with children."""
        return self.nodes - self.leaves

    @property
    def branching_factor(self) -> float:
        """The mean number of children of a node that has any: edges divided by internal nodes; 0 for a leaf."""
        return (self.nodes - 1) / self.internal if self.internal else 0.0

    @property
    def mean_leaf_depth(self) -> float:
        """The mean number of moves from the root to a leaf."""
        return sum(depth * leaves for depth, leaves in enumerate(self.leaves_at)) / self.leaves

    @property
    def depth(self) -> int:
        """The number of moves from the root to the deepest leaf."""
        return len(self.nodes_at) - 1


def heuristic(position: Position, player: str) -> int:
    """How many squares there are on which a stone of `player` (`X` or `O`) wins at once, whoever is to move.

    None once the game is over, or where completing a line loses. (The notebook counts each empty square of
    a board that has a line already.)

    >>> board = Position.parse(Rules.parse("3,3,3"), "XXO/.OO/X.X")
    >>> heuristic(board, "X"), heuristic(board, "O")
    (2, 1)
    """
    if position.rules.misere:
        return 0
    stones = position.x if player == "X" else position.o
    return sum(
        completed(position.rules.lines_through[square], stones | 1 << square) != 0 for square in position.legal_moves
    )


def measure(position: Position, depth: int | None = None) -> Figures:
    """Walk the whole tree below a position, or down to a depth; up to 64 squares.

    Positions at the depth limit are judged as `walk_tree` does. Raises EngineError for a larger board and for
    a tree of more than MOST_NODES nodes.
    """
    return _walk(position, depth)[0]


def move_values(position: Position, depth: int | None = None) -> tuple[dict[int, float], Figures]:
    """The minimax value of each legal move for the side that makes it, and the tree measured on the way.

    Raises the errors of `measure`.
    """
    figures, values = _walk(position, depth)
    return values, figures


def measure_game(rules: Rules) -> Figures:
    """The tree of a whole game, counted by positions instead of being walked; its value is not computed.

    Any game of up to 25 squares without gravity, and with it up to some 200 million positions. Raises RulesError.

    >>> figures = measure_game(Rules.parse("4,4,4"))
    >>> figures.leaves, round(figures.branching_factor, 3)
    (15038733958272, 1.708)
    """
    from solver.count import count_games  # here, because it loads Numba

    counts = [count for count in count_games(rules) if count.nodes]
    return Figures(
        tuple(count.nodes for count in counts),
        tuple(count.games for count in counts),
        sum(count.x_wins for count in counts),
        sum(count.o_wins for count in counts),
        sum(count.draws for count in counts),
    )


def figures_of(root: "Node") -> Figures:
    """A stored tree measured."""
    nodes_at: list[int] = []
    leaves_at: list[int] = []
    ends = {"X": 0, "O": 0, "draw": 0, None: 0}
    level = [root]
    while level:
        leaves = [node for node in level if not node.children]
        nodes_at.append(len(level))
        leaves_at.append(len(leaves))
        for node in leaves:
            ends[node.position.outcome] += 1
        level = [child for node in level for child in node.children]
    return Figures(tuple(nodes_at), tuple(leaves_at), ends["X"], ends["O"], ends["draw"], ends[None], root.value)


def _walk(position: Position, depth: int | None) -> tuple[Figures, dict[int, float]]:
    from solver.engines.game_tree.walk import walk_children  # here, because it loads Numba

    sign = 1 if position.to_move == "X" else -1
    over = position.value_if_over
    if over is not None or depth == 0:
        return _root_alone(position), {}
    _require_small(position, depth)
    nodes, leaves, values = walk_children(position, position.rules.squares + 1 if depth is None else depth)
    lost, drawn, won, undecided = (sum(column) for column in zip(*leaves, strict=True))
    x_wins, o_wins = (won, lost) if sign > 0 else (lost, won)
    figures = Figures(
        tuple(_trimmed([1, *nodes])),
        tuple(_trimmed([0, *map(sum, leaves)])),
        x_wins,
        o_wins,
        drawn,
        undecided,
        sign * max(values.values()) + 0.0,  # never -0.0
    )
    return figures, values


def _root_alone(position: Position) -> Figures:
    from solver.engines.game_tree.minimax import judged_value

    outcome = position.outcome
    x_wins, o_wins, draws, undecided = (int(outcome == end) for end in ("X", "O", "draw", None))
    return Figures((1,), (1,), x_wins, o_wins, draws, undecided, judged_value(position))


def _trimmed(counts: Iterable[int]) -> list[int]:
    """Without the zeros of depths that the tree does not reach."""
    kept = list(counts)
    while not kept[-1]:
        kept.pop()
    return kept


def _require_small(position: Position, depth: int | None) -> None:
    empty = position.rules.squares - position.ply
    deepest = empty if depth is None else min(depth, empty)
    columns = position.rules.n if position.rules.gravity and position.rules.m > 1 else empty
    nodes = 0
    for d in range(deepest + 1):
        nodes += min(perm(empty, d), columns**d)
        if nodes > MOST_NODES:
            raise EngineError(
                f"The tree of {position.rules} from {position.board} may have more than {MOST_NODES:,} nodes; "
                "give a depth, or begin later in the game."
            )
