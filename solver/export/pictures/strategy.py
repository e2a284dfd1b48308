"""A complete strategy of one side, read from a table.

A strategy is a graph: a position that several lines of play lead to is one node.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.game.lines import completed, squares_of
from solver.game.position import Position
from solver.game.rules import OTHER, Rules
from solver.game.value import CATEGORIES

if TYPE_CHECKING:
    from solver.search.truth import Truth


class StrategyTooLarge(Exception):
    """Raised if a strategy has more levels or boards than allowed."""


@dataclass(frozen=True, eq=False)
class StrategyNode:
    """A position, the player's move in it, and the answers to all replies."""

    position: Position
    move: int | None  # the player's move; None only on the empty board if the other side begins
    verdict: str  # the player's result if both sides play perfectly: `win`, `draw` or `loss`
    after: Position  # the position after the move
    replies: Mapping[int, "StrategyNode | str"]
    """By the square of each reply, ascending: the node with the player's answer or, if neither side has a choice any
    more, the result for the player."""

    @property
    def answers(self) -> dict[int, "StrategyNode"]:
        """The nodes among `replies`."""
        return {square: then for square, then in self.replies.items() if isinstance(then, StrategyNode)}

    @property
    def lines(self) -> list[list[int]]:
        """The squares of each line that the move completes."""
        position = self.after
        sides = ((position.rules.x_lines, position.x), (position.rules.o_lines, position.o))
        made = [completed([line], stones) for lines, stones in sides for line in lines]
        return [[*squares_of(line)] for line in made if line]


@dataclass(frozen=True)
class Strategy:
    """A player's strategy, from the empty board on."""

    rules: Rules
    player: str  # `X` or `O`
    nodes: tuple[StrategyNode, ...]  # every node once, before the nodes that it leads to

    @property
    def root(self) -> StrategyNode:
        """The node at which the game begins."""
        return self.nodes[0]

    @property
    def other(self) -> str:
        """The other player."""
        return OTHER[self.player]

    @property
    def levels(self) -> int:
        """The number of levels of nested boards. The outermost board is level 1; each move of X leads to the next."""
        return 1 + max((node.position.ply + 1) // 2 for node in self.nodes)


def read_strategy(truth: "Truth", rules: Rules, player: str, *, levels: int, most: int) -> Strategy:
    """Return a player's perfect strategy: in every position, the first of the best moves.

    It wins as fast and loses as late as possible. levels: the maximum depth of nested boards. most: the maximum number
    of boards in total. Raises StrategyTooLarge, MissingTable, DamagedTable.
    """
    found: dict[Position, StrategyNode | None] = {}  # in order of insertion

    def read(position: Position) -> StrategyNode:
        known = found.get(position)
        if known:
            return known
        if (position.ply + 1) // 2 >= levels:
            raise StrategyTooLarge(f"it nests more than {levels} boards in each other")
        if len(found) >= most:
            raise StrategyTooLarge(f"it has more than {most:,} boards")
        found[position] = None  # keeps its place before the nodes it leads to
        mine = position.to_move == player
        wdl = truth.probe_wdl(position) * (1 if mine else -1)
        move = truth.best_move(position) if mine else None
        after = position if move is None else position.play(move)
        replies = {square: read_reply(after.play(square)) for square in after.legal_moves}
        node = found[position] = StrategyNode(position, move, CATEGORIES[wdl], after, replies)
        return node

    def read_reply(position: Position) -> StrategyNode | str:
        end = forced_end(position)
        return {"draw": "draw", player: "win"}.get(end.outcome or "", "loss") if end else read(position)

    read(Position.start(rules))
    return Strategy(rules, player, tuple(node for node in found.values() if node))


def forced_end(position: Position) -> Position | None:
    """Return the final position if every remaining ply has only one legal move; None if a side has a choice."""
    while not position.is_over:
        moves = position.legal_moves
        if len(moves) > 1:
            return None
        position = position.play(moves[0])
    return position
