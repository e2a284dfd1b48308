"""Measure a game tree without storing it, and judge positions without search.

`measure_tree` walks the tree below any position, some 100 million nodes a second: nodes, leaves, depth, branching
factor, minimax value. `measure_game` counts the tree of a whole game without visiting it (`solver.count.count_games`),
so that its size does not matter.

A position where w moves of the side to move win at once is judged to be worth w / (w + 1) to that side, so that what is
judged never counts more than a game that is won.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import perm
from typing import Any, Final

import numpy as np

from solver.count import count_games
from solver.errors import EngineError
from solver.game.bitboards import board_of, require_words, sides
from solver.game.lines import completed
from solver.game.position import Position
from solver.game.rules import Rules
from solver.kernels.gametree import CUT_OFF, immediate_wins, walk_tree

MOST_NODES: Final = 20_000_000_000
"""The largest tree that is walked, judged by the empty squares: a few minutes."""


def count_immediate_wins(position: Position, player: str) -> int:
    """Count the squares on which a stone of `player` (`X` or `O`) wins at once, whoever is to move.

    There are none once the game is over, or where completing a line loses.

    >>> from solver.game.rules import Rules
    >>> board = Position.parse(parse_game("3,3,3"), "XXO/.OO/X.X")
    >>> count_immediate_wins(board, "X"), count_immediate_wins(board, "O")
    (2, 1)
    """
    if position.rules.misere:
        return 0
    stones, through = (
        (position.x, position.rules.x_lines_through) if player == "X" else (position.o, position.rules.o_lines_through)
    )
    return sum(completed(through[square], stones | 1 << square) != 0 for square in position.legal_moves)


def judge_position(position: Position) -> float:
    """Judge a position for X: 1, 0 or -1 for a finished game, else by the immediate wins of the side to move."""
    sign = 1 if position.to_move == "X" else -1
    over = position.value_if_over
    if over is not None:
        return float(sign * over.wdl)
    wins = count_immediate_wins(position, position.to_move)
    return sign * wins / (wins + 1) + 0.0  # never -0.0


@dataclass(frozen=True)
class TreeStatistics:
    """The size and shape of a tree."""

    nodes_at: tuple[int, ...]
    """The number of nodes at depth 0 (the root), 1, 2, ..."""
    leaves_at: tuple[int, ...]
    """The number of leaves among them."""
    x_wins: int
    """The number of leaves that X has won."""
    o_wins: int
    draws: int
    undecided: int = 0
    """The number of leaves that a depth limit has cut off."""
    value: float | None = None
    """The minimax value of the root, 1 where X wins and -1 where O does; None where it was not computed."""

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

    def json(self) -> dict[str, Any]:
        """An object for JSON."""
        return {
            "nodes": self.nodes,
            "leaves": self.leaves,
            "internal": self.internal,
            "depth": self.depth,
            "mean_leaf_depth": self.mean_leaf_depth,
            "branching_factor": self.branching_factor,
            "x_wins": self.x_wins,
            "o_wins": self.o_wins,
            "draws": self.draws,
            "undecided": self.undecided,
            "value": self.value,
            "nodes_at": list(self.nodes_at),
            "leaves_at": list(self.leaves_at),
        }

    def text(self) -> str:
        """A few lines for people."""
        ends = [f"{self.x_wins:,} won by X", f"{self.o_wins:,} by O", f"{self.draws:,} drawn"]
        ends += [f"{self.undecided:,} cut off"] if self.undecided else []
        return "\n".join(
            [
                f"Nodes:             {self.nodes:,}, of them {self.internal:,} with children",
                f"Leaves:            {self.leaves:,}: {', '.join(ends)}",
                f"Mean leaf depth:   {self.mean_leaf_depth:.4f} of at most {self.depth}",
                f"Branching factor:  {self.branching_factor:.4f}",
            ]
        )


def measure_tree(position: Position, depth: int | None = None) -> TreeStatistics:
    """Walk the whole tree below a position, or down to a depth; up to 64 squares.

    Positions at the depth limit are judged as `judge_position` does. Raises EngineError for a larger board and for
    a tree of more than MOST_NODES nodes.
    """
    if position.is_over or depth == 0:
        outcome = position.outcome
        x_wins, o_wins, draws, undecided = (int(outcome == end) for end in ("X", "O", "draw", None))
        return TreeStatistics((1,), (1,), x_wins, o_wins, draws, undecided, judge_position(position))
    return measure_moves(position, depth)[1]


def measure_moves(position: Position, depth: int | None = None) -> tuple[dict[int, float], TreeStatistics]:
    """Find the minimax value of each legal move for the side that makes it, and measure the tree on the way.

    The position is not over, and `depth` at least 1. Raises the errors of `measure_tree`.
    """
    _require_small(position, depth)
    nodes, leaves, values = _walk_children(position, position.rules.squares + 1 if depth is None else depth)
    mover_ends, other_ends = leaves[:, 2].sum(), leaves[:, 0].sum()
    x_to_move = position.to_move == "X"
    best = max(values.values())
    statistics = TreeStatistics(
        tuple(_trim([1, *nodes.tolist()])),
        tuple(_trim([0, *leaves.sum(axis=1).tolist()])),
        int(mover_ends if x_to_move else other_ends),
        int(other_ends if x_to_move else mover_ends),
        int(leaves[:, 1].sum()),
        int(leaves[:, CUT_OFF].sum()),
        (best if x_to_move else -best) + 0.0,  # never -0.0
    )
    return values, statistics


def measure_game(rules: Rules) -> TreeStatistics:
    """Count the tree of a whole game by positions, without walking it; its value is not computed.

    Any game of up to 25 squares without gravity, and with it up to some 200 million positions. Raises RulesError.

    >>> statistics = measure_game(parse_game("4,4,4"))
    >>> statistics.leaves, round(statistics.branching_factor, 3)
    (15038733958272, 1.708)
    """
    counts = [count for count in count_games(rules) if count.nodes]
    return TreeStatistics(
        tuple(count.nodes for count in counts),
        tuple(count.games for count in counts),
        sum(count.x_wins for count in counts),
        sum(count.o_wins for count in counts),
        sum(count.draws for count in counts),
    )


def _walk_children(position: Position, limit: int) -> tuple["np.ndarray", "np.ndarray", dict[int, float]]:
    """Walk the tree below each move of a position that is not over, down to `limit` moves (at least 1).

    Returns the nodes at depth 1, 2, ...; likewise the leaves, each lost, drawn, won for the side to move in
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
    return nodes, leaves[:, [2, 1, 0, CUT_OFF]], values


def _trim(counts: Iterable[int]) -> list[int]:
    """Drop the zeros of depths that the tree does not reach."""
    kept = list(counts)
    while not kept[-1]:
        kept.pop()
    return kept


def _require_small(position: Position, depth: int | None) -> None:
    empty = position.rules.squares - position.ply
    deepest = empty if depth is None else min(depth, empty)
    columns = position.rules.stride if position.rules.has_supports else empty
    nodes = 0
    for d in range(deepest + 1):
        nodes += min(perm(empty, d), columns**d)
        if nodes > MOST_NODES:
            raise EngineError(
                f"The tree of {position.rules} from {position.board} may have more than {MOST_NODES:,} nodes; "
                "give a depth, or begin later in the game."
            )
